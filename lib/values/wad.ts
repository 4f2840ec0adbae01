/** One whole token in wei, and 100 % where a fraction is scaled to 18 places (a "wad"). */
export const WAD = 10n ** 18n;

/** 100 % in basis points. */
export const BPS = 10_000n;

/** 365 days: the year of Avalanche's minting period, and of every annual figure here. */
export const SECONDS_PER_YEAR = 31_536_000;

export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** floor(a · b / denominator), without the EVM's limit of 256 bits. Throws RangeError where the contracts revert: if it is 0. */
export function mulDiv(a: bigint, b: bigint, denominator: bigint): bigint {
  return (a * b) / denominator;
}

/** floor(a · b / 1e18): solmate's `FixedPointMathLib.mulWadDown`. */
export function mulWad(a: bigint, b: bigint): bigint {
  return (a * b) / WAD;
}

/** floor(a · 1e18 / b): solmate's `FixedPointMathLib.divWadDown`. Throws RangeError where the contracts revert: if b is 0. */
export function divWad(a: bigint, b: bigint): bigint {
  return (a * WAD) / b;
}

/** `part / whole` as a fraction of 1e18, rounded down; undefined if `whole` is 0. */
export function ratio(part: bigint, whole: bigint): bigint | undefined {
  return whole === 0n ? undefined : divWad(part, whole);
}

/** The amount of a year, rounded down, if `amount` is earned every `seconds`. Throws RangeError if that is no integer or 0. */
export function perYear(amount: bigint, seconds: number): bigint {
  return mulDiv(amount, BigInt(SECONDS_PER_YEAR), BigInt(seconds));
}

/** A fraction with 18 places in percent, to compute with. `percentFrom` has exact digits. */
export function wadToPercent(fraction: bigint): number {
  return Number(fraction) / 1e16;
}
