import * as z from 'zod/mini';
import { type Dataset, readDataset } from '../../context/dataset.ts';
import { MINIPOOL_STATUSES } from '../../contracts/minipool-statuses.ts';
import { flagsDataset } from '../../flags/flags.ts';
import { readHeadlineYield } from '../../history/yields.ts';
import { knownPools } from '../../prices/current.ts';
import { protocolStatus, readProtocol, totalAvaxStaked, totalValueLocked } from '../../protocol/protocol.ts';
import { totalEffective } from '../../protocol/staking.ts';
import { rateOfShares } from '../../rewards/gg-avax.ts';
import { ifAvailable, ifKnown } from '../../runtime/known.ts';
import { roundNumber, roundYield, toNumber } from '../../values/amounts.ts';
import { mulWad } from '../../values/wad.ts';
import { blockRef, integer, model, percent, quantity, seconds, unixTime } from '../schemas.ts';
import { minipoolCounts } from './minipool.ts';
import { oraclePrice } from './prices.ts';

/** The protocol's metrics, all together or one by one. */

/** What needs an old state; everything else is read at one block, all of it or nothing. */
const YIELDS = ['ggavax_apy', 'ggavax_apr'] as const;

const figures = () => ({
  ggavax_apy: z.optional(
    percent(
      'Annual yield of ggAVAX after fees, compounded: growth of the redemption rate over the last 28 days, or the longest of 14, 7, and 1 days that is available. Omitted while there is no ggAVAX, or less than a billionth of one.',
    ),
  ),
  ggavax_apr: z.optional(percent('The same yield, not compounded.')),
  total_assets: z.optional(quantity('AVAX', 'Total assets of the liquid staking pool.')),
  total_supply: z.optional(quantity('ggAVAX', 'Total supply of ggAVAX.')),
  exchange_rate: z.optional(quantity('AVAX', 'Redemption rate of one ggAVAX.')),
  staking_total_assets: z.optional(quantity('AVAX', "The pool's AVAX staked with minipools and delegations.")),
  amount_available_for_staking: z.optional(quantity('AVAX', 'AVAX that can be staked without using the reserve.')),
  last_rewards_amt: z.optional(quantity('AVAX', 'Rewards of the current or last rewards stream.')),
  rewards_cycle_end: z.optional(unixTime('End of the current or last rewards stream.')),
  tvl_avax: z.optional(
    quantity(
      'AVAX',
      "Total value locked, without double counting: the pool, operators' AVAX and unclaimed AVAX rewards, AVAX set aside for withdrawals, and staked GGP at the oracle's price. Omitted while any part is unknown, such as the oracle's price.",
    ),
  ),
  tvl_usd: z.optional(quantity('USD', 'Total value locked: `tvl_avax` × `avax_price_in_usd`.')),
  total_ggp_staked: z.optional(quantity('GGP', 'GGP staked by all stakers.')),
  total_effective_ggp_staked: z.optional(
    quantity('GGP', 'GGP that counts in a rewards distribution, for stakers who are eligible now.'),
  ),
  total_avax_staked: z.optional(quantity('AVAX', "Node operators' own AVAX in minipools.")),
  total_avax_liquid_staker_amt: z.optional(
    quantity('AVAX', "Liquid stakers' AVAX in `launched` and `staking` minipools."),
  ),
  staker_count: z.optional(integer('Addresses that have ever staked GGP. Liquid stakers are not counted.')),
  active_staker_count: z.optional(integer('Addresses that have GGP staked now.')),
  node_operator_count: z.optional(integer('GGP stakers with AVAX assigned or validating.')),
  minipool_count: z.optional(integer('Nodes that have ever had a minipool.')),
  ggp_price_in_avax: z.optional(quantity('AVAX', 'Spot price of one GGP on Trader Joe.')),
  ggp_oracle_price_in_avax: oraclePrice(),
  ggp_price_in_usd: z.optional(quantity('USD', 'Price of one GGP: `ggp_price_in_avax` × `avax_price_in_usd`.')),
  avax_price_in_usd: z.optional(quantity('USD', 'Price of one AVAX.')),
  ggp_total_supply: z.optional(quantity('GGP', 'Total supply of GGP.')),
});

const cycleFigures = () => ({
  number: z.optional(integer('Number of cycles started so far.')),
  start_time: z.optional(unixTime('Start of the current cycle.')),
  seconds: z.optional(seconds('Minimum length of a cycle.')),
  total_amt: z.optional(quantity('GGP', 'GGP paid to all claiming contracts at the start of the current cycle.')),
});

