import * as z from 'zod/mini';
import { historySchema } from '../../lib/api/bodies/history-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { rangeParams } from '../../lib/api/range-params.ts';
import { tokens } from '../../lib/api/schemas.ts';
import { snapRange } from '../../lib/history/range.ts';
import { readHistory } from '../../lib/history/read-history.ts';
import { secondsNow } from '../../lib/runtime/frozen.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { formatAmount } from '../../lib/values/amounts.ts';

export const ggAvaxHistory = defineEndpoint({
  path: '/ggAvax/history',
  tag: 'ggAVAX',
  summary: 'Liquid staking pool history',
  description: 'Redemption rate, assets, and supply of ggAVAX at each data point, exact to the wei.',
  freshSeconds: 60,
  reads: ['history'],
  input: z.object(rangeParams),
  canonical: (input, context) => snapRange(input, secondsNow(context)),
  response: () =>
    historySchema('GgAvaxHistoryPoint', {
      avaxPerGgAvax: z.optional(tokens('AVAX', 'Redemption rate: `convertToAssets` of one ggAVAX.')),
      totalAssets: z.optional(tokens('AVAX', 'Total assets of the pool.')),
      totalSupply: z.optional(tokens('ggAVAX', 'Total supply of ggAVAX.')),
      stakingTotalAssets: z.optional(tokens('AVAX', 'AVAX staked with minipools and delegations.')),
    }),
  rows: 'points',
  exampleRequest: '/ggAvax/history',
  example: {
    interval: '1d',
    from: 1_789_084_800,
    to: 1_789_171_200,
    recordedFrom: 1_786_492_800,
    points: [
      {
        timestamp: 1_789_084_800,
        block: 94_975_312,
        avaxPerGgAvax: '1.19643981786406244',
        totalAssets: '395844.636186841582735523',
        totalSupply: '330852.108293688375779301',
        stakingTotalAssets: '0',
      },
    ],
    missing: 1,
  },
  handle: (range, context) =>
    readHistory(context, range, ({ values }) => ({
      avaxPerGgAvax: ifKnown(formatAmount, values.avaxPerGgAvax),
      totalAssets: ifKnown(formatAmount, values.totalAssets),
      totalSupply: ifKnown(formatAmount, values.totalSupply),
      stakingTotalAssets: ifKnown(formatAmount, values.stakingTotalAssets),
    })),
});

export const handler = createHandler(ggAvaxHistory);
