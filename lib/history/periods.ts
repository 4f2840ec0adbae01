/** UTC days and calendar months and years, for sums over what happened in them. */

export const PERIODS = ['1d', '1mo', '1y'] as const;

export type PeriodLength = (typeof PERIODS)[number];

/** From its start up to, but not including, its end; unix seconds. */
export interface Period {
  start: number;
  end: number;
}

/** The start of the period that a time is in, or of the one that many later; unix seconds. */
export function startOfPeriod(time: number, length: PeriodLength, later = 0): number {
  const date = new Date(time * 1_000);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const starts: Record<PeriodLength, number> = {
    '1d': Date.UTC(year, month, day + later),
    '1mo': Date.UTC(year, month + later),
    '1y': Date.UTC(year + later, 0),
  };
  return starts[length] / 1_000;
}

/** The periods from the one that `from` is in to the one that `to` is in, oldest first; none if `from` is later. */
export function periodsIn(from: number, to: number, length: PeriodLength): Period[] {
  const periods: Period[] = [];
  if (!Number.isFinite(from)) return periods;
  for (let start = startOfPeriod(from, length); start <= to; ) {
    const end = startOfPeriod(start, length, 1);
    periods.push({ start, end });
    start = end;
  }
  return periods;
}
