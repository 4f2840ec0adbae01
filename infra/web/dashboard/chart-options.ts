import uPlot from 'uplot';
import type { ChartProps } from './chart.tsx';
import { axisDay, axisMonth, short, withUnit } from './format.ts';

/** How charts look and what they tell of themselves. */

export const HEIGHT = 240;
const COLOURS = ['--line-1', '--line-2'];
/** Time that has months on its axis instead of days, in seconds. */
const DAY = 86_400;
const LONG = 200 * DAY;

/** What is under the cursor, in the chart's own pixels. */
export interface Pointed {
  index: number;
  left: number;
  top: number;
  /** Where there is room for words about it. */
  side: 'left' | 'right';
}

/** A chart as uPlot wants it told. */
export function optionsOf(
  { x, series, axis, columns, limit }: ChartProps,
  width: number,
  markOf: () => number | undefined,
  onPoint: (pointed: Pointed | undefined) => void,
  onZoom: (isZoomed: boolean) => void,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const [quiet, line] = [colour('--axis'), colour('--grid')];
  const axisStyle = {
    stroke: quiet,
    font: `12px ${style.fontFamily}`,
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  };
  const isLong = !axis && (x.at(-1) ?? 0) - (x[0] ?? 0) > LONG;
  return {
    width,
    height: HEIGHT,
    // Room for half of what stands at the very end of the axis.
    padding: [8, 20, 0, 0],
    scales: {
      x: { time: !axis, ...(columns && { range: wholeColumns }) },
      ...(columns && { y: { range: (_, min, max) => [Math.min(0, min), max * 1.1 || 1] } }),
      ...(limit && { y: { range: (_, min) => [Math.floor(Math.min(min, limit.value) / 10) * 10, limit.scaleEnd] } }),
    },
    legend: { show: false },
    cursor: { y: false, points: { size: 7 } },
    hooks: {
      setCursor: [
        ({ cursor: { idx, left = -1 }, over, valToPos, data }) => {
          if (idx === undefined || idx === null || left < 0) return onPoint(undefined);
          const value = data[1]?.[idx];
          const position = valToPos(data[0][idx] as number, 'x');
          return onPoint({
            index: idx,
            side: position < over.clientWidth / 2 ? 'right' : 'left',
            left: over.offsetLeft + position,
            top: over.offsetTop + (typeof value === 'number' ? valToPos(value, 'y') : 0),
          });
        },
      ],
      setScale: [
        ({ data, scales }, name) => {
          const { min, max } = scales[name] as uPlot.Scale;
          if (name === 'x')
            onZoom((min as number) > (data[0][0] as number) || (max as number) < (data[0].at(-1) as number));
        },
      ],
      draw: [
        (plot) => drawDashed(plot, 'x', markOf(), colour('--line-2')),
        (plot) => drawDashed(plot, 'y', limit?.value, colour('--line-2')),
      ],
    },
    axes: [
      {
        ...axisStyle,
        grid: { show: false },
        // Clear of the lowest number of the other axis, and no room under it.
        size: 24,
        gap: 8,
        // Room for a day's name, so that no two overlap.
        space: isLong ? 84 : 64,
        values: (_, splits) =>
          splits.map((value) => (axis ? withUnit(value, axis.unit) : isLong ? axisMonth(value) : axisDay(value))),
        ...(axis && { label: axis.label, labelSize: 20, labelFont: `12px ${style.fontFamily}` }),
      },
      { ...axisStyle, size: 58, values: (_, splits) => splits.map(short) },
    ],
    series: [
      {},
      ...series.map((_, index) => {
        const stroke = colour(COLOURS[index] as string);
        return {
          stroke,
          width: 2,
          points: { show: series[index]?.values.length === 1, size: 7, fill: stroke },
          ...(series.length === 1 && { fill: colour('--fill-1') }),
          ...(columns && {
            paths: uPlot.paths.bars?.({ size: [0.7, 28] }) as uPlot.Series.PathBuilder,
            fill: stroke,
            width: 0,
          }),
        };
      }),
    ],
  };
}

/** Room for the halves of the first and the last day’s columns, unless others are zoomed to. */
function wholeColumns({ data: [days] }: uPlot, min: number, max: number): [number, number] {
  const [first = 0, last = first] = [days[0], days.at(-1)];
  return [min > first ? min : first - DAY / 2, max < last ? max : last + DAY / 2];
}

/** A line across the whole chart at a value of one of its scales. */
function drawDashed({ ctx, bbox, valToPos }: uPlot, scale: 'x' | 'y', value: number | undefined, colour: string): void {
  if (value === undefined) return;
  const { left, top, width, height } = bbox;
  const at = Math.round(valToPos(value, scale, true));
  const isIn = scale === 'x' ? at >= left && at <= left + width : at >= top && at <= top + height;
  if (!isIn) return;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.setLineDash([6, 4]);
  ctx.lineWidth = 2;
  ctx.beginPath();
  if (scale === 'x') {
    ctx.moveTo(at, top);
    ctx.lineTo(at, top + height);
  } else {
    ctx.moveTo(left, at);
    ctx.lineTo(left + width, at);
  }
  ctx.stroke();
  ctx.restore();
}
