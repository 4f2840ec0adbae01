import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  collateralizationRatio,
  effectiveGGPStaked,
  effectiveRewardsRatio,
  ggpStakeForRatio,
  minimumGGPStake,
} from '../../../lib/rewards/collateral.ts';
import { termsAt, wei } from './units.ts';

const W = 10n ** 18n;

const operator = (ggpStaked: bigint, avax: bigint) => ({
  ggpStaked,
  avaxAssigned: avax,
  avaxValidatingHighWater: avax,
});
const positive = fc.bigInt({ min: 1n, max: wei('10000000') });
const terms = fc.record({
  ggpPriceInAVAX: fc.bigInt({ min: 1n, max: wei('1000') }),
  minCollateralizationRatio: fc.bigInt({ min: 0n, max: W }),
  maxCollateralizationRatio: fc.bigInt({ min: W, max: 3n * W }),
});

describe('collateral', () => {
  test.each([
    ['4000', '0.08', '0'],
    ['5000', '0.1', '5000'],
    ['25000', '0.5', '25000'],
    ['75000', '1.5', '75000'],
    ['100000', '2', '75000'],
  ])('of %s GGP at 0.02 AVAX over 1000 AVAX is %s, and %s GGP are effective', (ggp, ratio, effective) => {
    const staker = operator(wei(ggp), wei('1000'));
    expect(collateralizationRatio(staker, termsAt('0.02'))).toBe(wei(ratio));
    expect(effectiveGGPStaked(staker, termsAt('0.02'))).toBe(wei(effective));
  });

  test('makes effective GGP lose 25,377 wei to rounding on the way through AVAX', () => {
    const staker = operator(12345678901234567890123n, wei('4000'));
    expect(effectiveGGPStaked(staker, termsAt('0.07985'))).toBe(12345678901234567864746n);
  });

  test("of the contract's minimum stake is one wei too low to earn, and one wei more is enough", () => {
    const price = termsAt('0.16753');
    const minimum = minimumGGPStake({ avaxAssigned: wei('1000') }, price);
    expect(minimum).toBe(596908016474661254700n);
    expect(collateralizationRatio(operator(minimum, wei('1000')), price)).toBe(99999999999999999n);
    expect(effectiveRewardsRatio(operator(minimum, wei('1000')), price)).toBe(0n);
    expect(effectiveRewardsRatio(operator(minimum + 1n, wei('1000')), price)).toBe(wei('0.1'));
    expect(ggpStakeForRatio(wei('1000'), wei('0.1'), price)).toBe(minimum + 1n);
  });

  test('counts against assigned AVAX for the threshold, and against the high-water mark for rewards', () => {
    const staker = { ggpStaked: wei('5000'), avaxAssigned: wei('1000'), avaxValidatingHighWater: wei('4000') };
    expect(effectiveRewardsRatio(staker, termsAt('0.02'))).toBe(wei('0.025'));
    expect(effectiveGGPStaked(staker, termsAt('0.02'))).toBe(wei('5000'));
    const shortOfCollateral = { ...staker, avaxAssigned: wei('1000') + 1n };
    expect(effectiveGGPStaked(shortOfCollateral, termsAt('0.02'))).toBe(0n);
  });

  test('is undefined once all minipools have ended, but the GGP still counts', () => {
    const staker = { ggpStaked: wei('1'), avaxAssigned: 0n, avaxValidatingHighWater: wei('1000') };
    expect(collateralizationRatio(staker, termsAt('0.02'))).toBeUndefined();
    expect(effectiveGGPStaked(staker, termsAt('0.02'))).toBe(wei('1'));
  });

  test('has a threshold of 10 % for rewards, whatever minimum the DAO sets', () => {
    const strict = { ...termsAt('0.02'), minCollateralizationRatio: wei('0.5') };
    expect(effectiveGGPStaked(operator(wei('5000'), wei('1000')), strict)).toBe(wei('5000'));
    const lax = { ...termsAt('0.02'), minCollateralizationRatio: 0n };
    expect(effectiveGGPStaked(operator(wei('4999'), wei('1000')), lax)).toBe(0n);
  });
});

describe('without a GGP price', () => {
  const none = termsAt('0');
  const staker = operator(wei('5000'), wei('1000'));
  const idle = operator(wei('5000'), 0n);

  test.each([
    ['minimumGGPStake', () => minimumGGPStake(idle, none)],
    ['collateralizationRatio', () => collateralizationRatio(staker, none)],
    ['effectiveRewardsRatio', () => effectiveRewardsRatio(staker, none)],
    ['effectiveRewardsRatio of ended minipools', () => effectiveRewardsRatio({ ...staker, avaxAssigned: 0n }, none)],
    ['effectiveGGPStaked', () => effectiveGGPStaked(idle, none)],
    ['ggpStakeForRatio', () => ggpStakeForRatio(wei('1000'), W, none)],
  ])('%s throws, as the contract reverts', (_name, call) => {
    expect(call).toThrow(/^InvalidGGPPrice/);
    expect(call).toThrow(RangeError);
  });

  test('ratios that need no price are defined, as on the contract', () => {
    expect(collateralizationRatio(idle, none)).toBeUndefined();
    expect(effectiveRewardsRatio(idle, none)).toBe(0n);
  });
});

describe('for any staker', () => {
  test('ggpStakeForRatio is the smallest stake that reaches the ratio', () => {
    fc.assert(
      fc.property(positive, fc.bigInt({ min: 1n, max: 3n * W }), terms, (avax, ratio, t) => {
        const stake = ggpStakeForRatio(avax, ratio, t);
        expect(collateralizationRatio(operator(stake, avax), t)).toBeGreaterThanOrEqual(ratio);
        expect(collateralizationRatio(operator(stake - 1n, avax), t)).toBeLessThan(ratio);
      }),
    );
  });
});
