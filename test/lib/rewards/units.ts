import type { CollateralTerms } from '../../../lib/rewards/collateral.ts';

/** An amount of tokens, written in decimal, as an integer in units of 10^-decimals. */
export function units(amount: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = amount.replaceAll('_', '').split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

export const wei = (amount: string) => units(amount, 18);
export const nAVAX = (amount: string) => units(amount, 9);

export const DAY = 86_400;
export const unix = (iso: string) => Date.parse(iso) / 1000;
export const HELICON = unix('2026-09-22T15:00:00Z');

/** Mainnet's settings, with this GGP price. */
export const termsAt = (price: string): CollateralTerms => ({
  ggpPriceInAVAX: wei(price),
  minCollateralizationRatio: wei('0.1'),
  maxCollateralizationRatio: wei('1.5'),
});
