/** The value of an operator's income on its day: of a distribution, a claim, or a minipool's reward. */

import type { Money } from '../../history/day-prices.ts';
import { object } from '../fields.ts';
import { eur, usd } from '../units.ts';

export const income = (what: string) =>
  object<Partial<Money>>()({
    usd: usd.optional(`Value of ${what} at the prices at the end of the UTC day, if recorded.`),
    eur: eur.optional('`usd` in EUR at the end of the day, if recorded.'),
  }).fields;
