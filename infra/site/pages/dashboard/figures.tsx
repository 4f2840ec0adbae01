/** Eight key figures of the protocol. */

import type { Metrics, MetricsPoint, PricesPoint } from './bodies.ts';
import { Card } from './card.tsx';
import { Facts } from './facts.tsx';
import { change, DAY, duration, moment, percent, short } from './format.ts';
import { pathOf } from './paths.ts';
import { Amount, Quantity } from './quantity.tsx';
import { useHistory } from './range.tsx';
import { useAnswer } from './sources.ts';

const MONTH = 31 * DAY;

export function Figures() {
  const answer = useAnswer(pathOf('/metrics'));
  const prices = useHistory(pathOf('/prices/history'), '90d').points;
  const history = useHistory(pathOf('/metrics/history'), '90d').points;
  return (
    <Card
      id="figures"
      title="Key figures"
      from={[answer]}
      lines={0}
      about={
        answer.body
          ? `At block ${answer.body.block.number}, ${moment(answer.body.block.timestamp)}`
          : !answer.failure && 'Loading…'
      }
    >
      <FigureList metrics={answer.body ?? {}} prices={prices} history={history} />
    </Card>
  );
}

type Timed<Point> = readonly (Point & { timestamp: number })[];

function FigureList({
  metrics,
  prices,
  history,
}: {
  metrics: Partial<Metrics>;
  prices: Timed<PricesPoint>;
  history: Timed<MetricsPoint>;
}) {
  const {
    minipools,
    exchange_rate: rate,
    avax_price_in_usd: avaxInUSD,
    ggp_total_supply: supply,
    total_ggp_staked: staked,
  } = metrics;
  const all = minipools && Object.values(minipools).reduce((sum, count) => sum + count, 0);
  return (
    <Facts
      big
      of={[
        [
          'Total value locked',
          <Amount of={metrics.tvl_usd} unit="USD" />,
          <Quantity of={metrics.tvl_avax} unit="AVAX" />,
        ],
        ['ggAVAX yield', <Amount of={metrics.ggavax_apy} unit="%" />, 'APY, after fees'],
        [
          '1 ggAVAX',
          <Amount of={rate} unit="AVAX" />,
          // Without ggAVAX in circulation the rate is 1, which is not a loss.
          metrics.total_supply === 0
            ? 'none in circulation'
            : since(history, ({ exchange_rate }) => exchange_rate, rate),
        ],
        [
          'In the ggAVAX pool',
          <Amount of={metrics.total_assets} unit="AVAX" />,
          metrics.total_assets && metrics.tvl_avax
            ? [
                `${percent((metrics.total_assets / metrics.tvl_avax) * 100)} of value locked. `,
                <a href="#holders">Holders</a>,
              ]
            : '',
        ],
        ['AVAX price', <Amount of={avaxInUSD} unit="USD" />, since(prices, (point) => point.avaxInUSD, avaxInUSD)],
        [
          'GGP price',
          <Amount of={metrics.ggp_price_in_usd} unit="USD" />,
          since(prices, (point) => point.ggpInUSD, metrics.ggp_price_in_usd),
        ],
        [
          'GGP staked',
          <Amount of={staked} unit="GGP" />,
          supply && staked !== undefined ? `${percent((staked / supply) * 100)} of GGP supply` : '',
        ],
        [
          'Minipools staking',
          String(minipools?.staking ?? '–'),
          `of ${all === undefined ? '–' : short(all)} to date, ${metrics.node_operator_count ?? '–'} active operators`,
        ],
      ]}
    />
  );
}

/** The change over the last thirty days, or since the first known point. */
function since<Point>(points: Timed<Point>, figureOf: (point: Point) => number | undefined, now: number | undefined) {
  const first = points.find((point) => point.timestamp > Date.now() / 1_000 - MONTH && figureOf(point));
  const from = first && figureOf(first);
  if (!first || !from || now === undefined) return ' ';
  return `${change(from, now)} over ${duration(Date.now() / 1_000 - first.timestamp)}`;
}
