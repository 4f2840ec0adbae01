import * as z from 'zod/mini';
import type { Coverage } from '../../ledger/searched.ts';
import type { BlockRef } from '../../values/block.ts';
import { flag, integer, model, unixTime } from '../schemas.ts';

/** How far the ledger reaches. What it does not cover is unknown, which is not the same as nothing. */
export const coverageSchema = () =>
  model(
    'Coverage',
    z.object({
      from: integer('First block searched.'),
      to: integer(
        'Last block searched. An event of the last 100 blocks may still be found later if an RPC node lagged behind.',
      ),
      toTimestamp: z.optional(
        unixTime('Time of block `to`: what happened later is not known yet. Omitted while unknown.'),
      ),
      complete: flag("Whether the range reaches back to the protocol's first block."),
    }),
  ).check(z.describe('Range of blocks searched for events, without gaps. What happened outside it is unknown.'));

/** The coverage of a response for this block, which excludes later blocks. */
export function coverageAt({ number, timestamp }: BlockRef, coverage: Coverage): Coverage {
  return coverage.to >= number ? { ...coverage, to: number, toTimestamp: timestamp } : coverage;
}
