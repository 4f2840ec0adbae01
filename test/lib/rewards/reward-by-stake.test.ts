import { describe, expect, test } from '@jest/globals';
import { type ByStakeInput, rewardByStake } from '../../../lib/rewards/reward-by-stake.ts';
import { divWad, wadToPercent } from '../../../lib/values/wad.ts';
import { DAY, HELICON, nAVAX, termsAt, unix, wei } from './units.ts';

const validation = {
  supply: nAVAX('470000000'),
  startTime: HELICON - 1,
  heliconTime: HELICON,
  minipoolCycleSeconds: 15 * DAY,
  minipoolNodeCommissionFeePct: 0n,
  feeBips: 1_000n,
};

/** 1000 AVAX at 0.02 AVAX per GGP, next to a million effective GGP of others, in the 40th cycle. */
const withGGP = (ggp: string, more: Partial<ByStakeInput> = {}): ByStakeInput => ({
  ggpStaked: wei(ggp),
  avaxStaked: wei('1000'),
  terms: termsAt('0.02'),
  othersEffectiveGGPStaked: wei('1000000'),
  nodeOpPool: 59200334646034023162637n,
  paysForSeconds: 30 * DAY,
  ...more,
});

describe('the GGP reward', () => {
  test.each([
    ['4000', 8, '0', 0n, '0.00', 0, 0],
    ['5000', 10, '5000', 294529028089721464681n, '3583.44', 71.669, 6.515],
    ['25000', 50, '25000', 1443910601122781029644n, '17567.58', 70.27, 23.423],
    ['75000', 150, '75000', 4130255905537257413430n, '50251.45', 67.002, 40.201],
    ['100000', 200, '75000', 4130255905537257413430n, '50251.45', 50.251, 33.501],
  ])(
    'of %s GGP, or %d percent collateral: %s GGP are effective and earn %d wei',
    (ggp, collateral, effective, reward, perYear, onGGP, total) => {
      const result = rewardByStake(withGGP(ggp));
      expect(result.collateralizationRatio).toBe(wei(String(collateral)) / 100n);
      expect(result.effectiveGGPStaked).toBe(wei(effective));
      expect(result.totalEffectiveGGPStaked).toBe(wei('1000000') + wei(effective));
      expect(result.ggpReward).toBe(reward);
      expect((Number(result.ggpRewardPerYear) / 1e18).toFixed(2)).toBe(perYear);
      expect(wadToPercent(divWad(result.ggpRewardPerYear, wei(ggp)))).toBeCloseTo(onGGP, 3);
      expect(result.aprPercent).toBeCloseTo(total, 3);
      // Only AVAX rewards are compounded, because the protocol restakes those. Without them, both yields are the same.
      expect(result.apy).toBe(result.aprPercent);
    },
  );

  test('of a cycle longer than a year is scaled down to a year', () => {
    const twoYears = rewardByStake(withGGP('5000', { paysForSeconds: 730 * DAY }));
    expect(twoYears.ggpRewardPerYear).toBe(twoYears.ggpReward / 2n);
  });
});

