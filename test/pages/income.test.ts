import { expect, test } from '@jest/globals';
import { htmlOf, textOf } from './render.ts';

const { YourIncome } = await import('../../infra/site/pages/dashboard/your-income.tsx');

const ADDRESS = '0x000000000000000000000000000000000000dEaD';
const PATH = `accounts/${ADDRESS}/income?interval=1mo`;
const coverage = { fromBlock: 1, toBlock: 9, toTimestamp: 1_796_000_000, sources: 2, complete: true };
const total = {
  source: 'ggAvax',
  amount: '3',
  token: 'AVAX',
  valueUSD: 30,
  valueEUR: 27,
  unpricedUSD: 0,
  unpricedEUR: 0,
};

const cardOf = (body: object) => textOf(htmlOf(YourIncome, { addresses: [ADDRESS] }, { [PATH]: body }));

test('years without income are named, and each tax file says how to use it', () => {
  const text = cardOf({
    totals: [
      { ...total, year: 2026 },
      { ...total, year: 2024 },
    ],
    coverage: { ggAvax: coverage },
  });
  expect(text).toContain('No income in 2023 and 2025.');
  expect(text).toContain('Koinly: import it into a wallet of its own');
  expect(text).toContain('rotki: uses its own prices');
});

test('years are not shown before the history is complete', () => {
  expect(cardOf({ totals: [], coverage: { ggAvax: { ...coverage, complete: false } } })).toContain(
    'Not available yet. History is still loading. Indexed so far: blocks 1 to 9.',
  );
});