export const metricsSchema = () =>
  z.object({
    ...figures(),
    minipools: z.optional(minipoolCounts('Number of minipools by status.')),
    rewards_cycle: model('RewardsCycleFigures', z.object(cycleFigures())).check(
      z.describe('The current GGP rewards cycle.'),
    ),
    status: z.optional(
      model('ProtocolStatus', z.enum(['active', 'winding_down', 'paused'])).check(
        z.describe(
          '`paused`: the ggAVAX token is paused, or the minipool manager while minipools are `launched` or `staking`. `winding_down`: none is, and none will be: new ones are closed (the flag `minipoolCreation` is off, or the minipool manager is paused), or the next rewards cycle is overdue. `active`: neither.',
        ),
      ),
    ),
    partial: z.optional(
      z
        .array(model('YieldMetric', z.enum(YIELDS)))
        .check(z.describe('Metrics omitted because a source is unavailable.')),
    ),
    block: blockRef(),
  });

/** The names of all metrics. Nested ones are prefixed with the name of their object and a dot. */
export const FIGURES: readonly string[] = [
  ...Object.keys(figures()),
  ...MINIPOOL_STATUSES.map((status) => `minipools.${status}`),
  ...Object.keys(cycleFigures()).map((name) => `rewards_cycle.${name}`),
];

/** All metrics at one block. */
export const metricsDataset: Dataset<z.output<ReturnType<typeof metricsSchema>>> = {
  name: 'metrics',
  version: 4,
  freshSeconds: 60,
  async read(context) {
    const [view, pools, flags] = await Promise.all([
      context.chain.latest('metrics'),
      knownPools(context),
      readDataset(context, flagsDataset),
    ]);
    const protocol = await readProtocol(view, pools);
    const { staking, minipools, ggAvax, prices, totalGGPStake, liquidStakerAmt } = protocol;
    const { stakers, settings, rewardsPool, block } = staking;
    const rate = rateOfShares(ggAvax);
    // Undefined is a failure; without a rate or a history there is just no yield.
    const past = await ifAvailable(context.telemetry, 'past exchange rate', async () => ({
      headline: rate === undefined ? undefined : await readHeadlineYield(context, { block, rate }),
    }));
    const tvl = totalValueLocked(protocol);
    const inUSD = (avax: bigint, { price }: { price: bigint }) => mulWad(avax, price);
    return {
      ggavax_apy: past?.headline && roundYield(past.headline.apy),
      ggavax_apr: past?.headline && roundNumber(past.headline.apr),
      total_assets: ifKnown(toNumber, ggAvax.totalAssets),
      total_supply: ifKnown(toNumber, ggAvax.totalSupply),
      exchange_rate: ifKnown(toNumber, ggAvax.avaxPerGgAvax),
      staking_total_assets: ifKnown(toNumber, ggAvax.stakingTotalAssets),
      amount_available_for_staking: ifKnown(toNumber, ggAvax.amountAvailableForStaking),
      last_rewards_amt: ifKnown(toNumber, ggAvax.lastRewardsAmt),
      rewards_cycle_end: ifKnown(Number, ggAvax.rewardsCycleEnd),
      tvl_avax: ifKnown(toNumber, tvl),
      tvl_usd: ifKnown(toNumber, ifKnown(inUSD, tvl, prices.avaxInUSD)),
      total_ggp_staked: ifKnown(toNumber, totalGGPStake),
      total_effective_ggp_staked: ifKnown(toNumber, totalEffective(staking, block.timestamp)),
      total_avax_staked: ifKnown(toNumber, totalAvaxStaked(staking)),
      total_avax_liquid_staker_amt: ifKnown(toNumber, liquidStakerAmt),
      staker_count: stakers?.length,
      active_staker_count: stakers?.filter(({ ggpStaked }) => ggpStaked > 0n).length,
      node_operator_count: stakers?.filter(({ avaxAssigned, avaxValidating }) => avaxAssigned + avaxValidating > 0n)
        .length,
      minipool_count: minipools?.total,
      minipools: minipools?.counts,
      ggp_price_in_avax: ifKnown(toNumber, prices.ggpInAVAX?.price),
      ggp_oracle_price_in_avax: ifKnown(toNumber, staking.oracle?.ggpPriceInAVAX),
      ggp_price_in_usd: ifKnown(toNumber, ifKnown(inUSD, prices.ggpInAVAX?.price, prices.avaxInUSD)),
      avax_price_in_usd: ifKnown(toNumber, prices.avaxInUSD?.price),
      ggp_total_supply: ifKnown(toNumber, staking.ggpSupply),
      rewards_cycle: {
        number: ifKnown(Number, rewardsPool.getRewardsCycleCount),
        start_time: ifKnown(Number, rewardsPool.getRewardsCycleStartTime),
        seconds: ifKnown(Number, settings.getRewardsCycleSeconds),
        total_amt: ifKnown(toNumber, rewardsPool.getRewardsCycleTotalAmt),
      },
      status: protocolStatus(protocol, flags.value.flags.minipoolCreation?.enabled === false),
      partial: past ? undefined : [...YIELDS],
      block,
    };
  },
};
