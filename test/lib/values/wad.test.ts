import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { divWad, mulDiv, mulWad, perYear, WAD, wadToPercent } from '../../../lib/values/wad.ts';

const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });
const positive = fc.bigInt({ min: 1n, max: 10n ** 30n });

describe('wad arithmetic', () => {
  test.each([
    [2n * WAD, 3n * WAD, 6n * WAD],
    [1n, WAD - 1n, 0n],
    [1n, WAD, 1n],
    [3n, WAD / 2n, 1n],
  ])('mulWad(%d, %d) is %d', (a, b, product) => {
    expect(mulWad(a, b)).toBe(product);
  });

  test.each([
    [6n * WAD, 3n * WAD, 2n * WAD],
    [1n, 3n, 333333333333333333n],
    [2n, 3n, 666666666666666666n],
    [0n, 7n, 0n],
  ])('divWad(%d, %d) is %d', (a, b, quotient) => {
    expect(divWad(a, b)).toBe(quotient);
  });

  test('results are rounded down, by less than one unit', () => {
    fc.assert(
      fc.property(amount, positive, positive, (a, b, c) => {
        const error = a * b - mulDiv(a, b, c) * c;
        expect(error >= 0n && error < c).toBe(true);
        expect(mulWad(a, b)).toBe(mulDiv(a, b, WAD));
        expect(divWad(a, b)).toBe(mulDiv(a, WAD, b));
      }),
    );
  });

  test('division by zero is a RangeError', () => {
    expect(() => divWad(1n, 0n)).toThrow(new RangeError('Division by zero'));
    expect(() => divWad(0n, 0n)).toThrow(RangeError);
    expect(() => perYear(1n, 0)).toThrow(RangeError);
  });
});

test('a year has 365 days', () => {
  expect(perYear(100n, 365 * 86_400)).toBe(100n);
  expect(perYear(15n, 15 * 86_400)).toBe(365n);
  expect(perYear(1n, 30 * 86_400)).toBe(12n);
});

test('1e18 is 100 percent', () => {
  expect(wadToPercent(WAD)).toBe(100);
  expect(wadToPercent(WAD / 10n)).toBe(10);
  expect(wadToPercent(0n)).toBe(0);
});
