import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  convertToAssets,
  previewWithdraw,
  rateOfShares,
  redeemedAssets,
  reservedAssets,
  sharesWithin,
} from '../../../lib/rewards/gg-avax-shares.ts';
import { wei } from './units.ts';

describe('the shares for an amount', () => {
  test('are rounded up, as by the contract', () => {
    const totals = { totalAssets: 395844636186841582735523n, totalSupply: 330852108293688375779301n };
    expect(previewWithdraw(wei('1'), totals)).toBe(835813038874988683n);
    expect(previewWithdraw(6n, { totalAssets: 3n, totalSupply: 2n })).toBe(4n);
    expect(previewWithdraw(7n, { totalAssets: 3n, totalSupply: 2n })).toBe(5n);
    expect(previewWithdraw(7n, { totalAssets: 100n, totalSupply: 0n })).toBe(7n);
  });

  test('are, within an amount, never worth a wei more', () => {
    // 3 shares are worth 4, and 4 are worth 6.
    expect([4n, 5n, 6n].map((assets) => sharesWithin(assets, { totalAssets: 3n, totalSupply: 2n }))).toEqual([
      3n,
      3n,
      4n,
    ]);
  });

  test('are the smallest number that redeems the amount, at any rate', () => {
    const amount = fc.bigInt({ min: 1n, max: wei('1000000') });
    fc.assert(
      fc.property(amount, amount, amount, (assets, totalAssets, totalSupply) => {
        const totals = { totalAssets, totalSupply };
        const shares = previewWithdraw(assets, totals);
        expect(shares).toBe((assets * totalSupply + totalAssets - 1n) / totalAssets);
        expect(convertToAssets(shares, totals)).toBeGreaterThanOrEqual(assets);
        expect(convertToAssets(shares - 1n, totals)).toBeLessThan(assets);
      }),
    );
  });
});

describe('at mainnet block 95,044,397', () => {
  const totals = { totalAssets: 395844636186841582735523n, totalSupply: 330852108293688375779301n };

  test('the exchange rate is the one of the contract', () => {
    expect(convertToAssets(wei('1'), totals)).toBe(1196439817864062440n);
  });

  test('the reserve is half a percent of the assets', () => {
    expect(reservedAssets(totals.totalAssets, wei('0.005'))).toBe(1979223180934207913677n);
  });
});

test('the reserve is rounded down', () => {
  expect(reservedAssets(19n, wei('0.1'))).toBe(1n);
  expect(reservedAssets(20n, wei('0.1'))).toBe(2n);
});

test('requests are redeemed one after another, each from what the previous ones have left', () => {
  const totals = { totalAssets: 11n, totalSupply: 3n };
  // A third of 11, then half of 8.
  expect(redeemedAssets([1n, 1n], totals)).toBe(3n + 4n);
  expect(redeemedAssets([1n, 1n, 1n], totals)).toBe(11n);
  expect(redeemedAssets([], totals)).toBe(0n);
});

describe('conversions', () => {
  test('are one to one as long as there are no shares', () => {
    expect(convertToAssets(7n, { totalAssets: 100n, totalSupply: 0n })).toBe(7n);
  });

  test('of shares without assets give zero', () => {
    expect(convertToAssets(7n, { totalAssets: 0n, totalSupply: 5n })).toBe(0n);
  });

  test('are rounded down, so that parts never exceed the whole', () => {
    const positive = fc.bigInt({ min: 1n, max: wei('10000000') });
    fc.assert(
      fc.property(positive, positive, positive, (a, b, assets) => {
        const totals = { totalAssets: assets, totalSupply: a + b };
        const [first, second] = [convertToAssets(a, totals), convertToAssets(b, totals)];
        expect(first + second <= assets && assets - (first + second) <= 1n).toBe(true);
      }),
    );
  });
});

test.each([
  ['no shares', 0n, undefined],
  ['one wei, which rounding would double', 1n, undefined],
  ['less than a billionth of a ggAVAX', 10n ** 9n - 1n, undefined],
  ['a billionth of a ggAVAX', 10n ** 9n, wei('1.2')],
  ['an unknown supply', undefined, wei('1.2')],
])('the rate that a yield is computed from, for %s (%s), is %s', (_, totalSupply, rate) => {
  expect(rateOfShares({ avaxPerGgAvax: wei('1.2'), totalSupply })).toBe(rate);
  expect(rateOfShares({ totalSupply })).toBeUndefined();
});
