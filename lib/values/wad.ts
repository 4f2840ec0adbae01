/** One whole token in wei, and 100 % where a fraction is scaled to 18 places (a "wad"). */
export const WAD = 10n ** 18n;

/** 100 % in basis points. */
export const BPS = 10_000n;

/** 365 days: the year of Avalanche's minting period, and of every annual figure here. */
export const SECONDS_PER_YEAR = 31_536_000;

/** The smaller of two amounts: `Math.min` takes no bigints. */
export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/**
 * floor(a · b / denominator). Unlike the EVM it does not revert when a · b needs more than 256 bits: no real amount
 * comes near.
 * @throws RangeError when the denominator is 0, where the contracts revert.
 */
export function mulDiv(a: bigint, b: bigint, denominator: bigint): bigint {
  return (a * b) / denominator;
}

/**
 * floor(a · b / 1e18): solmate's `FixedPointMathLib.mulWadDown`.
 * @example
 * mulWad((3n * WAD) / 2n, 5n) // 7n
 */
export function mulWad(a: bigint, b: bigint): bigint {
  return (a * b) / WAD;
}

/**
 * floor(a · 1e18 / b): solmate's `FixedPointMathLib.divWadDown`.
 * @throws RangeError when b is 0, where the contracts revert.
 */
export function divWad(a: bigint, b: bigint): bigint {
  return mulDiv(a, WAD, b);
}

/**
 * `part / whole` as a fraction of 1e18, rounded down; undefined if `whole` is 0.
 * @example
 * ratio(1n, 3n) // 333_333_333_333_333_333n
 */
export function ratio(part: bigint, whole: bigint): bigint | undefined {
  return whole === 0n ? undefined : divWad(part, whole);
}

/**
 * An amount earned every `seconds`, as the amount of a year at that pace, rounded down, in the unit of `amount`.
 * @throws RangeError when `seconds` is 0 or not an integer.
 * @example
 * perYear(10n, 73 * 86_400) // 50n
 */
export function perYear(amount: bigint, seconds: number): bigint {
  return mulDiv(amount, BigInt(SECONDS_PER_YEAR), BigInt(seconds));
}

/**
 * A fraction with 18 places in percent, as a double to compute with. For exact digits, use `percentFrom` in
 * lib/values/amounts.ts.
 * @example
 * wadToPercent(WAD / 10n) // 10
 */
export function wadToPercent(fraction: bigint): number {
  return Number(fraction) / 1e16;
}

export function compareBigints(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
