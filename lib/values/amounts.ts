/** Amounts on the wire: an exact decimal string or, where clients do arithmetic, a JSON number of at most 12 significant digits. */

/** Decimals of AVAX, WAVAX, GGP and ggAVAX on the C-Chain. */
export const TOKEN_DECIMALS = 18;
/** Wei in one nAVAX, the unit of the P-Chain. */
export const WEI_PER_NAVAX = 10n ** 9n;

const SIGNIFICANT_DIGITS = 12;

/** The exact decimal text of `value / 10^decimals`, without exponent and trailing zeros: '1.5'. */
export function formatAmount(value: bigint, decimals = TOKEN_DECIMALS): string {
  if (value < 0n) return `-${formatAmount(-value, decimals)}`;
  const digits = value.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return digits.slice(0, digits.length - decimals) + (fraction && `.${fraction}`);
}

/** Wei for people: two decimals ('1,234.56'), rounded down, because less than it says must never be paid. */
export function roundedText(wei: bigint): string {
  const hundredths = wei / 10n ** 16n;
  if (hundredths === 0n && wei > 0n) return 'less than 0.01';
  return `${(hundredths / 100n).toLocaleString('en-US')}.${String(hundredths % 100n).padStart(2, '0')}`;
}

/** The exact decimal text of an amount of the P-Chain, in nAVAX (1e-9 AVAX), as AVAX. */
export function formatNAVAX(value: bigint): string {
  return formatAmount(value, 9);
}

/** `value / 10^decimals` as a JSON number, rounded half away from zero to 12 significant digits, on the bigint. */
export function toNumber(value: bigint, decimals = TOKEN_DECIMALS): number {
  if (value < 0n) return -toNumber(-value, decimals);
  const unit = lastDigit(value);
  return Number(formatAmount(((value + unit / 2n) / unit) * unit, decimals));
}

/** The smallest amount from `value` (not negative) upwards that a JSON number expresses exactly: for minimums. */
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

/** A compounded yield as a JSON number, or undefined if it has overflowed (an absurd growth in a short window). */
export function roundYield(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) ? roundNumber(value) : undefined;
}

/** A fraction (1e18 = 100 %, so 1e16 = 1 %) in percent, rounded like {@link toNumber}. Through a double, the last digit may be another one. */
export function percentFrom(fraction: bigint): number {
  return toNumber(fraction, 16);
}

/** The base units of a plain decimal text, or undefined if it is not one ('1e3') or has more than `decimals` places. */
export function parseAmount(text: string, decimals = TOKEN_DECIMALS): bigint | undefined {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  const fraction = match?.[2] ?? '';
  if (!match || fraction.length > decimals) return undefined;
  return BigInt(match[1] + fraction.padEnd(decimals, '0'));
}
