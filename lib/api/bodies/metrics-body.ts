import * as z from 'zod/mini';
import { MINIPOOL_STATUSES } from '../../contracts/minipool-statuses.ts';
import { YIELDS } from '../../protocol/metrics-dataset.ts';
import { blockRef, integer, model, percent, quantity, seconds, unixTime } from '../schemas.ts';
import { minipoolCounts } from './minipool-body.ts';
import { partialSchema } from './partial-body.ts';
import { oraclePrice } from './prices-body.ts';

/** The protocol's metrics, all together or one by one. */

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
          '`paused`: the ggAVAX token is paused, or the minipool manager while minipools are `launched` or `staking`. `winding_down`: none is, and none will be: new ones are closed (the flag `minipoolCreation` is off, or the minipool manager is paused), or the next rewards cycle is overdue. `active`: neither, even if the end has been announced (`/flags/windDown`).',
        ),
      ),
    ),
    ...partialSchema(YIELDS, 'YieldMetric'),
    block: blockRef(),
  });

/** The names of all metrics. Nested ones are prefixed with the name of their object and a dot. */
export const FIGURES: readonly string[] = [
  ...Object.keys(figures()),
  ...MINIPOOL_STATUSES.map((status) => `minipools.${status}`),
  ...Object.keys(cycleFigures()).map((name) => `rewards_cycle.${name}`),
];
