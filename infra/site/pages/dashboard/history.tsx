/** Charts of the protocol's history. The view and time range of each chart are in the URL. */

import type { ApyPoint, MetricsPoint, PricesPoint } from './bodies.ts';
import { Card } from './card.tsx';
import { Chart } from './chart.tsx';
import { type Path, pathOf } from './paths.ts';
import { useHistory, useRange, useView } from './range.tsx';

interface View<Point> {
  /** Name in the URL, and label of the button. */
  name: string;
  label: string;
  unit: string;
  /** Name of the unit in the legend, by default the unit itself. */
  unitName?: string;
  /** The label and the value at each point of each line. */
  lines: readonly (readonly [label: string, figureOf: (point: Point) => number | undefined])[];
}

interface HistoryChartProps<Point> {
  id: string;
  title: string;
  about: string;
  /** The place in the guide that explains the calculation. */
  explained?: string;
  path: Path<{ points: Point[] }>;
  /** The first one is the default. */
  views: readonly [View<Point>, ...View<Point>[]];
}

function HistoryChart<Point extends { timestamp: number }>({
  id,
  title,
  about,
  explained,
  path,
  views,
}: HistoryChartProps<Point>) {
  const { range, choice } = useRange(id);
  const { view, choice: viewChoice } = useView(id, views);
  const { points, from, csv } = useHistory(path, range);
  return (
    <Card
      id={id}
      title={title}
      span={6}
      about={
        <>
          {about}
          {explained && (
            <>
              {' · '}
              <a href={explained}>How it is calculated</a>
            </>
          )}
        </>
      }
      tools={
        <>
          {viewChoice}
          {choice}
        </>
      }
      csv={csv}
      from={from}
      lines={11}
    >
      <Chart
        key={`${range} ${view.name}`}
        title={`${title}: ${about}`}
        x={points.map(({ timestamp }) => timestamp)}
        unit={view.unit}
        unitName={view.unitName}
        series={view.lines.map(([label, figureOf]) => ({ label, values: points.map(figureOf) }))}
      />
    </Card>
  );
}

const LOCKED = [
  { name: 'usd', label: 'USD', unit: 'USD', lines: [['Total value locked', ({ tvl_usd }) => tvl_usd]] },
  { name: 'avax', label: 'AVAX', unit: 'AVAX', lines: [['Total value locked', ({ tvl_avax }) => tvl_avax]] },
] satisfies [View<MetricsPoint>, View<MetricsPoint>];

const RATE: View<MetricsPoint> = {
  ...{ name: 'rate', label: 'Rate', unit: 'AVAX' },
  lines: [['1 ggAVAX', ({ exchange_rate }) => exchange_rate]],
};

const YIELD: View<ApyPoint> = {
  ...{ name: 'apy', label: 'Yield', unit: '%', unitName: 'APY in %' },
  lines: [
    ['Over 28 days', ({ apy_28d }) => apy_28d],
    ['Over 7 days', ({ apy_7d }) => apy_7d],
  ],
};

const PRICES = [
  { name: 'avax', label: 'AVAX', unit: 'USD', lines: [['AVAX', ({ avaxInUSD }) => avaxInUSD]] },
  { name: 'ggp', label: 'GGP', unit: 'USD', lines: [['GGP', ({ ggpInUSD }) => ggpInUSD]] },
] satisfies [View<PricesPoint>, View<PricesPoint>];

/** Four charts. */
export function Histories() {
  return (
    <>
      <HistoryChart
        id="locked"
        title="Total value locked"
        about="ggAVAX pool, operators’ AVAX, staked GGP, funded withdrawals"
        path={pathOf('/metrics/history')}
        views={LOCKED}
      />
      <HistoryChart
        id="rate"
        title="Exchange rate"
        about="AVAX that 1 ggAVAX is worth in the pool"
        path={pathOf('/metrics/history')}
        views={[RATE]}
      />
      <HistoryChart
        id="yield"
        title="ggAVAX yield"
        about="APY after fees, from exchange rate growth"
        explained="docs/guide#how-yields-are-calculated"
        path={pathOf('/metrics/apy/history')}
        views={[YIELD]}
      />
      <HistoryChart
        id="prices"
        title="Prices"
        about="AVAX and GGP in USD"
        path={pathOf('/prices/history')}
        views={PRICES}
      />
    </>
  );
}
