import * as z from 'zod/mini';
import { historySchema } from '../../lib/api/bodies/history-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { rangeParams } from '../../lib/api/range-params.ts';
import { percent } from '../../lib/api/schemas.ts';
import type { Point } from '../../lib/history/point.ts';
import { snapRange } from '../../lib/history/range.ts';
import { readHistory } from '../../lib/history/read-history.ts';
import { rateOfShares } from '../../lib/rewards/gg-avax-shares.ts';
import { annualYield } from '../../lib/rewards/growth.ts';
import { secondsNow } from '../../lib/runtime/frozen.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { roundYield } from '../../lib/values/amounts.ts';

const DAY = 86_400;

export const metricsApyHistory = defineEndpoint({
  path: '/metrics/apy/history',
  tag: 'Metrics',
  summary: 'ggAVAX yield history',
  description:
    'Annual yield after fees, compounded, from the growth of the recorded redemption rate over the seconds between the two blocks. A window is omitted if its start was not recorded, or if it ends while there is no ggAVAX or less than a billionth of one.',
  freshSeconds: 60,
  reads: ['history'],
  input: z.object(rangeParams),
  canonical: (input, context) => snapRange(input, secondsNow(context)),
  response: () =>
    historySchema('ApyHistoryPoint', {
      apy_7d: z.optional(percent('Annual yield over the 7 days before the data point.')),
      apy_28d: z.optional(percent('Annual yield over the 28 days before the data point.')),
    }),
  rows: 'points',
  exampleRequest: '/metrics/apy/history',
  example: {
    interval: '1d',
    from: 1_789_084_800,
    to: 1_789_171_200,
    recordedFrom: 1_786_492_800,
    points: [{ timestamp: 1_789_084_800, block: 94_975_312, apy_7d: 0, apy_28d: 4.61 }],
    missing: 1,
  },
  handle: (range, context) =>
    readHistory(
      context,
      range,
      (point, before) => ({
        apy_7d: apyBetween(before(7 * DAY), point),
        apy_28d: apyBetween(before(28 * DAY), point),
      }),
      { lookBackSeconds: 28 * DAY },
    ),
});

/** The annual yield between two points in percent, or undefined if it is unknown. */
function apyBetween(from: Point | undefined, to: Point): number | undefined {
  const seconds = from && to.block.timestamp - from.block.timestamp;
  // The boundaries may have the same block, if there was none in between, or be older than the pool.
  if (!seconds || !from.values.avaxPerGgAvax) return undefined;
  const apy = ifKnown(annualYield, from.values.avaxPerGgAvax, rateOfShares(to.values), seconds)?.apy;
  return ifKnown(roundYield, apy);
}

export const handler = createHandler(metricsApyHistory);
