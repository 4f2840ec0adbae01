/** The reasons for missing or incomplete fields. */

import * as z from 'zod/mini';
import { isPriced, type KnownSum } from '../history/holder-flows.ts';
import type { Coverage } from '../ledger/coverage.ts';
import { model } from './schemas.ts';

/** The reasons, each with its meaning. All but SOURCE_UNAVAILABLE last: a body made again soon has the same gaps. */
const REASONS = {
  SOURCE_UNAVAILABLE: 'a source did not answer, or is behind the contracts',
  NOT_INDEXED: 'events outside of `coverage`, or after its `confirmedBlock`, are not counted',
  TOO_MANY_EVENTS: 'the address has more events than an answer includes (`coverage`)',
  NOT_RECORDED: 'the range has no recorded value of its own',
  NO_PRICE: 'no source has the price, or that of some days',
} as const;

export type Reason = keyof typeof REASONS;

/**
 * The schemas of `partial` and `reasons`; both are omitted if nothing is missing. `names` are the fields that may be, and
 * `typeName` is the name of their type.
 */
export function partialShape(typeName: string, names: readonly string[]) {
  const reason = model('PartialReason', z.enum(Object.keys(REASONS) as Reason[]));
  const meanings = Object.entries(REASONS).map(([code, meaning]) => `\`${code}\`: ${meaning}`);
  return {
    partial: z.optional(
      z
        .array(model(typeName, z.enum(names)))
        .check(z.describe('Fields that are omitted or incomplete; see `reasons`.')),
    ),
    reasons: z.optional(
      model('PartialReasons', z.record(z.string(), reason)).check(
        z.describe(`Reason for each field in \`partial\`. ${meanings.join('; ')}.`),
      ),
    ),
  };
}

/** The reason for which a figure of the whole history is missing; undefined if it is not missing. */
export function ledgerGapReason({ complete, isCut }: Coverage): Reason | undefined {
  if (complete) return undefined;
  return isCut ? 'TOO_MANY_EVENTS' : 'NOT_INDEXED';
}

/** The reason for which a sum of values is missing or incomplete; undefined if no price is missing. */
export function priceGapReason(sum: KnownSum = {}): Reason | undefined {
  return isPriced(sum) ? undefined : 'NO_PRICE';
}

/** True if a body lacks a field that may be available soon. */
export function hasTemporaryGaps({ reasons = {} }: { reasons?: Record<string, Reason> }): boolean {
  return Object.values(reasons).includes('SOURCE_UNAVAILABLE');
}
