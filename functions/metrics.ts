import * as z from 'zod/mini';
import { roundNumber, toNumber } from '../lib/amounts.ts';
import { createHandler, defineEndpoint } from '../lib/endpoint.ts';
import { ifAvailable, ifKnown } from '../lib/known.ts';
import { knownPools } from '../lib/prices/current.ts';
import { readHeadlineYield } from '../lib/protocol/exchange-rate.ts';
import { countByStatus } from '../lib/protocol/minipools.ts';
import { protocolStatus, readProtocol, totalAvaxStaked, totalValueLocked } from '../lib/protocol/protocol.ts';
import { totalEffective } from '../lib/protocol/staking.ts';
import { mulWad } from '../lib/rewards/wad.ts';
import { blockRef, integer, percent, quantity, seconds, unixTime } from '../lib/schemas.ts';

const response = () =>
  z.object({
    ggavax_apy: z.optional(
      percent('Yearly yield of ggAVAX after fees, compounded: growth of the exchange rate over the last 28 days.'),
    ),
    ggavax_apr: z.optional(percent('The same, not compounded.')),
    total_assets: z.optional(quantity('AVAX', 'Everything the liquid staking pool owns.')),
    total_supply: z.optional(quantity('ggAVAX', 'ggAVAX in existence.')),
    exchange_rate: z.optional(quantity('AVAX', 'What one ggAVAX is redeemed for.')),
    staking_total_assets: z.optional(quantity('AVAX', "The pool's AVAX out with minipools and delegations.")),
    amount_available_for_staking: z.optional(quantity('AVAX', 'What may still be staked while the reserve is kept.')),
    last_rewards_amt: z.optional(quantity('AVAX', 'Rewards of the stream that runs now or ran last.')),
    rewards_cycle_end: z.optional(unixTime('When that stream ends.')),
    tvl_avax: z.optional(
      quantity(
        'AVAX',
        "Value locked, nothing twice: the pool, operators' AVAX and rewards, AVAX set aside for withdrawals, and staked GGP at the oracle's price.",
      ),
    ),
    tvl_usd: z.optional(quantity('USD', 'The same in dollars.')),
    total_ggp_staked: z.optional(quantity('GGP', 'GGP of all stakers.')),
    total_effective_ggp_staked: z.optional(
      quantity('GGP', 'What counts in a distribution, over stakers eligible now.'),
    ),
    total_avax_staked: quantity('AVAX', "Operators' own AVAX."),
    total_avax_liquid_staker_amt: z.optional(
      quantity('AVAX', "Liquid stakers' AVAX in launched and staking minipools."),
    ),
    staker_count: integer('Addresses that ever staked GGP. Not liquid stakers.'),
    active_staker_count: integer('Those that have GGP staked now.'),
    node_operator_count: integer('Those with AVAX assigned or validating.'),
    minipool_count: integer('Distinct nodes that ever had a minipool.'),
    minipools: z
      .object({
        prelaunch: integer('Waiting for a launch.'),
        launched: integer('Taken by the protocol, not validating yet.'),
        staking: integer('Validating.'),
        withdrawable: integer('Ended, the operator may withdraw.'),
        finished: integer('Withdrawn.'),
        canceled: integer('Canceled before launch.'),
        error: integer('Failed to launch.'),
      })
      .check(z.describe('Number of minipools by status.')),
    ggp_price_in_avax: z.optional(quantity('AVAX', 'Spot price of one GGP.')),
    ggp_price_in_usd: z.optional(quantity('USD', 'The same in dollars.')),
    avax_price_in_usd: z.optional(quantity('USD', 'Price of one AVAX.')),
    ggp_total_supply: z.optional(quantity('GGP', 'GGP in existence.')),
    rewards_cycle: z
      .object({
        number: z.optional(integer('How many cycles have started.')),
        start_time: z.optional(unixTime('Start of the running one.')),
        seconds: z.optional(seconds('Length of a cycle.')),
        total_amt: z.optional(quantity('GGP', 'Paid when it started, to all claimants.')),
      })
      .check(z.describe('The GGP rewards cycle.')),
    status: z
      .enum(['active', 'winding_down', 'paused'])
      .check(
        z.describe(
          '`paused`: the token or the minipool manager is paused. `winding_down`: nothing is with minipools and the next cycle is overdue.',
        ),
      ),
    block: blockRef(),
  });

