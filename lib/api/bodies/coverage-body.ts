import * as z from 'zod/mini';
import { type Coverage, MOST_ENTRIES, TOLERATED_LAG_SECONDS } from '../../ledger/coverage.ts';
import { type Field, json, model } from '../fields.ts';
import { flag, integer, unixTime } from '../units.ts';

/** The blocks of the ledger that an answer is made from. Events outside of them are unknown, not absent. */
export const coverageSchema = () =>
  model(
    'Coverage',
    z.object({
      fromBlock: integer.schema('First indexed block.'),
      toBlock: integer.schema(
        'Last block of this answer: the last indexed one or, for sums of events, the last confirmed one.',
      ),
      toTimestamp: unixTime.schema('Time of `toBlock`. Later events are unknown.'),
      confirmedBlock: z.optional(
        integer.schema(
          "Last block up to which every event since the protocol's first block is indexed and confirmed: by two providers (if `sources` is 2), and by the contracts' own sums. Omitted while history is loading.",
        ),
      ),
      sources: integer.schema(
        "Number of providers that agreed on the events: 2, or 1 if only one is configured. Then events are checked only against the contracts' own sums.",
      ),
      complete: flag.schema(
        `True if every event since the protocol's first block is known, and confirmed to within ${TOLERATED_LAG_SECONDS / 3_600} hour of the last indexed block. False for addresses with more than ${MOST_ENTRIES.toLocaleString('en')} events, whose other events are left out.`,
      ),
    }),
  ).check(z.describe('Range of indexed blocks, without gaps. Events outside are unknown.'));

/** The JSON of a coverage. */
export function coverageBody({ fromBlock, toBlock, toTimestamp, confirmed, sources, complete }: Coverage) {
  return { fromBlock, toBlock, toTimestamp, confirmedBlock: confirmed?.number, sources, complete };
}

/** The coverage of a body. */
export function coverage<Source extends { coverage: Coverage }>(): Field<Source, ReturnType<typeof coverageSchema>> {
  return json(coverageSchema, ({ coverage }: Source) => coverageBody(coverage));
}
