import * as z from 'zod/mini';
import { MINIPOOL, minipoolCounts } from '../lib/api/bodies/minipool-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { nextCursor, page, pageParams } from '../lib/api/lists.ts';
import { addressParam, choicesParam, nodeIDParam } from '../lib/api/params.ts';
import { blockRef, integer, model } from '../lib/api/schemas.ts';
import { required } from '../lib/chain/answered.ts';
import { MINIPOOL_STATUSES, statusName } from '../lib/contracts/minipool-statuses.ts';
import { countByStatus, operatorsDataset } from '../lib/protocol/operators-dataset.ts';

const response = () =>
  z.object({
    minipools: z
      .array(model('Minipool', z.object(MINIPOOL.shape())))
      .check(z.describe('The requested minipools, by index.')),
    total: integer('Number of minipools that match all filters, on all pages.'),
    nextCursor: nextCursor(),
    counts: minipoolCounts(
      'Number of minipools by status. The `owner` and `nodeID` filters apply, the `status` filter does not.',
    ),
    block: blockRef(),
  });

export const minipools = defineEndpoint({
  path: '/minipools',
  tag: 'Minipools',
  summary: 'Minipools',
  description:
    'One record per node, as stored in the contract, ordered by index. Minipools that are over stay in the list and keep their amounts, so filter by `status` before adding up amounts. Reusing a node overwrites its record, even if the owner is different.',
  freshSeconds: 60,
  input: z.object({
    status: z.optional(choicesParam(MINIPOOL_STATUSES, 'Return only minipools with these statuses.', 'MinipoolStatus')),
    owner: z.optional(addressParam('Return only minipools of this node operator.')),
    nodeID: z.optional(nodeIDParam('Return only the minipool of this node.')),
    ...pageParams,
  }),
  response,
  rows: 'minipools',
  exampleRequest: '/minipools?status=prelaunch,launched,staking&limit=5',
  async handle({ status, owner, nodeID, ...paging }, context) {
    const { minipools, block, settings } = await context.dataset(operatorsDataset);
    const theirs = required(minipools).filter(
      (minipool) =>
        (owner === undefined || minipool.owner === owner.toLowerCase()) &&
        (nodeID === undefined || minipool.nodeID === nodeID),
    );
    const wanted = theirs.filter((minipool) => !status || status.includes(statusName(minipool.status)));
    const { entries, nextCursor } = page(
      wanted,
      paging,
      ({ index }) => index,
      (minipool) => MINIPOOL.body({ minipool, network: context.config.network, settings }),
    );
    return {
      minipools: entries,
      total: wanted.length,
      nextCursor,
      counts: countByStatus(theirs),
      block,
    };
  },
});

export const handler = createHandler(minipools);
