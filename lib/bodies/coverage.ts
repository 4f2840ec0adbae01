import * as z from 'zod/mini';
import type { Coverage } from '../ledger/searched.ts';
import { flag, integer, model } from '../schemas.ts';

/** How far the ledger reaches. What it does not cover is unknown, which is not the same as nothing. */
export const coverageSchema = () =>
  model(
    'Coverage',
    z.object({
      from: integer('First block searched.'),
      to: integer('Last block searched.'),
      complete: flag("Whether the range reaches back to the protocol's first block."),
    }),
  ).check(z.describe('Range of blocks searched for events, without gaps. What happened outside it is unknown.'));

/** The coverage of a response for this block, which excludes later blocks. */
export function coverageAt(block: number, coverage: Coverage): Coverage {
  return { ...coverage, to: Math.min(coverage.to, block) };
}
