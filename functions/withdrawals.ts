import * as z from 'zod/mini';
import { queueFields, withdrawal } from '../lib/api/bodies/withdrawal-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { list, object } from '../lib/api/fields.ts';
import { type Page, page, pageFields, pageParams } from '../lib/api/lists.ts';
import { choicesParam } from '../lib/api/params.ts';
import { block } from '../lib/api/units.ts';
import {
  WITHDRAWAL_STATUSES,
  type Withdrawal,
  type Withdrawals,
  withdrawalsDataset,
} from '../lib/protocol/withdrawals.ts';

const WITHDRAWALS = object<Page<Withdrawal> & Withdrawals>()({
  ...queueFields,
  requests: list(withdrawal)('Open requests by `requestId`.', ({ items }) => items),
  ...pageFields('Number of requests that match the filter.'),
  block: block(),
});

export const withdrawals = defineEndpoint({
  path: '/withdrawals',
  tag: 'ggAVAX',
  summary: 'Withdrawal queue and open requests',
  description:
    'Open requests to exchange ggAVAX for AVAX. The contract deletes claimed, canceled, and returned ones. `status` is as of the time of this block.',
  exampleRequest: '/withdrawals',
  freshSeconds: 30,
  reads: ['ledger'],
  params: {
    status: z.optional(choicesParam(WITHDRAWAL_STATUSES, 'Only these statuses.', 'WithdrawalStatus')),
    ...pageParams,
  },
  async handle({ status, ...paging }, context) {
    const queued = await context.dataset(withdrawalsDataset);
    const wanted = queued.requests.filter((request) => !status || status.includes(request.status));
    return { ...queued, ...page(wanted, paging, ({ requestId }) => requestId) };
  },
  body: WITHDRAWALS,
  rows: 'requests',
});

export const handler = /* @__PURE__ */ createHandler(withdrawals);
