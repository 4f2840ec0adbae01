/**
 * `lib/values`: types and formats of amounts, fixed-point numbers, blocks and node IDs. All layers may use it.
 *
 * Amounts on the wire. Chain values stay bigints until they are written: either as an exact decimal string or, where
 * clients do arithmetic on the field, as a JSON number of at most 12 significant digits.
 */

/** Decimals of AVAX, WAVAX, GGP and ggAVAX on the C-Chain. */
export const TOKEN_DECIMALS = 18;
/** Wei in one nAVAX, the unit of the P-Chain. */
export const WEI_PER_NAVAX = 10n ** 9n;
/** Decimals of AVAX on the P-Chain (nAVAX). */
const NAVAX_DECIMALS = 9;
/** Decimals of a percentage: of a fraction whose 100 % are 1e18, 1e16 are 1 %. */
const PERCENT_DECIMALS = 16;

const SIGNIFICANT_DIGITS = 12;

/**
 * The exact decimal text of `value / 10^decimals`: no exponent, no trailing zeros.
 * @example
 * formatAmount(1_500_000_000_000_000_000n) // '1.5'
 * formatAmount(1n) // '0.000000000000000001'
 */
export function formatAmount(value: bigint, decimals = TOKEN_DECIMALS): string {
  const sign = value < 0n ? '-' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return sign + whole + (fraction && `.${fraction}`);
}

/**
 * An amount of wei for people: two decimals, rounded down, because less than it says must never be paid.
 * @example
 * roundedText(1_234_567_000_000_000_000_000n) // '1,234.56'
 */
export function roundedText(wei: bigint): string {
  const hundredths = wei / 10n ** 16n;
  if (hundredths === 0n && wei > 0n) return 'less than 0.01';
  return `${(hundredths / 100n).toLocaleString('en-US')}.${String(hundredths % 100n).padStart(2, '0')}`;
}

/** The exact decimal text of an amount of the P-Chain, in nAVAX, as AVAX. */
export function formatNAVAX(value: bigint): string {
  return formatAmount(value, NAVAX_DECIMALS);
}

/**
 * `value / 10^decimals` as a JSON number, rounded half away from zero to 12 significant digits. The rounding happens on
 * the bigint; the double that is returned is the nearest one to the rounded decimal, so it prints as those digits.
 * @example
 * toNumber(1_234_567_890_123_456_789n) // 1.23456789012
 */
export function toNumber(value: bigint, decimals = TOKEN_DECIMALS): number {
  const magnitude = value < 0n ? -value : value;
  const unit = lastDigit(magnitude);
  const rounded = ((magnitude + unit / 2n) / unit) * unit;
  return Number(formatAmount(value < 0n ? -rounded : rounded, decimals));
}

/**
 * The smallest amount from `value` (not negative) upwards that a JSON number expresses exactly, so that a minimum is
 * still enough when it is returned as a number.
 * @example
 * toNumber(roundUp(1_234_567_890_121_000_000n)) // 1.23456789013
 */
export function roundUp(value: bigint): bigint {
  const unit = lastDigit(value);
  return ((value + unit - 1n) / unit) * unit;
}

function lastDigit(magnitude: bigint): bigint {
  return 10n ** BigInt(Math.max(0, magnitude.toString().length - SIGNIFICANT_DIGITS));
}

/** A computed double (an APY, say) as a JSON number of at most 12 significant digits. */
export function roundNumber(value: number): number {
  return Number(value.toPrecision(SIGNIFICANT_DIGITS));
}

/**
 * A compounded yield as a JSON number, or undefined if it has overflowed (an absurd growth in a short window): JSON has
 * no infinity and would have null, so the field is left out.
 */
export function roundYield(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) ? roundNumber(value) : undefined;
}

/**
 * A fraction (1e18 = 100 %) in percent as a JSON number, rounded like {@link toNumber}: half away from zero to 12
 * significant digits, on the bigint. Through a double, the last digit may be another one.
 * @example
 * percentFrom(WAD / 8n) // 12.5
 */
export function percentFrom(fraction: bigint): number {
  return toNumber(fraction, PERCENT_DECIMALS);
}

const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/**
 * The base units of a plain decimal text, or undefined if it is not one or has more than `decimals` places.
 * @example
 * parseAmount('1.5') // 1_500_000_000_000_000_000n
 * parseAmount('1e3') // undefined
 */
export function parseAmount(text: string, decimals = TOKEN_DECIMALS): bigint | undefined {
  const match = DECIMAL.exec(text);
  const fraction = match?.[2] ?? '';
  if (!match || fraction.length > decimals) return undefined;
  return BigInt(match[1] + fraction.padEnd(decimals, '0'));
}
