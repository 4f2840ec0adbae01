/** What an operator's income was worth on its day: a distribution, a claim, a minipool's reward. */

import type { Money } from '../../history/day-prices.ts';
import { fields } from '../fields.ts';
import { eur, usd } from '../units.ts';

/** The value of `what`, as far as it is known. */
export const income = (what: string) => ({
  usd: usd.optional(
    `Value of ${what} at the prices at the end of the UTC day. Omitted if they are not recorded.`,
    (money: Partial<Money>) => money.usd,
  ),
  eur: eur.optional(
    '`usd` in EUR, at the price of the euro at the end of that day. Omitted if it is not recorded.',
    (money: Partial<Money>) => money.eur,
  ),
});

/** The schemas of {@link incomeBody}; `what` is valued. */
export const incomeFields = (what: string) => fields<Partial<Money>>()(income(what)).shape();

/** A value, as far as it is known. */
export const incomeBody = fields<Partial<Money>>()(income('')).body;
