/** Totals of the pool and the protocol: sums over its contracts, stakers and minipools, and their value. */

import { valueLocked } from '../../lib/rewards/value-locked.ts';
import { WAD } from '../../lib/values/wad.ts';
import type { ChainAt } from './chain.ts';
import { type Figures, figures, integer, number, sumOf, tokens } from './figure.ts';
import { countsByStatus, minipoolsAt, stakersAt, WITHDRAWABLE } from './operators.ts';
import { over, pricesAt, times } from './prices.ts';

/** AVAX wei locked in the protocol; undefined if the GGP has no price, or a contract does not answer. */
async function lockedAt(chain: ChainAt): Promise<bigint | undefined> {
  const { read } = chain;
  const withdrawable = (await minipoolsAt(chain)).filter(({ status }) => status === WITHDRAWABLE);
  return valueLocked({
    totalAssets: await read('TokenggAVAX', 'totalAssets'),
    avaxStaked: sumOf(await stakersAt(chain), 'avaxStaked'),
    avaxNodeOpRewards: sumOf(withdrawable, 'avaxNodeOpRewardAmt'),
    totalAllocatedFunds: await read('WithdrawQueue', 'totalAllocatedFunds'),
    totalGGPStake: await read('Staking', 'getTotalGGPStake'),
    ggpPriceInAVAX: (await read('Oracle', 'getGGPPriceInAVAX'))?.price || undefined,
  });
}

export const metrics: Figures = async (body, chain) => {
  const { read } = chain;
  const pool = (view: string, ...args: unknown[]) => read('TokenggAVAX', view, ...args);
  const stakers = await stakersAt(chain);
  const locked = await lockedAt(chain);
  const { avaxInUSD, ggpInAVAX, eurInUSD } = await pricesAt(chain, body.block.timestamp);
  const [tvl, ggp] = [times(locked, avaxInUSD), times(ggpInAVAX, avaxInUSD)];
  return [
    ...figures('', body, {
      total_assets: number(await pool('totalAssets')),
      total_supply: number(await pool('totalSupply')),
      exchange_rate: number(await pool('convertToAssets', WAD)),
      staking_total_assets: number(await pool('stakingTotalAssets')),
      amount_available_for_staking: number(await pool('amountAvailableForStaking')),
      last_rewards_amt: number(await pool('lastRewardsAmt')),
      total_ggp_staked: number(await read('Staking', 'getTotalGGPStake')),
      total_avax_liquid_staker_amt: number(await read('MinipoolManager', 'getTotalAVAXLiquidStakerAmt')),
      total_avax_staked: number(sumOf(stakers, 'avaxStaked')),
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
      staker_count: integer(await read('Staking', 'getStakerCount')),
      minipool_count: integer(await read('MinipoolManager', 'getMinipoolCount')),
    }),
    ...figures('minipools.', body.minipools, await countsByStatus(chain)),
    ...figures('rewards_cycle.', body.rewards_cycle, {
      total_amt: number(await read('RewardsPool', 'getRewardsCycleTotalAmt')),
    }),
  ];
};

export const pool: Figures = async (body, { read }) => {
  const view = (name: string, ...args: unknown[]) => read('TokenggAVAX', name, ...args);
  const assets: bigint | undefined = await view('totalAssets');
  const staking: bigint | undefined = await view('stakingTotalAssets');
  const rate: bigint | undefined = await read('ProtocolDAO', 'getTargetGGAVAXReserveRate');
  return figures('', body, {
    totalAssets: tokens(assets),
    totalSupply: tokens(await view('totalSupply')),
    totalReleasedAssets: tokens(await view('totalReleasedAssets')),
    stakingTotalAssets: tokens(staking),
    amountAvailableForStaking: tokens(await view('amountAvailableForStaking')),
    reservedAssets: tokens(times(assets, rate)),
    liquidAssets: assets === undefined || staking === undefined ? undefined : tokens(assets - staking),
    lastRewardsAmt: tokens(await view('lastRewardsAmt')),
    avaxPerGgAvax: tokens(await view('convertToAssets', WAD)),
    ggAvaxPerAvax: tokens(await view('convertToShares', WAD)),
  });
};
