import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { axisDay, day, element, short } from './format.ts';

/** Charts that say the same in words: uPlot draws on a canvas, which nobody can read aloud. */

export interface Series {
  label: string;
  unit: string;
  values: (number | undefined)[];
}

interface Chart {
  title: string;
  /** Unix seconds, or other numbers if `axis` names them. */
  x: number[];
  series: Series[];
  /** What is on the horizontal axis where that is not time. */
  axis?: { label: string; unit: string };
  /** Points alone, without a line between them. */
  scattered?: boolean;
}

const HEIGHT = 220;
const COLOURS = ['--line-1', '--line-2'];

/** Draws a chart into a place, instead of what was there. A chart without points says so. */
export function drawChart(place: HTMLElement, chart: Chart): void {
  const known = chart.series.map(({ values }) => values.filter((value) => value !== undefined).length);
  place.dataset.points = String(Math.max(0, ...known));
  if (Math.max(0, ...known) === 0) {
    place.replaceChildren(element('p', { class: 'empty' }, 'Nothing is recorded yet.'));
    return;
  }
  const canvas = element('div', { class: 'chart', role: 'img', 'aria-label': describe(chart) });
  place.replaceChildren(canvas);
  const plot = new uPlot(optionsOf(chart, place.clientWidth), dataOf(chart), canvas);
  const observer = new ResizeObserver(() => {
    if (!canvas.isConnected) observer.disconnect();
    else plot.setSize({ width: place.clientWidth, height: HEIGHT });
  });
  observer.observe(place);
}

function dataOf({ x, series }: Chart): uPlot.AlignedData {
  return [x, ...series.map(({ values }) => values.map((value) => value ?? null))];
}

/** The chart in a sentence. */
function describe({ title, series, x, axis }: Chart): string {
  const at = (value: number) => (axis ? `${short(value)} ${axis.unit}` : day(value));
  const lines = series.flatMap(({ label, unit, values }) => {
    const known = values.flatMap((value, index) => (value === undefined ? [] : [{ value, x: x[index] as number }]));
    const [first, last] = [known[0], known.at(-1)];
    if (!first || !last) return [];
    const all = known.map(({ value }) => value);
    return `${label} goes from ${short(first.value)} ${unit} at ${at(first.x)} to ${short(last.value)} ${unit} at ${at(last.x)}, between ${short(Math.min(...all))} and ${short(Math.max(...all))}.`;
  });
  return `${title}. ${lines.join(' ')}`;
}

function optionsOf({ series, axis, scattered }: Chart, width: number): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const [quiet, line] = [colour('--axis'), colour('--grid')];
  const axisStyle = { stroke: quiet, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const units = [...new Set(series.map(({ unit }) => unit))];
  return {
    width,
    height: HEIGHT,
    scales: { x: { time: !axis } },
    legend: { live: true },
    cursor: { points: { size: 7 } },
    // Until somebody points at the chart, its legend says what is newest.
    hooks: { ready: [(plot) => plot.setLegend({ idx: plot.data[0].length - 1 }, false)] },
    axes: [
      {
        ...axisStyle,
        // Room for a day's name, so that no two overlap.
        space: 70,
        values: (_, splits) =>
          splits.map((value) => (axis ? `${short(value)}${axis.unit === '%' ? ' %' : ''}` : axisDay(value))),
      },
      ...units.map((unit, index) => ({
        ...axisStyle,
        scale: unit,
        size: 56,
        side: index === 0 ? (3 as const) : (1 as const),
        grid: { show: index === 0, stroke: line, width: 1 },
        values: (_: uPlot, splits: number[]) => splits.map(short),
      })),
    ],
    series: [
      {
        label: axis ? axis.label : 'Day',
        value: (_, value) => (value === null ? '–' : axis ? `${short(value)} ${axis.unit}` : day(value)),
      },
      ...series.map(({ label, unit }, index) => {
        const stroke = colour(COLOURS[index] as string);
        return {
          label,
          scale: unit,
          stroke,
          width: 2,
          ...(scattered && { paths: () => null, points: { show: true, size: 7, fill: stroke } }),
          value: (_: uPlot, value: number | null) => (value === null ? '–' : `${short(value)} ${unit}`),
        };
      }),
    ],
  };
}

/** Horizontal bars, each with its name and its value in words. */
export function bars(entries: readonly { label: string; value: number; shown: Node | string }[]): HTMLElement {
  const most = Math.max(...entries.map(({ value }) => value), 0);
  const list = element('ul', { class: 'bars' });
  for (const { label, value, shown } of entries) {
    const bar = element('span', { class: 'bar', 'aria-hidden': 'true' });
    bar.style.setProperty('--part', String(most > 0 ? value / most : 0));
    list.append(element('li', {}, element('span', {}, label), bar, element('span', { class: 'value' }, shown)));
  }
  return list;
}
