import { describe, expect, test } from '@jest/globals';
import type { MinipoolStatus } from '../../../lib/contracts/minipool-statuses.ts';
import { listClaimsLater, withinPool } from '../../../lib/protocol/claims.ts';
import type { Holdings } from '../../../lib/protocol/holdings.ts';
import { protocolStatus, totalValueLocked } from '../../../lib/protocol/metrics.ts';
import { countByStatus, type Protocol } from '../../../lib/protocol/protocol.ts';
import type { ProtocolAtBlock } from '../../../lib/protocol/protocol-at-block.ts';
import { stakerOrZeros } from '../../../lib/protocol/staker-figures.ts';
import { valueLocked } from '../../../lib/rewards/value-locked.ts';
import { DAY } from '../../../lib/values/durations.ts';
import { LAST_TIME } from '../../../lib/values/iso-time.ts';
import { WAD } from '../../../lib/values/wad.ts';
import { minipoolOf } from '../validators/known-minipools.ts';
import { EMPTY_PROTOCOL } from './empty-protocol.ts';

/** The protocol as a whole, with numbers worked out by hand. */

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

  test.each(['totalAssets', 'avaxStaked', 'avaxNodeOpRewards', 'totalGGPStake', 'ggpPriceInAVAX'])(
    'is unknown without %s',
    (name) => {
      expect(valueLocked({ ...holdings, [name]: undefined })).toBeUndefined();
    },
  );

  test('includes the AVAX of all stakers, and the rewards that operators have not withdrawn', () => {
    const staker = stakerOrZeros(EMPTY_PROTOCOL, `0x${'a'.repeat(40)}`);
    const protocol: Protocol = {
      ...EMPTY_PROTOCOL,
      stakers: [
        { ...staker, avaxStaked: 150n },
        { ...staker, avaxStaked: 50n },
      ],
      oracle: { ggpPriceInAVAX: 2n, updatedAt: 0 },
      pool: { totalAssets: 1_000n },
      queue: { totalAllocatedFunds: 4n },
      minipools: [
        { ...minipoolOf(0, 'withdrawable'), avaxNodeOpRewardAmt: 10n },
        { ...minipoolOf(1, 'finished'), avaxNodeOpRewardAmt: 400n },
        { ...minipoolOf(2, 'withdrawable'), avaxNodeOpRewardAmt: 20n },
      ],
      totalGGPStake: 50n * WAD,
    };
    expect(totalValueLocked(protocol)).toBe(1_334n);
    expect(totalValueLocked({ ...protocol, oracle: undefined })).toBeUndefined();
  });
});

