import * as z from 'zod/mini';
import { coverageSchema } from '../../lib/api/bodies/coverage-body.ts';
import { distribution } from '../../lib/api/bodies/distribution-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { fields, json, list, object } from '../../lib/api/fields.ts';
import { cursorParams, nextCursor, page } from '../../lib/api/lists.ts';
import * as schemas from '../../lib/api/schemas.ts';
import { ggp, integer, unixTime } from '../../lib/api/units.ts';
import { REWARDS_CYCLES } from '../../lib/ledger/concerns.ts';
import { type EntryOf, subjectOf } from '../../lib/ledger/ledger-entry.ts';
import { ledgerOf } from '../../lib/ledger/ledger-store.ts';

const CYCLE = fields<EntryOf<'rewardsCycleStarted'>>()({
  number: integer('Number of the cycle.', ({ number }) => number),
  startTime: unixTime('Start of the cycle. The cycle pays for the time before.', ({ timestamp }) => timestamp),
  block: integer('Block in which the cycle started.', ({ block }) => block),
  totalAmt: ggp('GGP minted and paid.', ({ totalAmt }) => totalAmt),
  distribution: distribution('`totalAmt` by claiming contract.', (entry) => entry),
  txHash: json(schemas.transactionHash, ({ txHash }) => txHash),
});

const response = () =>
  z.object({
    cycles: list(object('PaidRewardsCycle', CYCLE)).schema('Cycles started in the blocks of `coverage`, newest first.'),
    total: schemas.integer('Number of these cycles, on all pages.'),
    nextCursor: nextCursor(),
    coverage: coverageSchema(),
    block: z.optional(
      schemas
        .blockRef()
        .check(z.describe('Block of the newest event in the ledger. Omitted while the ledger has no events.')),
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
  async handle(paging, context) {
    const ledger = ledgerOf(context);
    const { entries, coverage } = await ledger.all(subjectOf.type('rewardsCycleStarted'), REWARDS_CYCLES);
    const newest = await ledger.page(subjectOf.protocol, { limit: 1 });
    const [event] = newest.entries;
    const cycles = entries.toReversed().flatMap((entry) => (entry.type === 'rewardsCycleStarted' ? entry : []));
    const paged = page(cycles, paging, ({ number }) => number, CYCLE.body);
    return {
      cycles: paged.entries,
      total: cycles.length,
      nextCursor: paged.nextCursor,
      coverage,
      block: event && { number: event.block, timestamp: event.timestamp },
    };
  },
});

export const handler = createHandler(rewardsCycles);
