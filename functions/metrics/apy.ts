import * as z from 'zod/mini';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { json, list, object, partialObject } from '../../lib/api/fields.ts';
import { avaxNumber, bips, block, integer, percentNumber, unixTime } from '../../lib/api/units.ts';
import { isRegistered } from '../../lib/chain/chain.ts';
import { readGgAvax } from '../../lib/contracts/gg-avax.ts';
import { readSettings } from '../../lib/contracts/protocol-dao.ts';
import { apyBeforeFee, type RatePoint, readYields, type Yields, type YieldWindow } from '../../lib/history/yields.ts';
import { rateOfShares } from '../../lib/rewards/gg-avax-shares.ts';
import { currentStreamApr } from '../../lib/rewards/growth.ts';
import { allKnown, ifKnown } from '../../lib/runtime/if-known.ts';
import { roundYield } from '../../lib/values/amounts.ts';
import type { BlockRef } from '../../lib/values/block.ts';

/** The windows in the response, in days. The headline window may be shorter than all of them. */
const WINDOW_DAYS = [7, 14, 28, 90];
const METHOD = 'exchange-rate-growth' as const;

const pointWith = object<RatePoint>('RatePoint', 'Redemption rate at a block.');
const ratePoint = pointWith({
  blockNumber: integer('Block number.', ({ block }) => block.number),
  timestamp: unixTime('Time of the block.', ({ block }) => block.timestamp),
  rate: avaxNumber('Redemption rate of one ggAVAX.'),
});

const yieldWindow = object<YieldWindow>('YieldWindow')({
  days: integer('Nominal length in days.'),
  apr: percentNumber('Annual yield after fees, not compounded.'),
  apy: percentNumber.optional('The same, compounded. Omitted if too large.', ({ apy }) => roundYield(apy)),
  from: ratePoint('Start of the window: a recorded hour at or shortly before, or else the last block by then.'),
  to: ratePoint('End of the window: the latest block.'),
});

type Pool = Awaited<ReturnType<typeof readGgAvax>>;

type Stream = { pool: Pool; block: BlockRef };
const stream = object<Stream>('RewardsStream')({
  apr: percentNumber.optional('Annual yield of the stream, not compounded; 0 once it has ended.', streamApr),
  rewards_amt: avaxNumber.optional('Rewards of the stream.', ({ pool }) => pool.lastRewardsAmt),
  start: unixTime.optional('Start of the stream.', ({ pool }) => pool.lastSync),
  end: unixTime.optional('End of the stream.', ({ pool }) => pool.rewardsCycleEnd),
});

type PoolYields = Yields & {
  pool: Pool;
  /** Undefined while the fee is unknown. */
  fee: bigint | undefined;
  feeBips: bigint | undefined;
  block: BlockRef;
};

const APY = partialObject<PoolYields>('ApyField')({
  total_apy: percentNumber.optional(
    "Annual yield over `window_days`, compounded, before the protocol's fee, which is added back to the growth.",
    ({ headline, fee }) => roundYield(ifKnown(apyBeforeFee, headline, fee)),
  ),
  total_apy_after_fees: percentNumber.optional(
    'Annual yield of holders over `window_days`, compounded, after fees.',
    ({ headline }) => roundYield(headline?.apy),
  ),
  method: json(
    () => z.literal(METHOD).check(z.describe('Method of all yields.')),
    () => METHOD,
  ),
  window_days: integer.optional(
    '28, or the longest of 14, 7, and 1 that is available.',
    (source) => source.headline?.days,
  ),
  windows: list(yieldWindow)(
    'Trailing windows of 7, 14, 28, and 90 days. Windows that start before ggAVAX existed are omitted. Empty with less than a billionth of a ggAVAX.',
    ({ windows }) => windows,
    ({ whole }) => (whole ? undefined : 'SOURCE_UNAVAILABLE'),
  ),
  current_cycle: stream('Current or last rewards stream.', (source) => source),
  fee_percent: bips.optional("Protocol's share of the pool's rewards (`getFeeBips`).", ({ feeBips }) => feeBips),
  block: block(),
});

export const metricsApy = defineEndpoint({
  path: '/metrics/apy',
  tag: 'Metrics',
  summary: 'ggAVAX yield',
  description:
    'Growth of the redemption rate (`convertToAssets` of one ggAVAX) over trailing windows. With G = end rate / start rate, and t seconds between the two blocks: apr = (G − 1) × year / t, and apy = G^(year / t) − 1. A year is 31,536,000 seconds. 0 is a valid yield.',
  freshSeconds: 300,
  shared: true,
  reads: ['history'],
  body: APY,
  exampleRequest: '/metrics/apy',
  async handle(_input, context) {
    const state = await context.chain.latest();
    const [pool, { feeBips }, block] = await Promise.all([readGgAvax(state), readSettings(state), state.block()]);
    // Versions of ProtocolDAO before 2025-09 have no fee.
    const fee = isRegistered(state, 'ProtocolDAO') ? (feeBips ?? 0n) : undefined;
    const yields = await readYields(context, { block, rate: rateOfShares(pool) }, WINDOW_DAYS);
    return { pool, fee, feeBips, ...yields, block };
  },
});

function streamApr({ pool, block }: Stream): number | undefined {
  const stream = allKnown({
    totalReleasedAssets: pool.totalReleasedAssets,
    lastRewardsAmt: pool.lastRewardsAmt,
    lastSync: ifKnown(Number, pool.lastSync),
    rewardsCycleEnd: ifKnown(Number, pool.rewardsCycleEnd),
  });
  return ifKnown(currentStreamApr, stream, ifKnown(Number, pool.rewardsCycleLength), block.timestamp);
}

export const handler = /* @__PURE__ */ createHandler(metricsApy);
