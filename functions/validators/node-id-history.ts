import { createHandler } from '../../lib/api/endpoint.ts';
import { fields } from '../../lib/api/fields.ts';
import { nodeIDParam } from '../../lib/api/params.ts';
import { historyEndpoint, recorded } from '../../lib/api/shapes/history.ts';
import { flag, integer, nAVAX, percentNumber } from '../../lib/api/units.ts';
import { type PointValues, VALIDATOR_VALUES } from '../../lib/history/point-values.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { uptimeOf } from '../../lib/validators/validator-history.ts';
import type { BlockRef } from '../../lib/values/block.ts';
import { formatNodeID } from '../../lib/values/cb58.ts';

const POINT = fields<PointValues & { block: BlockRef }>()({
  // The validator values are not C-Chain state. In other histories, the values are the state of this block.
  blockNumber: integer(
    'Last C-Chain block at or before `timestamp`. The values were read at a time between 5 minutes before and 1 hour after `timestamp`.',
    ({ block }) => block.number,
  ),
  uptimePercent: percentNumber.optional(VALIDATOR_VALUES.uptime.meaning, uptimeOf),
  amountStaked: recorded(nAVAX, 'amountStaked'),
  amountDelegated: recorded(nAVAX, 'amountDelegated'),
  delegatorCount: recorded(integer, 'delegatorCount'),
  connected: flag.optional(VALIDATOR_VALUES.connected.meaning, ({ connected }) =>
    ifKnown((is) => is === 1n, connected),
  ),
});

export const validatorsNodeIDHistory = historyEndpoint(
  {
    path: '/validators/{nodeID}/history',
    tag: 'Validators',
    summary: 'History of one validator',
    description:
      'Uptime, stake, and delegations of a validator with a minipool, from the validator index or the P-Chain. Both sources only have current data: a point that was not recorded at its time stays missing. A node without a minipool has no points.',
    exampleRequest: '/validators/NodeID-3FmnJp11g6SbR97KXUGWo8hyASetUG9Jv/history',
  },
  {
    bodyName: 'ValidatorHistory',
    name: 'ValidatorHistoryPoint',
    fields: POINT,
    source: ({ block, values }) => ({ block, ...values }),
    freshSeconds: 300,
    params: { nodeID: nodeIDParam('ID of the node.') },
    store: (context, { nodeID }) => context.history.of(formatNodeID(nodeID)),
  },
);

export const handler = /* @__PURE__ */ createHandler(validatorsNodeIDHistory);
