/** Metrics of the protocol: sums over its contracts, stakers and minipools, and their value. */

import type { ChainAt } from './chain.ts';
import { type Figures, figures, integer, type Json, number, WAD } from './figure.ts';
import { history } from './history.ts';
import { countsByStatus, effectiveStake, isMeasurable, minipoolsAt, stakersAt } from './operators.ts';
import { over, pricesAt, times } from './prices.ts';
import { headlineFigures } from './yields.ts';

const sum = (records: readonly Json[], field: string): bigint =>
  records.reduce((total, record) => total + record[field], 0n);

/** AVAX wei locked in the protocol; undefined if the GGP has no price, or a contract does not answer. */
async function valueLocked(chain: ChainAt): Promise<bigint | undefined> {
  const { read } = chain;
  const assets: bigint | undefined = await read('TokenggAVAX', 'totalAssets');
  const ggp: bigint | undefined = await read('Staking', 'getTotalGGPStake');
  const { price } = (await read('Oracle', 'getGGPPriceInAVAX')) ?? {};
  const allocated: bigint = (await read('WithdrawQueue', 'totalAllocatedFunds')) ?? 0n;
  const inGGP = ggp === 0n ? 0n : times(ggp, price);
  if (assets === undefined || inGGP === undefined) return undefined;
  const withdrawable = (await minipoolsAt(chain)).filter(({ status }) => status === 3n);
  return (
    assets + sum(await stakersAt(chain), 'avaxStaked') + sum(withdrawable, 'avaxNodeOpRewardAmt') + allocated + inGGP
  );
}

export const metrics: Figures = async (body, chain, source) => {
  const { read } = chain;
  const pool = (view: string, ...args: unknown[]) => read('TokenggAVAX', view, ...args);
  const stakers = await stakersAt(chain);
  const locked = await valueLocked(chain);
  const { avaxInUSD, ggpInAVAX, eurInUSD } = await pricesAt(chain, body.block.timestamp);
  const [tvl, ggp] = [times(locked, avaxInUSD), times(ggpInAVAX, avaxInUSD)];
  const measurable = await isMeasurable(chain);
  return [
    ...figures('', body, {
      total_assets: number(await pool('totalAssets')),
      total_supply: number(await pool('totalSupply')),
      exchange_rate: number(await pool('convertToAssets', WAD)),
      staking_total_assets: number(await pool('stakingTotalAssets')),
      amount_available_for_staking: number(await pool('amountAvailableForStaking')),
      last_rewards_amt: number(await pool('lastRewardsAmt')),
      rewards_cycle_end: integer(await pool('rewardsCycleEnd')),
      total_ggp_staked: number(await read('Staking', 'getTotalGGPStake')),
      total_avax_liquid_staker_amt: number(await read('MinipoolManager', 'getTotalAVAXLiquidStakerAmt')),
      total_effective_ggp_staked: number(measurable ? await effectiveStake(chain, body.block.timestamp) : undefined),
      total_avax_staked: number(sum(stakers, 'avaxStaked')),
      staker_count: integer(await read('Staking', 'getStakerCount')),
      active_staker_count: stakers.filter(({ ggpStaked }) => ggpStaked > 0n).length,
      node_operator_count: stakers.filter(({ avaxAssigned, avaxValidating }) => avaxAssigned + avaxValidating > 0n)
        .length,
      minipool_count: integer(await read('MinipoolManager', 'getMinipoolCount')),
      ggp_oracle_price_in_avax: number((await read('Oracle', 'getGGPPriceInAVAX'))?.price),
      ggp_total_supply: number(await read('TokenGGP', 'totalSupply')),
      ggp_price_in_avax: number(ggpInAVAX),
      tvl_avax: number(locked),
      ...(avaxInUSD !== undefined && {
        avax_price_in_usd: number(avaxInUSD),
        avax_price_in_eur: number(over(avaxInUSD, eurInUSD)),
        ggp_price_in_usd: number(ggp),
        ggp_price_in_eur: number(over(ggp, eurInUSD)),
        tvl_usd: number(tvl),
        tvl_eur: number(over(tvl, eurInUSD)),
      }),
    }),
    ...(await headlineFigures(body, source)),
    ...figures('minipools.', body.minipools, await countsByStatus(chain)),
    ...figures('rewards_cycle.', body.rewards_cycle, {
      number: integer(await read('RewardsPool', 'getRewardsCycleCount')),
      start_time: integer(await read('RewardsPool', 'getRewardsCycleStartTime')),
      seconds: integer(await read('ProtocolDAO', 'getRewardsCycleSeconds')),
      total_amt: number(await read('RewardsPool', 'getRewardsCycleTotalAmt')),
    }),
  ];
};

export const metricsHistory = history(async (point, at, chain, time) => {
  const { read } = chain;
  // The sum over all stakers and minipools of a block takes thousands of requests on a real network.
  const isNewest = at === 'newestPoints[0].';
  const { avaxInUSD, eurInUSD } = await pricesAt(chain, time);
  const locked = isNewest ? await valueLocked(chain) : undefined;
  const usd = times(locked, avaxInUSD);
  return figures(at, point, {
    total_assets: number(await read('TokenggAVAX', 'totalAssets')),
    total_ggp_staked: number(await read('Staking', 'getTotalGGPStake')),
    exchange_rate: number(await read('TokenggAVAX', 'convertToAssets', WAD)),
    ggp_oracle_price_in_avax: number((await read('Oracle', 'getGGPPriceInAVAX'))?.price),
    ...(isNewest && { tvl_avax: number(locked), minipools_staking: (await countsByStatus(chain)).staking }),
    ...(isNewest && avaxInUSD !== undefined && { tvl_usd: number(usd), tvl_eur: number(over(usd, eurInUSD)) }),
  });
});
