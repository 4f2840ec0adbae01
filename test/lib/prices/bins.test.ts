import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { binPrice } from '../../../lib/prices/lb.ts';
import { depthOf } from '../../../lib/prices/pool.ts';
import { WAD } from '../../../lib/values/wad.ts';

const Q128 = 2n ** 128n;

describe('the price of a Liquidity Book bin', () => {
  // The first is 1 by definition. The others are what the deployed contracts return from getPriceFromId.
  test.each([
    [8_388_608, 20, Q128],
    [8_388_609, 10, 340_622_649_287_859_401_926_837_982_039_199_979_667n],
    [8_388_607, 25, 339_433_782_464_776_522_157_979_658_286_053_078_759n],
    [8_376_042, 20, 4_246_691_213_355_253_910_376_755_522n],
    [8_385_000, 100, 87_161_127_028_897_594_685_606n],
  ])('is what the contract returns: bin %d with step %d is %d', (id, binStep, price) => {
    expect(binPrice(id, binStep)).toBe(price);
  });

  test('grows by one bin step per bin', () => {
    fc.assert(
      fc.property(fc.integer({ min: -8_000, max: 8_000 }), fc.constantFrom(1, 5, 10, 20, 25), (exponent, binStep) => {
        const [here, next] = [binPrice(2 ** 23 + exponent, binStep), binPrice(2 ** 23 + exponent + 1, binStep)];
        const step = (Number((next * WAD) / here) / 1e18 - 1) * 10_000;
        expect(step).toBeCloseTo(binStep, 6);
      }),
    );
  });
});

test('the depth to 2 % of the price is 1 − 1/√1.02 of what is in range', () => {
  expect(Number(depthOf(10n ** 24n)) / 1e24).toBeCloseTo(1 - 1 / Math.sqrt(1.02), 12);
});
