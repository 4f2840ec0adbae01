import { coverage } from '../../lib/api/bodies/coverage-body.ts';
import { distribution } from '../../lib/api/bodies/rewards-cycle-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { list, object } from '../../lib/api/fields.ts';
import { cursorParams, type Page, page, pageFields } from '../../lib/api/lists.ts';
import { block, ggp, integer, transactionHash, unixTime } from '../../lib/api/units.ts';
import type { Coverage } from '../../lib/ledger/coverage.ts';
import { blockOf, type EntryOf, subjectOf } from '../../lib/ledger/ledger-entry.ts';
import { readPage } from '../../lib/ledger/page.ts';
import type { BlockRef } from '../../lib/values/block.ts';

type Started = EntryOf<'rewardsCycleStarted'>;
const CYCLE = object<Started>('PaidRewardsCycle')({
  number: integer('Number of the cycle.'),
  startTime: unixTime('Start of the cycle. It pays for the time before.', ({ timestamp }) => timestamp),
  blockNumber: integer('Block in which the cycle started.', ({ block }) => block),
  totalAmt: ggp.optional('GGP minted and paid. Omitted if no event has it.'),
  distribution: distribution('`totalAmt` by claiming contract.', (entry) => entry),
  txHash: transactionHash(),
});

const PAID_CYCLES = object<Page<Started> & { coverage: Coverage; newest: BlockRef | undefined }>()({
  cycles: list(CYCLE)('Cycles in `coverage`, newest first.', ({ items }) => items),
  ...pageFields('Number of these cycles.'),
  coverage: coverage(),
  block: block.optional('Block of the newest event. Omitted if there is none.', ({ newest }) => newest),
});

export const rewardsCycles = defineEndpoint({
  path: '/rewards/cycles',
  tag: 'Rewards',
  summary: 'GGP rewards cycles to date',
  description:
    'GGP minted by each cycle, and its split, from events. The current and next cycle are in `/rewards/cycle`.',
  exampleRequest: '/rewards/cycles',
  freshSeconds: 300,
  reads: ['ledger'],
  params: cursorParams,
  async handle(paging, context) {
    const { ledger } = context;
    const { entries, coverage } = await ledger.ofType('rewardsCycleStarted');
    const [event] = (await readPage(ledger, subjectOf.protocol, { limit: 1 })).entries;
    return {
      ...page(entries.toReversed(), paging, ({ number }) => number),
      coverage,
      newest: event && blockOf(event),
    };
  },
  body: PAID_CYCLES,
  rows: 'cycles',
});

export const handler = /* @__PURE__ */ createHandler(rewardsCycles);
