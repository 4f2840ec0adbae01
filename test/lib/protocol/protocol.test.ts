import { describe, expect, test } from '@jest/globals';
import type { Minipool } from '../../../lib/contracts/minipool-manager.ts';
import { countByStatus } from '../../../lib/protocol/operators-dataset.ts';
import { type Protocol, protocolStatus, totalValueLocked } from '../../../lib/protocol/protocol.ts';
import { valueLocked } from '../../../lib/rewards/value-locked.ts';
import { DAY } from '../../../lib/values/durations.ts';
import { WAD } from '../../../lib/values/wad.ts';

/** The protocol as a whole, with numbers worked out by hand. */

const [LAUNCHED, STAKING_NOW, WITHDRAWABLE, FINISHED] = [1, 2, 3, 4];

describe('the total value locked', () => {
  const holdings = {
    totalAssets: 1_000n,
    avaxStaked: 200n,
    avaxNodeOpRewards: 30n,
    totalAllocatedFunds: 4n,
    totalGGPStake: 50n * WAD,
    // In wei of AVAX per GGP, so that 50 GGP are worth 100 wei.
    ggpPriceInAVAX: 2n,
  };

  test('is everything the protocol holds, counted once', () => {
    expect(valueLocked(holdings)).toBe(1_334n);
  });

  test('has nothing from the withdrawal queue if there is none', () => {
    expect(valueLocked({ ...holdings, totalAllocatedFunds: undefined })).toBe(1_330n);
  });

  test('needs no price while no GGP is staked', () => {
    expect(valueLocked({ ...holdings, totalGGPStake: 0n, ggpPriceInAVAX: undefined })).toBe(1_234n);
  });

  test.each(['totalAssets', 'avaxStaked', 'avaxNodeOpRewards', 'totalGGPStake', 'ggpPriceInAVAX'])(
    'is unknown without %s',
    (name) => {
      expect(valueLocked({ ...holdings, [name]: undefined })).toBeUndefined();
    },
  );

  test('includes the AVAX of all stakers, and the rewards that operators have not withdrawn', () => {
    const protocol = {
      staking: {
        stakers: [{ avaxStaked: 150n }, { avaxStaked: 50n }],
        oracle: { ggpPriceInAVAX: 2n },
        pool: { totalAssets: 1_000n },
        queue: { totalAllocatedFunds: 4n },
      },
      minipools: [
        { status: WITHDRAWABLE, avaxNodeOpRewardAmt: 10n },
        { status: FINISHED, avaxNodeOpRewardAmt: 400n },
        { status: WITHDRAWABLE, avaxNodeOpRewardAmt: 20n },
      ],
      totalGGPStake: 50n * WAD,
    };
    expect(totalValueLocked(protocol as unknown as Protocol)).toBe(1_334n);
    const unpriced = { ...protocol, staking: { ...protocol.staking, oracle: undefined } };
    expect(totalValueLocked(unpriced as unknown as Protocol)).toBeUndefined();
  });
});

describe('the status', () => {
  const START = 1_789_000_000;
  const CYCLE = 28 * DAY;
  const NOT_PAUSED = { TokenggAVAX: false, MinipoolManager: false };
  const protocol = (
    age: number,
    statuses: readonly number[] = [],
    paused: Protocol['staking']['paused'] = NOT_PAUSED,
  ) =>
    ({
      minipools: [WITHDRAWABLE, FINISHED, ...statuses].map((status) => ({ status })),
      staking: {
        paused,
        block: { number: 1, timestamp: START + age },
        rewardsPool: { rewardsCycleStartTime: BigInt(START) },
        settings: { rewardsCycleSeconds: BigInt(CYCLE) },
      },
    }) as unknown as Protocol;

  test.each([
    ['active until the cycle ends', protocol(CYCLE), 'active'],
    ['winding down if nobody starts the next cycle', protocol(CYCLE + 1), 'winding_down'],
    ['active while a minipool is launched', protocol(CYCLE + 1, [LAUNCHED]), 'active'],
    ['active while a minipool is staking', protocol(CYCLE + 1, [STAKING_NOW]), 'active'],
    [
      'active while as many minipools are launched as are staking',
      protocol(CYCLE + 1, [LAUNCHED, STAKING_NOW]),
      'active',
    ],
    ['paused if the token is', protocol(0, [STAKING_NOW], { TokenggAVAX: true }), 'paused'],
    [
      'paused if the minipool manager is, while minipools are at work',
      protocol(0, [STAKING_NOW], { MinipoolManager: true, TokenggAVAX: false }),
      'paused',
    ],
    [
      'winding down if the minipool manager is paused and none is at work',
      protocol(0, [], { MinipoolManager: true, TokenggAVAX: false }),
      'winding_down',
    ],
    ['not paused if neither is', protocol(0, [], { TokenggAVAX: false, MinipoolManager: false }), 'active'],
  ])('is %s', (_, state, status) => {
    expect(protocolStatus(state, false)).toBe(status);
  });

  test.each([
    ['winding down, whatever the cycle does, once none is at work', protocol(CYCLE), 'winding_down'],
    ['active while one is still at work', protocol(CYCLE, [STAKING_NOW]), 'active'],
    ['paused while the token is', protocol(CYCLE, [], { TokenggAVAX: true }), 'paused'],
    ['unknown while it is unknown whether any is at work', { ...protocol(CYCLE), minipools: undefined }, undefined],
  ])('where no more minipools are accepted, is %s', (_, state, status) => {
    expect(protocolStatus(state, true)).toBe(status);
  });

  const late = protocol(CYCLE + 1);
  const withStaking = (state: Protocol, staking: Partial<Protocol['staking']>) => ({
    ...state,
    staking: { ...state.staking, ...staking },
  });

  test('is active before the first cycle', () => {
    expect(protocolStatus(withStaking(late, { rewardsPool: { rewardsCycleStartTime: 0n } }), false)).toBe('active');
  });

  test.each([
    ['the paused flags', undefined, protocol(0, [STAKING_NOW], {})],
    ['one of the paused flags', undefined, protocol(0, [], { TokenggAVAX: false })],
    ['one of the paused flags, if the other one is set,', 'paused', protocol(0, [], { TokenggAVAX: true })],
    ['the start of the cycle', undefined, withStaking(late, { rewardsPool: {} })],
    ['the length of the cycle', undefined, withStaking(late, { settings: {} })],
    [
      'the length of the cycle, while a minipool is staking,',
      'active',
      withStaking(protocol(0, [STAKING_NOW]), { settings: {} }),
    ],
    ['minipools', undefined, { ...late, minipools: undefined }],
    ['minipools, before the cycle ends,', 'active', { ...protocol(CYCLE), minipools: undefined }],
  ])('without %s is %s', (_, status, state) => {
    expect(protocolStatus(state, false)).toBe(status);
  });
});

test('minipools are counted by status, with 0 for a status that none has', () => {
  const minipools = [2, 6, 2].map((status) => ({ status }) as Minipool);
  expect(countByStatus(minipools)).toEqual({
    ...{ prelaunch: 0, launched: 0, staking: 2, withdrawable: 0, finished: 0, canceled: 0, error: 1 },
  });
});
