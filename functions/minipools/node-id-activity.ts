import { activityEndpoint, activityParams, readActivity } from '../../lib/api/bodies/activity-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { nodeIDParam } from '../../lib/api/params.ts';
import { subjectOf } from '../../lib/ledger/ledger-entry.ts';

export const minipoolsNodeIDActivity = defineEndpoint({
  ...activityEndpoint,
  path: '/minipools/{nodeID}/activity',
  tag: 'Minipools',
  summary: 'Minipool activity of one node',
  description: "Events of a node's minipools, of all owners.",
  exampleRequest: '/minipools/NodeID-ACvymxvWpX1Mt95toBZGoij4aAgkfR53G/activity?limit=3',
  params: { nodeID: nodeIDParam('ID of the node.'), ...activityParams },
  handle: ({ nodeID, ...query }, context) => readActivity(context, subjectOf.node(nodeID), query),
});

export const handler = /* @__PURE__ */ createHandler(minipoolsNodeIDActivity);
