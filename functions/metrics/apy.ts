import * as z from 'zod/mini';
import { partialBody, partialSchema } from '../../lib/api/bodies/partial-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { blockRef, integer, model, percent, quantity, unixTime } from '../../lib/api/schemas.ts';
import { chainOf } from '../../lib/chain/chain.ts';
import { isRegistered } from '../../lib/chain/storage.ts';
import { readGgAvax } from '../../lib/contracts/gg-avax.ts';
import { readSettings } from '../../lib/contracts/protocol-dao.ts';
import { apyBeforeFee, type RatePoint, readYields, type Yields, type YieldWindow } from '../../lib/history/yields.ts';
import { rateOfShares } from '../../lib/rewards/gg-avax-shares.ts';
import { currentStreamApr } from '../../lib/rewards/growth.ts';
import { ifKnown } from '../../lib/runtime/if-known.ts';
import { roundNumber, roundYield, toNumber } from '../../lib/values/amounts.ts';

/** The windows in the response. The headline window may be shorter than all of them. */
const WINDOW_DAYS = [7, 14, 28, 90];

const ratePoint = (meaning: string) =>
  model(
    'RatePoint',
    z.object({
      block: integer('C-Chain block number.'),
      timestamp: unixTime('Time of the block.'),
      rate: quantity('AVAX', 'Redemption rate of one ggAVAX.'),
    }),
    'Redemption rate of ggAVAX at a block.',
  ).check(z.describe(meaning));

const response = () =>
  z.object({
    total_apy: z.optional(
      percent(
        "Annual yield over the headline window, compounded, before the protocol's fee: the growth with the fee added back.",
      ),
    ),
    total_apy_after_fees: z.optional(
      percent('Annual yield over the headline window, compounded, after fees: what ggAVAX holders earned.'),
    ),
    method: z.literal('exchange-rate-growth').check(z.describe('How the yields are computed.')),
    window_days: z.optional(
      integer('Length of the headline window in days: 28, or the longest of 14, 7, and 1 that is available.'),
    ),
    windows: z
      .array(
        model(
          'YieldWindow',
          z.object({
            days: integer('Nominal length of the window in days.'),
            apr: percent('Annual yield after fees, not compounded.'),
            apy: z.optional(percent('Annual yield after fees, compounded. Omitted if it is too large for a number.')),
            from: ratePoint(
              'Start of the window: a recorded hour at or shortly before that many days ago, or else the last block by then.',
            ),
            to: ratePoint('End of the window: the latest block.'),
          }),
        ),
      )
      .check(
        z.describe(
          'Trailing windows of 7, 14, 28, and 90 days. Windows that start before ggAVAX existed are omitted. Empty while there is no ggAVAX, or less than a billionth of one.',
        ),
      ),
    current_cycle: model(
      'RewardsStream',
      z.object({
        apr: z.optional(
          percent('Annual yield of the rewards being streamed, not compounded; 0 once the stream has ended.'),
        ),
        rewards_amt: z.optional(quantity('AVAX', 'Rewards of the current or last stream.')),
        start: z.optional(unixTime('Start of the stream.')),
        end: z.optional(unixTime('End of the stream.')),
      }),
    ).check(z.describe('Current or last rewards stream of ggAVAX.')),
    fee_percent: z.optional(percent("Share of the pool's rewards that the protocol keeps (`getFeeBips`).")),
    ...partialSchema(['windows'], 'ApyField'),
    block: blockRef(),
  });

export const metricsApy = defineEndpoint({
  path: '/metrics/apy',
  tag: 'Metrics',
  summary: 'ggAVAX yield',
  description:
    'Growth of the redemption rate (`convertToAssets` of one ggAVAX) over trailing windows. With G the rate at the end divided by the rate at the start, and t the seconds between the two blocks: apr = (G − 1) × year / t, and apy = G^(year / t) − 1, where a year is 31,536,000 seconds. The results are given in percent. 0 is a valid yield.',
  freshSeconds: 300,
  inTable: true,
  reads: ['history'],
  input: z.object({}),
  response,
  exampleRequest: '/metrics/apy',
  async handle(_input, context) {
    const state = await chainOf(context).latest();
    const [pool, { feeBips }, block] = await Promise.all([readGgAvax(state), readSettings(state), state.block()]);
    // Versions of ProtocolDAO before 2025-09 have no fee.
    const fee = isRegistered(state, 'ProtocolDAO') ? (feeBips ?? 0n) : undefined;
    const rate = rateOfShares(pool);
    const { windows, headline, whole }: Yields =
      rate === undefined
        ? { windows: [], headline: undefined, whole: true }
        : await readYields(context, { block, rate }, WINDOW_DAYS);
    return {
      total_apy: roundYield(ifKnown(apyBeforeFee, headline, fee)),
      total_apy_after_fees: roundYield(headline?.apy),
      method: 'exchange-rate-growth' as const,
      window_days: headline?.days,
      windows: windows.map(windowBody),
      current_cycle: {
        apr: roundNumber(streamApr(pool, block.timestamp)),
        rewards_amt: toNumber(pool.lastRewardsAmt),
        start: ifKnown(Number, pool.lastSync),
        end: ifKnown(Number, pool.rewardsCycleEnd),
      },
      fee_percent: toNumber(feeBips, 2),
      ...partialBody({ windows: whole ? undefined : 'SOURCE_UNAVAILABLE' }),
      block,
    };
  },
});

function windowBody({ days, apr, apy, from, to }: YieldWindow) {
  return { days, apr: roundNumber(apr), apy: roundYield(apy), from: rateBody(from), to: rateBody(to) };
}

function rateBody({ block, rate }: RatePoint) {
  return { block: block.number, timestamp: block.timestamp, rate: toNumber(rate) };
}

function streamApr(pool: Awaited<ReturnType<typeof readGgAvax>>, time: number): number | undefined {
  return ifKnown(
    (totalReleasedAssets, lastRewardsAmt, lastSync, rewardsCycleEnd, rewardsCycleLength) =>
      currentStreamApr(
        { totalReleasedAssets, lastRewardsAmt, lastSync: Number(lastSync), rewardsCycleEnd: Number(rewardsCycleEnd) },
        Number(rewardsCycleLength),
        time,
      ),
    pool.totalReleasedAssets,
    pool.lastRewardsAmt,
    pool.lastSync,
    pool.rewardsCycleEnd,
    pool.rewardsCycleLength,
  );
}

export const handler = createHandler(metricsApy);