export const metrics = defineEndpoint({
  path: '/metrics',
  tag: 'Metrics',
  summary: 'The protocol in figures',
  description: 'All figures are true for one block. A figure whose source does not answer is left out.',
  input: z.object({}),
  response,
  example: {
    ggavax_apy: 4.61,
    ggavax_apr: 4.51,
    total_assets: 395_844.636187,
    total_supply: 330_852.108294,
    exchange_rate: 1.19643981786,
    staking_total_assets: 0,
    amount_available_for_staking: 393_238.177587,
    last_rewards_amt: 0,
    rewards_cycle_end: 1_787_961_600,
    tvl_avax: 402_112.5,
    tvl_usd: 3_940_702.5,
    total_ggp_staked: 1_204_345.5,
    total_effective_ggp_staked: 0,
    total_avax_staked: 1_250,
    total_avax_liquid_staker_amt: 0,
    staker_count: 612,
    active_staker_count: 371,
    node_operator_count: 0,
    minipool_count: 1_874,
    minipools: { prelaunch: 0, launched: 0, staking: 0, withdrawable: 1, finished: 1_702, canceled: 168, error: 3 },
    ggp_price_in_avax: 0.00714479999999,
    ggp_price_in_usd: 0.0700190399999,
    avax_price_in_usd: 9.8,
    ggp_total_supply: 21_370_000,
    rewards_cycle: { number: 40, start_time: 1_786_400_000, seconds: 2_592_000, total_amt: 84_571.9 },
    status: 'winding_down',
    block: { number: 95_044_397, timestamp: 1_789_158_328 },
  },
  freshSeconds: 60,
  async handle(_input, context) {
    const { chain, telemetry } = context;
    const [view, pools] = await Promise.all([chain.latest(), knownPools(context)]);
    const protocol = await readProtocol(view, pools);
    const { staking, minipools, ggAvax, prices, totalGGPStake, liquidStakerAmt } = protocol;
    const { stakers, settings, rewardsPool, block } = staking;
    const rate = ggAvax.avaxPerGgAvax;
    const headline =
      rate === undefined
        ? undefined
        : await ifAvailable(telemetry, 'past exchange rate', readHeadlineYield(chain, { block, rate }));
    const tvl = totalValueLocked(protocol);
    const inUSD = (avax: bigint, { price }: { price: bigint }) => mulWad(avax, price);
    return {
      ggavax_apy: headline && roundNumber(headline.apy),
      ggavax_apr: headline && roundNumber(headline.apr),
      total_assets: ifKnown(toNumber, ggAvax.totalAssets),
      total_supply: ifKnown(toNumber, ggAvax.totalSupply),
      exchange_rate: ifKnown(toNumber, rate),
      staking_total_assets: ifKnown(toNumber, ggAvax.stakingTotalAssets),
      amount_available_for_staking: ifKnown(toNumber, ggAvax.amountAvailableForStaking),
      last_rewards_amt: ifKnown(toNumber, ggAvax.lastRewardsAmt),
      rewards_cycle_end: ifKnown(Number, ggAvax.rewardsCycleEnd),
      tvl_avax: ifKnown(toNumber, tvl),
      tvl_usd: ifKnown(toNumber, ifKnown(inUSD, tvl, prices.avaxInUSD)),
      total_ggp_staked: ifKnown(toNumber, totalGGPStake),
      total_effective_ggp_staked: ifKnown(toNumber, totalEffective(staking, block.timestamp)),
      total_avax_staked: toNumber(totalAvaxStaked(staking)),
      total_avax_liquid_staker_amt: ifKnown(toNumber, liquidStakerAmt),
      staker_count: stakers.length,
      active_staker_count: stakers.filter(({ ggpStaked }) => ggpStaked > 0n).length,
      node_operator_count: stakers.filter(({ avaxAssigned, avaxValidating }) => avaxAssigned + avaxValidating > 0n)
        .length,
      minipool_count: minipools.length,
      minipools: countByStatus(minipools),
      ggp_price_in_avax: ifKnown(toNumber, prices.ggpInAVAX?.price),
      ggp_price_in_usd: ifKnown(toNumber, ifKnown(inUSD, prices.ggpInAVAX?.price, prices.avaxInUSD)),
      avax_price_in_usd: ifKnown(toNumber, prices.avaxInUSD?.price),
      ggp_total_supply: ifKnown(toNumber, staking.ggpSupply),
      rewards_cycle: {
        number: ifKnown(Number, rewardsPool.getRewardsCycleCount),
        start_time: ifKnown(Number, rewardsPool.getRewardsCycleStartTime),
        seconds: ifKnown(Number, settings.getRewardsCycleSeconds),
        total_amt: ifKnown(toNumber, rewardsPool.getRewardsCycleTotalAmt),
      },
      status: protocolStatus(protocol),
      block,
    };
  },
});

export const handler = createHandler(metrics);
