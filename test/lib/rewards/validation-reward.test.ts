import { describe, expect, test } from '@jest/globals';
import {
  minConsumptionRate,
  neededUptimePercent,
  potentialReward,
  splitMinipoolReward,
} from '../../../lib/rewards/validation-reward.ts';
import { DAY, HELICON, nAVAX, unix, wei } from './units.ts';

const BEFORE = HELICON - 1;
const AFTER = unix('2026-12-21T15:00:00Z');
const CAP = nAVAX('720_000_000');

test.each([
  [BEFORE, 80],
  [HELICON, 90],
  [HELICON + DAY, 90],
])('a validation that starts at %d needs an uptime of %d percent', (startTime, needed) => {
  expect(neededUptimePercent(startTime, HELICON)).toBe(needed);
});

describe('the minimum consumption rate', () => {
  test.each([
    ['a month before Helicon', HELICON - 30 * DAY, 100_000n],
    ['a second before Helicon', BEFORE, 100_000n],
    ['at Helicon', HELICON, 100_000n],
    ['311 seconds after Helicon, just before the first step', HELICON + 311, 100_000n],
    ['312 seconds after Helicon, at the first step', HELICON + 312, 99_999n],
    ['2026-11-20 00:00', unix('2026-11-20T00:00:00Z'), 83_785n],
    ['2026-11-20 15:00', unix('2026-11-20T15:00:00Z'), 83_612n],
    ['a second before the end of the ramp', AFTER - 1, 75_001n],
    ['at the end of the ramp', AFTER, 75_000n],
    ['a month later', AFTER + 30 * DAY, 75_000n],
    ['years later', AFTER + 1000 * DAY, 75_000n],
  ])('%s (%d) is %d millionths', (_name, startTime, rate) => {
    expect(minConsumptionRate(startTime, HELICON)).toBe(rate);
  });

  test("of another network falls from that network's own upgrade on", () => {
    const fuji = unix('2026-07-28T15:00:00Z');
    expect(minConsumptionRate(unix('2026-10-26T14:59:59Z'), fuji)).toBe(75_001n);
    expect(minConsumptionRate(unix('2026-10-26T15:00:00Z'), fuji)).toBe(75_000n);
  });
});

describe('the potential reward', () => {
  const MID_RAMP = unix('2026-11-20T00:00:00Z');
  test.each([
    // test vectors of avalanchego
    ['1000000', 365 * DAY, '360000000', BEFORE, 120000000000000n],
    ['1000000', 365 * DAY, '400000000', BEFORE, 96000000000000n],
    ['1000000', DAY, '360000000', BEFORE, 274122724713n],
    // computed
    ['2000', 14 * DAY, '460000000', BEFORE, 4369176042n],
    ['2000', 15 * DAY, '460000000', BEFORE, 4683805592n],
    ['2000', 15 * DAY, '460000000', MID_RAMP, 3961474948n],
    ['2000', 15 * DAY, '460000000', AFTER, 3570128990n],
    ['2000', 2 * DAY, '460000000', AFTER, 466089567n],
    ['2000', 365 * DAY, '460000000', BEFORE, 135652173913n],
    ['2000', 365 * DAY, '460000000', MID_RAMP, 135652173913n],
    ['2000', 365 * DAY, '460000000', AFTER, 135652173913n],
    ['25', 365 * DAY, '460000000', AFTER, 1695652173n],
    // computed, with a supply of 470 million AVAX
    ['2000', 15 * DAY, '470000000', BEFORE, 4407836686n],
    ['2000', 15 * DAY, '470000000', unix('2026-11-20T15:00:00Z'), 3720813054n],
    ['2000', 15 * DAY, '470000000', AFTER, 3359777691n],
    ['2000', 365 * DAY, '470000000', BEFORE, 127659574468n],
  ])(
    'for %s AVAX over %d s at a supply of %s, started at %d, is %d nAVAX',
    (stake, duration, supply, startTime, reward) => {
      const terms = { stake: nAVAX(stake), duration, supply: nAVAX(supply), startTime, heliconTime: HELICON };
      expect(potentialReward(terms)).toBe(reward);
    },
  );

  test.each([
    ['2000', '434.3', '5.451194457'],
    ['2010.273844', '448.0', '5.056343440'],
  ])('that was paid for %s AVAX fits a supply of about %s million', (stake, millions, paid) => {
    const rewardAt = (supply: string) =>
      potentialReward({
        stake: nAVAX(stake),
        supply: nAVAX(supply) * 1_000_000n,
        startTime: BEFORE,
        duration: 15 * DAY,
        heliconTime: HELICON,
      });
    expect(rewardAt((Number(millions) - 0.05).toFixed(2))).toBeGreaterThan(nAVAX(paid));
    expect(rewardAt((Number(millions) + 0.05).toFixed(2))).toBeLessThan(nAVAX(paid));
  });

  test('is at most what is left below the cap', () => {
    const terms = { supply: CAP - 5n, startTime: AFTER, duration: 365 * DAY, heliconTime: HELICON };
    expect(potentialReward({ ...terms, stake: CAP * 100n })).toBe(5n);
    // Far beyond 64 bits.
    expect(potentialReward({ ...terms, stake: 2n ** 64n - 1n, supply: 1n })).toBe(CAP - 1n);
  });

  test('is zero if nothing is left, nothing is staked, or no time passes', () => {
    const terms = { stake: nAVAX('2000'), supply: CAP, startTime: AFTER, duration: 15 * DAY, heliconTime: HELICON };
    expect(potentialReward(terms)).toBe(0n);
    expect(potentialReward({ ...terms, supply: CAP / 2n, stake: 0n })).toBe(0n);
    expect(potentialReward({ ...terms, supply: CAP / 2n, duration: 0 })).toBe(0n);
  });

  test.each([[0n], [-1n], [CAP + 1n]])('for a supply of %d is rejected', (supply) => {
    const terms = { stake: nAVAX('2000'), supply, startTime: AFTER, duration: 15 * DAY, heliconTime: HELICON };
    expect(() => potentialReward(terms)).toThrow(/^-?\d+ nAVAX is no supply of AVAX$/);
  });
});

describe("the split of a minipool's reward", () => {
  test.each([
    ['without commission', '4.407836686', '0', '2.203918343', '2.203918343', '0.2203918343'],
    ['on the ramp', '3.720813054', '0', '1.860406527', '1.860406527', '0.1860406527'],
    ['after the ramp', '3.359777691', '0', '1.6798888455', '1.6798888455', '0.16798888455'],
    ['with 15 percent commission', '4.407836686', '0.15', '2.53450609445', '1.87333059155', '0.187333059155'],
    ['as paid in 2023', '5.451194457', '0.15', '3.134436812775', '2.316757644225', '0.2316757644225'],
    ['of a failed validation', '0', '0.15', '0', '0', '0'],
  ])(
    '%s: of %s AVAX, with a commission of %s, %s is for the operator and %s for liquid stakers',
    (_name, total, commission, nodeOp, liquidStakers, fee) => {
      expect(splitMinipoolReward(wei(total), wei(commission), 1_000n)).toEqual({
        avaxNodeOpRewardAmt: wei(nodeOp),
        avaxLiquidStakerRewardAmt: wei(liquidStakers),
        feeAmt: wei(fee),
      });
    },
  );

  test('gives the odd wei to the operator, and may have no fee', () => {
    expect(splitMinipoolReward(7n, 0n, 0n)).toEqual({
      avaxNodeOpRewardAmt: 4n,
      avaxLiquidStakerRewardAmt: 3n,
      feeAmt: 0n,
    });
  });
});
