import type { Bodies } from '../../../../functions/index.ts';
import { EXCHANGES } from '../../../../lib/prices/exchanges.ts';
import { Quantity } from '../account/quantity.tsx';
import { useAnswer } from './answers.ts';
import { day, percent } from './format.ts';
import { pathOf, withQuery } from './paths.ts';

type Estimate = Bodies['/withdrawals/estimate'];
type Route = Estimate['routes'][number];

/** The other ways to turn ggAVAX into AVAX, a line each, in the API's order: best first. */
export function WaysOut({ ggAvax }: { ggAvax: string }) {
  const { body } = useAnswer(withQuery(pathOf('/withdrawals/estimate'), { ggAvax }));
  if (!body) return null;
  const routes = body.routes.filter(({ route, available }) => route !== 'redeem' && available);
  return (
    <ul class="quiet">
      {routes.map((route) => (
        <li key={route.route}>{route.route === 'market' ? <Sell route={route} /> : <Ask estimate={body} />}</li>
      ))}
      {routes.length < 2 && (
        <li>{`Not possible now: ${body.routes.filter(isOtherAndShut).map(refusal).join('; ')}.`}</li>
      )}
    </ul>
  );
}

const isOtherAndShut = ({ route, available }: Route) => route !== 'redeem' && !available;

function refusal({ route, reason }: Route): string {
  if (route === 'market')
    return `selling ggAVAX (${reason === 'NO_POOL' ? 'no exchange has a pool' : 'no pool can take that much'})`;
  return `a withdrawal request (${reason === 'PAUSED' ? 'the queue is paused' : 'there is no queue'})`;
}

function Sell({ route }: { route: Extract<Route, { route: 'market' }> }) {
  const { dex = '', avax, sAvax, discountPercent = 0 } = route;
  return (
    <>
      {`Or sell your ggAVAX on ${EXCHANGES.find(({ code }) => code === dex)?.name ?? dex}: `}
      <Quantity amount={avax} unit="AVAX" />
      {` at once, paid in ${sAvax ? 'sAVAX' : 'WAVAX'}, ${percent(Math.abs(discountPercent))} `}
      {discountPercent < 0 ? 'more than its value.' : 'less than its value.'}
    </>
  );
}

function Ask({ estimate: { avax, claimableTime } }: { estimate: Estimate }) {
  return (
    <>
      Or request it from the queue: <Quantity amount={avax} unit="AVAX" /> later
      {claimableTime !== undefined && `, from ${day(claimableTime)}`}, not guaranteed.
    </>
  );
}
