import { expect, test } from '@jest/globals';
import { findPaymentTimes } from '../../../lib/history/payment-times.ts';
import { earnedBetween, isPossible } from '../../../lib/history/record-distributions.ts';

type Unclaimed = Parameters<typeof earnedBetween>[0];

const START = Date.UTC(2026, 9, 1, 12) / 1_000;
const SECONDS_PER_BLOCK = 2;
const blockAt = (number: number) => ({ number, timestamp: START + number * SECONDS_PER_BLOCK });
const LAST = (30 * 86_400) / SECONDS_PER_BLOCK;

/** The times found for stakers who are paid in these blocks, and the number of states read. */
async function search(blocks: Record<string, number>) {
  let reads = 0;
  const times = await findPaymentTimes(Object.keys(blocks), blockAt(0), blockAt(LAST), async (number) => {
    reads += 1;
    const paid = Object.keys(blocks).filter((staker) => (blocks[staker] as number) <= number);
    return { block: blockAt(number), earned: new Map(paid.map((staker) => [staker, 1n])) };
  });
  return { times, reads };
}

test('payments are dated at most an hour late, with 12 reads for all that are paid together', async () => {
  const blocks = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`staker ${index}`, 5_000 + index]));
  const { times, reads } = await search(blocks);
  for (const [staker, block] of Object.entries(blocks)) {
    const late = (times.get(staker) ?? 0) - blockAt(block).timestamp;
    expect([staker, late >= 0 && late <= 3_600]).toEqual([staker, true]);
  }
  expect(reads).toBeLessThanOrEqual(12);
});

test('a payment around midnight has its own UTC day', async () => {
  const midnight = (12 * 3_600) / SECONDS_PER_BLOCK;
  const { times } = await search({ before: midnight - 1, after: midnight });
  const day = (staker: string) => new Date((times.get(staker) ?? 0) * 1_000).toISOString().slice(0, 10);
  expect([day('before'), day('after')]).toEqual(['2026-10-01', '2026-10-02']);
});

test.each([
  // The unclaimed rewards of the first block no longer have what was claimed in that block.
  ['in the first block', 10, 3n],
  ['in the block after it', 11, 9n],
  ['in the last block', 20, 9n],
  ['after the last block', 21, 3n],
])('a claim of 6 wei made %s (%d) counts only after the first block, up to the last', (_, block, earned) => {
  const [before, after] = [2n, 5n].map((ggp, index) => ({ number: 10 + 10 * index, unclaimed: new Map([['a', ggp]]) }));
  const claims = [{ block, staker: 'a', amount: 4n, restaked: 2n }];
  expect(earnedBetween(before as Unclaimed, after as Unclaimed, claims).get('a')).toBe(earned);
});

test('a share is between nothing and all that operators get', () => {
  expect([-1n, 0n, 7n, 8n].map((ggp) => isPossible(ggp, { ClaimNodeOp: 7n }))).toEqual([false, true, true, false]);
});

test.each([
  [3_600, 0],
  [3_602, 1],
])('a search ends once it is sure to an hour: after %d s with %d reads', async (seconds, expected) => {
  let reads = 0;
  const after = blockAt(seconds / SECONDS_PER_BLOCK);
  await findPaymentTimes(['staker'], blockAt(0), after, async (number) => {
    reads += 1;
    return { block: blockAt(number), earned: new Map() };
  });
  expect(reads).toBe(expected);
});
