/** Charts with text alternatives, because uPlot draws on a canvas, which screen readers cannot read. */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type ChartProps, createOptions, HEIGHT, type Pointed } from './chart-options.ts';
import { DAY, day, moment, withUnit } from './format.ts';
import { useMedia } from './media.ts';

/** A chart, or a message if it has no points or no visible columns. */
export function Chart(props: ChartProps) {
  const points = Math.max(0, ...props.series.map(({ values }) => values.filter((value) => value !== undefined).length));
  const isFlat = props.columns && props.series.every(({ values }) => values.every((value) => value === 0));
  const { place, pointed, point, leave, isZoomed, resetZoom } = usePlot(props, points === 0 || isFlat === true);
  if (points === 0) return <p class="empty chart-height">No data was recorded in this period.</p>;
  if (isFlat) return <p class="empty chart-height">All values in this period are 0.</p>;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    point(Math.max(0, Math.min(props.x.length - 1, (pointed?.index ?? props.x.length) + step)));
  };
  return (
    <figure class="chart" data-points={points}>
      <figcaption>
        <Legend {...props} />
        {isZoomed && (
          <button type="button" class="plain" onClick={resetZoom}>
            Reset zoom
          </button>
        )}
      </figcaption>
      <div class="plot">
        <div
          class="canvas"
          ref={place}
          role="img"
          aria-label={describe(props)}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move its cursor
          tabIndex={0}
          onKeyDown={onKeyDown}
          onBlur={leave}
        />
        {pointed && <Tooltip {...props} at={pointed} />}
      </div>
    </figure>
  );
}

/** Draws a plot. New values update it, so that it stays zoomed; a change of its shape creates a new plot. */
function usePlot(props: ChartProps, isEmpty: boolean) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const [pointed, setPointed] = useState<Pointed>();
  const [isZoomed, setZoomed] = useState(false);
  const isDark = useMedia('screen and (prefers-color-scheme: dark)');
  const { x, unit, series, columns, limit } = props;

  const shape = JSON.stringify([isEmpty, unit, series.map(({ label }) => label), columns, limit]);
  useEffect(() => {
    const element = place.current;
    if (!element || isEmpty) return undefined;
    const made = new uPlot(
      createOptions(props, element.clientWidth, { onPoint: setPointed, onZoom: setZoomed }),
      toData(props),
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
      setPointed(undefined);
      setZoomed(false);
    };
  }, [shape]);

  // Not useEffect, and not in uPlot's own time: a page is printed, in light colours, before that.
  useLayoutEffect(() => plot.current?.batch(() => plot.current?.redraw(false)), [isDark]);

  const data = JSON.stringify([x, series]);
  useEffect(() => {
    const drawn = plot.current;
    if (!drawn) return;
    const { min, max } = drawn.scales.x as uPlot.Scale;
    drawn.batch(() => {
      drawn.setData(toData(props));
      if (isZoomed && min !== undefined && max !== undefined) drawn.setScale('x', { min, max });
    });
  }, [data]);

  const point = (index: number) => {
    const value = series[0]?.values[index];
    plot.current?.setCursor({
      left: plot.current.valToPos(x[index] as number, 'x'),
      top: value === undefined ? 0 : plot.current.valToPos(value, 'y'),
    });
  };
  const leave = () => plot.current?.setCursor({ left: -1, top: -1 });
  const resetZoom = () => plot.current?.setScale('x', { min: x[0] as number, max: x.at(-1) as number });
  return { place, pointed, point, leave, isZoomed, resetZoom };
}

/** The names of the lines and, unless these are columns, their newest values with their time. */
function Legend({ x, unit, unitName = unit, series, columns, limit }: ChartProps) {
  const newest = columns ? -1 : x.findLastIndex((_, index) => series.some(({ values }) => values[index] !== undefined));
  return (
    <>
      <span class="unit">{newest < 0 ? unitName : `${unitName}, on ${moment(x[newest] as number)}`}</span>
      {series.map(({ label, values }, line) => (
        <span key={label} class={`legend line-${line + 1}`}>
          {label} {values[newest] !== undefined && <b class="value">{withUnit(values[newest], unit)}</b>}
        </span>
      ))}
      {limit && <span class="legend limit">{limit.label}</span>}
    </>
  );
}

/** The values under the cursor. */
function Tooltip({ x, names, unit, series, at: { index, left, top, side } }: ChartProps & { at: Pointed }) {
  const value = x[index] as number;
  const name = value % DAY === 0 ? day(value) : moment(value);
  return (
    <div class={`tooltip ${side}`} role="status" data-index={index} style={{ '--left': `${left}px`, top: `${top}px` }}>
      <span>{names?.[index] ?? name}</span>
      {series.map(({ label, values }, line) => (
        <span key={label} class={`legend line-${line + 1}`}>
          {label}{' '}
          <b class="value">{values[index] === undefined ? 'unknown' : withUnit(values[index] as number, unit)}</b>
        </span>
      ))}
    </div>
  );
}

function toData({ x, series }: ChartProps): uPlot.AlignedData {
  return [[...x], ...series.map(({ values }) => values.map((value) => value ?? null))];
}

/** The chart in a sentence. */
function describe({ title, series, unit, x }: ChartProps): string {
  const lines = series.flatMap(({ label, values }) => {
    const known = values.flatMap((value, index) => (value === undefined ? [] : [{ value, x: x[index] as number }]));
    const [first, last] = [known[0], known.at(-1)];
    if (!first || !last) return [];
    const all = known.map(({ value }) => value);
    const [least, most] = [Math.min(...all), Math.max(...all)].map((value) => withUnit(value, unit));
    return `${label} goes from ${withUnit(first.value, unit)} on ${day(first.x)} to ${withUnit(last.value, unit)} on ${day(last.x)}, ranging from ${least} to ${most}.`;
  });
  return `${title}. ${lines.join(' ')}`;
}
