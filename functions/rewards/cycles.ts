import * as z from 'zod/mini';
import { coverageSchema } from '../../lib/api/bodies/coverage-body.ts';
import { distributionBody, distributionSchema } from '../../lib/api/bodies/distribution-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { cursorParams, nextCursor, page } from '../../lib/api/lists.ts';
import { blockRef, integer, model, tokens, transactionHash, unixTime } from '../../lib/api/schemas.ts';
import { type EntryOf, subjectOf } from '../../lib/ledger/ledger-entry.ts';
import { ledgerOf } from '../../lib/ledger/ledger-store.ts';
import { formatAmount } from '../../lib/values/amounts.ts';

const cycle = () =>
  model(
    'PaidRewardsCycle',
    z.object({
      number: integer('Number of the cycle.'),
      startTime: unixTime('Start of the cycle. The cycle pays for the time before.'),
      block: integer('Block in which the cycle started.'),
      totalAmt: tokens('GGP', 'GGP minted and paid.'),
      distribution: distributionSchema('`totalAmt` by claiming contract.'),
      txHash: transactionHash(),
    }),
  );

const response = () =>
  z.object({
    cycles: z.array(cycle()).check(z.describe('Cycles started in the blocks of `coverage`, newest first.')),
    total: integer('Number of these cycles, on all pages.'),
    nextCursor: nextCursor(),
    coverage: coverageSchema(),
    block: z.optional(
      blockRef().check(z.describe('Block of the newest event in the ledger. Omitted while the ledger has no events.')),
    ),
  });

export const rewardsCycles = defineEndpoint({
  path: '/rewards/cycles',
  tag: 'Rewards',
  summary: 'GGP rewards cycles to date',
  description:
    'GGP that each rewards cycle minted, and how it was split, from the event ledger. For the current and next cycle, see `/rewards/cycle`.',
  freshSeconds: 300,
  reads: ['ledger'],
  input: z.object(cursorParams),
  response,
  rows: 'cycles',
  exampleRequest: '/rewards/cycles',
  example: {
    cycles: [
      {
        number: 39,
        startTime: 1_788_408_000,
        block: 94_291_007,
        totalAmt: '84234.1',
        distribution: { ClaimNodeOp: '58963.87', ClaimProtocolDAO: '16846.82', MultisigManager: '8423.41' },
        txHash: '0x5e1d3a76fbf824220eafc8c79ad578ad2b67d01b0c2425eb1f1347e8f50882ab',
      },
    ],
    total: 1,
    coverage: { from: 28_400_000, to: 95_044_397, toTimestamp: 1_789_158_328, complete: true },
    block: { number: 95_044_102, timestamp: 1_789_157_720 },
  },
  async handle(paging, context) {
    const ledger = ledgerOf(context);
    const { entries, coverage } = await ledger.all(subjectOf.type('rewardsCycleStarted'));
    const newest = await ledger.page(subjectOf.protocol, { limit: 1 });
    const [event] = newest.entries;
    const cycles = entries.toReversed().flatMap((entry) => (entry.type === 'rewardsCycleStarted' ? entry : []));
    const paged = page(cycles, paging, ({ number }) => number, cycleBody);
    return {
      cycles: paged.entries,
      total: cycles.length,
      nextCursor: paged.nextCursor,
      coverage,
      block: event && { number: event.block, timestamp: event.timestamp },
    };
  },
});

function cycleBody(entry: EntryOf<'rewardsCycleStarted'>) {
  return {
    number: entry.number,
    startTime: entry.timestamp,
    block: entry.block,
    totalAmt: formatAmount(entry.totalAmt),
    distribution: distributionBody(entry),
    txHash: entry.txHash,
  };
}

export const handler = createHandler(rewardsCycles);
