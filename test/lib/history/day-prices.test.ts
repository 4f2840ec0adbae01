import { expect, test } from '@jest/globals';
import { valueAt } from '../../../lib/history/day-prices.ts';
import { wei } from '../rewards/units.ts';

test("an amount has a value in USD at its token's price, and from that one in EUR, each if its price is known", () => {
  const prices = { avaxInUSD: wei('20'), ggpInUSD: wei('0.5'), eurInUSD: wei('1.25') };
  expect(valueAt(wei('2'), 'avaxInUSD', prices)).toEqual({ usd: wei('40'), eur: wei('32') });
  expect(valueAt(-wei('2'), 'ggpInUSD', prices)).toEqual({ usd: -wei('1'), eur: -wei('0.8') });
  expect(valueAt(wei('2'), 'avaxInUSD', { avaxInUSD: wei('20') })).toEqual({ usd: wei('40'), eur: undefined });
  expect(valueAt(wei('2'), 'avaxInUSD', { eurInUSD: wei('1.25') })).toEqual({ usd: undefined, eur: undefined });
});
