/** The time range and the view of a chart. */

import { Choice } from './choice.tsx';
import { DAY } from './format.ts';
import { setParams, useParam } from './location.ts';
import { type Path, withQuery } from './paths.ts';
import { type Loaded, useAnswers } from './sources.ts';

const RANGES = [
  ['7d', '7d'],
  ['30d', '30d'],
  ['90d', '90d'],
  ['1y', '1y'],
  ['all', 'All'],
] as const;
/** A calendar year is a range, too. */
export type Range = (typeof RANGES)[number][0] | `${number}`;

const DEFAULT_RANGE: Range = '90d';
const DAYS: Record<string, number> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 };
/** The most days that the API returns at once. */
const PAGE_DAYS = 1_000;
/** Before the protocol's first block. */
export const FIRST_DAY = Date.UTC(2023, 3, 1) / 1_000;

/** The first and the last of some UTC days, by their starts; until now without the last one. */
export interface Page {
  from: number;
  to?: number;
}

/** The range in the page's URL, and the buttons for choosing another one: also the years since a time, if it is given. */
export function useRange(name: string, since?: number) {
  const asked = useParam(name);
  const ranges: (readonly [Range, string])[] = [...RANGES, ...(since === undefined ? [] : yearsSince(since))];
  const range = ranges.find(([known]) => known === asked)?.[0] ?? DEFAULT_RANGE;
  const choose = (chosen: Range) => setParams({ [name]: chosen === DEFAULT_RANGE ? undefined : chosen });
  return { range, choice: <Choice label="Time range" of={ranges} chosen={range} onChoose={choose} /> };
}

/** The calendar years from a time until now, in UTC, newest first. */
function yearsSince(since: number) {
  const [first, last] = [new Date(since * 1_000).getUTCFullYear(), new Date().getUTCFullYear()];
  return Array.from({ length: last - first + 1 }, (_, ago) => [`${last - ago}`, `${last - ago}`] as const);
}

/** The view of a chart that the page's URL selects, by default the first one, and the buttons for choosing another. */
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
 * The days of a range in pages that the API returns at once, newest first. Pages begin and end at midnight, so that all
 * visitors on the same day get the same cached responses.
 */
export function splitRange(range: Range, now = Date.now() / 1_000): Page[] {
  const today = Math.floor(now / DAY) * DAY;
  const [first, last] = findBounds(range, today);
  const pages: Page[] = [];
  for (let end = last; end >= first; end -= PAGE_DAYS * DAY) {
    pages.push({ from: Math.max(first, end - (PAGE_DAYS - 1) * DAY), ...(end < today && { to: end }) });
  }
  return pages;
}

/** The first and the last day of a range. */
function findBounds(range: Range, today: number): [number, number] {
  if (range === 'all') return [FIRST_DAY, today];
  const days = DAYS[range];
  if (days !== undefined) return [today - days * DAY, today];
  const year = Number(range);
  return [Date.UTC(year, 0, 1) / 1_000, Math.min(today, Date.UTC(year, 11, 31) / 1_000)];
}

/** The paths whose responses have rows, or have not been loaded, so that there is no link to an empty file. */
function pathsWithRows<Body>(
  paths: readonly Path<Body>[],
  from: readonly Loaded<Body>[],
  rowsOf: (body: Body) => readonly unknown[],
): Path<Body>[] {
  return paths.filter((_, index) => {
    const body = from[index]?.body;
    return body === undefined || rowsOf(body).length > 0;
  });
}

/** The points of a range, oldest first, and their sources. They are hourly for a week, and daily for longer ranges. */
export function useHistory<Point>(path: Path<{ points: Point[] }>, range: Range) {
  const interval = range === '7d' ? '1h' : '1d';
  const paths = splitRange(range).map((page) => withQuery(path, { interval, ...page }));
  const from = useAnswers(paths, path);
  const csv = pathsWithRows(paths, from, ({ points }) => points);
  return { points: from.toReversed().flatMap(({ body }) => body?.points ?? []), from, csv };
}
