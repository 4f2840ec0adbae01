import { useContext } from 'preact/hooks';
import { EXCHANGES } from '../../../../lib/prices/exchanges.ts';
import type { Estimate, Position, Redemption, Route, Service } from './bodies.ts';
import { Card } from './card.tsx';
import { Explorer } from './explorer.ts';
import { percent } from './format.ts';
import { pathOf, withQuery } from './paths.ts';
import { Amount, Quantity } from './quantity.tsx';
import { Reliability } from './queue.tsx';
import { type Loaded, useAnswer } from './sources.ts';
import { AskedNow } from './your-withdrawals.tsx';

/** The ways to turn ggAVAX into AVAX: those that pay at once first. */
export function WayOut({ position }: { position: Loaded<Position> }) {
  const { ggAvax = '0', redemption } = position.body ?? {};
  const estimate = useAnswer(withQuery(pathOf('/withdrawals/estimate'), { ggAvax }));
  return (
    <Card
      id="way-out"
      title="Get AVAX back"
      about={
        <>
          For <Quantity of={ggAvax} unit="ggAVAX" />, at block {position.body?.block.number}
        </>
      }
      from={[position, estimate]}
      lines={12}
    >
      {estimate.body && <Routes estimate={estimate.body} redemption={redemption} />}
    </Card>
  );
}

function Routes({ estimate, redemption }: { estimate: Estimate; redemption: Redemption | undefined }) {
  const routes = estimate.routes.filter((route) => isPossible(route, redemption));
  const impossible = estimate.routes
    .filter((route) => !routes.includes(route))
    .map((route) => describeRefusal(route, redemption));
  return (
    <>
      {routes.length === 0 && <p class="empty">Not possible at the moment.</p>}
      <ol class="routes">
        {routes.map((route) => (
          <li key={route.route}>
            {route.route === 'redeem' && redemption && <Redeem of={redemption} held={estimate.ggAvax} />}
            {route.route === 'market' && <Sell of={route} />}
            {route.route === 'queue' && <Ask estimate={estimate} service={route.service} />}
          </li>
        ))}
      </ol>
      {impossible.length > 0 && <p class="quiet">{`Not possible now: ${impossible.join('; ')}.`}</p>}
    </>
  );
}

/** The simulation for this address counts for more than the one for the whole pool. */
function isPossible(route: Route, redemption: Redemption | undefined): boolean {
  return route.route === 'redeem' ? Number(redemption?.avax ?? 0) > 0 : route.available;
}

const REASONS: Record<string, string> = {
  CLOSED: 'to redeem it, which only the withdrawal queue may do',
  PAUSED: 'to redeem it, because the token is paused',
  NO_LIQUIDITY: 'to redeem it, because all of the pool’s AVAX is staked',
};

function describeRefusal(route: Route, redemption: Redemption | undefined): string {
  switch (route.route) {
    case 'redeem':
      return REASONS[redemption?.reason ?? route.reason ?? ''] ?? 'to redeem it';
    case 'market':
      return route.reason === 'NO_POOL'
        ? 'to sell it, because no exchange has a pool for it'
        : 'to sell all of it, because no pool can take that much';
    case 'queue':
      return route.reason === 'PAUSED'
        ? 'to request it, because the queue is paused'
        : 'to request it, because there is no queue';
  }
}

function Redeem({ of: { ggAvax, avax }, held }: { of: Redemption; held: string }) {
  return (
    <>
      <Heading what="Redeem it" avax={avax} when="at once, in one transaction" />
      {ggAvax !== held && (
        <p>
          Of <Quantity of={held} unit="ggAVAX" />, <Quantity of={ggAvax} unit="ggAVAX" /> can be redeemed now: the pool
          has no more AVAX to pay out.
        </p>
      )}
      <p>
        <a href="#your-available">The transaction to send</a>
      </p>
    </>
  );
}

function Sell({
  of: { dex = '', pool, avax, sAvax, discountPercent = 0 },
}: {
  of: Extract<Route, { route: 'market' }>;
}) {
  const explorer = useContext(Explorer);
  const worth = `${percent(Math.abs(discountPercent))} ${discountPercent < 0 ? 'more' : 'less'} than its value`;
  return (
    <>
      <Heading
        what={`Sell it on ${formatName(dex)}`}
        avax={avax}
        when={`at once, paid in ${sAvax ? 'sAVAX' : 'WAVAX'}`}
      />
      {sAvax && (
        <p>
          You get <Quantity of={sAvax} unit="sAVAX" />, BENQI’s staked AVAX, valued at its own exchange rate.
        </p>
      )}
      <p>
        {`That is ${worth}. `}
        {pool && explorer && (
          <a href={explorer('address', pool)} target="_blank" rel="noreferrer">
            The pool
          </a>
        )}
      </p>
    </>
  );
}

function formatName(dex: string): string {
  return EXCHANGES.find(({ code }) => code === dex)?.name ?? dex;
}

function Ask({ estimate, service }: { estimate: Estimate; service: Service }) {
  return (
    <>
      <Heading
        what="Request it from the withdrawal queue"
        avax={estimate.avax}
        when="later, if AVAX comes back from staking"
      />
      <AskedNow estimate={estimate} />
      <Reliability of={service} />
    </>
  );
}

function Heading({ what, avax, when }: { what: string; avax: string | undefined; when: string }) {
  return (
    <h4>
      {what}
      <span>
        <Amount of={avax} unit="AVAX" /> {when}
      </span>
    </h4>
  );
}
