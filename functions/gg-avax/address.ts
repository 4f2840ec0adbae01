import * as z from 'zod/mini';
import { coverage } from '../../lib/api/bodies/coverage-body.ts';
import { redemption } from '../../lib/api/bodies/redemption-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { fields, model, object, partialFields } from '../../lib/api/fields.ts';
import { addressParam } from '../../lib/api/params.ts';
import { ledgerGapReason, priceGapReason, type Reason } from '../../lib/api/reasons.ts';
import { address, avax, block, eur, ggAvax, integer, percent, unixTime, usd } from '../../lib/api/units.ts';
import { readBalance, readTotals } from '../../lib/contracts/gg-avax.ts';
import { type Redemption, readRedemption } from '../../lib/contracts/redemption.ts';
import { readRequestsByOwner, type WithdrawRequest } from '../../lib/contracts/withdraw-queue.ts';
import { type Earnings, earningsOf } from '../../lib/history/holder-flows.ts';
import { type HolderTotals, readHolderPast, totalsOf } from '../../lib/history/holder-past.ts';
import { readRecordedRates } from '../../lib/history/rates.ts';
import { type Coverage, confirmedPart, coverageAt } from '../../lib/ledger/coverage.ts';
import { readBestPrices, readCachedPools } from '../../lib/prices/current.ts';
import { expectedAssetsOf } from '../../lib/protocol/withdrawals.ts';
import { convertToAssets, type VaultTotals } from '../../lib/rewards/gg-avax-shares.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import type { BlockRef } from '../../lib/values/block.ts';
import { divWad, mulWad, ratio } from '../../lib/values/wad.ts';

interface Source {
  address: string;
  balance: bigint;
  totals: VaultTotals;
  /** Value of the balance: AVAX in wei, USD and EUR scaled by 1e18. */
  value: { avax: bigint; usd: bigint | undefined; eur: bigint | undefined };
  redemption: Redemption | undefined;
  /** The open withdrawal requests. */
  requests: readonly WithdrawRequest[];
  past: HolderTotals;
  /** Reasons for incomplete inflows and outflows. */
  gaps: { flows: Reason | undefined; received: Reason | undefined; earnings: Reason | undefined };
  /** Undefined while the ledger does not have the whole past. */
  earnings: (Earnings & { since: number | undefined }) | undefined;
  coverage: Coverage;
  block: BlockRef;
}

const unstaking = object(
  undefined,
  fields<readonly WithdrawRequest[]>()({
    ggAvax: ggAvax('ggAVAX in these requests.', (requests) => requests.reduce((sum, { shares }) => sum + shares, 0n)),
    expectedAVAX: avax(
      'AVAX promised when they were made, including expired requests, which no longer pay AVAX.',
      expectedAssetsOf,
    ),
    requests: integer('Number of open requests: pending, fulfilled, or expired.', (requests) => requests.length),
  }),
);

