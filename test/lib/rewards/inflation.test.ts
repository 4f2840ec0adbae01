import { describe, expect, test } from '@jest/globals';
import {
  GGP_MAX_SUPPLY,
  type GGPInflation,
  newTokens,
  nextRewardsCycle,
  splitByClaimant,
} from '../../../lib/rewards/inflation.ts';
import { DAY, wei } from './units.ts';

const W = 10n ** 18n;
const START = 1_680_000_000;
const SPLIT = { ClaimNodeOp: wei('0.7'), ClaimProtocolDAO: wei('0.2'), MultisigManager: wei('0.1') };

/** Mainnet's settings, right after a cycle has started. */
const launch: GGPInflation = {
  rewardsCycleStartTime: START,
  rewardsCycleSeconds: 30 * DAY,
  inflationIntervalStartTime: START,
  inflationIntervalSeconds: DAY,
  inflationIntervalRate: 1000133680617113500n,
  totalSupply: wei('18000000'),
};

/** The node operators' pools of this many cycles, each of which starts the moment it is due. */
function nodeOpPools(cycles: number, inflation: GGPInflation): bigint[] {
  const pools: bigint[] = [];
  let state = inflation;
  for (let i = 0; i < cycles; i++) {
    const next = nextRewardsCycle(state, state.rewardsCycleStartTime, SPLIT);
    pools.push(next.distribution.ClaimNodeOp);
    state = {
      ...state,
      rewardsCycleStartTime: next.startsAt,
      inflationIntervalStartTime: next.startsAt,
      totalSupply: state.totalSupply + next.newTokens,
    };
  }
  return pools;
}

describe("the node operators' pool", () => {
  const pools = nodeOpPools(60, launch);

  test.each([
    [1, 50629343838906640213406n],
    [2, 50832782764109674639470n],
    [5, 51448017443818301518451n],
    [23, 55298989567395950847377n],
    [40, 59200334646034023162637n],
    [55, 62870650675102932856351n],
    [56, 40665491787292282450107n],
    [57, 0n],
    [60, 0n],
  ])('of cycle %d is %d wei', (cycle, pool) => {
    expect(pools[cycle - 1]).toBe(pool);
  });

  test('of a first cycle of 28 days is the one paid on mainnet', () => {
    expect(nodeOpPools(1, { ...launch, rewardsCycleSeconds: 28 * DAY })).toEqual([47247734062418964737913n]);
  });
});

describe('the time of a cycle', () => {
  const due = START + 30 * DAY;

  test.each([
    ['is when it is due, in the middle of a cycle', START + DAY, due, 0],
    ['is now, when it is due', due, due, 0],
    ['is now, when it is overdue', due + 5 * DAY, due + 5 * DAY, 5 * DAY],
  ])('that comes next %s', (_name, now, startsAt, overdueSeconds) => {
    const paysForSeconds = 30 * DAY + overdueSeconds;
    expect(nextRewardsCycle(launch, now, SPLIT)).toMatchObject({ startsAt, overdueSeconds, paysForSeconds });
  });

  test.each([
    [0, 0],
    [DAY - 1, 0],
    [DAY, 1],
    [30 * DAY - 1, 29],
    [30 * DAY, 30],
  ])('that lasts %d seconds has %d complete inflation intervals', (seconds, intervals) => {
    const doubled = { ...launch, inflationIntervalRate: 2n * W, totalSupply: 1n };
    expect(newTokens(doubled, START + seconds)).toBe(2n ** BigInt(intervals) - 1n);
  });

  test('that starts late includes the days in between, for which GGP is minted as well', () => {
    const onTime = nextRewardsCycle(launch, due, SPLIT).newTokens;
    const late = nextRewardsCycle(launch, due + 5 * DAY, SPLIT).newTokens;
    expect(late).toBe(newTokens(launch, START + 35 * DAY));
    expect(late > onTime).toBe(true);
  });

  test('cannot be computed before the inflation clock has started, or without an interval', () => {
    const failing = (changes: Partial<GGPInflation>, time = START) =>
      expect(() => newTokens({ ...launch, ...changes }, time));
    failing({ inflationIntervalStartTime: 0 }).toThrow(/^ContractHasNotBeenInitialized/);
    failing({}, START - 1).toThrow(new RangeError(`Time ${START - 1} is before the last inflation at ${START}`));
    failing({ inflationIntervalSeconds: 0 }).toThrow(
      new RangeError('The inflation interval must be longer than 0 seconds'),
    );
  });
});

describe('the supply', () => {
  test('does not grow without inflation, however late the cycle is', () => {
    const flat = { ...launch, inflationIntervalRate: W, inflationIntervalSeconds: 1 };
    expect(newTokens(flat, START + 100 * 365 * DAY)).toBe(0n);
  });

  test('does not grow beyond the cap', () => {
    expect(newTokens({ ...launch, totalSupply: GGP_MAX_SUPPLY }, START + 30 * DAY)).toBe(0n);
    expect(newTokens({ ...launch, totalSupply: GGP_MAX_SUPPLY - 1n }, START + 30 * DAY)).toBe(1n);
  });

  test('cannot shrink, or be above the cap', () => {
    expect(() => newTokens({ ...launch, inflationIntervalRate: W - 1n }, START + DAY)).toThrow(/never burnt/);
    expect(() => newTokens({ ...launch, totalSupply: GGP_MAX_SUPPLY + 1n }, START + DAY)).toThrow(/MAX_SUPPLY/);
  });
});

describe('the split by claimant', () => {
  test('is 70, 20 and 10 percent with the settings of mainnet', () => {
    expect(splitByClaimant(wei('1000'), SPLIT)).toEqual({
      ClaimNodeOp: wei('700'),
      ClaimProtocolDAO: wei('200'),
      MultisigManager: wei('100'),
    });
  });

  test('may exceed the total, but no cycle starts with such a split', () => {
    const more = { ...SPLIT, MultisigManager: wei('0.2') };
    expect(splitByClaimant(wei('1000'), more)).toMatchObject({ MultisigManager: wei('200') });
    expect(() => nextRewardsCycle(launch, START, more)).toThrow(/^IncorrectRewardsDistribution/);
  });
});
