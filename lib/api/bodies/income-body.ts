/** The value of an operator's income on its day: of a distribution, a claim, or a minipool's reward. */

import type { Money } from '../../history/day-prices.ts';
import { eur, usd } from '../units.ts';

export const income = (what: string) => ({
  usd: usd.optional(
    `Value of ${what} at the prices at the end of the UTC day. Omitted if not recorded.`,
    (money: Partial<Money>) => money.usd,
  ),
  eur: eur.optional(
    '`usd` in EUR at the end of the day. Omitted if not recorded.',
    (money: Partial<Money>) => money.eur,
  ),
});
