import { boundaryBefore, INTERVAL_SECONDS } from './series.ts';

/** UTC days and calendar months, for sums over what happened in them. */

export const PERIODS = ['1d', '1mo'] as const;

export type PeriodLength = (typeof PERIODS)[number];

/** From its start up to, but not including, its end; unix seconds. */
export interface Period {
  start: number;
  end: number;
}

/** The start of the period that a time (unix seconds) is in. */
export function startOfPeriod(time: number, length: PeriodLength): number {
  return length === '1d' ? boundaryBefore(time, '1d') : monthOf(time, 0);
}

/** The periods from the one that `from` is in to the one that `to` is in, oldest first; none if `from` is later. */
export function periodsIn(from: number, to: number, length: PeriodLength): Period[] {
  const periods: Period[] = [];
  if (!Number.isFinite(from)) return periods;
  for (let start = startOfPeriod(from, length); start <= to; ) {
    const end = length === '1d' ? start + INTERVAL_SECONDS['1d'] : monthOf(start, 1);
    periods.push({ start, end });
    start = end;
  }
  return periods;
}

/** The start of the month some months after the one that a time is in. */
function monthOf(time: number, later: number): number {
  const date = new Date(time * 1_000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later) / 1_000;
}
