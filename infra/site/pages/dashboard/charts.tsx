import { Chart } from '../account/chart.tsx';
import { useAnswer } from './answers.ts';
import { Card } from './card.tsx';
import { DAY } from './format.ts';
import { type Path, pathOf, withQuery } from './paths.ts';

/** Before the protocol's first block. */
const FIRST_DAY = Date.UTC(2023, 3, 1) / 1_000;
/** The most points that the API returns at once. */
const PAGE_DAYS = 1_000;

/** All days of a history, and the props of a card that shows them. */
function useHistory<Point>(path: Path<{ points: Point[] }>) {
  const daily = withQuery(path, { interval: '1d' });
  const middle = FIRST_DAY + PAGE_DAYS * DAY;
  const csv = withQuery(daily, { from: middle });
  const answers = [useAnswer(withQuery(daily, { from: FIRST_DAY, to: middle - DAY })), useAnswer(csv)];
  return { days: answers.flatMap(({ body }) => body?.points ?? []), card: { answers, csv, half: true, lines: 16 } };
}

/** The protocol's history as plain lines over the whole time. */
export function Charts() {
  const metrics = useHistory(pathOf('/metrics/history'));
  const yields = useHistory(pathOf('/metrics/apy/history'));
  const prices = useHistory(pathOf('/prices/history'));
  return (
    <>
      <Card
        id="locked"
        title="Value"
        about="ggAVAX pool, operators’ AVAX, staked GGP and funded withdrawals"
        {...metrics.card}
      >
        <Chart title="Total value locked" unit="USD" days={metrics.days} figureOf={({ tvl_usd }) => tvl_usd} />
        <Chart title="Total value locked" unit="AVAX" days={metrics.days} figureOf={({ tvl_avax }) => tvl_avax} />
      </Card>
      <Card
        id="rate"
        title="ggAVAX"
        about="Its rate, and the yield that follows from the rate’s growth, after fees"
        {...yields.card}
      >
        <Chart title="1 ggAVAX" unit="AVAX" days={metrics.days} figureOf={({ exchange_rate }) => exchange_rate} />
        <Chart title="APY over 28 days" unit="%" days={yields.days} figureOf={({ apy_28d }) => apy_28d} />
      </Card>
      <Card id="prices" title="Prices" about="AVAX and GGP in USD" {...prices.card}>
        <Chart title="AVAX" unit="USD" days={prices.days} figureOf={({ avaxInUSD }) => avaxInUSD} />
        <Chart title="GGP" unit="USD" days={prices.days} figureOf={({ ggpInUSD }) => ggpInUSD} />
      </Card>
    </>
  );
}
