import * as z from 'zod/mini';
import type { Coverage } from '../../ledger/ledger-progress.ts';
import { MOST_ENTRIES } from '../../ledger/proven.ts';
import type { BlockRef } from '../../values/block.ts';
import { type Field, json } from '../fields.ts';
import { blockRef, flag, integer, model, text, unixTime } from '../schemas.ts';

/** How far the ledger reaches. What it does not cover is unknown, which is not the same as nothing. */
export const coverageSchema = () =>
  model(
    'Coverage',
    z.object({
      from: integer('First block searched.'),
      to: integer(
        'Last block searched, or `provenAt`, where an answer that is added up from events ends there. An event of the last two minutes before it may still be found later if an RPC node lagged behind.',
      ),
      toTimestamp: z.optional(
        unixTime('Time of block `to`: what happened later is not known yet. Omitted while unknown.'),
      ),
      complete: flag(
        "Whether the range reaches back to the protocol's first block, the events add up to what the contracts say, and none are left out.",
      ),
      contradicts: z.optional(contradictionsSchema()),
      provenAt: z.optional(
        blockRef().check(
          z.describe(
            `Block up to which the events add up to what the contracts say. Omitted unless \`contradicts\` says that they do not later, or while it is unknown. Without \`contradicts\`, it is where the first ${MOST_ENTRIES.toLocaleString('en')} events of an address end, of which no more are read.`,
          ),
        ),
      ),
    }),
  ).check(z.describe('Range of blocks searched for events, without gaps. What happened outside it is unknown.'));

/** The coverage of a body. */
export function coverage<Source extends { coverage: Coverage }>(): Field<Source, ReturnType<typeof coverageSchema>> {
  return json(coverageSchema, ({ coverage }: Source) => coverage);
}

/** Where events and contracts differ. */
export const contradictionsSchema = () =>
  z
    .array(
      model(
        'Contradiction',
        z.object({
          what: text('The view, its contract and, if there is one, its argument.'),
          ledger: text('What the events add up to. An integer, amounts in wei.'),
          contract: text('What the contract says.'),
          block: integer('Block of both.'),
          agreedAt: z.optional(
            blockRef().check(
              z.describe('Last block before they differ, or an earlier one. Omitted while none is known.'),
            ),
          ),
        }),
      ),
    )
    .check(
      z.describe(
        'Where the events that this answer is made from do not add up to what the contracts say: at most ten. Omitted if there is nothing.',
      ),
    );

/** The coverage of a response for this block, which excludes later blocks. */
export function coverageAt({ number, timestamp }: BlockRef, coverage: Coverage): Coverage {
  return coverage.to >= number ? { ...coverage, to: number, toTimestamp: timestamp } : coverage;
}
