import { mulDiv, mulWad } from './wad.ts';

/**
 * The rewards stream of ggAVAX, by the names of the `TokenggAVAX` getters. Amounts in AVAX wei, times in unix seconds.
 */
export interface RewardsStream {
  /** Principal and all rewards of the streams before this one. */
  readonly totalReleasedAssets: bigint;
  /** Rewards this stream releases from `lastSync` to `rewardsCycleEnd`. */
  readonly lastRewardsAmt: bigint;
  readonly lastSync: number;
  readonly rewardsCycleEnd: number;
}

/**
 * AVAX wei that belong to all ggAVAX at `time` (unix seconds): rewards are released by the second, and nothing more
 * after the cycle's end until somebody syncs. Source: `TokenggAVAX.totalAssets`.
 * @throws RangeError when `time` is before the stream's start: this state cannot tell what was there.
 */
export function totalAssets(stream: RewardsStream, time: number): bigint {
  const { totalReleasedAssets, lastRewardsAmt, lastSync, rewardsCycleEnd } = stream;
  if (time >= rewardsCycleEnd) return totalReleasedAssets + lastRewardsAmt;
  if (time < lastSync) throw new RangeError(`Time ${time} is before the last sync at ${lastSync}`);
  return totalReleasedAssets + mulDiv(lastRewardsAmt, BigInt(time - lastSync), BigInt(rewardsCycleEnd - lastSync));
}

/** AVAX wei kept back for withdrawals: the fraction `targetReserveRate` (1e18 = 100 %) of all assets, rounded down. */
export function reservedAssets(assets: bigint, targetReserveRate: bigint): bigint {
  return mulWad(assets, targetReserveRate);
}

/**
 * AVAX wei that may still go out for staking, 0 when the reserve is already touched.
 * Source: `TokenggAVAX.amountAvailableForStaking`.
 */
export function amountAvailableForStaking(
  assets: bigint,
  stakingTotalAssets: bigint,
  targetReserveRate: bigint,
): bigint {
  const available = assets - reservedAssets(assets, targetReserveRate) - stakingTotalAssets;
  return available > 0n ? available : 0n;
}

/** What the exchange rate follows from, in wei: the AVAX that belongs to all ggAVAX, and the ggAVAX in existence. */
export interface VaultTotals {
  readonly totalAssets: bigint;
  readonly totalSupply: bigint;
}

/**
 * AVAX wei for `shares` ggAVAX wei, rounded down; the same number while there are no shares. Source:
 * `TokenggAVAX.convertToAssets`.
 */
export function convertToAssets(shares: bigint, totals: VaultTotals): bigint {
  return totals.totalSupply === 0n ? shares : mulDiv(shares, totals.totalAssets, totals.totalSupply);
}

/**
 * ggAVAX wei for `assets` AVAX wei, rounded down; the same number while there are no shares. Source:
 * `TokenggAVAX.convertToShares`.
 * @throws RangeError when shares exist but no assets: the contract reverts.
 */
export function convertToShares(assets: bigint, totals: VaultTotals): bigint {
  return totals.totalSupply === 0n ? assets : mulDiv(assets, totals.totalSupply, totals.totalAssets);
}
