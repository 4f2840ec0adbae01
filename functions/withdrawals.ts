import * as z from 'zod/mini';
import { queueFields, withdrawal } from '../lib/api/bodies/withdrawal-body.ts';
import { createHandler } from '../lib/api/endpoint.ts';
import { object } from '../lib/api/fields.ts';
import { choicesParam } from '../lib/api/list-params.ts';
import { entries, type Listed, pageFields } from '../lib/api/lists.ts';
import { listEndpoint } from '../lib/api/shapes/list.ts';
import { block } from '../lib/api/units.ts';
import {
  WITHDRAWAL_STATUSES,
  type Withdrawal,
  type Withdrawals,
  withdrawalsDataset,
} from '../lib/protocol/withdrawals.ts';

const BODY = object<Listed<Withdrawal, Withdrawals>>()({
  ...queueFields,
  requests: entries(withdrawal, 'Open requests by `requestId`.'),
  ...pageFields('Number of requests that match the filter.'),
  block: block(),
});

export const withdrawals = listEndpoint({
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
  },
  hasOffset: true,
  async read({ status }, context) {
    const queued = await context.dataset(withdrawalsDataset);
    return { ...queued, items: queued.requests.filter((request) => !status || status.includes(request.status)) };
  },
  key: ({ requestId }) => requestId,
  body: BODY,
  rows: 'requests',
});

export const handler = /* @__PURE__ */ createHandler(withdrawals);
