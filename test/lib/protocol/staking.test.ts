import { describe, expect, test } from '@jest/globals';
import type { Staker } from '../../../lib/contracts/staking.ts';
import { DEFAULT_FLAGS } from '../../../lib/flags/flags.ts';
import { operatorReward, type RewardTerms, readRewardTerms } from '../../../lib/protocol/operator-reward.ts';
import { collateralTerms, comingCycle, type Protocol } from '../../../lib/protocol/protocol.ts';
import { figuresOf, requireStaker, totalEffective } from '../../../lib/protocol/staker-figures.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { sourceUnavailable } from '../../../lib/runtime/errors.ts';
import { DAY } from '../../../lib/values/durations.ts';
import { WAD } from '../../../lib/values/wad.ts';
import { recordingTelemetry } from '../../support/telemetry.ts';
import { EMPTY_PROTOCOL } from './empty-protocol.ts';

/** Figures of stakers derived from the contracts' state, with numbers worked out by hand. */

const START = 1_789_000_000;
/** Ten days before the next cycle. */
const NOW = START + 18 * DAY;
const ALBA = `0x${'a'.repeat(40)}`;
const BRUNO = `0x${'b'.repeat(40)}`;
const CLIO = `0x${'c'.repeat(40)}`;

const staker = (stakerAddr: string, ggpStaked: bigint, others: Partial<Staker> = {}): Staker => ({
  index: 0,
  stakerAddr,
  ggpStaked: ggpStaked * WAD,
  ...{ avaxAssigned: 1_000n * WAD, avaxStaked: 1_000n * WAD, avaxValidating: 1_000n * WAD },
  ...{ avaxValidatingHighWater: 1_000n * WAD, ggpRewards: 0n, lastRewardsCycleCompleted: 0 },
  ...{ rewardsStartTime: START, ggpLockedUntil: 0 },
  ...others,
});

/** GGP is worth 0.02 AVAX. A cycle lasts 28 days, and the supply of GGP grows by a tenth each day. */
const STAKING: Protocol = {
  ...EMPTY_PROTOCOL,
  minipools: undefined,
  block: { number: 1, timestamp: NOW },
  stakers: [
    staker(ALBA, 5_000n),
    // Becomes eligible ten days after the block, exactly at the next distribution.
    staker(BRUNO, 15_000n, { rewardsStartTime: NOW + 10 * DAY - 14 * DAY }),
    // Becomes eligible one second too late for it.
    staker(CLIO, 15_000n, { rewardsStartTime: NOW + 10 * DAY - 14 * DAY + 1 }),
  ],
  settings: {
    rewardsEligibilityMinSeconds: BigInt(14 * DAY),
    rewardsCycleSeconds: BigInt(28 * DAY),
    inflationIntervalSeconds: BigInt(DAY),
    inflationIntervalRate: WAD + WAD / 10n,
    minCollateralizationRatio: WAD / 10n,
    maxCollateralizationRatio: WAD / 5n,
  },
  oracle: { ggpPriceInAVAX: WAD / 50n, updatedAt: NOW },
  ggpSupply: 1_000_000n * WAD,
  rewardsPool: {
    rewardsCycleCount: 40n,
    rewardsCycleStartTime: BigInt(START),
    rewardsCycleTotalAmt: WAD,
    // Two days before the next distribution.
    inflationIntervalStartTime: BigInt(NOW + 8 * DAY),
  },
  claimingContractPct: { ClaimNodeOp: WAD / 2n, ClaimProtocolDAO: WAD / 4n, MultisigManager: WAD / 10n },
};

const without = (part: 'settings' | 'rewardsPool' | 'claimingContractPct', name: string): Protocol => ({
  ...STAKING,
  [part]: Object.fromEntries(Object.entries(STAKING[part]).filter(([view]) => view !== name)),
});

