import * as z from 'zod/mini';
import { formatNAVAX } from '../../lib/amounts.ts';
import { historySchema, readHistory } from '../../lib/bodies/history.ts';
import { pChainAVAX } from '../../lib/bodies/validator.ts';
import { formatNodeID } from '../../lib/cb58.ts';
import { createHandler, defineEndpoint } from '../../lib/endpoint.ts';
import { rangeParams, snapRange } from '../../lib/history/range.ts';
import { historyOf } from '../../lib/history/store.ts';
import { ifKnown } from '../../lib/known.ts';
import { nodeIDParam } from '../../lib/params.ts';
import { flag, integer, model, percent } from '../../lib/schemas.ts';
import { uptimeOf } from '../../lib/validators/history.ts';

export const validatorsNodeIDHistory = defineEndpoint({
  path: '/validators/{nodeID}/history',
  tag: 'Validators',
  summary: 'One validator over time',
  description:
    'Uptime, stake and delegations of a validator with a minipool, as the validator index or the P-Chain told them at each boundary. They tell of now alone, so what was not recorded at its time is missing for good: points begin with this service, or with the minipool. A node that never validated for a minipool has none.',
  freshSeconds: 300,
  shared: false,
  reads: ['history'],
  input: z.object({
    nodeID: nodeIDParam('The node: `NodeID-…`, or its 20 bytes in hex as contracts name it.'),
    ...rangeParams,
  }),
  canonical: (input) => snapRange(input),
  response: () =>
    model(
      'ValidatorHistory',
      historySchema('ValidatorHistoryPoint', {
        uptimePercent: z.optional(percent('Its uptime in its validation up to then, as the source saw it.')),
        amountStaked: z.optional(pChainAVAX("The validator's own stake.")),
        amountDelegated: z.optional(pChainAVAX('What others had delegated to it.')),
        delegatorCount: z.optional(integer('How many delegations it had.')),
        connected: z.optional(
          flag('Whether the P-Chain node that was asked was connected to it; the index does not tell.'),
        ),
      }),
    ),
  rows: 'points',
  exampleRequest: '/validators/NodeID-3FmnJp11g6SbR97KXUGWo8hyASetUG9Jv/history',
  example: {
    interval: '1d',
    from: 1_789_084_800,
    to: 1_789_171_200,
    points: [
      {
        timestamp: 1_789_084_800,
        block: 94_975_312,
        uptimePercent: 99.98,
        amountStaked: '2000',
        amountDelegated: '0',
        delegatorCount: 0,
      },
    ],
    missing: 1,
  },
  handle: ({ nodeID, ...range }, context) =>
    readHistory(
      context,
      range,
      ({ values }) => ({
        uptimePercent: uptimeOf(values),
        amountStaked: ifKnown(formatNAVAX, values.amountStaked),
        amountDelegated: ifKnown(formatNAVAX, values.amountDelegated),
        delegatorCount: ifKnown(Number, values.delegatorCount),
        connected: ifKnown((is) => is === 1n, values.connected),
      }),
      { store: historyOf(context).of(formatNodeID(nodeID)) },
    ),
});

export const handler = createHandler(validatorsNodeIDHistory);
