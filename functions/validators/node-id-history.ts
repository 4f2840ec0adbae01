import * as z from 'zod/mini';
import { historySchema } from '../../lib/api/bodies/history-body.ts';
import { pChainAVAX } from '../../lib/api/bodies/validator-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { nodeIDParam } from '../../lib/api/params.ts';
import { rangeParams } from '../../lib/api/range-params.ts';
import { flag, integer, model, percent } from '../../lib/api/schemas.ts';
import { historyOf } from '../../lib/history/history-store.ts';
import { snapRange } from '../../lib/history/range.ts';
import { readHistory } from '../../lib/history/read-history.ts';
import { secondsNow } from '../../lib/runtime/frozen.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { uptimeOf } from '../../lib/validators/validator-history.ts';
import { formatNAVAX } from '../../lib/values/amounts.ts';
import { formatNodeID } from '../../lib/values/cb58.ts';

export const validatorsNodeIDHistory = defineEndpoint({
  path: '/validators/{nodeID}/history',
  tag: 'Validators',
  summary: 'History of one validator',
  description:
    'Uptime, stake, and delegations of a validator with a minipool, read from the validator index or the P-Chain around the time of each data point. These sources have no past data, so a data point that was not recorded in time is permanently missing. Data starts when this service or the minipool started, at `recordedFrom`. A node that has never validated for a minipool has no data points.',
  freshSeconds: 300,
  reads: ['history'],
  input: z.object({
    nodeID: nodeIDParam('ID of the node.'),
    ...rangeParams,
  }),
  canonical: (input, context) => snapRange(input, secondsNow(context)),
  response: () =>
    model(
      'ValidatorHistory',
      historySchema('ValidatorHistoryPoint', {
        // Unlike that of other histories, this data is not from the chain's state.
        block: integer(
          'Last C-Chain block at or before `timestamp`. The values were read from 5 minutes before to 1 hour after `timestamp`.',
        ),
        uptimePercent: z.optional(percent('Uptime in the validation period up to then, as observed by the source.')),
        amountStaked: z.optional(pChainAVAX("The validator's own stake.")),
        amountDelegated: z.optional(pChainAVAX('Stake delegated to the validator.')),
        delegatorCount: z.optional(integer('Number of delegations.')),
        connected: z.optional(
          flag(
            'Whether the P-Chain node that was asked was connected to the validator. Omitted if the data came from the validator index.',
          ),
        ),
      }),
    ),
  rows: 'points',
  exampleRequest: '/validators/NodeID-3FmnJp11g6SbR97KXUGWo8hyASetUG9Jv/history',
  example: {
    interval: '1d',
    from: 1_789_084_800,
    to: 1_789_171_200,
    recordedFrom: 1_786_492_800,
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
