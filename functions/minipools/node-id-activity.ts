import { createHandler } from '../../lib/api/endpoint.ts';
import { nodeIDParam } from '../../lib/api/params.ts';
import { activityEndpoint } from '../../lib/api/shapes/activity.ts';
import { subjectOf } from '../../lib/ledger/ledger-entry.ts';

export const minipoolsNodeIDActivity = activityEndpoint({
  path: '/minipools/{nodeID}/activity',
  tag: 'Minipools',
  summary: 'Minipool activity of one node',
  description: "Events of a node's minipools, of all owners.",
  exampleRequest: '/minipools/NodeID-ACvymxvWpX1Mt95toBZGoij4aAgkfR53G/activity?limit=3',
  params: { nodeID: nodeIDParam('ID of the node.') },
  subject: ({ nodeID }) => subjectOf.node(nodeID),
});

export const handler = /* @__PURE__ */ createHandler(minipoolsNodeIDActivity);
