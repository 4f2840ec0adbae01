import { MINIPOOL, type MinipoolSource } from '../../lib/api/bodies/minipool-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { object } from '../../lib/api/fields.ts';
import { nodeIDParam } from '../../lib/api/params.ts';
import { block } from '../../lib/api/units.ts';
import { required } from '../../lib/chain/contract.ts';
import { protocolDataset } from '../../lib/protocol/protocol.ts';
import { ApiError } from '../../lib/runtime/errors.ts';
import type { BlockRef } from '../../lib/values/block.ts';
import { formatNodeID } from '../../lib/values/cb58.ts';

type Details = MinipoolSource & { block: BlockRef };
const DETAILS = object<Details>('MinipoolDetails')({ ...MINIPOOL.fields, block: block() });

export const minipoolsNodeID = defineEndpoint({
  path: '/minipools/{nodeID}',
  tag: 'Minipools',
  summary: 'Minipool of one node',
  description: 'The minipool record of a node, as in `/minipools`.',
  freshSeconds: 60,
  params: { nodeID: nodeIDParam('ID of the node.') },
  body: DETAILS,
  exampleRequest: '/minipools/NodeID-ACvymxvWpX1Mt95toBZGoij4aAgkfR53G',
  notFound: ['MINIPOOL_NOT_FOUND'],
  // From the cached dataset, because otherwise each made-up node ID would cause a request to the chain.
  async handle({ nodeID }, context) {
    const { minipools, block, settings } = await context.dataset(protocolDataset);
    const minipool = required(minipools).find((each) => each.nodeID === nodeID);
    if (!minipool) throw new ApiError('MINIPOOL_NOT_FOUND', `${formatNodeID(nodeID)} has never had a minipool.`);
    return { ...minipool, network: context.config.network, settings, block };
  },
});

export const handler = /* @__PURE__ */ createHandler(minipoolsNodeID);
