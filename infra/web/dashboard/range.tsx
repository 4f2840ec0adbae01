import type { History } from './bodies.ts';
import { Choice } from './choice.tsx';
import { setParams, useParam } from './location.ts';
import { type Loaded, useAnswers } from './sources.ts';

/** How much of the past a chart shows, and in what. */

const RANGES = [
  ['7d', '7d'],
  ['30d', '30d'],
  ['90d', '90d'],
  ['1y', '1y'],
  ['all', 'All'],
] as const;
export type Range = (typeof RANGES)[number][0];

const DEFAULT_RANGE: Range = '90d';
const HOUR = 3_600;
const DAY = 24 * HOUR;
const DAYS: Record<Exclude<Range, 'all'>, number> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 };
/** As many days as the API answers at once. */
const PAGE_DAYS = 1_000;
/** The protocol's first blocks are younger. */
const FIRST_DAY = Date.UTC(2023, 3, 1) / 1_000;

/** A range that is chosen in the page and kept in its URL. */
export function useRange(name: string) {
  const asked = useParam(name);
  const range = RANGES.find(([known]) => known === asked)?.[0] ?? DEFAULT_RANGE;
  const choose = (chosen: Range) => setParams({ [name]: chosen === DEFAULT_RANGE ? undefined : chosen });
  return { range, choice: <Choice label="Time range" of={RANGES} chosen={range} onChoose={choose} /> };
}

/** One of a chart's views, the first unless another is chosen, which stands in the URL beside the range of that name. */
export function useView<View extends { name: string; label: string }>(name: string, views: readonly [View, ...View[]]) {
  const asked = useParam(`${name}In`);
  const view = views.find((known) => known.name === asked) ?? views[0];
  const choose = (chosen: string) => setParams({ [`${name}In`]: chosen === views[0].name ? undefined : chosen });
  const names = views.map((known) => [known.name, known.label] as const);
  return {
    view,
    choice: views.length > 1 && <Choice label="View" of={names} chosen={view.name} onChoose={choose} />,
  };
}

/**
 * The days of a range in pieces that the API answers at once, the newest first. They begin and end with a day, so that the same
 * answers serve everybody who asks on that day.
 */
export function pagesOf(range: Range, now = Date.now() / 1_000): { from: number; to?: number }[] {
  const today = Math.floor(now / DAY) * DAY;
  const first = range === 'all' ? FIRST_DAY : today - DAYS[range] * DAY;
  const pages: { from: number; to?: number }[] = [];
  for (let end = today; end >= first; end -= PAGE_DAYS * DAY) {
    pages.push({ from: Math.max(first, end - (PAGE_DAYS - 1) * DAY), ...(end < today && { to: end }) });
  }
  return pages;
}

/** A path with parameters. */
export function pathOf(path: string, params: Record<string, string | number>): string {
  return `${path}?${new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]))}`;
}

/** Those of the paths that answer some rows, or may: nobody wants a file without any. */
export function pathsWithRows<Body>(
  paths: readonly string[],
  from: readonly Loaded<Body>[],
  rowsOf: (body: Body) => readonly unknown[],
): string[] {
  return paths.filter((_, index) => {
    const body = from[index]?.body;
    return body === undefined || rowsOf(body).length > 0;
  });
}

/** The recorded points of a range, the oldest first, and where they are from: by the hour for a week, by the day for more. */
export function useHistory<Point>(path: string, range: Range) {
  const interval = range === '7d' ? '1h' : '1d';
  const paths = pagesOf(range).map((page) => pathOf(path, { interval, ...page }));
  const from = useAnswers<History<Point>>(paths, path);
  const csv = pathsWithRows(paths, from, ({ points }) => points);
  return { points: from.toReversed().flatMap(({ body }) => body?.points ?? []), from, csv };
}