describe('the next rewards cycle', () => {
  test('starts when the current one ends, and distributes what inflation has minted by then', () => {
    expect(comingCycle(STAKING)).toEqual({
      startsAt: START + 28 * DAY,
      overdueSeconds: 0,
      paysForSeconds: 28 * DAY,
      // Two days of inflation: 1.1 · 1.1.
      newTokens: 210_000n * WAD,
      distribution: { ClaimNodeOp: 105_000n * WAD, ClaimProtocolDAO: 52_500n * WAD, MultisigManager: 21_000n * WAD },
    });
  });

  test.each<[string, Protocol]>([
    ['the start of the current one', without('rewardsPool', 'rewardsCycleStartTime')],
    ['the length of a cycle', without('settings', 'rewardsCycleSeconds')],
    ['the inflation clock', without('rewardsPool', 'inflationIntervalStartTime')],
    ['the inflation interval', without('settings', 'inflationIntervalSeconds')],
    ['the inflation rate', without('settings', 'inflationIntervalRate')],
    ['the supply', { ...STAKING, ggpSupply: undefined }],
  ])('is unknown without %s', (_, staking) => {
    expect(comingCycle(staking)).toBeUndefined();
  });
});

describe('effective GGP', () => {
  // 5,000 GGP are a tenth of the AVAX, and 15,000 three tenths, of which two count.
  test.each([
    ['at the block', NOW, 5_000n],
    ['at the distribution', START + 28 * DAY, 15_000n],
    ['a second later', START + 28 * DAY + 1, 25_000n],
  ])('is the sum over the stakers who are eligible %s', (_, time, total) => {
    expect(totalEffective(STAKING, time)).toBe(total * WAD);
  });

  test('can leave out one staker, with the address in any case', () => {
    const left = `0x${'B'.repeat(40)}`;
    expect(totalEffective(STAKING, START + 28 * DAY, left)).toBe(5_000n * WAD);
  });

  test('is unknown without collateral terms, or the minimum time until stakers are eligible', () => {
    expect(totalEffective({ ...STAKING, oracle: undefined }, NOW)).toBeUndefined();
    expect(totalEffective(without('settings', 'rewardsEligibilityMinSeconds'), NOW)).toBeUndefined();
  });
});

describe('the figures of a staker', () => {
  const figures = (address: string, staking = STAKING) => figuresOf(staking)(requireStaker(staking, address));

  test('who is eligible now include a share of the next distribution', () => {
    expect(figures(ALBA)).toEqual({
      collateralizationRatio: WAD / 10n,
      effectiveRewardsRatio: WAD / 10n,
      effectiveGGPStaked: 5_000n * WAD,
      minimumGGPStake: 5_000n * WAD,
      eligible: true,
      eligibleAt: START + 14 * DAY,
      // A third of 105,000 GGP, both rounded down.
      rewardShare: WAD / 3n,
      estimatedGGPReward: (105_000n * WAD * (WAD / 3n)) / WAD,
    });
  });

  test('who will be eligible by the next distribution include a share of it', () => {
    expect(figures(BRUNO)).toMatchObject({
      eligible: false,
      eligibleAt: START + 28 * DAY,
      effectiveGGPStaked: 10_000n * WAD,
      rewardShare: (2n * WAD) / 3n,
    });
  });

  test('who will not be eligible by then include no share', () => {
    expect(figures(CLIO)).toMatchObject({
      eligible: false,
      effectiveGGPStaked: 10_000n * WAD,
      rewardShare: 0n,
      estimatedGGPReward: 0n,
    });
  });

  test('omit what depends on the GGP price if the oracle has none', () => {
    expect(figures(ALBA, { ...STAKING, oracle: undefined })).toEqual({ eligible: true, eligibleAt: START + 14 * DAY });
  });
});

test('a staker is found by an address in any case', () => {
  expect(requireStaker(STAKING, `0x${'C'.repeat(40)}`).stakerAddr).toBe(CLIO);
  const refused = expect(() => requireStaker(STAKING, `0x${'D'.repeat(40)}`));
  refused.toThrow(`0x${'D'.repeat(40)} has never staked GGP.`);
  refused.toThrow(expect.objectContaining({ code: 'STAKER_NOT_FOUND' }));
});

