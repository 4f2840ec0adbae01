import { coverage } from '../../lib/api/bodies/coverage-body.ts';
import { redemption } from '../../lib/api/bodies/redemption-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { object, partialObject } from '../../lib/api/fields.ts';
import { addressParam } from '../../lib/api/params.ts';
import { ledgerGapReason, priceGapReason, type Reason } from '../../lib/api/reasons.ts';
import { address, avax, block, eur, ggAvax, integer, percent, unixTime, usd } from '../../lib/api/units.ts';
import type { WithdrawRequest } from '../../lib/contracts/withdraw-queue.ts';
import { annualRate } from '../../lib/history/holder-spans.ts';
import { type Position, readPosition } from '../../lib/protocol/position.ts';
import { expectedAssetsOf } from '../../lib/protocol/withdrawals.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { ratio, sum } from '../../lib/values/wad.ts';

function flowGap({ isDoubted, isBehind }: Position): Reason | undefined {
  return isDoubted ? 'MISMATCH' : isBehind ? 'SOURCE_UNAVAILABLE' : undefined;
}

function earningsGap(position: Position): Reason | undefined {
  return flowGap(position) ?? ledgerGapReason(position.coverage);
}

const unstaking = object<readonly WithdrawRequest[]>()({
  ggAvax: ggAvax('ggAVAX in these requests.', (requests) => sum(requests.map(({ shares }) => shares))),
  expectedAVAX: avax('AVAX promised for them, including expired requests, which no longer pay.', expectedAssetsOf),
  requests: integer('Number of open requests: pending, fulfilled, or expired.', (requests) => requests.length),
});

const positionWith = partialObject<Position>('PositionField', 'GgAvaxPosition');
const POSITION = positionWith({
  address: address('Address of the holder.'),
  ggAvax: ggAvax('ggAVAX held.', ({ balance }) => balance),
  avax: avax('Value of `ggAvax`: `convertToAssets`.', ({ value }) => value.avax),
  usd: usd.optional('Value of `ggAvax`. Omitted without an AVAX price.', ({ value }) => value.usd),
  eur: eur.optional('`usd` at `eurInUSD` of `/prices`. Omitted if unknown.', ({ value }) => value.eur, 'NO_PRICE'),
  sharePercent: percent.optional('Share of all ggAVAX. Omitted while there is none.', ({ balance, totals }) =>
    ratio(balance, totals.totalSupply),
  ),
  redemption: redemption.optional(),
  unstaking: unstaking('Requests in the queue, not part of `ggAvax`. They do not grow.', ({ requests }) => requests),
  deposited: avax('AVAX deposited for the address.', ({ past }) => past.assets.deposited, flowGap),
  withdrawn: avax('AVAX redeemed or promised by the queue, paid or not.', ({ past }) => past.assets.withdrawn, flowGap),
  receivedAVAX: avax(
    'AVAX paid: for ggAVAX redeemed without the queue, to any receiver, and for claimed requests.',
    ({ past }) => past.received,
    (position) => flowGap({ ...position, isBehind: position.isBehind || position.lacksClaim }),
  ),
  transferredIn: avax(
    'ggAVAX received from others, each at the redemption rate of its block, plus `returned`.',
    ({ past: { assets } }) => assets.transferredIn + assets.returned,
    flowGap,
  ),
  returned: avax(
    'ggAVAX returned for canceled or expired requests, at the promised AVAX. Growth since the request is a reward of the day of the return.',
    ({ past }) => past.assets.returned,
    flowGap,
  ),
  transferredOut: avax(
    'ggAVAX sent to others, requested for others, or donated. Each at the redemption rate of its block; donations at the rate after them.',
    ({ past }) => past.assets.transferredOut,
    flowGap,
  ),
  rewardsAVAX: avax.optional(
    '`avax` + `withdrawn` + `transferredOut` − `deposited` − `transferredIn`. Omitted, like the fields up to `since`, unless `coverage` includes all events of the address up to this block.',
    ({ earnings }) => earnings?.reward,
    earningsGap,
  ),
  rewardsUSD: usd.optional(
    "Sum of each day's reward at that day's closing price. If a price is unknown, the sum begins after that day, at `usdFrom`.",
    ({ earnings }) => earnings?.usd.total,
    (source) => earningsGap(source) ?? priceGapReason(source.earnings?.usd),
  ),
  usdFrom: unixTime.optional('First day in `rewardsUSD`, if some are missing.', ({ earnings }) => earnings?.usd.from),
  rewardsEUR: eur.optional(
    '`rewardsUSD` in EUR, at the rate at the end of each day.',
    ({ earnings }) => earnings?.eur.total,
    (source) => earningsGap(source) ?? priceGapReason(source.earnings?.eur),
  ),
  eurFrom: unixTime.optional('First day in `rewardsEUR`, if some are missing.', ({ earnings }) => earnings?.eur.from),
  averageAprPercent: percent.optional(
    'Annual reward as a share of the average value held, not compounded. Omitted if nothing was ever held.',
    ({ earnings }) => ifKnown(annualRate, earnings),
    earningsGap,
  ),
  since: unixTime.optional('Time of the first ggAVAX, if any.', ({ earnings }) => earnings?.since, earningsGap),
  coverage: coverage(),
  block: block(),
});

export const ggAvaxAddress = defineEndpoint({
  path: '/ggAvax/{address}',
  tag: 'ggAVAX',
  summary: 'ggAVAX position of one address',
  description:
    'Holdings, requests, flows and rewards of an address. Holdings come from the contracts, flows from the confirmed events in `coverage`. An address that never held ggAVAX has zeros.',
  freshSeconds: 60,
  shared: true,
  reads: ['history', 'ledger'],
  params: { address: addressParam('Address of the holder.') },
  body: POSITION,
  exampleRequest: '/ggAvax/0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  handle: ({ address }, context) => readPosition(context, address),
});

export const handler = /* @__PURE__ */ createHandler(ggAvaxAddress);
