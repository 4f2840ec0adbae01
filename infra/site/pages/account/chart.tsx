/** Line charts as SVG: no script, and text for screen readers. */

import { day, withUnit } from '../dashboard/format.ts';

const [WIDTH, HEIGHT] = [600, 180];
/** More points would be finer than a pixel. */
const MOST_POINTS = 400;

interface Point {
  /** Unix seconds. */
  timestamp: number;
  value: number;
}

interface ChartProps<Day> {
  title: string;
  unit: string;
  days: readonly Day[];
  figureOf: (day: Day) => number | string | undefined;
}

/** A line over the whole time, its range, and its first and last value; a sentence for fewer than two points. */
export function Chart<Day extends { timestamp: number }>({ title, unit, days, figureOf }: ChartProps<Day>) {
  const points = days
    .map((entry) => ({ timestamp: entry.timestamp, value: Number(figureOf(entry)) }))
    .filter(({ value }) => !Number.isNaN(value));
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first === last) return <p class="empty">{title}: not recorded yet.</p>;
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const range = low === high ? withUnit(low, unit) : `${withUnit(low, unit)} to ${withUnit(high, unit)}`;
  return (
    <figure class="chart">
      <figcaption>
        {title} <span>{range}</span>
      </figcaption>
      <svg
        viewBox={`0 -4 ${WIDTH} ${HEIGHT + 8}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${range}, ${day(first.timestamp)} to ${day(last.timestamp)}`}
      >
        <polyline points={lineOf(points, low, high)} />
      </svg>
      <p>
        {[first, last].map(({ timestamp, value }) => (
          <span key={timestamp}>
            {day(timestamp)}: <b>{withUnit(value, unit)}</b>
          </span>
        ))}
      </p>
    </figure>
  );
}

function lineOf(points: readonly Point[], low: number, high: number): string {
  const step = Math.ceil(points.length / MOST_POINTS);
  const [start = 0, end = 0] = [points[0]?.timestamp, points.at(-1)?.timestamp];
  return points
    .filter((_, place) => place % step === 0 || place === points.length - 1)
    .map(({ timestamp, value }) => {
      const x = (WIDTH * (timestamp - start)) / (end - start);
      const y = high === low ? HEIGHT / 2 : (HEIGHT * (high - value)) / (high - low);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}
