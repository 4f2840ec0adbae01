import * as z from 'zod/mini';
import { minipoolBody, minipoolCounts, minipoolFields } from '../lib/api/bodies/minipool-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { nextCursor, page, pageParams } from '../lib/api/lists.ts';
import { addressParam, choicesParam, nodeIDParam } from '../lib/api/params.ts';
import { blockRef, integer, model } from '../lib/api/schemas.ts';
import { MINIPOOL_STATUSES, statusName } from '../lib/contracts/minipool-statuses.ts';
import { countByStatus, minipoolsDataset } from '../lib/protocol/minipools-dataset.ts';

const response = () =>
  z.object({
    minipools: z
      .array(model('Minipool', z.object(minipoolFields())))
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
  datasets: [minipoolsDataset],
  input: z.object({
    status: z.optional(choicesParam(MINIPOOL_STATUSES, 'Return only minipools with these statuses.', 'MinipoolStatus')),
    owner: z.optional(addressParam('Return only minipools of this node operator.')),
    nodeID: z.optional(nodeIDParam('Return only the minipool of this node.')),
    ...pageParams,
  }),
  response,
  rows: 'minipools',
  exampleRequest: '/minipools?status=prelaunch,launched,staking&limit=5',
  example: {
    minipools: [
      {
        index: 12,
        nodeID: 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5',
        nodeIDHex: '0xf29bce5f34a74301eb0de716d5194e4a4aea5d7a',
        status: 'staking',
        statusCode: 2,
        owner: '0xF29Bce5F34a74301eB0dE716d5194E4a4aEA5d7A',
        multisigAddr: '0x6C104D5b914931BA179168d63739A297Dc29bCF3',
        duration: 7_776_000,
        delegationFeePercent: 2,
        avaxNodeOpAmt: '1005.136922',
        avaxNodeOpInitialAmt: '1000',
        avaxLiquidStakerAmt: '1005.136922',
        creationTime: 1_785_000_000,
        initialStartTime: 1_785_020_000,
        startTime: 1_787_700_000,
        neededUptimePercent: 80,
        endTime: 0,
        expectedEndTime: 1_792_796_000,
        cycleEndTime: 1_788_996_000,
        txID: 'uDo9wptmjhvh4jKULRPSkhQvnF3unJfNB6CZSSCXkbYEQfzsN',
        avaxTotalRewardAmt: '0',
        avaxNodeOpRewardAmt: '0',
        avaxNodeOpLifetimeRewardAmt: '5.136922',
        avaxLiquidStakerRewardAmt: '0',
        ggpSlashAmt: '0',
        hardwareProvider: 'Artifact',
      },
    ],
    total: 1,
    counts: { prelaunch: 0, launched: 0, staking: 1, withdrawable: 0, finished: 0, canceled: 0, error: 0 },
    block: { number: 95_044_397, timestamp: 1_789_158_328 },
  },
  async handle({ status, owner, nodeID, ...paging }, context) {
    const { block, minipools, cycleDuration } = await context.dataset(minipoolsDataset);
    const theirs = minipools.filter(
      (minipool) =>
        (owner === undefined || minipool.owner === owner.toLowerCase()) &&
        (nodeID === undefined || minipool.nodeID === nodeID),
    );
    const wanted = theirs.filter((minipool) => !status || status.includes(statusName(minipool.status)));
    const { entries, nextCursor } = page(
      wanted,
      paging,
      ({ index }) => index,
      (minipool) => minipoolBody(minipool, context.config.network, cycleDuration),
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
