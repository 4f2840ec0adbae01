/** The protocol's metrics, all together or one by one: rounded, for clients that calculate with them. */

import { MINIPOOL_STATUSES } from '../../contracts/minipool-statuses.ts';
import type { Metrics } from '../../protocol/metrics.ts';
import { roundYield } from '../../values/amounts.ts';
import { WAD } from '../../values/wad.ts';
import { choice, object, partialObject } from '../fields.ts';
import type { Reason } from '../reasons.ts';
import {
  avaxNumber,
  block,
  ggAvaxNumber,
  ggpNumber,
  integer,
  percentNumber,
  seconds,
  unixTime,
  usd,
} from '../units.ts';
import { minipoolCounts } from './minipool-body.ts';
import { inEUR, inUSD, ORACLE_PRICE } from './prices-body.ts';

const METRICS = object<Metrics>()({
  ggavax_apy: percentNumber.optional(
    'Annual yield of ggAVAX after fees, compounded: growth of the redemption rate over the last 28 days, or else 14, 7 or 1. Omitted if less than a billionth of a ggAVAX exists.',
    ({ headline }) => roundYield(headline?.apy),
    withoutPast,
  ),
  ggavax_apr: percentNumber.optional('The same yield, not compounded.', ({ headline }) => headline?.apr, withoutPast),
  total_assets: avaxNumber.optional('Total assets of the liquid staking pool.', ({ ggAvax }) => ggAvax.totalAssets),
  total_supply: ggAvaxNumber.optional('Total supply of ggAVAX.', ({ ggAvax }) => ggAvax.totalSupply),
  exchange_rate: avaxNumber.optional('Redemption rate of one ggAVAX.', ({ ggAvax }) => ggAvax.avaxPerGgAvax),
  staking_total_assets: avaxNumber.optional('AVAX staked by the pool.', ({ ggAvax }) => ggAvax.stakingTotalAssets),
  amount_available_for_staking: avaxNumber.optional(
    'AVAX that can be staked without using the reserve.',
    ({ ggAvax }) => ggAvax.amountAvailableForStaking,
  ),
  last_rewards_amt: avaxNumber.optional('Rewards of the latest stream.', ({ ggAvax }) => ggAvax.lastRewardsAmt),
  rewards_cycle_end: unixTime.optional('End of the latest stream.', ({ ggAvax }) => ggAvax.rewardsCycleEnd),
  tvl_avax: avaxNumber.optional(
    "Total value locked, without double counting: the pool, operators' AVAX and unclaimed AVAX rewards, AVAX set aside for withdrawals, and staked GGP at the oracle's price. Omitted if a part is unknown.",
    ({ valueLocked }) => valueLocked,
  ),
  tvl_usd: inUSD('`tvl_avax` × `avax_price_in_usd`.', ({ valueLocked }) => valueLocked),
  tvl_eur: inEUR('`tvl_usd` in EUR, at `eurInUSD` of `/prices`.', ({ valueLocked }) => valueLocked),
  total_ggp_staked: ggpNumber.optional('GGP staked by all stakers.', ({ totalGGPStake }) => totalGGPStake),
  total_effective_ggp_staked: ggpNumber.optional(
    'GGP that counts in a rewards distribution, for stakers who are eligible now.',
    ({ effectiveGGPStake }) => effectiveGGPStake,
  ),
  total_avax_staked: avaxNumber.optional("Node operators' own AVAX in minipools.", ({ avaxStaked }) => avaxStaked),
  total_avax_liquid_staker_amt: avaxNumber.optional(
    "Liquid stakers' AVAX in `launched` and `staking` minipools.",
    ({ liquidStakerAmt }) => liquidStakerAmt,
  ),
  staker_count: integer.optional('Addresses that ever staked GGP, without liquid stakers.', ({ stakers }) => stakers),
  active_staker_count: integer.optional('Addresses with GGP staked now.', ({ activeStakers }) => activeStakers),
  node_operator_count: integer.optional('Stakers with minipools not yet ended.', ({ nodeOperators }) => nodeOperators),
  minipool_count: integer.optional('Nodes that ever had a minipool.', ({ minipools }) => minipools),
  minipools: minipoolCounts.optional('Number of minipools by status.', ({ minipoolCounts }) => minipoolCounts),
  ggp_price_in_avax: avaxNumber.optional('Spot price of one GGP on Trader Joe.', ({ ggpInAVAX }) => ggpInAVAX),
  ggp_oracle_price_in_avax: avaxNumber.optional(ORACLE_PRICE, ({ ggpOraclePrice }) => ggpOraclePrice),
  ggp_price_in_usd: inUSD('`ggp_price_in_avax` × `avax_price_in_usd`.', ({ ggpInAVAX }) => ggpInAVAX),
  ggp_price_in_eur: inEUR('`ggp_price_in_usd` at `eurInUSD` of `/prices`.', ({ ggpInAVAX }) => ggpInAVAX),
  avax_price_in_usd: usd.optional('Price of one AVAX.', ({ avaxInUSD }) => avaxInUSD),
  avax_price_in_eur: inEUR('`avax_price_in_usd` at `eurInUSD` of `/prices`.', () => WAD),
  ggp_total_supply: ggpNumber.optional('Total supply of GGP.', ({ ggpSupply }) => ggpSupply),
});

const REWARDS_CYCLE = object<Metrics>('RewardsCycleFigures')({
  number: integer.optional('Number of cycles started so far.', ({ rewardsPool }) => rewardsPool.rewardsCycleCount),
  start_time: unixTime.optional('Start of the current cycle.', ({ rewardsPool }) => rewardsPool.rewardsCycleStartTime),
  seconds: seconds.optional('Minimum length of a cycle.', ({ rewardsCycleSeconds }) => rewardsCycleSeconds),
  total_amt: ggpNumber.optional(
    'GGP paid to all claiming contracts at the start of the current cycle.',
    ({ rewardsPool }) => rewardsPool.rewardsCycleTotalAmt,
  ),
});

/** The reason for missing metrics that need an old state. */
function withoutPast({ hasPast }: Metrics): Reason | undefined {
  return hasPast ? undefined : 'SOURCE_UNAVAILABLE';
}

export const METRICS_BODY = partialObject<Metrics>('YieldMetric')({
  ...METRICS.fields,
  rewards_cycle: REWARDS_CYCLE('The current GGP rewards cycle.', (metrics) => metrics),
  status: choice('ProtocolStatus', ['active', 'winding_down', 'paused']).optional(
    '`paused`: the ggAVAX token is paused, or the minipool manager is paused with minipools `launched` or `staking`. `winding_down`: no minipool is `launched` or `staking`, and no new ones can be created or the next rewards cycle is overdue. `active`: neither, even if the end is announced (`/flags/windDown`).',
  ),
  block: block(),
});

/** The names of all metrics. Nested ones are prefixed with the name of their object and a dot. */
export const METRIC_NAMES: readonly string[] = [
  ...Object.keys(METRICS.fields).filter((name) => name !== 'minipools'),
  ...MINIPOOL_STATUSES.map((status) => `minipools.${status}`),
  ...Object.keys(REWARDS_CYCLE.fields).map((name) => `rewards_cycle.${name}`),
];
