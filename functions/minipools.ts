import * as z from 'zod/mini';
import { MINIPOOL, type MinipoolSource, minipoolCounts } from '../lib/api/bodies/minipool-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { list, object } from '../lib/api/fields.ts';
import { type Page, page, pageFields, pageParams } from '../lib/api/lists.ts';
import { addressParam, choicesParam, nodeIDParam } from '../lib/api/params.ts';
import { block } from '../lib/api/units.ts';
import { required } from '../lib/chain/contract.ts';
import { MINIPOOL_STATUSES, type MinipoolStatus, statusName } from '../lib/contracts/minipool-statuses.ts';
import { countByStatus, protocolDataset } from '../lib/protocol/protocol.ts';
import type { BlockRef } from '../lib/values/block.ts';

const MINIPOOLS = object<Page<MinipoolSource> & { counts: Record<MinipoolStatus, number>; block: BlockRef }>()({
  minipools: list(MINIPOOL)('By index.', ({ items }) => items),
  ...pageFields('Number of minipools that match all filters.'),
  counts: minipoolCounts('Number by status. The `owner` and `nodeID` filters apply, `status` does not.'),
  block: block(),
});

export const minipools = defineEndpoint({
  path: '/minipools',
  tag: 'Minipools',
  summary: 'Minipools',
  description:
    'One record per node, as in the contract. Ended minipools stay listed with their amounts: filter by `status` before adding up. Reusing a node overwrites its record, also for another owner.',
  exampleRequest: '/minipools?status=prelaunch,launched,staking&limit=5',
  freshSeconds: 60,
  params: {
    status: z.optional(choicesParam(MINIPOOL_STATUSES, 'Only these statuses.', 'MinipoolStatus')),
    owner: z.optional(addressParam('Only this node operator.')),
    nodeID: z.optional(nodeIDParam('Only this node.')),
    ...pageParams,
  },
  async handle({ status, owner, nodeID, ...paging }, context) {
    const { minipools, block, settings } = await context.dataset(protocolDataset);
    const theirs = required(minipools).filter(
      (minipool) =>
        (owner === undefined || minipool.owner === owner.toLowerCase()) &&
        (nodeID === undefined || minipool.nodeID === nodeID),
    );
    const items = theirs
      .filter((minipool) => !status || status.includes(statusName(minipool.status)))
      .map((minipool) => ({ ...minipool, network: context.config.network, settings }));
    return { ...page(items, paging, ({ index }) => index), counts: countByStatus(theirs), block };
  },
  body: MINIPOOLS,
  rows: 'minipools',
});

export const handler = /* @__PURE__ */ createHandler(minipools);
