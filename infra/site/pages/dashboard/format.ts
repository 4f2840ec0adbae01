/** Numbers and times in human-readable form. */

/** In seconds. */
export const DAY = 86_400;

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 2, signDisplay: 'negative' });
const TWO_DIGITS = { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: 'negative' } as const;
const PERCENT = new Intl.NumberFormat('en', { ...TWO_DIGITS, trailingZeroDisplay: 'stripIfInteger' });
const CENTS = new Intl.NumberFormat('en', TWO_DIGITS);
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });
const SIGNIFICANT = new Intl.NumberFormat('en', { maximumSignificantDigits: 5 });
const ALL_SIGNIFICANT = new Intl.NumberFormat('en', { minimumSignificantDigits: 5, maximumSignificantDigits: 5 });
const dateFormat = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  return (time: number) => format.format(time * 1_000);
};

/** A Unix time as `21 Nov 2026`. */
export const day = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' });
/** A Unix time as `21 November 2026`. */
export const fullDay = dateFormat({ day: 'numeric', month: 'long', year: 'numeric' });
const minute = dateFormat({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });

/** A Unix time as `21 Nov 2026, 14:05 UTC`. */
export function moment(time: number): string {
  return `${minute(time)} UTC`;
}

/** Smaller amounts, a few wei, are shown as `≈ 0`. */
const LEAST = 1e-9;
const LEAST_PERCENT = 0.01;

/** A quantity in a few digits: 1.74M, 50,759, 144.09, 0.018293. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size > 0 && size < LEAST) return '≈ 0';
  if (size >= 1e6) return COMPACT.format(value);
  if (size >= 1e4) return WHOLE.format(value);
  return size >= 100 || size === 0 ? NUMBER.format(value) : SIGNIFICANT.format(value);
}

/** Like `short`, but rounded values keep trailing zeros, so that columns line up: 1,070.60, 65.970, but 65 and 0.5. */
function aligned(value: number): string {
  const text = short(value);
  const size = Math.abs(value);
  const isExact = Number(text.replaceAll(',', '')) === value;
  if (isExact || size >= 1e4 || size < LEAST) return text;
  return (size >= 100 ? CENTS : ALL_SIGNIFICANT).format(value);
}

const MONEY: Record<string, string> = { USD: '$', EUR: '€' };

/** A quantity with its unit: `50,759 AVAX`, `$1.31M`, `4.61%`. */
export function withUnit(value: number, unit: string): string {
  if (unit === '%') return percent(value);
  const sign = MONEY[unit];
  if (sign === undefined) return `${aligned(value)} ${unit}`.trim();
  const size = Math.abs(value);
  return `${value < 0 ? '−' : ''}${sign}${size >= 1 && size < 1e4 ? CENTS.format(size) : short(size)}`;
}

/** All digits of a quantity, with its unit: `1.19080723842 AVAX`, `4.6123456789%`. */
export function inFull(value: string | number, unit: string): string {
  return unit === '%' ? `${value}%` : `${value} ${unit}`.trim();
}

/** A percentage. Very small ones are not shown as 0: most holders have less than 0.01 % of all ggAVAX. */
export function percent(value: number): string {
  if (value > 0 && value < LEAST_PERCENT / 2) return `< ${LEAST_PERCENT}%`;
  return `${PERCENT.format(value)}%`;
}

const UNITS = [
  [DAY, 'day', 'days'],
  [3_600, 'h', 'h'],
  [60, 'min', 'min'],
  [1, 's', 's'],
] as const;

/** `3 min`, `5 h`, `12 days`, rounded down. */
export function duration(seconds: number): string {
  const [size, one, many] = UNITS.find(([unitSeconds]) => seconds >= unitSeconds) ?? UNITS[3];
  const count = Math.floor(seconds / size);
  return `${count} ${count === 1 ? one : many}`;
}

/** `1 request`, `3 requests`; empty while the number is unknown. */
export function counted(count: number | undefined, name: string, names = `${name}s`): string {
  return count === undefined ? '' : `${count} ${count === 1 ? name : names}`;
}
