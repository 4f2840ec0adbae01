import { knownUSD, type PricedSpan } from './holder-flows.ts';

/** What a holder earned by the day, month or year, in UTC. */

export const PERIODS = ['1d', '1mo', '1y'] as const;
export type PeriodLength = (typeof PERIODS)[number];

/** A sum of spans. Days on which nothing was held are in none, so it may open later and close earlier than its period. */
export interface Period extends PricedSpan {
  /** Unix seconds: the start of its day, month or year, or of the first of several. */
  readonly start: number;
  /** Whether it is exactly one, and that one is over. */
  readonly isWhole: boolean;
  readonly usd: ReturnType<typeof knownUSD>;
}

/** The start of the period that contains a time, or of the one that many later, in unix seconds. */
export function startOf(time: number, length: PeriodLength, later = 0): number {
  const date = new Date(time * 1_000);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const starts: Record<PeriodLength, number> = {
    '1d': Date.UTC(year, month, day + later),
    '1mo': Date.UTC(year, month + later),
    '1y': Date.UTC(year + later, 0),
  };
  return starts[length] / 1_000;
}

/**
 * The sums of these spans, in order, that are known `until` a time (unix seconds). A span that reaches into the next
 * period cannot be divided: both periods are then one.
 */
export function periodsOf(spans: readonly PricedSpan[], length: PeriodLength, until: number): Period[] {
  const groups: [PricedSpan, ...PricedSpan[]][] = [];
  let end = 0;
  for (const span of spans) {
    if (span.open.time >= end) groups.push([span]);
    else groups.at(-1)?.push(span);
    end = startOf(span.close.time - 1, length, 1);
  }
  return groups.map((group) => sumOf(group, length, until));
}

function sumOf(spans: readonly [PricedSpan, ...PricedSpan[]], length: PeriodLength, until: number): Period {
  const [first] = spans;
  const last = spans.at(-1) ?? first;
  const total = (amountOf: (span: PricedSpan) => bigint) => spans.reduce((sum, span) => sum + amountOf(span), 0n);
  const end = startOf(last.close.time - 1, length, 1);
  return {
    start: startOf(first.open.time, length),
    isWhole: end === startOf(first.open.time, length, 1) && end <= until,
    open: first.open,
    close: last.close,
    openShares: first.openShares,
    closeShares: last.closeShares,
    inflow: total(({ inflow }) => inflow),
    outflow: total(({ outflow }) => outflow),
    reward: total(({ reward }) => reward),
    valueTime: total(({ valueTime }) => valueTime),
    usd: knownUSD(spans),
  };
}
