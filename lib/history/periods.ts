/** UTC days, calendar months and years, for sums over what happened in them. */

export const PERIODS = ['1d', '1mo', '1y'] as const;

export type PeriodLength = (typeof PERIODS)[number];

/** The start of the period that contains a time, or of the one that many later, in unix seconds. */
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
