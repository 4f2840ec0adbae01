/** Totals of the pool and the protocol: sums over its contracts, stakers and minipools, and their value. */

import { valueLocked } from '../../lib/rewards/value-locked.ts';
import { WAD } from '../../lib/values/wad.ts';
import { type Expected, number, sumOf, tokens } from './figure.ts';
import { countsByStatus, minipoolsAt, stakersAt, WITHDRAWABLE } from './operators.ts';
import { pricesAt, times, worthAs } from './prices.ts';
import { queue, redemption } from './withdrawals.ts';

/** The supply of a token, as aggregators print it. */
export function supplyOf(token: string): Expected {
  return async (_body, { read }) => ({ value: number(await read(token, 'totalSupply')) });
}

export const metrics: Expected = async (body, chain) => {
  const { read } = chain;
  const pool = (view: string, ...args: unknown[]) => read('TokenggAVAX', view, ...args);
  const withdrawable = (await minipoolsAt(chain)).filter(({ status }) => status === WITHDRAWABLE);
  const oracle = await read('Oracle', 'getGGPPriceInAVAX');
  const holdings = {
    totalAssets: await pool('totalAssets'),
    avaxStaked: sumOf(await stakersAt(chain), 'avaxStaked'),
    avaxNodeOpRewards: sumOf(withdrawable, 'avaxNodeOpRewardAmt'),
    totalAllocatedFunds: await read('WithdrawQueue', 'totalAllocatedFunds'),
    totalGGPStake: await read('Staking', 'getTotalGGPStake'),
    ggpPriceInAVAX: oracle?.price || undefined,
  };
  const locked = valueLocked(holdings);
  const prices = await pricesAt(chain, body.block.timestamp);
  return {
    total_assets: number(holdings.totalAssets),
    total_supply: number(await pool('totalSupply')),
    exchange_rate: number(await pool('convertToAssets', WAD)),
    staking_total_assets: number(await pool('stakingTotalAssets')),
    amount_available_for_staking: number(await pool('amountAvailableForStaking')),
    last_rewards_amt: number(await pool('lastRewardsAmt')),
    total_ggp_staked: number(holdings.totalGGPStake),
    total_avax_liquid_staker_amt: number(await read('MinipoolManager', 'getTotalAVAXLiquidStakerAmt')),
    total_avax_staked: number(holdings.avaxStaked),
    ggp_oracle_price_in_avax: number(oracle?.price),
    ggp_total_supply: number(await read('TokenGGP', 'totalSupply')),
    ggp_price_in_avax: number(prices.ggpInAVAX),
    tvl_avax: number(locked),
    ...worthAs('avax_price_in_', WAD, prices),
    ...worthAs('ggp_price_in_', prices.ggpInAVAX, prices),
    ...worthAs('tvl_', locked, prices),
    staker_count: number(await read('Staking', 'getStakerCount'), 0),
    minipool_count: number(await read('MinipoolManager', 'getMinipoolCount'), 0),
    minipools: await countsByStatus(chain),
    rewards_cycle: { total_amt: number(await read('RewardsPool', 'getRewardsCycleTotalAmt')) },
  };
};

export const pool: Expected = async (body, chain) => {
  const view = (name: string, ...args: unknown[]) => chain.read('TokenggAVAX', name, ...args);
  const assets: bigint | undefined = await view('totalAssets');
  const staking: bigint | undefined = await view('stakingTotalAssets');
  return {
    totalAssets: tokens(assets),
    totalSupply: tokens(await view('totalSupply')),
    totalReleasedAssets: tokens(await view('totalReleasedAssets')),
    stakingTotalAssets: tokens(staking),
    amountAvailableForStaking: tokens(await view('amountAvailableForStaking')),
    reservedAssets: tokens(times(assets, await chain.read('ProtocolDAO', 'getTargetGGAVAXReserveRate'))),
    liquidAssets: assets === undefined || staking === undefined ? undefined : tokens(assets - staking),
    lastRewardsAmt: tokens(await view('lastRewardsAmt')),
    avaxPerGgAvax: tokens(await view('convertToAssets', WAD)),
    ggAvaxPerAvax: tokens(await view('convertToShares', WAD)),
    withdrawQueue: await queue(chain),
    redemption: await redemption(body, chain),
  };
};
