import { isPriced, type KnownSum } from '../history/holder-spans.ts';
import type { Coverage } from '../ledger/coverage.ts';

/** The reasons, each with its meaning. All but SOURCE_UNAVAILABLE last: a body made again soon has the same gaps. */
export const REASONS = {
  SOURCE_UNAVAILABLE: 'a source did not answer, or is behind the contracts',
  NOT_INDEXED: 'earlier events are not indexed yet',
  MISMATCH: "the events differ from the contracts' state: see `ledger` in `/health`",
  NOT_RECORDED: 'the range has no recorded value of its own',
  NO_PRICE: 'no source has the price, or that of some days',
} as const;

export type Reason = keyof typeof REASONS;

/** The reason for which a figure of the whole history is missing; undefined if it is not missing. */
export function ledgerGapReason({ complete }: Coverage): Reason | undefined {
  return complete ? undefined : 'NOT_INDEXED';
}

/** The reason for which a sum of values is missing or incomplete; undefined if no price is missing. */
export function priceGapReason(sum: KnownSum = {}): Reason | undefined {
  return isPriced(sum) ? undefined : 'NO_PRICE';
}

/** True if a body lacks a field that may be available soon. */
export function hasTemporaryGaps({ reasons = {} }: { reasons?: Record<string, Reason> }): boolean {
  return Object.values(reasons).includes('SOURCE_UNAVAILABLE');
}
