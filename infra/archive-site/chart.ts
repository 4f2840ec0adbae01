import { day, short } from '../site/pages/dashboard/format.ts';
import { type Html, html } from './html.ts';

const [WIDTH, HEIGHT] = [600, 200];
/** More would be finer than a pixel. */
const MOST_POINTS = 300;

interface Point {
  timestamp: number;
  value: number;
}

/** A line chart as an image with a description. Undefined for fewer than two points. */
export function chart(title: string, unit: string, all: readonly Point[]): Html | undefined {
  const step = Math.ceil(all.length / MOST_POINTS);
  const points = all.filter((_, place) => place % step === 0 || place === all.length - 1);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first === last) return undefined;
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = ({ timestamp }: Point) => (WIDTH * (timestamp - first.timestamp)) / (last.timestamp - first.timestamp);
  const y = ({ value }: Point) => (high === low ? HEIGHT / 2 : HEIGHT - (HEIGHT * (value - low)) / (high - low));
  const line = points.map((point) => `${x(point).toFixed(1)},${y(point).toFixed(1)}`).join(' ');
  const range = `${short(low)} to ${short(high)} ${unit}`;
  return html`<figure>
<figcaption>${title}<span>${range}</span></figcaption>
<svg viewBox="0 -4 ${WIDTH} ${HEIGHT + 8}" preserveAspectRatio="none" role="img" aria-label="${title}: ${range}, ${day(first.timestamp)} to ${day(last.timestamp)}">
<polyline points="${line}"/>
</svg>
<p><span>${day(first.timestamp)}: ${short(first.value)}</span><span>${day(last.timestamp)}: ${short(last.value)}</span></p>
</figure>`;
}
