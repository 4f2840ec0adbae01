import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  amountAvailableForStaking,
  convertToAssets,
  convertToShares,
  type RewardsStream,
  reservedAssets,
  totalAssets,
} from '../../lib/rewards/gg-avax.ts';
import { DAY, wei } from './units.ts';

const CYCLE = 14 * DAY;

/** What `syncRewards` leaves behind when the token holds `surplus` wei beyond its books. */
const sync = (stream: RewardsStream, surplus: bigint, time: number): RewardsStream => ({
  totalReleasedAssets: stream.totalReleasedAssets + stream.lastRewardsAmt,
  lastRewardsAmt: surplus,
  lastSync: time,
  rewardsCycleEnd: Math.floor((time + CYCLE) / CYCLE) * CYCLE,
});

const SYNC = 1_763_600_000;
const empty: RewardsStream = {
  totalReleasedAssets: wei('500000'),
  lastRewardsAmt: 0n,
  lastSync: 0,
  rewardsCycleEnd: 0,
};
const stream = sync(empty, wei('1000'), SYNC);

describe('total assets', () => {
  test.each([
    ['at the sync', SYNC, wei('500000')],
    ['a day later', SYNC + DAY, 500071618037135278514588n],
    ['halfway', (SYNC + 1_764_806_400) / 2, wei('500500')],
    ['a second before the end', 1_764_806_399, 500999999171087533156498n],
    ['at the end', 1_764_806_400, wei('501000')],
    ['long after the end', 1_764_806_400 + 100 * DAY, wei('501000')],
  ])('%s', (_name, time, expected) => {
    expect(totalAssets(stream, time)).toBe(expected);
  });

  test('a time before the stream is refused', () => {
    expect(() => totalAssets(stream, SYNC - 1)).toThrow(RangeError);
  });

  const anyStream = fc.record({
    totalReleasedAssets: fc.bigInt({ min: 0n, max: wei('10000000') }),
    lastRewardsAmt: fc.bigInt({ min: 0n, max: wei('100000') }),
    lastSync: fc.constant(SYNC),
    rewardsCycleEnd: fc.integer({ min: SYNC + 1, max: SYNC + CYCLE }),
  });

  test('a sync does not move them, whenever it comes', () => {
    const surplus = fc.bigInt({ min: 0n, max: wei('100000') });
    fc.assert(
      fc.property(anyStream, surplus, fc.integer({ min: 0, max: 3 * CYCLE }), (before, rewards, late) => {
        const now = before.rewardsCycleEnd + late;
        const after = sync(before, rewards, now);
        expect(totalAssets(after, now)).toBe(totalAssets(before, now));
        expect(totalAssets(after, after.rewardsCycleEnd)).toBe(totalAssets(before, now) + rewards);
      }),
    );
  });

  test('they only grow, from the released assets to all of them', () => {
    const offset = fc.integer({ min: 0, max: 2 * CYCLE });
    fc.assert(
      fc.property(anyStream, offset, offset, (s, a, b) => {
        const earlier = totalAssets(s, SYNC + Math.min(a, b));
        const later = totalAssets(s, SYNC + Math.max(a, b));
        expect(s.totalReleasedAssets <= earlier && earlier <= later).toBe(true);
        expect(later <= s.totalReleasedAssets + s.lastRewardsAmt).toBe(true);
      }),
    );
  });
});

describe('the state of mainnet block 95,044,397', () => {
  const totals = { totalAssets: 395844636186841582735523n, totalSupply: 330852108293688375779301n };

  test('the exchange rate', () => {
    expect(convertToAssets(wei('1'), totals)).toBe(1196439817864062440n);
    expect(convertToShares(wei('1'), totals)).toBe(835813038874988682n);
  });

  test('the reserve, if nothing were staked, lies between 0.65 and 0.66 percent', () => {
    const available = 393238177586729804828202n;
    expect(amountAvailableForStaking(totals.totalAssets, 0n, wei('0.0066'))).toBeLessThan(available);
    expect(amountAvailableForStaking(totals.totalAssets, 0n, wei('0.0065'))).toBeGreaterThan(available);
    const reserved = reservedAssets(totals.totalAssets, wei('0.005'));
    expect(reserved).toBe(1979223180934207913677n);
    expect(amountAvailableForStaking(totals.totalAssets, wei('1000'), wei('0.005'))).toBe(392865413005907374821846n);
  });
});

describe('available for staking', () => {
  test.each([
    ['nothing is staked', '0', '900'],
    ['something is staked', '400', '500'],
    ['the reserve is just whole', '900', '0'],
    ['the reserve is touched', '901', '0'],
    ['more is staked than there is', '2000', '0'],
  ])('%s', (_name, staked, available) => {
    expect(amountAvailableForStaking(wei('1000'), wei(staked), wei('0.1'))).toBe(wei(available));
  });

  test('the reserve is rounded down', () => {
    expect(reservedAssets(19n, wei('0.1'))).toBe(1n);
    expect(amountAvailableForStaking(19n, 0n, wei('0.1'))).toBe(18n);
  });
});

describe('conversions', () => {
  test('are one to one while there are no shares', () => {
    expect(convertToAssets(7n, { totalAssets: 100n, totalSupply: 0n })).toBe(7n);
    expect(convertToShares(7n, { totalAssets: 100n, totalSupply: 0n })).toBe(7n);
  });

  test('shares without assets have no price in shares', () => {
    expect(convertToAssets(7n, { totalAssets: 0n, totalSupply: 5n })).toBe(0n);
    expect(() => convertToShares(7n, { totalAssets: 0n, totalSupply: 5n })).toThrow(RangeError);
  });

  test('there and back never gains', () => {
    const positive = fc.bigInt({ min: 1n, max: wei('10000000') });
    fc.assert(
      fc.property(positive, positive, positive, (amount, assets, totalSupply) => {
        const totals = { totalAssets: assets, totalSupply };
        expect(convertToAssets(convertToShares(amount, totals), totals) <= amount).toBe(true);
        expect(convertToShares(convertToAssets(amount, totals), totals) <= amount).toBe(true);
      }),
    );
  });
});
