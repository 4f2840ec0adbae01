import { describe, expect, test } from '@jest/globals';
import { annualYield, compound, currentStreamApr, rateBeforeFee } from '../../../lib/rewards/growth.ts';
import { DAY, wei } from './units.ts';

const YEAR = 365 * DAY;

describe('the yield of an exchange rate', () => {
  test.each([
    [7, 5.258, 5.396],
    [14, 2.629, 2.663],
    [30, 1.227, 1.234],
  ])('that grows from 1.1900 to 1.1912 in %d days is %d percent as apr, and %d as apy', (days, apr, apy) => {
    const yields = annualYield(wei('1.19'), wei('1.1912'), days * DAY);
    expect(yields.apr).toBeCloseTo(apr, 3);
    expect(yields.apy).toBeCloseTo(apy, 3);
  });

  test('that falls is negative, and minus 100 percent for a total loss', () => {
    const fall = annualYield(wei('1'), wei('0.99'), YEAR / 2);
    expect(fall.apr).toBeCloseTo(-2, 10);
    expect(fall.apy).toBeCloseTo(-1.99, 10);
    expect(annualYield(wei('1'), 0n, YEAR).apy).toBe(-100);
  });

  test('that grows by one wei is not rounded to zero', () => {
    const { apr, apy } = annualYield(wei('1'), wei('1') + 1n, YEAR);
    expect(apr).toBeCloseTo(1e-16, 30);
    expect(apy).toBeCloseTo(1e-16, 30);
  });

  test.each([[0], [-1], [Number.NaN]])('over a window of %d seconds is rejected', (seconds) => {
    expect(() => annualYield(wei('1'), wei('1.1'), seconds)).toThrow(
      new RangeError(`A yield needs a window longer than 0 seconds, not ${seconds}`),
    );
  });

  test('of zero at the start, or below zero at the end, is rejected', () => {
    const error = new RangeError('A yield needs a rate above 0 to start from, and none below 0');
    expect(() => annualYield(0n, wei('1'), DAY)).toThrow(error);
    expect(() => annualYield(wei('1'), -1n, DAY)).toThrow(error);
  });
});

test('compounding keeps growth too small for a double near 1', () => {
  expect(compound(1e-20, 10)).toBeCloseTo(1e-19, 30);
  expect(compound(0.1, 2)).toBeCloseTo(0.21, 12);
  expect(compound(0, 24)).toBe(0);
});

describe('the rate before the protocol fee', () => {
  test.each([
    ['a fee of 10 percent', '1.09', 1_000n, '1.1'],
    ['no fee', '1.09', 0n, '1.09'],
    ['no growth', '1', 1_000n, '1'],
    ['a loss, on which there is no fee', '0.9', 1_000n, '0.9'],
  ])('with %s: from 1 to %s after %d bips was from 1 to %s', (_name, to, feeBips, before) => {
    expect(rateBeforeFee(wei('1'), wei(to), feeBips)).toBe(wei(before));
  });

  test.each([[10_000n], [20_000n], [-1n]])('for a fee of %d bips is rejected', (feeBips) => {
    expect(() => rateBeforeFee(wei('1'), wei('1.1'), feeBips)).toThrow(`from a fee of ${feeBips} bips`);
  });
});

describe('the yield of the current reward stream', () => {
  const END = 1_764_806_400;
  const stream = {
    totalReleasedAssets: wei('500000'),
    lastRewardsAmt: wei('1000'),
    lastSync: END - 14 * DAY,
    rewardsCycleEnd: END,
  };

  test('is its rewards over the released assets, repeated every nominal cycle', () => {
    expect(currentStreamApr(stream, 14 * DAY, END - DAY)).toBeCloseTo((0.2 * 365) / 14, 10);
  });

  test('is not inflated by a late sync', () => {
    const late = { ...stream, lastSync: END - DAY };
    expect(currentStreamApr(late, 14 * DAY, END - 1)).toBe(currentStreamApr(stream, 14 * DAY, END - 1));
  });

  test('is zero once the cycle has ended, or if it has no rewards', () => {
    expect(currentStreamApr(stream, 14 * DAY, END)).toBe(0);
    expect(currentStreamApr({ ...stream, lastRewardsAmt: 0n, totalReleasedAssets: 0n }, 14 * DAY, END - 1)).toBe(0);
  });

  test('is undefined for rewards without assets', () => {
    expect(currentStreamApr({ ...stream, totalReleasedAssets: 0n }, 14 * DAY, END - 1)).toBeUndefined();
  });
});