describe('the status', () => {
  const START = 1_789_000_000;
  const CYCLE = 28 * DAY;
  const NOT_PAUSED = { TokenggAVAX: false, MinipoolManager: false };
  const protocol = (
    age: number,
    statuses: readonly MinipoolStatus[] = [],
    paused: Protocol['paused'] = NOT_PAUSED,
  ): Protocol => ({
    ...EMPTY_PROTOCOL,
    block: { number: 1, timestamp: START + age },
    minipools: (['withdrawable', 'finished', ...statuses] as const).map((status, index) => minipoolOf(index, status)),
    paused,
    rewardsPool: { rewardsCycleStartTime: BigInt(START) },
    settings: { rewardsCycleSeconds: BigInt(CYCLE) },
  });

  test.each([
    ['active until the cycle ends', protocol(CYCLE), 'active'],
    ['winding down if nobody starts the next cycle', protocol(CYCLE + 1), 'winding_down'],
    ['active while a minipool is launched', protocol(CYCLE + 1, ['launched']), 'active'],
    ['active while a minipool is staking', protocol(CYCLE + 1, ['staking']), 'active'],
    [
      'active while as many minipools are launched as are staking',
      protocol(CYCLE + 1, ['launched', 'staking']),
      'active',
    ],
    ['paused if the token is', protocol(0, ['staking'], { TokenggAVAX: true }), 'paused'],
    [
      'paused if the minipool manager is, while minipools are at work',
      protocol(0, ['staking'], { MinipoolManager: true, TokenggAVAX: false }),
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
    ['active while one is still at work', protocol(CYCLE, ['staking']), 'active'],
    ['paused while the token is', protocol(CYCLE, [], { TokenggAVAX: true }), 'paused'],
    ['unknown while it is unknown whether any is at work', { ...protocol(CYCLE), minipools: undefined }, undefined],
  ])('where no more minipools are accepted, is %s', (_, state, status) => {
    expect(protocolStatus(state, true)).toBe(status);
  });

  const late = protocol(CYCLE + 1);
  test('is active before the first cycle', () => {
    expect(protocolStatus({ ...late, rewardsPool: { rewardsCycleStartTime: 0n } }, false)).toBe('active');
  });

  test.each([
    ['the paused flags', undefined, protocol(0, ['staking'], {})],
    ['one of the paused flags', undefined, protocol(0, [], { TokenggAVAX: false })],
    ['one of the paused flags, if the other one is set,', 'paused', protocol(0, [], { TokenggAVAX: true })],
    ['the start of the cycle', undefined, { ...late, rewardsPool: {} }],
    ['the length of the cycle', undefined, { ...late, settings: {} }],
    ['the length of the cycle, while a minipool is staking,', 'active', { ...protocol(0, ['staking']), settings: {} }],
    ['minipools', undefined, { ...late, minipools: undefined }],
    ['minipools, before the cycle ends,', 'active', { ...protocol(CYCLE), minipools: undefined }],
  ])('without %s is %s', (_, status, state) => {
    expect(protocolStatus(state, false)).toBe(status);
  });
});

describe('claims at a block of second 100', () => {
  const paused = { TokenggAVAX: true };
  const at100 = { block: { number: 1, timestamp: 100 }, settings: { minipoolCycleDuration: 60n }, paused };
  const locked = (until: number) => ({ locks: [{ token: 'GGP', address: '0x1', amount: 1n, until }] });
  const staking = (startTime: number, duration: number) => ({
    minipools: [{ ...minipoolOf(0, 'staking'), startTime, initialStartTime: startTime, duration }],
  });
  const staked = (ggpUnneeded: bigint) => ({ staking: { ggpStaked: 5n, ggpUnneeded, lockedUntil: 101 } });
  const expired = (allocatedFunds: bigint) => ({ withdrawals: [{ status: 'expired', allocatedFunds }] });

  test.each([
    ['a lock that ends then', locked(100), []],
    ['a lock that ends a second later', locked(101), [101]],
    ['a lock that ends in the last year that has four digits', locked(LAST_TIME), [LAST_TIME]],
    ['a lock that ends after it', locked(LAST_TIME + 1), []],
    ['GGP that minipools need whole', staked(0n), [101]],
    ['GGP that minipools need in part', staked(4n), [101, 101]],
    ['GGP that minipools do not need', staked(5n), [101]],
    ['an expired request without AVAX, while ggAVAX is paused', expired(0n), []],
    ['an expired request with AVAX, while ggAVAX is paused', expired(1n), [undefined]],
    ['a minipool whose cycle ends then', staking(40, 60), [undefined]],
    ['a minipool whose cycle ends a second later, as planned', staking(41, 60), [101]],
    ['a minipool that is planned for longer than a cycle', staking(41, 61), [101, 102]],
  ])('are later, with these times: %s', (_, holdings, times) => {
    const all = { withdrawals: [], minipools: [], ...holdings } as unknown as Holdings;
    const later = listClaimsLater(all, at100 as unknown as ProtocolAtBlock, []) ?? [];
    expect(later.flatMap(({ from, plannedEnd }) => [from, ...(plannedEnd ? [plannedEnd] : [])])).toStrictEqual(times);
  });

  test.each([
    [5n, [{ isRedeemable: true }]],
    [4n, []],
  ])('cancel 5 wei of ggAVAX only if the pool can redeem them: of %d', (room, kept) => {
    expect(withinPool([{ what: 'cancelUnstake', token: 'ggAVAX', amount: 5n }], room)).toMatchObject(kept);
  });
});

test('minipools are counted by status, with 0 for a status that none has', () => {
  const minipools = (['staking', 'error', 'staking'] as const).map((status, index) => minipoolOf(index, status));
  expect(countByStatus(minipools)).toEqual({
    ...{ prelaunch: 0, launched: 0, staking: 2, withdrawable: 0, finished: 0, canceled: 0, error: 1 },
  });
});
