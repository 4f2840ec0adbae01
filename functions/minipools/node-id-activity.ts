import * as z from 'zod/mini';
import { activityBody, activityParams, activitySchema } from '../../lib/api/bodies/activity-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { nodeIDParam } from '../../lib/api/params.ts';
import { readDayPrices } from '../../lib/history/day-prices.ts';
import { recordedRatesDataset } from '../../lib/history/rates.ts';
import { subjectOf } from '../../lib/ledger/ledger-entry.ts';
import { ledgerOf } from '../../lib/ledger/ledger-store.ts';
import { limitToLedger } from '../../lib/ledger/limit-to-ledger.ts';

export const minipoolsNodeIDActivity = defineEndpoint({
  path: '/minipools/{nodeID}/activity',
  tag: 'Minipools',
  summary: 'Minipool activity of one node',
  description: "Events of a node's minipools, across all owners, newest first. The list is empty if there are none.",
  freshSeconds: 3,
  datasets: [recordedRatesDataset],
  reads: ['history', 'ledger'],
  input: z.object({
    nodeID: nodeIDParam('ID of the node.'),
    ...activityParams,
  }),
  canonical: (input, context) => limitToLedger(input, context),
  response: activitySchema,
  rows: 'activity',
  exampleRequest: '/minipools/NodeID-ACvymxvWpX1Mt95toBZGoij4aAgkfR53G/activity?limit=3',
  example: {
    activity: [
      {
        block: 93_540_118,
        logIndex: 2,
        timestamp: 1_787_560_002,
        txHash: '0x7b0a1c9d2e64f5538890ab1dce02f7716a9cd4583be6120f4e5d7a80c3b9f112',
        type: 'minipoolLaunched',
        nodeID: 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5',
        owner: '0xF29Bce5F34a74301eB0dE716d5194E4a4aEA5d7A',
        duration: 1_296_000,
      },
    ],
    lastCursor: '000095044297-999999',
    coverage: { from: 28_400_000, to: 95_044_397, toTimestamp: 1_789_158_328, complete: true },
  },
  handle: async ({ nodeID, ...input }, context) =>
    activityBody(
      ...(await Promise.all([ledgerOf(context).page(subjectOf.node(nodeID), input), readDayPrices(context)])),
    ),
});

export const handler = createHandler(minipoolsNodeIDActivity);
