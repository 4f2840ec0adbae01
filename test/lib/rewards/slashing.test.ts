import { expect, test } from '@jest/globals';
import { slashAmount } from '../../../lib/rewards/slashing.ts';
import { wei } from './units.ts';

const DAY = 86_400n;
const MINIPOOL = {
  ggpStaked: wei('5000'),
  avaxLiquidStakerAmt: wei('1000'),
  duration: 15n * DAY,
  expectedAVAXRewardsRate: wei('0.1'),
  ggpPriceInAVAX: wei('0.02'),
};

test('a cycle without a reward costs what liquid stakers were expected to earn, in GGP, each step rounded down', () => {
  // 4.109589041095890410 AVAX at 0.02.
  expect(slashAmount(MINIPOOL)).toBe(wei('205.4794520547945205'));
  expect(slashAmount({ ...MINIPOOL, ggpPriceInAVAX: 3n * wei('0.01') })).toBe(136_986_301_369_863_013_666n);
});

test('it costs no more than the stake', () => {
  expect(slashAmount({ ...MINIPOOL, ggpStaked: wei('205.4794520547945205') })).toBe(wei('205.4794520547945205'));
  expect(slashAmount({ ...MINIPOOL, ggpStaked: 7n })).toBe(7n);
});

test('without an expected reward or a validation it costs nothing', () => {
  expect(slashAmount({ ...MINIPOOL, expectedAVAXRewardsRate: 0n })).toBe(0n);
  expect(slashAmount({ ...MINIPOOL, duration: 0n })).toBe(0n);
  expect(slashAmount({ ...MINIPOOL, avaxLiquidStakerAmt: 0n })).toBe(0n);
});

test('without a price nobody knows, and the contract reverts', () => {
  expect(() => slashAmount({ ...MINIPOOL, ggpPriceInAVAX: 0n })).toThrow(RangeError);
});
