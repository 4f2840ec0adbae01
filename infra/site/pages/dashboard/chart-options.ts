/** The look and behaviour of charts. */

import uPlot from 'uplot';
import { axisDay, axisMonth, DAY, short } from './format.ts';

export const HEIGHT = 240;
const COLOURS = ['--line-1', '--line-2'];
/** From this range on, the axis shows months instead of days, seconds. */
const LONG = 200 * DAY;

export interface Series {
  label: string;
  values: readonly (number | undefined)[];
}

export interface ChartProps {
  title: string;
  /** Unix seconds. */
  x: readonly number[];
  /** The heading of the tooltip for each x, by default its day or time. */
  names?: readonly string[];
  /** The unit of all series: a chart has one vertical axis. */
  unit: string;
  /** Name of the unit in the legend, by default the unit itself. */
  unitName?: string | undefined;
  series: readonly Series[];
  /** Columns from zero instead of lines. */
  columns?: boolean;
  /** A limit, drawn as a dashed line. It is always visible, like the end of the scale. */
  limit?: { label: string; value: number; scaleEnd: number };
}

/** The point under the cursor, in pixels of the chart. */
export interface Pointed {
  index: number;
  left: number;
  top: number;
  /** The side that has more room for the tooltip. */
  side: 'left' | 'right';
}

/** Callbacks for the cursor and the zoom. */
export interface Listener {
  onPoint: (pointed: Pointed | undefined) => void;
  onZoom: (isZoomed: boolean) => void;
}

/** A chart's options for uPlot. */
export function createOptions(props: ChartProps, width: number, listener: Listener): uPlot.Options {
  return {
    width,
    height: HEIGHT,
    // Room for half of the label at the end of the axis.
    padding: [8, 26, 0, 0],
    scales: createScales(props),
    legend: { show: false },
    cursor: { y: false, points: { size: 7 } },
    hooks: {
      setCursor: [(plot) => listener.onPoint(pointedIn(plot))],
      setScale: [(plot, name) => name === 'x' && listener.onZoom(isZoomed(plot))],
      draw: [(plot) => drawLimit(plot, props.limit?.value)],
    },
    axes: createAxes(props),
    series: [{}, ...props.series.map((series, index) => createLine(props, series, COLOURS[index] as string))],
  };
}

const readStyle = () => getComputedStyle(document.documentElement);
const readColour = (name: string) => readStyle().getPropertyValue(name).trim();

function createScales({ columns, limit }: ChartProps): uPlot.Scales {
  return {
    x: { time: true, ...(columns && { range: wholeColumns }) },
    y: { range: aroundValues },
    ...(columns && { y: { range: (_, min, max) => [Math.min(0, min), max * 1.1 || 1] } }),
    ...(limit && { y: { range: (_, min) => [Math.floor(Math.min(min, limit.value) / 10) * 10, limit.scaleEnd] } }),
  };
}

/** uPlot's own range, but up to 1 if all values are 0: uPlot would go up to 100. */
function aroundValues(_: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min === null || max === null) return [null, null];
  return min === 0 && max === 0 ? [0, 1] : uPlot.rangeNum(min, max, 0.1, true);
}

function createAxes({ x }: ChartProps): uPlot.Axis[] {
  const font = `12px ${readStyle().fontFamily}`;
  const style = {
    stroke: () => readColour('--axis'),
    font,
    grid: { stroke: () => readColour('--grid'), width: 1 },
    ticks: { show: false },
  };
  const isLong = (x.at(-1) ?? 0) - (x[0] ?? 0) > LONG;
  return [
    {
      ...style,
      grid: { show: false },
      // Keeps a distance from the lowest label of the other axis, without room below.
      size: 24,
      gap: 8,
      // Wide enough that labels do not overlap.
      space: isLong ? 84 : 64,
      values: (_, splits) => splits.map(isLong ? axisMonth : axisDay),
    },
    { ...style, size: 58, values: (_, splits) => splits.map(short) },
  ];
}

/** A line, with a fill if it is the only one, or columns. */
function createLine({ series: all, columns }: ChartProps, { values }: Series, colour: string): uPlot.Series {
  const stroke = () => readColour(colour);
  if (columns) return { stroke, fill: stroke, width: 0, points: { show: false }, paths: columnPaths() };
  return {
    stroke,
    width: 2,
    // A single value has no line.
    points: { show: values.length === 1, size: 7, fill: stroke },
    ...(all.length === 1 && { fill: () => readColour('--fill-1') }),
  };
}

function columnPaths(): uPlot.Series.PathBuilder {
  return uPlot.paths.bars?.({ size: [0.7, 28] }) as uPlot.Series.PathBuilder;
}

function pointedIn({ cursor, over, width, valToPos, data }: uPlot): Pointed | undefined {
  const { idx, left: cursorLeft = -1 } = cursor;
  if (idx === undefined || idx === null || cursorLeft < 0) return undefined;
  const value = data[1]?.[idx];
  const left = over.offsetLeft + valToPos(data[0][idx] as number, 'x');
  return {
    index: idx,
    left,
    side: left < width / 2 ? 'right' : 'left',
    top: over.offsetTop + (typeof value === 'number' ? valToPos(value, 'y') : 0),
  };
}

function isZoomed({ data: [x], scales }: uPlot): boolean {
  const { min, max } = scales.x as uPlot.Scale;
  return (min as number) > (x[0] as number) || (max as number) < (x.at(-1) as number);
}

/** Adds half a day on both sides, so that the first and last columns are whole, unless the chart is zoomed. */
function wholeColumns({ data: [days] }: uPlot, min: number, max: number): [number, number] {
  const [first = 0, last = first] = [days[0], days.at(-1)];
  return [min > first ? min : first - DAY / 2, max < last ? max : last + DAY / 2];
}

/** Draws a dashed line across the chart at a value of its vertical scale. */
function drawLimit({ ctx, bbox, valToPos }: uPlot, value: number | undefined): void {
  if (value === undefined) return;
  const at = Math.round(valToPos(value, 'y', true));
  if (at < bbox.top || at > bbox.top + bbox.height) return;
  ctx.save();
  ctx.strokeStyle = readColour('--line-2');
  ctx.setLineDash([6, 4]);
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.moveTo(bbox.left, at);
  ctx.lineTo(bbox.left + bbox.width, at);
  ctx.stroke();
  ctx.restore();
}
