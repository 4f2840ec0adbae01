/**
 * `lib/contracts`: a reader for each contract of the protocol: its ABI, and functions from a state (`lib/chain/chain.ts`)
 * to values with names and units. The maths is in `lib/rewards`. All layers above may call the readers.
 */

import type { ProtocolState } from '../chain/chain.ts';
import { answered, contractAt, readViews, required } from '../chain/contract.ts';
import { allKnown } from '../runtime/if-known.ts';
import { WAD } from '../values/wad.ts';

const TOTALS_ABI = [
  'function totalAssets() view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  // Out with minipools and delegations.
  'function stakingTotalAssets() view returns (uint256)',
  // Without the current or last rewards stream. Redemptions cannot exceed it before the next sync.
  'function totalReleasedAssets() view returns (uint256)',
] as const;

/** Views that every version of TokenggAVAX (ggAVAX, later stAVAX) has had: amounts in wei, times in unix seconds. */
export const POOL_ABI = [
  ...TOTALS_ABI,
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function amountAvailableForStaking() view returns (uint256)',
  'function lastRewardsAmt() view returns (uint192)',
  'function lastSync() view returns (uint32)',
  'function rewardsCycleEnd() view returns (uint32)',
  'function rewardsCycleLength() view returns (uint32)',
] as const;

export const GG_AVAX_ABI = [
  'function convertToAssets(uint256 shares) view returns (uint256)',
  'function convertToShares(uint256 assets) view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
] as const;

/**
 * The liquid staking pool as the contract answers, with both exchange rates (wei for one whole token). The live
 * implementation is not always the published one, so every view may be missing.
 */
export async function readGgAvax({ runner, addresses }: ProtocolState) {
  const ggAvax = contractAt(addresses.TokenggAVAX, GG_AVAX_ABI, runner);
  const [views, rates] = await Promise.all([
    readViews(addresses.TokenggAVAX, POOL_ABI, runner),
    // Not previewDeposit, which reverts while the token is paused.
    answered({ avaxPerGgAvax: ggAvax.convertToAssets(WAD), ggAvaxPerAvax: ggAvax.convertToShares(WAD) }),
  ]);
  return { ...views, ...rates };
}

/** The exchange rate alone: AVAX wei for one whole ggAVAX. Throws if there is no pool at that block. */
export function readExchangeRate({ runner, addresses }: ProtocolState): Promise<bigint> {
  return contractAt(addresses.TokenggAVAX, GG_AVAX_ABI, runner).convertToAssets(WAD);
}

/** The pool's totals, in wei: they give the value of shares, and its liquid part. */
export type PoolTotals = Record<'totalAssets' | 'totalSupply' | 'stakingTotalAssets' | 'totalReleasedAssets', bigint>;

/** The totals of a pool that has been read; undefined if one of them is missing. */
export function toPoolTotals(pool: { [Name in keyof PoolTotals]?: bigint | undefined }): PoolTotals | undefined {
  const { totalAssets, totalSupply, stakingTotalAssets, totalReleasedAssets } = pool;
  return allKnown({ totalAssets, totalSupply, stakingTotalAssets, totalReleasedAssets });
}

/** Throws UPSTREAM_UNAVAILABLE if there is no pool at that block. */
export async function readTotals({ runner, addresses }: ProtocolState): Promise<PoolTotals> {
  return required(toPoolTotals(await readViews(addresses.TokenggAVAX, TOTALS_ABI, runner)));
}

/** ggAVAX wei; shares in the withdrawal queue are the queue's. Throws if there is no pool at that block. */
export function readBalance({ runner, addresses }: ProtocolState, owner: string): Promise<bigint> {
  return contractAt(addresses.TokenggAVAX, GG_AVAX_ABI, runner).balanceOf(owner);
}
