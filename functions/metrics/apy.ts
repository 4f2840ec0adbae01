import * as z from 'zod/mini';
import { roundNumber, roundYield, toNumber } from '../../lib/amounts.ts';
import { isRegistered } from '../../lib/chain/storage.ts';
import { readGgAvax } from '../../lib/contracts/gg-avax.ts';
import { readSettings } from '../../lib/contracts/protocol-dao.ts';
import { createHandler, defineEndpoint } from '../../lib/endpoint.ts';
import { apyBeforeFee, type RatePoint, readYields, type Yields, type YieldWindow } from '../../lib/history/yields.ts';
import { ifKnown } from '../../lib/known.ts';
import { rateOfShares } from '../../lib/rewards/gg-avax.ts';
import { currentStreamApr } from '../../lib/rewards/growth.ts';
import { blockRef, integer, model, percent, quantity, unixTime } from '../../lib/schemas.ts';

/** The windows that are answered; the headline may be a shorter one. */
const WINDOW_DAYS = [7, 14, 28, 90];

const ratePoint = (meaning: string) =>
  model(
    'RatePoint',
    z.object({
      block: integer('C-Chain block number.'),
      timestamp: unixTime('Time of the block.'),
      rate: quantity('AVAX', 'What one ggAVAX was redeemed for.'),
    }),
  ).check(z.describe(meaning));

const response = () =>
  z.object({
    total_apy: z.optional(
      percent('Yearly yield, compounded, before the protocol’s fee: the headline window, with the fee added back.'),
    ),
    total_apy_after_fees: z.optional(percent('What holders of ggAVAX earned: the headline window.')),
    method: z.literal('exchange-rate-growth').check(z.describe('How the yields are computed.')),
    window_days: z.optional(
      integer('Length of the headline window: 28 days, or the longest of 14, 7 and 1 that can be read.'),
    ),
    windows: z
      .array(
        model(
          'YieldWindow',
          z.object({
            days: integer('Nominal length.'),
            apr: percent('Yearly yield after fees, not compounded.'),
            apy: z.optional(percent('Yearly yield after fees, compounded. Left out if it is too large for a number.')),
            from: ratePoint(
              'Where it begins: the last recorded hour at or before that many days ago, or that very block.',
            ),
            to: ratePoint('The latest block.'),
          }),
        ),
      )
      .check(
        z.describe(
          'Trailing windows of 7, 14, 28 and 90 days, without those that the chain is too young for; none while there is no ggAVAX, or less than a billionth of one.',
        ),
      ),
    current_cycle: model(
      'RewardsStream',
      z.object({
        apr: z.optional(
          percent('Yearly yield, not compounded, of the rewards that stream now; 0 once the stream has ended.'),
        ),
        rewards_amt: z.optional(quantity('AVAX', 'Rewards of the stream that runs now or ran last.')),
        start: z.optional(unixTime('When it began.')),
        end: z.optional(unixTime('When it ends.')),
      }),
    ).check(z.describe('The rewards stream of ggAVAX.')),
    fee_percent: z.optional(percent('Part of the staking rewards that the protocol keeps.')),
    partial: z.optional(
      z
        .array(z.literal('windows'))
        .check(z.describe('Set when an old state could not be read, and a window is left out.')),
    ),
    block: blockRef(),
  });

export const metricsApy = defineEndpoint({
  path: '/metrics/apy',
  tag: 'Metrics',
  summary: 'The yield of ggAVAX',
  description:
    'Growth of the exchange rate (convertToAssets of one ggAVAX) over trailing windows, by the real seconds between the two blocks: apr = (G − 1) · year / seconds, apy = G^(year / seconds) − 1 with a year of 31,536,000 s. A yield of 0 is an ordinary answer.',
  freshSeconds: 300,
  reads: ['history'],
  input: z.object({}),
  response,
  exampleRequest: '/metrics/apy',
  example: {
    total_apy: 5.13,
    total_apy_after_fees: 4.61,
    method: 'exchange-rate-growth',
    window_days: 28,
    windows: [
      {
        days: 28,
        apr: 4.51,
        apy: 4.61,
        from: { block: 92_685_804, timestamp: 1_786_739_127, rate: 1.19231148 },
        to: { block: 95_044_397, timestamp: 1_789_158_328, rate: 1.19643981786 },
      },
    ],
    current_cycle: { apr: 0, rewards_amt: 0, start: 1_786_752_000, end: 1_787_961_600 },
    fee_percent: 10,
    block: { number: 95_044_397, timestamp: 1_789_158_328 },
  },
  async handle(_input, context) {
    const view = await context.chain.latest();
    const [pool, { getFeeBips: feeBips }, block] = await Promise.all([
      readGgAvax(view),
      readSettings(view),
      view.block(),
    ]);
    // Versions of the DAO before 2025-09 have no such fee.
    const fee = isRegistered(view, 'ProtocolDAO') ? (feeBips ?? 0n) : undefined;
    const rate = rateOfShares(pool);
    const { windows, headline, whole }: Yields =
      rate === undefined
        ? { windows: [], headline: undefined, whole: true }
        : await readYields(context, { block, rate }, WINDOW_DAYS);
    return {
      total_apy: ifKnown(roundYield, ifKnown(apyBeforeFee, headline, fee)),
      total_apy_after_fees: ifKnown(roundYield, headline?.apy),
      method: 'exchange-rate-growth' as const,
      window_days: headline?.days,
      windows: windows.map(windowBody),
      current_cycle: {
        apr: ifKnown(roundNumber, streamApr(pool, block.timestamp)),
        rewards_amt: ifKnown(toNumber, pool.lastRewardsAmt),
        start: ifKnown(Number, pool.lastSync),
        end: ifKnown(Number, pool.rewardsCycleEnd),
      },
      fee_percent: ifKnown(toNumber, feeBips, 2),
      partial: whole ? undefined : ['windows' as const],
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
