import * as z from 'zod/mini';
import type { Money } from '../../history/day-prices.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { toNumber } from '../../values/amounts.ts';
import { quantity } from '../schemas.ts';

/** What an operator's income was worth on its day: a distribution, a claim, a minipool's reward. */

/** The fields of {@link incomeBody}; `what` is valued. */
export const incomeFields = (what: string) => ({
  usd: z.optional(
    quantity('USD', `Value of ${what} at the prices at the end of the UTC day. Omitted if they are not recorded.`),
  ),
  eur: z.optional(
    quantity('EUR', '`usd` in EUR, at the price of the euro at the end of that day. Omitted if it is not recorded.'),
  ),
});

/** A value, as far as it is known. */
export function incomeBody({ usd, eur }: Partial<Money>) {
  return { usd: ifKnown(toNumber, usd), eur: ifKnown(toNumber, eur) };
}
