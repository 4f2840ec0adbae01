/** Missing or incomplete fields of a body: their names in `partial`, and the reasons in `reasons`. */

import * as z from 'zod/mini';
import type { Coverage } from '../../ledger/coverage.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { json } from '../fields.ts';
import { model } from '../schemas.ts';

/** The reasons, each with its meaning. */
const REASONS = {
  SOURCE_UNAVAILABLE: 'a data source did not answer',
  LEDGER_BEHIND: 'the event ledger is a little behind the contracts',
  PAST_NOT_INDEXED: 'history is still loading (`coverage`)',
  NOT_CONFIRMED: 'later events are not confirmed yet (`coverage.confirmedBlock`)',
  TOO_MANY_EVENTS: 'the address has more events than an answer includes (`coverage`)',
  NOT_RECORDED_YET: 'nothing is recorded in the range yet',
  NOT_DIVISIBLE: 'an entry also covers time outside the range',
  PRICE_NOT_RECORDED: 'the USD price of some days is not recorded',
  PRICE_UNKNOWN: 'no source has the price at this block',
} as const;

export type Reason = keyof typeof REASONS;

/** The reason of each missing field; fields that are not missing have none. */
export type MissingFields<Name extends string> = { readonly [Missing in Name]?: Reason | undefined };

/** Permanent reasons: a body that is made again soon would lack the same fields. */
const PERMANENT_REASONS: ReadonlySet<unknown> = new Set<Reason>([
  'PAST_NOT_INDEXED',
  'NOT_CONFIRMED',
  'TOO_MANY_EVENTS',
  'NOT_RECORDED_YET',
  'NOT_DIVISIBLE',
  'PRICE_NOT_RECORDED',
  'PRICE_UNKNOWN',
]);

/**
 * The fields `partial` and `reasons` of a body. `names` are the fields that may be missing, `typeName` is the name of
 * their type in the schema, and `reasonsOf` returns the reasons for the missing ones. If none is missing, both are
 * omitted.
 */
export function partialFields<Source, const Name extends string>(
  names: readonly Name[],
  typeName: string,
  reasonsOf: (source: Source) => MissingFields<Name>,
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
            .check(z.describe('Fields that are omitted or incomplete; see `reasons`.')),
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
      z.describe(`Reason for each field in \`partial\`. ${meanings.join('; ')}.`),
    ),
  );
}

/** The reason for which a figure of the whole history is missing; undefined if it is not missing. */
export function ledgerGapReason({ complete, confirmed, isCut }: Coverage): Reason | undefined {
  if (complete) return undefined;
  if (isCut) return 'TOO_MANY_EVENTS';
  return confirmed ? 'NOT_CONFIRMED' : 'PAST_NOT_INDEXED';
}

/** Gives several fields the same reason, for {@link partialFields}. */
export function markMissing<Field extends string>(fields: readonly Field[], reason: Reason) {
  return Object.fromEntries(fields.map((field) => [field, reason])) as { [Name in Field]: Reason };
}

/** True if a body lacks a field that may be available soon. */
export function hasTemporaryGaps({
  partial,
  reasons,
}: {
  partial?: readonly string[];
  reasons?: Record<string, unknown>;
}) {
  return partial?.some((field) => !PERMANENT_REASONS.has(reasons?.[field])) ?? false;
}
