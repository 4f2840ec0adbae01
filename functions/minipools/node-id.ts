import * as z from 'zod/mini';
import { minipoolBody, minipoolFields } from '../../lib/api/bodies/minipool-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { nodeIDParam } from '../../lib/api/params.ts';
import { blockRef, model } from '../../lib/api/schemas.ts';
import { minipoolsDataset } from '../../lib/protocol/minipools-dataset.ts';
import { ApiError } from '../../lib/runtime/errors.ts';
import { formatNodeID } from '../../lib/values/cb58.ts';

const response = () => model('MinipoolDetails', z.object({ ...minipoolFields(), block: blockRef() }));

export const minipoolsNodeID = defineEndpoint({
  path: '/minipools/{nodeID}',
  tag: 'Minipools',
  summary: 'Minipool of one node',
  description:
    'The minipool record of a node, as in `/minipools`. If the node has never had a minipool, the response is a 404.',
  freshSeconds: 60,
  datasets: [minipoolsDataset],
  input: z.object({ nodeID: nodeIDParam('ID of the node.') }),
  response,
  exampleRequest: '/minipools/NodeID-ACvymxvWpX1Mt95toBZGoij4aAgkfR53G',
  example: {
    index: 3,
    nodeID: 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5',
    nodeIDHex: '0xf29bce5f34a74301eb0de716d5194e4a4aea5d7a',
    status: 'finished',
    statusCode: 4,
    owner: '0xF29Bce5F34a74301eB0dE716d5194E4a4aEA5d7A',
    multisigAddr: '0x6C104D5b914931BA179168d63739A297Dc29bCF3',
    duration: 1_728_000,
    delegationFeePercent: 2,
    avaxNodeOpAmt: '1000',
    avaxNodeOpInitialAmt: '1000',
    avaxLiquidStakerAmt: '1000',
    creationTime: 1_785_000_000,
    initialStartTime: 1_785_020_000,
    startTime: 1_785_020_000,
    neededUptimePercent: 80,
    endTime: 1_786_316_000,
    txID: 'uDo9wptmjhvh4jKULRPSkhQvnF3unJfNB6CZSSCXkbYEQfzsN',
    avaxTotalRewardAmt: '4.407836686',
    avaxNodeOpRewardAmt: '2.203918343',
    avaxNodeOpLifetimeRewardAmt: '2.203918343',
    avaxLiquidStakerRewardAmt: '2.203918343',
    ggpSlashAmt: '0',
    errorCode: 'EC1',
    block: { number: 95_044_397, timestamp: 1_789_158_328 },
  },
  notFound: ['MINIPOOL_NOT_FOUND'],
  // From the cached dataset, because otherwise each made-up node ID would cause a request to the chain.
  async handle({ nodeID }, context) {
    const { block, minipools, cycleDuration } = await context.dataset(minipoolsDataset);
    const minipool = minipools.find((each) => each.nodeID === nodeID);
    if (!minipool) throw new ApiError('MINIPOOL_NOT_FOUND', `${formatNodeID(nodeID)} has never had a minipool.`);
    return { ...minipoolBody(minipool, context.config.network, cycleDuration), block };
  },
});

export const handler = createHandler(minipoolsNodeID);