const POSITION = partialFields<Source>('PositionField')({
  address: address('Address of the holder.', (source) => source.address),
  ggAvax: ggAvax('ggAVAX held.', ({ balance }) => balance),
  avax: avax('Value of `ggAvax`: `convertToAssets`.', ({ value }) => value.avax),
  usd: usd.optional('Value of `ggAvax`. Omitted without an AVAX price.', ({ value }) => value.usd),
  eur: eur.optional(
    '`usd` at `eurInUSD` of `/prices`. Omitted if either is unknown.',
    ({ value }) => value.eur,
    'NO_PRICE',
  ),
  sharePercent: percent.optional('Share of all ggAVAX. Omitted while there is none.', ({ balance, totals }) =>
    ratio(balance, totals.totalSupply),
  ),
  redemption: redemption.optional('', (source) => source.redemption),
  unstaking: unstaking(
    'Requests in the queue. Not part of `ggAvax`; the promised AVAX does not grow.',
    ({ requests }) => requests,
  ),
  deposited: avax(
    'AVAX deposited for the address.',
    ({ past }) => past.assets.deposited,
    ({ gaps }) => gaps.flows,
  ),
  withdrawn: avax(
    'AVAX redeemed, plus AVAX promised by the queue, paid or not.',
    ({ past }) => past.assets.withdrawn,
    ({ gaps }) => gaps.flows,
  ),
  receivedAVAX: avax(
    'AVAX paid: for ggAVAX redeemed without the queue, to any receiver, and for claimed requests.',
    ({ past }) => past.received,
    ({ gaps }) => gaps.received,
  ),
  transferredIn: avax(
    'ggAVAX received from others, each at the redemption rate of its block, plus `returned`.',
    ({ past: { assets } }) => assets.transferredIn + assets.returned,
    ({ gaps }) => gaps.flows,
  ),
  returned: avax(
    'ggAVAX returned for canceled or expired requests, at the promised AVAX. Growth since the request is a reward of the day of the return.',
    ({ past }) => past.assets.returned,
    ({ gaps }) => gaps.flows,
  ),
  transferredOut: avax(
    'ggAVAX sent to others, requested for others, or donated. Each at the redemption rate of its block; donations at the rate after them.',
    ({ past }) => past.assets.transferredOut,
    ({ gaps }) => gaps.flows,
  ),
  rewardsAVAX: avax.optional(
    '`avax` + `withdrawn` + `transferredOut` − `deposited` − `transferredIn`. Omitted, like the fields up to `since`, unless `coverage` includes all events of the address up to this block.',
    ({ earnings }) => earnings?.reward,
    ({ gaps }) => gaps.earnings,
  ),
  rewardsUSD: usd.optional(
    "Sum of each day's reward at that day's closing price. If a price is unknown, the sum begins after that day, at `usdFrom`.",
    ({ earnings }) => earnings?.usd.total,
    ({ gaps, earnings }) => gaps.earnings ?? priceGapReason(earnings?.usd),
  ),
  usdFrom: unixTime.optional(
    'Start of the first day in `rewardsUSD`, if earlier ones are missing.',
    ({ earnings }) => earnings?.usd.from,
  ),
  rewardsEUR: eur.optional(
    '`rewardsUSD` in EUR, at the rate at the end of each day.',
    ({ earnings }) => earnings?.eur.total,
    ({ gaps, earnings }) => gaps.earnings ?? priceGapReason(earnings?.eur),
  ),
  eurFrom: unixTime.optional(
    'Start of the first day in `rewardsEUR`, if earlier ones are missing.',
    ({ earnings }) => earnings?.eur.from,
  ),
  averageAprPercent: percent.optional(
    'Annual reward as a share of the average value held, not compounded. Omitted if nothing was ever held.',
    ({ earnings }) => earnings?.annualRate,
    ({ gaps }) => gaps.earnings,
  ),
  since: unixTime.optional(
    'Time of the first ggAVAX. Omitted if there was none.',
    ({ earnings }) => earnings?.since,
    ({ gaps }) => gaps.earnings,
  ),
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
  input: z.object({ address: addressParam('Address of the holder.') }),
  response: () => model('GgAvaxPosition', z.object(POSITION.shape())),
  exampleRequest: '/ggAvax/0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  async handle({ address }, context) {
    const holder = address.toLowerCase();
    const [rates, past, state, pools] = await Promise.all([
      readRecordedRates(context),
      readHolderPast(context, holder),
      context.chain.latest(),
      readCachedPools(context),
    ]);
    const { withdrawQueue } = state.network;
    const [balance, totals, largest, requests, { avaxInUSD, eurInUSD }, block] = await Promise.all([
      readBalance(state, holder),
      readTotals(state),
      readRedemption(state, holder),
      readRequestsByOwner(state, holder),
      readBestPrices(state, pools),
      state.block(),
    ]);
    const now = { time: block.timestamp, totals, avaxInUSD: avaxInUSD?.price, eurInUSD: eurInUSD?.price };
    // The ledger may be ahead of a lagging RPC provider, or not be confirmed to its end.
    const coverage = coverageAt(block, confirmedPart(past.coverage) ?? past.coverage);
    const confirmedTotals = totalsOf(holder, past, withdrawQueue, coverage.toBlock);
    const earnings = earningsOf(confirmedTotals.flows, rates, now);
    // If the balance differs, ggAVAX has moved since the last indexed block. A claim moves none, but ends a request.
    const behind = coverage.complete && earnings.shares !== balance ? 'SOURCE_UNAVAILABLE' : undefined;
    const gap = behind ?? ledgerGapReason(coverage);
    const isOpen = new Set(requests.map(({ requestId }) => requestId));
    const lacksClaim = coverage.complete && confirmedTotals.openRequests.some((id) => !isOpen.has(id));
    const assets = convertToAssets(balance, totals);
    const inUSD = ifKnown(mulWad, assets, now.avaxInUSD);
    const value = { avax: assets, usd: inUSD, eur: ifKnown(divWad, inUSD, now.eurInUSD) };
    return POSITION.body({
      ...{ address, balance, totals, value, redemption: largest, requests, past: confirmedTotals },
      gaps: { flows: behind, received: lacksClaim ? 'SOURCE_UNAVAILABLE' : behind, earnings: gap },
      earnings: gap ? undefined : { ...earnings, since: confirmedTotals.flows[0]?.time },
      coverage,
      block,
    });
  },
});

export const handler = /* @__PURE__ */ createHandler(ggAvaxAddress);
