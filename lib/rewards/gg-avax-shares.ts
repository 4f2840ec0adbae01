import { mulDiv, mulWad } from '../values/wad.ts';

/** AVAX wei reserved for withdrawals: the fraction `targetReserveRate` (1e18 = 100 %) of all assets, rounded down. */
export function reservedAssets(assets: bigint, targetReserveRate: bigint): bigint {
  return mulWad(assets, targetReserveRate);
}

/** The totals that determine the exchange rate, in wei: the AVAX that belongs to all ggAVAX, and the ggAVAX supply. */
export interface VaultTotals {
  readonly totalAssets: bigint;
  readonly totalSupply: bigint;
}

/** AVAX wei, rounded down; one for one while there are no shares. Source: `TokenggAVAX.convertToAssets`. */
export function convertToAssets(shares: bigint, totals: VaultTotals): bigint {
  return totals.totalSupply === 0n ? shares : mulDiv(shares, totals.totalAssets, totals.totalSupply);
}

/**
 * ggAVAX wei, rounded down; one for one while there are no shares. Source: `TokenggAVAX.convertToShares`.
 * @throws RangeError when shares exist but no assets: the contract reverts.
 */
export function convertToShares(assets: bigint, totals: VaultTotals): bigint {
  return totals.totalSupply === 0n ? assets : mulDiv(assets, totals.totalSupply, totals.totalAssets);
}

/** The most ggAVAX wei that at most `assets` AVAX wei redeem. 0 for no assets, and in an empty pool. */
export function sharesWithin(assets: bigint, { totalAssets, totalSupply }: VaultTotals): bigint {
  if (assets === 0n || totalAssets === 0n || totalSupply === 0n) return 0n;
  // shares · totalAssets / totalSupply < assets + 1
  return ((assets + 1n) * totalSupply - 1n) / totalAssets;
}

/** Minimum of ggAVAX wei. Fewer shares are dust: their assets are so small that rounding distorts the rate. */
export const MIN_SHARES = 10n ** 9n;

/**
 * The rate at the end of a yield's window. Undefined without shares, where the contract answers 1, and for dust: by
 * rounding, a single wei may have doubled in value.
 */
export function rateOfShares(pool: {
  avaxPerGgAvax?: bigint | undefined;
  totalSupply?: bigint | undefined;
}): bigint | undefined {
  const { avaxPerGgAvax, totalSupply } = pool;
  return totalSupply !== undefined && totalSupply < MIN_SHARES ? undefined : avaxPerGgAvax;
}

/** AVAX wei that shares (ggAVAX wei) pay when they are redeemed one after the other. Source: `TokenggAVAX.redeemAVAX`. */
export function redeemedAssets(shares: readonly bigint[], { totalAssets, totalSupply }: VaultTotals): bigint {
  let left = { totalAssets, totalSupply };
  for (const each of shares) {
    const assets = convertToAssets(each, left);
    left = { totalAssets: left.totalAssets - assets, totalSupply: left.totalSupply - each };
  }
  return totalAssets - left.totalAssets;
}

/**
 * The least ggAVAX wei that pay `assets` AVAX wei, rounded up. Source: `TokenggAVAX.previewWithdraw`.
 * @throws RangeError when shares exist but no assets: the contract reverts.
 */
export function previewWithdraw(assets: bigint, totals: VaultTotals): bigint {
  if (totals.totalSupply === 0n) return assets;
  const down = mulDiv(assets, totals.totalSupply, totals.totalAssets);
  return convertToAssets(down, totals) < assets ? down + 1n : down;
}