describe('the modelled reward of an operator', () => {
  const terms = {
    protocol: STAKING,
    terms: collateralTerms(STAKING),
    comingCycle: comingCycle(STAKING),
  } as RewardTerms;

  test('is the share they would have, next to all others, at the next distribution', () => {
    const reward = operatorReward(terms, { ggpStaked: 5_000n * WAD, avaxStaked: 1_000n * WAD });
    // 5,000 of 20,000
    expect(reward).toMatchObject({ totalEffectiveGGPStaked: 20_000n * WAD, ggpReward: 26_250n * WAD });
    expect(reward.avaxReward).toBeUndefined();
  });

  test("replaces an existing staker's own stake", () => {
    const reward = operatorReward(terms, { ggpStaked: 5_000n * WAD, avaxStaked: 1_000n * WAD, address: BRUNO });
    expect(reward).toMatchObject({ totalEffectiveGGPStaked: 10_000n * WAD, ggpReward: 52_500n * WAD });
  });
});

describe('the reward terms', () => {
  const SUPPLY = 450_000_000n * 10n ** 9n;
  const settings = {
    ...STAKING.settings,
    minipoolCycleDuration: BigInt(14 * DAY),
    minipoolNodeCommissionFeePct: WAD / 20n,
    feeBips: 1_000n,
  };
  const kept = async (key: string, { freshSeconds }: { freshSeconds: number }) => {
    expect([key, freshSeconds]).toEqual(['p-chain-supply', 300]);
    return { value: SUPPLY };
  };
  const read = async (staking: Protocol, supply = kept) => {
    const telemetry = recordingTelemetry();
    const config = { network: { heliconTime: 7 } };
    const value = async (key: string, options: { freshSeconds: number }): Promise<{ value: unknown }> =>
      key === 'flags' ? { value: DEFAULT_FLAGS } : supply(key, options);
    const dataset = async () => staking;
    const context = { dataset, cache: { value }, telemetry, clock: systemClock, config };
    return {
      terms: await readRewardTerms(context as unknown as Parameters<typeof readRewardTerms>[0]),
      lines: telemetry.lines,
    };
  };

  test('are those of the next distribution, and of a validation that starts at the block', async () => {
    const protocol = { ...STAKING, settings };
    expect((await read(protocol)).terms).toEqual({
      protocol,
      terms: collateralTerms(protocol),
      comingCycle: comingCycle(protocol),
      isOpen: false,
      validation: {
        ...{ supply: SUPPLY, startTime: NOW, heliconTime: 7, minipoolCycleSeconds: 14 * DAY },
        ...{ minipoolNodeCommissionFeePct: WAD / 20n, feeBips: 1_000n },
      },
    });
  });

  test('omit what a validation pays without the AVAX supply, the length of a minipool cycle or the commission', async () => {
    const { terms, lines } = await read({ ...STAKING, settings }, () => Promise.reject(sourceUnavailable()));
    expect(terms.validation).toBeUndefined();
    expect(lines).toMatchObject([{ level: 'warn', message: 'P-Chain supply is not available' }]);
    for (const missing of ['minipoolCycleDuration', 'minipoolNodeCommissionFeePct']) {
      const others = { ...STAKING, settings: { ...settings, [missing]: undefined } };
      expect((await read(others)).terms.validation).toBeUndefined();
    }
    const without = { ...STAKING, settings: { ...settings, minipoolCycleDuration: 0n } };
    expect((await read(without)).terms.validation).toBeUndefined();
    // Above 100 % the contracts revert.
    for (const [name, whole] of Object.entries({ minipoolNodeCommissionFeePct: WAD, feeBips: 10_000n })) {
      const validationAt = async (value: bigint) =>
        (await read({ ...STAKING, settings: { ...settings, [name]: value } })).terms.validation;
      for (const value of [0n, whole]) expect(await validationAt(value)).toMatchObject({ [name]: value });
      expect(await validationAt(whole + 1n)).toBeUndefined();
    }
  });

  test.each<[string, Protocol]>([
    ['price', { ...STAKING, oracle: undefined }],
    ['cycle', { ...STAKING, ggpSupply: undefined }],
    // Without it, nobody else would count.
    ['minimum time until stakers are eligible', without('settings', 'rewardsEligibilityMinSeconds')],
    // The cycle would pay for no time at all.
    [
      'time that the cycle pays for',
      { ...STAKING, settings: { ...settings, rewardsCycleSeconds: 0n }, block: { number: 1, timestamp: START } },
    ],
  ])('are unavailable without a %s', async (_, staking) => {
    await expect(read(staking)).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      message: 'The protocol has no GGP price at this block, or no rewards cycle that can start.',
    });
  });
});
