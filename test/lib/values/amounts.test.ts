import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatAmount, parseAmount, percentFrom, roundUp, roundYield, toNumber } from '../../../lib/values/amounts.ts';

describe('formatAmount', () => {
  test.each([
    [0n, 18, '0'],
    [1n, 18, '0.000000000000000001'],
    [1_500_000_000_000_000_000n, 18, '1.5'],
    [395_844_636_186_841_582_735_523n, 18, '395844.636186841582735523'],
    [-1_500_000_000_000_000_000n, 18, '-1.5'],
    [100n * 10n ** 18n, 18, '100'],
    [4_683_805_592n, 9, '4.683805592'],
    [7n, 0, '7'],
  ])('%s with %s decimals is %s', (value, decimals, text) => {
    expect(formatAmount(value, decimals)).toBe(text);
  });

  test('is the inverse of parseAmount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), fc.nat({ max: 30 }), (value, decimals) => {
        expect(parseAmount(formatAmount(value, decimals), decimals)).toBe(value);
      }),
    );
  });
});

describe('parseAmount', () => {
  const WRONG = ['', '-1', '1e3', '1.', '.5', '0x10', ' 1', '1,5', 'NaN', '1.0000000000000000001'];
  test.each(WRONG)('rejects %p', (text) => {
    expect(parseAmount(text)).toBeUndefined();
  });

  test('reads all 18 decimal places, and ignores leading zeros', () => {
    expect(parseAmount('0.000000000000000001')).toBe(1n);
    expect(parseAmount('007.50')).toBe(7_500_000_000_000_000_000n);
  });
});

describe('toNumber', () => {
  test.each([
    [395_844_636_186_841_582_735_523n, 395_844.636187],
    [1_196_439_817_864_062_440n, 1.19643981786],
    [999_999_999_999_500_000_000_000_000_000n, 1_000_000_000_000],
    [123_456_789_012_499_999_999n, 123.456789012],
    [123_456_789_012_500_000_000n, 123.456789013],
    [-123_456_789_012_500_000_000n, -123.456789013],
    [1n, 1e-18],
    [0n, 0],
  ])('%s wei is %s', (value, number) => {
    expect(toNumber(value)).toBe(number);
  });

  test('prints at most 12 significant digits, and no exponent from 1e-6 upwards', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 12n, max: 10n ** 38n }), (value) => {
        const text = JSON.stringify(toNumber(value));
        expect(text).toMatch(/^\d+(\.\d+)?$/);
        expect(text.replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length).toBeLessThanOrEqual(12);
      }),
    );
  });

  test('is off by at most half a unit of the twelfth significant digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), (value) => {
        const rounded = parseAmount(toNumber(value).toFixed(18)) ?? 0n;
        const error = rounded > value ? rounded - value : value - rounded;
        // Half a unit is 5 in 10^12. One more allows for reading the double back, which has only 15 to 17 digits.
        expect(error * 10n ** 12n).toBeLessThanOrEqual(value * 6n);
      }),
    );
  });
});

test.each([
  [123_456_789_012_000_000_000n, 123_456_789_012_000_000_000n],
  [123_456_789_012_000_000_001n, 123_456_789_013_000_000_000n],
  [999_999_999_999_000_000_001n, 1_000_000_000_000_000_000_000n],
  [999_999_999_999n, 999_999_999_999n],
  [1_000_000_000_001n, 1_000_000_000_010n],
  [0n, 0n],
])('%s wei is rounded up to %s at the twelfth digit', (value, rounded) => {
  expect(roundUp(value)).toBe(rounded);
});

test('percentFrom rounds the fraction itself, half away from zero', () => {
  expect(percentFrom(10n ** 18n)).toBe(100);
  // 1.050880654175 %; as a double, it is less than that.
  expect(percentFrom(10_508_806_541_750_000n)).toBe(1.05088065418);
  expect(percentFrom(-10_508_806_541_750_000n)).toBe(-1.05088065418);
});

test('a yield too large for a double is omitted from the JSON, never null', () => {
  expect(roundYield(4.526989215712345)).toBe(4.52698921571);
  expect(roundYield(-99.5)).toBe(-99.5);
  expect(roundYield(Number.MAX_VALUE)).toBe(1.79769313486e308);
  for (const overflow of [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN]) {
    expect(JSON.stringify({ apy: roundYield(overflow) })).toBe('{}');
  }
});
