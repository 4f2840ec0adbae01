import { describe, expect, test } from '@jest/globals';
import {
  eligibleAt,
  isEligible,
  nodeOpReward,
  rewardShare,
  totalEffectiveGGPStaked,
} from '../../../lib/rewards/distribution.ts';
import { DAY, termsAt, wei } from './units.ts';

const MIN_SECONDS = 15 * DAY;
const START = 1_790_000_000;

describe('a staker', () => {
  const staker = { rewardsStartTime: START, avaxValidatingHighWater: wei('1000') };

  test.each([
    ['is not eligible one second before the minimum time has passed', staker, START + MIN_SECONDS - 1, false],
    ['is eligible exactly when the minimum time has passed', staker, START + MIN_SECONDS, true],
    ['is eligible long after that', staker, START + 10 * MIN_SECONDS, true],
    ['is not eligible if not registered', { ...staker, rewardsStartTime: 0 }, START + MIN_SECONDS, false],
    [
      'is not eligible without AVAX that has validated',
      { ...staker, avaxValidatingHighWater: 0n },
      START + MIN_SECONDS,
      false,
    ],
    [
      'is not eligible before a start time in the future',
      { ...staker, rewardsStartTime: START + 100 * DAY },
      START,
      false,
    ],
  ])('%s', (_name, who, time, eligible) => {
    expect(isEligible(who, time, MIN_SECONDS)).toBe(eligible);
  });

  test('becomes eligible when the minimum time has passed', () => {
    expect(eligibleAt(staker, MIN_SECONDS)).toBe(START + MIN_SECONDS);
  });

  test('never becomes eligible if not registered, or without AVAX that has validated', () => {
    expect(eligibleAt({ ...staker, rewardsStartTime: 0 }, MIN_SECONDS)).toBeUndefined();
    expect(eligibleAt({ ...staker, avaxValidatingHighWater: 0n }, MIN_SECONDS)).toBeUndefined();
  });
});

describe('total effective GGP', () => {
  const terms = termsAt('0.02');
  const full = {
    ggpStaked: wei('25000'),
    avaxAssigned: wei('1000'),
    avaxValidatingHighWater: wei('1000'),
    rewardsStartTime: START,
  };
  const underGate = { ...full, ggpStaked: wei('4999') };
  const late = { ...full, rewardsStartTime: START + DAY };

  test('is the sum over the stakers who are eligible at that time', () => {
    const stakers = [full, underGate, late, { ...full, rewardsStartTime: 0 }];
    expect(totalEffectiveGGPStaked(stakers, START + MIN_SECONDS - 1, MIN_SECONDS, terms)).toBe(0n);
    expect(totalEffectiveGGPStaked(stakers, START + MIN_SECONDS, MIN_SECONDS, terms)).toBe(wei('25000'));
    expect(totalEffectiveGGPStaked(stakers, START + MIN_SECONDS + DAY, MIN_SECONDS, terms)).toBe(wei('50000'));
  });

  test('needs a price only if somebody is eligible', () => {
    expect(totalEffectiveGGPStaked([full], START, MIN_SECONDS, termsAt('0'))).toBe(0n);
    expect(() => totalEffectiveGGPStaked([full], START + MIN_SECONDS, MIN_SECONDS, termsAt('0'))).toThrow(
      /^InvalidGGPPrice/,
    );
  });
});

describe('the reward', () => {
  test('of half the effective GGP is half of the pool, as on the contract', () => {
    expect(nodeOpReward(wei('100'), wei('200'), 47247734062418964737913n)).toBe(23623867031209482368956n);
  });

  test.each([
    ['5000', 4975124378109452n, 294529028089721464681n],
    ['25000', 24390243902439024n, 1443910601122781029644n],
    ['75000', 69767441860465116n, 4130255905537257413430n],
  ])('of %s effective GGP, next to a million of others, is a share of %d, or %d wei', (effective, share, reward) => {
    const total = wei('1000000') + wei(effective);
    expect(rewardShare(wei(effective), total)).toBe(share);
    expect(nodeOpReward(wei(effective), total, 59200334646034023162637n)).toBe(reward);
  });

  test('without effective GGP is zero, even if there is nobody else', () => {
    expect(rewardShare(0n, 0n)).toBe(0n);
    expect(nodeOpReward(0n, 0n, wei('100'))).toBe(0n);
    expect(nodeOpReward(0n, wei('5'), wei('100'))).toBe(0n);
  });

  test('cannot be computed from a total that does not include the staker', () => {
    expect(nodeOpReward(wei('2'), wei('2'), wei('100'))).toBe(wei('100'));
    expect(() => nodeOpReward(wei('2'), wei('1'), wei('100'))).toThrow(/^InvalidAmount/);
    expect(() => nodeOpReward(wei('2'), 0n, wei('100'))).toThrow(RangeError);
  });
});
