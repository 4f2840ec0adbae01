import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { object } from '../../lib/api/fields.ts';
import { historyBody, historyEndpoint, pointFields, rangeParams } from '../../lib/api/history.ts';
import { percentNumber } from '../../lib/api/units.ts';
import type { Point } from '../../lib/history/point.ts';
import { type PointBefore, readHistory } from '../../lib/history/read-history.ts';
import { rateOfShares } from '../../lib/rewards/gg-avax-shares.ts';
import { annualYield } from '../../lib/rewards/growth.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { roundYield } from '../../lib/values/amounts.ts';
import { DAY } from '../../lib/values/durations.ts';

type YieldPoint = Point & { before: PointBefore };
const POINT = object<YieldPoint>('ApyHistoryPoint')({
  ...pointFields,
  apy_7d: percentNumber.optional('Annual yield over the 7 days before.', (point) => apyOver(7, point)),
  apy_28d: percentNumber.optional('Annual yield over the 28 days before.', (point) => apyOver(28, point)),
});

export const metricsApyHistory = defineEndpoint({
  ...historyEndpoint,
  path: '/metrics/apy/history',
  tag: 'Metrics',
  summary: 'ggAVAX yield history',
  description:
    'Annual yield after fees, compounded, from the recorded redemption rates. A window is omitted if its start is not recorded, or with less than a billionth of a ggAVAX at its end.',
  exampleRequest: '/metrics/apy/history',
  params: rangeParams,
  body: historyBody(POINT),
  handle: (input, context) => readHistory(context, input, (_, before) => ({ before }), { lookBackSeconds: 28 * DAY }),
});

/** The annual yield of the days before a point in percent, or undefined if it is unknown. */
function apyOver(days: number, to: YieldPoint): number | undefined {
  const from = to.before(days * DAY);
  const seconds = from && to.block.timestamp - from.block.timestamp;
  // The boundaries may share a block, if there was no block in between, or be older than the pool.
  if (!seconds || !from.values.avaxPerGgAvax) return undefined;
  const apy = ifKnown(annualYield, from.values.avaxPerGgAvax, rateOfShares(to.values), seconds)?.apy;
  return roundYield(apy);
}

export const handler = /* @__PURE__ */ createHandler(metricsApyHistory);
