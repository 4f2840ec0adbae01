import * as z from 'zod/mini';
import { type Coverage, MOST_ENTRIES } from '../../ledger/coverage.ts';
import { type Field, json, model } from '../fields.ts';
import { flag, integer, unixTime } from '../units.ts';

/** The blocks of the ledger that an answer is made from. Events outside of them are unknown, not absent. */
export const coverageSchema = () =>
  model(
    'Coverage',
    z.object({
      fromBlock: integer.schema('First indexed block.'),
      toBlock: integer.schema('Last block of this answer. Events up to it are final.'),
      toTimestamp: unixTime.schema('Time of `toBlock`. Later events are unknown.'),
      sources: integer.schema(
        'Number of providers that agreed on everything in it: 2, or 1 if only one is configured, or if only one keeps old states.',
      ),
      complete: flag.schema(
        `True if it reaches back to the protocol's first block. False for addresses with more than ${MOST_ENTRIES.toLocaleString('en')} events, whose later events are left out.`,
      ),
    }),
  ).check(z.describe('Range of indexed blocks, without gaps. Events outside are unknown.'));

export function coverageBody({ fromBlock, toBlock, toTimestamp, sources, complete }: Coverage) {
  return { fromBlock, toBlock, toTimestamp, sources, complete };
}

export function coverage<Source extends { coverage: Coverage }>(): Field<Source, ReturnType<typeof coverageSchema>> {
  return json(coverageSchema, ({ coverage }: Source) => coverageBody(coverage));
}
