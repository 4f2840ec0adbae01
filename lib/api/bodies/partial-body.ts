/** What a body says about fields that it lacks, or has only in part: their names in `partial`, and why in `reasons`. */

import * as z from 'zod/mini';
import type { Coverage } from '../../ledger/coverage.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { json } from '../fields.ts';
import { model } from '../schemas.ts';

/** Each reason, and what it means. */
const REASONS = {
  SOURCE_UNAVAILABLE: 'a data source did not answer',
  LEDGER_BEHIND: 'the event ledger is a little behind the contracts',
  PAST_NOT_INDEXED: 'earlier blocks are still to be indexed (`coverage`)',
  NOT_CONFIRMED:
    'later events are not confirmed yet by a second provider or by the contracts (`coverage.confirmedBlock`)',
  TOO_MANY_EVENTS: 'the address has more events than are read for an answer (`coverage`)',
  NOT_RECORDED_YET: 'nothing has been recorded in the range yet',
  NOT_DIVISIBLE: 'an entry also covers time outside the range, and cannot be divided',
  PRICE_NOT_RECORDED: 'the USD price of some days is not recorded',
  PRICE_UNKNOWN: 'no source has the price at this block',
} as const;

export type Reason = keyof typeof REASONS;

/** Why which of some fields are missing. */
export type Lacks<Name extends string> = { readonly [Missing in Name]?: Reason | undefined };

/** Those that do not pass soon, so that a body is as good as it gets. */
const LASTING: ReadonlySet<unknown> = new Set<Reason>([
  'PAST_NOT_INDEXED',
  'NOT_CONFIRMED',
  'TOO_MANY_EVENTS',
  'NOT_RECORDED_YET',
  'NOT_DIVISIBLE',
  'PRICE_NOT_RECORDED',
  'PRICE_UNKNOWN',
]);

/**
 * The fields `partial` and `reasons` of a body, of whose source `reasonsOf` tells why which of these are missing; `typeName` is that of
 * their type. A body that lacks none has neither.
 */
export function partialFields<Source, const Name extends string>(
  names: readonly Name[],
  typeName: string,
  reasonsOf: (source: Source) => Lacks<Name>,
) {
  const known = (source: Source) => {
    const given = Object.entries<Reason | undefined>(reasonsOf(source)).filter(([, reason]) => reason !== undefined);
    return given.length > 0 ? (given as [Name, Reason][]) : undefined;
  };
  return {
    partial: json(
      () =>
        z.optional(
          z
            .array(model(typeName, z.enum(names)))
            .check(z.describe('Fields that are omitted or incomplete for one of `reasons`.')),
        ),
      (source: Source) => known(source)?.map(([name]) => name),
    ),
    reasons: json(reasonsSchema, (source: Source) => ifKnown(Object.fromEntries<Reason>, known(source))),
  };
}

function reasonsSchema() {
  const reason = model('PartialReason', z.enum(Object.keys(REASONS) as Reason[]));
  const meanings = Object.entries(REASONS).map(([code, meaning]) => `\`${code}\`: ${meaning}`);
  return z.optional(
    model('PartialReasons', z.record(z.string(), reason)).check(
      z.describe(`Why, for each field in \`partial\`. ${meanings.join('; ')}.`),
    ),
  );
}

/** Why a figure of the whole past is missing; undefined if it is not. */
export function ledgerGapReason({ complete, confirmed, isCut }: Coverage): Reason | undefined {
  if (complete) return undefined;
  if (isCut) return 'TOO_MANY_EVENTS';
  return confirmed ? 'NOT_CONFIRMED' : 'PAST_NOT_INDEXED';
}

/** One reason for several fields, for {@link partialFields}. */
export function forAll<Field extends string>(fields: readonly Field[], reason: Reason) {
  return Object.fromEntries(fields.map((field) => [field, reason])) as { [Name in Field]: Reason };
}

/** Whether a body lacks something that it may have soon. */
export function lacksSource({ partial, reasons }: { partial?: readonly string[]; reasons?: Record<string, unknown> }) {
  return partial?.some((field) => !LASTING.has(reasons?.[field])) ?? false;
}