describe('the AVAX reward', () => {
  test.each([
    ['before Helicon', HELICON - 1, 4407836686n, '2.203918343', '1.9835265087', 5.3629, 5.503],
    ['on the ramp', unix('2026-11-20T15:00:00Z'), 3720813054n, '1.860406527', '1.6743658743', 4.527, 4.6266],
    ['after the ramp', unix('2026-12-21T15:00:00Z'), 3359777691n, '1.6798888455', '1.51189996095', 4.0877, 4.1689],
  ])(
    'of a validation that starts %s (%d) is %d nAVAX, of which the operator gets %s AVAX',
    (_name, startTime, nanoAVAX, nodeOperator, liquidStakers, apr, apy) => {
      const { avaxReward } = rewardByStake(withGGP('5000', { validation: { ...validation, startTime } }));
      expect(avaxReward).toMatchObject({
        perCycle: nanoAVAX * 10n ** 9n,
        nodeOperator: wei(nodeOperator),
        liquidStakers: wei(liquidStakers),
      });
      expect(avaxReward?.aprPercent).toBeCloseTo(apr, 4);
      expect(avaxReward?.apy).toBeCloseTo(apy, 4);
    },
  );

  test('includes the commission, which raises the yield but is not compounded', () => {
    const terms = { ...validation, minipoolNodeCommissionFeePct: wei('0.15') };
    const { avaxReward } = rewardByStake(withGGP('5000', { validation: terms }));
    expect(avaxReward).toMatchObject({
      nodeOperator: wei('2.53450609445'),
      liquidStakers: wei('1.685997532395'),
      protocolFee: wei('0.187333059155'),
    });
    const cycles = 365 / 15;
    const restaked = (1.87333059155 / 1000 + 1) ** cycles - 1;
    expect(avaxReward?.aprPercent).toBeCloseTo((2.53450609445 / 1000) * cycles * 100, 9);
    expect(avaxReward?.apy).toBeCloseTo((restaked + (0.6611755029 / 1000) * cycles) * 100, 9);
  });

  test('adds to the total yields in proportion to all that is staked, and is compounded in apy only', () => {
    const { aprPercent, apy } = rewardByStake(withGGP('5000', { validation }));
    // 1000 AVAX, and 5000 GGP worth 100 AVAX, earn 294.529… GGP per cycle of 30 days and 2.203918343 AVAX per 15 days.
    // GGP: 294.529028089721 · 365/30 · 0.02 / 1100 = 6.5153391 %, in both.
    // AVAX: 2.203918343/1000 · 365/15 · 1000/1100 = 4.8753345 %, or (1.002203918343^(365/15) − 1) · 1000/1100 = 5.0027721 %.
    expect(aprPercent).toBeCloseTo(11.3906736, 6);
    expect(apy).toBeCloseTo(11.5181112, 6);
    expect(rewardByStake(withGGP('5000')).avaxReward).toBeUndefined();
  });

  test('does not count if the minipool could not be created', () => {
    const { avaxReward, aprPercent, apy } = rewardByStake(withGGP('4999', { validation }));
    expect(avaxReward?.aprPercent).toBeCloseTo(5.3629, 4);
    expect([aprPercent, apy]).toEqual([0, 0]);
  });

  test('counts without any GGP reward if the minipool can be created', () => {
    const { avaxReward, ggpReward, aprPercent } = rewardByStake(withGGP('5000', { validation, nodeOpPool: 0n }));
    expect(ggpReward).toBe(0n);
    expect(aprPercent).toBeCloseTo(((avaxReward?.aprPercent ?? 0) * 1000) / 1100, 10);
  });
});

describe('a stake', () => {
  const strict = { ...termsAt('0.02'), minCollateralizationRatio: wei('0.2') };
  const lax = { ...termsAt('0.02'), minCollateralizationRatio: wei('0.05') };
  const tiny = { ggpStaked: 6n * 10n ** 4n, avaxStaked: 10n ** 4n, othersEffectiveGGPStaked: wei('1000000') };

  test.each([
    ['enough collateral', 'eligible', undefined, withGGP('5000')],
    ['no AVAX', 'not eligible', 'NO_AVAX_STAKED', withGGP('5000', { avaxStaked: 0n })],
    ['no GGP', 'not eligible', 'BELOW_MINIMUM_COLLATERAL', withGGP('0')],
    ['one wei too little', 'not eligible', 'BELOW_MINIMUM_COLLATERAL', withGGP('4999.999999999999999999')],
    [
      'enough for rewards but not for a minipool',
      'eligible',
      'BELOW_MINIMUM_COLLATERAL',
      withGGP('5000', { terms: strict }),
    ],
    [
      'enough for a minipool but not for rewards',
      'not eligible',
      'BELOW_MINIMUM_COLLATERAL',
      withGGP('4999', { terms: lax }),
    ],
    ['no GGP left to mint', 'eligible', 'NOTHING_TO_DISTRIBUTE', withGGP('5000', { nodeOpPool: 0n })],
    ['a reward of less than a wei', 'eligible', 'AMOUNT_TOO_SMALL', withGGP('0', tiny)],
  ])('with %s is %s, with the reason %s', (_name, eligible, reason, input) => {
    const result = rewardByStake(input);
    expect(result.eligible).toBe(eligible === 'eligible');
    expect(result.reason).toBe(reason);
  });

  test('of nothing yields nothing, and has no collateral ratio', () => {
    const result = rewardByStake(withGGP('0', { avaxStaked: 0n, validation }));
    expect(result).toMatchObject({ ggpReward: 0n, ggpRewardPerYear: 0n, aprPercent: 0, apy: 0 });
    expect(result.avaxReward).toEqual({
      perCycle: 0n,
      nodeOperator: 0n,
      liquidStakers: 0n,
      protocolFee: 0n,
      aprPercent: 0,
      apy: 0,
    });
    expect(result.collateralizationRatio).toBeUndefined();
  });

  test('cannot be valued without a price, or for a cycle of no length', () => {
    expect(() => rewardByStake(withGGP('5000', { terms: termsAt('0') }))).toThrow(/^InvalidGGPPrice/);
    expect(() => rewardByStake(withGGP('5000', { paysForSeconds: 0 }))).toThrow(RangeError);
    const broken = { validation: { ...validation, minipoolCycleSeconds: 0 } };
    expect(() => rewardByStake(withGGP('5000', broken))).toThrow(RangeError);
  });
});
