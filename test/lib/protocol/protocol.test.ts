import { describe, expect, test } from '@jest/globals';
import type { RequestContext } from '../../../lib/cache/dataset.ts';
import type { Minipool } from '../../../lib/contracts/minipool-manager.ts';
import { countByStatus } from '../../../lib/protocol/minipools.ts';
import { type Protocol, protocolStatus, totalValueLocked } from '../../../lib/protocol/protocol.ts';
import { withdrawalsDataset } from '../../../lib/protocol/withdrawals.ts';
import { valueLocked } from '../../../lib/rewards/value-locked.ts';
import { type Answers, addresses, BLOCK, network, protocolOf } from '../../support/contracts.ts';

/** The protocol as a whole, with numbers worked out by hand. */

const WAD = 10n ** 18n;
const DAY = 86_400;
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
      ggAvax: { totalAssets: 1_000n },
      staking: { stakers: [{ avaxStaked: 150n }, { avaxStaked: 50n }], oracle: { ggpPriceInAVAX: 2n } },
      minipools: [
        { status: WITHDRAWABLE, avaxNodeOpRewardAmt: 10n },
        { status: FINISHED, avaxNodeOpRewardAmt: 400n },
        { status: WITHDRAWABLE, avaxNodeOpRewardAmt: 20n },
      ],
      queue: { totalAllocatedFunds: 4n },
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
        rewardsPool: { getRewardsCycleStartTime: BigInt(START) },
        settings: { getRewardsCycleSeconds: BigInt(CYCLE) },
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
    ['paused if the minipool manager is', protocol(CYCLE + 1, [], { MinipoolManager: true }), 'paused'],
    ['not paused if neither is', protocol(0, [], { TokenggAVAX: false, MinipoolManager: false }), 'active'],
  ])('is %s', (_, state, status) => {
    expect(protocolStatus(state)).toBe(status);
  });

  const late = protocol(CYCLE + 1);
  const withStaking = (state: Protocol, staking: Partial<Protocol['staking']>) => ({
    ...state,
    staking: { ...state.staking, ...staking },
  });

  test('is active before the first cycle', () => {
    expect(protocolStatus(withStaking(late, { rewardsPool: { getRewardsCycleStartTime: 0n } }))).toBe('active');
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
    expect(protocolStatus(state)).toBe(status);
  });
});

test('minipools are counted by status, with 0 for a status that none has', () => {
  const minipools = [2, 6, 2].map((status) => ({ status }) as Minipool);
  expect(countByStatus(minipools)).toEqual({
    ...{ prelaunch: 0, launched: 0, staking: 2, withdrawable: 0, finished: 0, canceled: 0, error: 1 },
  });
});

describe('the withdrawal queue', () => {
  const REQUESTER = `0x${'a'.repeat(40)}`;
  // Two have expired at the block and two have not. Of each pair, one is pending and one fulfilled.
  const requests: Record<number, { expected: bigint; expires: number }> = {
    3: { expected: 30n, expires: BLOCK.timestamp + 1 },
    1: { expected: 10n, expires: BLOCK.timestamp },
    4: { expected: 40n, expires: BLOCK.timestamp },
    2: { expected: 20n, expires: BLOCK.timestamp + 1 },
  };
  const queue: Answers = {
    'getAllPendingRequests() view returns (uint256[])': [[3n, 1n]],
    'getAllFulfilledRequests() view returns (uint256[])': [[4n, 2n]],
    'totalAllocatedFunds() view returns (uint256)': [60n],
    'getRequestInfo(uint256) view returns ((address requester, uint256 shares, uint256 expectedAssets, uint48 requestTime, uint48 claimableTime, uint48 expirationTime, uint256 allocatedFunds))':
      (id: bigint) => {
        const { expected, expires } = requests[Number(id)] as { expected: bigint; expires: number };
        return [[REQUESTER, id, expected, 1, 2, expires, 0n]];
      },
  };
  const poolOf = (totalReleasedAssets: bigint): Answers => ({
    'totalAssets() view returns (uint256)': [100n],
    'totalSupply() view returns (uint256)': [80n],
    'stakingTotalAssets() view returns (uint256)': [30n],
    'totalReleasedAssets() view returns (uint256)': [totalReleasedAssets],
  });
  const read = (contracts: Record<string, Answers>) =>
    withdrawalsDataset.read({
      clients: new Map([['chain', { latest: async () => protocolOf(contracts) }]]),
    } as unknown as RequestContext);

  test('lists pending and fulfilled requests by their IDs, with their status', async () => {
    const read1 = await read({ [network.withdrawQueue]: queue, [addresses.TokenggAVAX]: poolOf(90n) });
    expect(read1).toMatchObject({
      block: BLOCK,
      pool: { totalAssets: 100n, totalSupply: 80n, stakingTotalAssets: 30n },
      queue: { totalAllocatedFunds: 60n },
      pendingAVAX: 40n,
    });
    expect(read1.requests.map(({ requestId, status }) => [requestId, status])).toEqual([
      [1, 'expired'],
      [2, 'fulfilled'],
      [3, 'pending'],
      [4, 'expired'],
    ]);
    expect(read1.requests[0]).toEqual({
      requestId: 1,
      requester: REQUESTER,
      shares: 1n,
      expectedAssets: 10n,
      requestTime: 1,
      claimableTime: 2,
      expirationTime: BLOCK.timestamp,
      allocatedFunds: 0n,
      status: 'expired',
    });
  });

  // The pending requests redeem 3 shares and then 1, for 3 of 100 AVAX and 1 of 97. 70 of the AVAX are not staked.
  test.each([
    [71n, 66n],
    [70n, 66n],
    [69n, 65n],
    [3n, -1n],
  ])('leaves a pool that has released %d of its assets with %d', async (released, left) => {
    const { pool } = await read({ [network.withdrawQueue]: queue, [addresses.TokenggAVAX]: poolOf(released) });
    expect(pool?.leftAssets).toBe(left);
  });

  test.each(['getAllPendingRequests', 'getAllFulfilledRequests'])('is unavailable without %s', async (missing) => {
    const others = Object.fromEntries(Object.entries(queue).filter(([view]) => !view.startsWith(missing)));
    await expect(read({ [network.withdrawQueue]: others })).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      message: 'The withdrawal queue did not list its requests.',
    });
  });

  test('is empty if neither the queue nor the pool exists', async () => {
    expect(await read({})).toEqual({ block: BLOCK, pool: undefined, queue: {}, pendingAVAX: undefined, requests: [] });
  });
});
