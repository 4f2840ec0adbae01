import { describe, expect, test } from '@jest/globals';
import type { RequestContext } from '../../lib/dataset.ts';
import { countByStatus } from '../../lib/protocol/minipools.ts';
import { type Protocol, protocolStatus, totalValueLocked, valueLocked } from '../../lib/protocol/protocol.ts';
import { withdrawalsDataset } from '../../lib/protocol/withdrawals.ts';
import { type Answers, addresses, BLOCK, network, viewOf } from '../support/contracts.ts';

/** The protocol as a whole, with numbers that are worked out by hand. */

const WAD = 10n ** 18n;
const DAY = 86_400;

describe('value locked', () => {
  const holdings = {
    totalAssets: 1_000n,
    avaxStaked: 200n,
    avaxNodeOpRewards: 30n,
    totalAllocatedFunds: 4n,
    totalGGPStake: 50n * WAD,
    // Of 50 GGP: 1 wei of AVAX for two GGP.
    ggpPriceInAVAX: 2n,
  };

  test('is all that the protocol holds, nothing twice', () => {
    expect(valueLocked(holdings)).toBe(1_334n);
  });

  test('is none of the queue’s where there is no queue', () => {
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

  test('is made from every staker, and what operators have not withdrawn', () => {
    const protocol = {
      ggAvax: { totalAssets: 1_000n },
      staking: { stakers: [{ avaxStaked: 150n }, { avaxStaked: 50n }], oracle: { ggpPriceInAVAX: 2n } },
      minipools: { withdrawable: [{ avaxNodeOpRewardAmt: 10n }, { avaxNodeOpRewardAmt: 20n }] },
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
  const protocol = (age: number, counts: Record<string, number> = {}, paused: Protocol['paused'] = NOT_PAUSED) =>
    ({
      paused,
      minipools: { counts: { launched: 0, staking: 0, ...counts } },
      staking: {
        block: { number: 1, timestamp: START + age },
        rewardsPool: { getRewardsCycleStartTime: BigInt(START) },
        settings: { getRewardsCycleSeconds: BigInt(CYCLE) },
      },
    }) as unknown as Protocol;

  test.each([
    ['active while the cycle lasts', protocol(CYCLE), 'active'],
    ['winding down when nobody starts the next one', protocol(CYCLE + 1), 'winding_down'],
    ['active while a minipool is launched', protocol(CYCLE + 1, { launched: 1 }), 'active'],
    ['active while a minipool is staking', protocol(CYCLE + 1, { staking: 1 }), 'active'],
    ['active while as many are launched as are staking', protocol(CYCLE + 1, { launched: 1, staking: 1 }), 'active'],
    ['paused with the token', protocol(0, { staking: 1 }, { TokenggAVAX: true }), 'paused'],
    ['paused with the minipool manager', protocol(CYCLE + 1, {}, { MinipoolManager: true }), 'paused'],
    ['not paused while neither is', protocol(0, {}, { TokenggAVAX: false, MinipoolManager: false }), 'active'],
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
    ['what is paused', protocol(0, { staking: 1 }, {}), undefined],
    ['whether one of them is paused', protocol(0, {}, { TokenggAVAX: false }), undefined],
    ['whether one of them is paused, while the other is', protocol(0, {}, { TokenggAVAX: true }), 'paused'],
    ['when the cycle began', withStaking(late, { rewardsPool: {} }), undefined],
    ['how long a cycle is', withStaking(late, { settings: {} }), undefined],
    [
      'how long a cycle is, while a minipool is staking',
      withStaking(protocol(0, { staking: 1 }), { settings: {} }),
      'active',
    ],
    ['minipools', { ...late, minipools: undefined }, undefined],
    ['minipools, while the cycle lasts', { ...protocol(CYCLE), minipools: undefined }, 'active'],
  ])('where nobody tells %s: what the rest tells', (_, state, status) => {
    expect(protocolStatus(state)).toBe(status);
  });
});

test('minipools are counted by status, those without any too', () => {
  expect(countByStatus(['staking', 'error', 'staking'])).toEqual({
    ...{ prelaunch: 0, launched: 0, staking: 2, withdrawable: 0, finished: 0, canceled: 0, error: 1 },
  });
});

describe('the withdrawal queue', () => {
  const REQUESTER = `0x${'a'.repeat(40)}`;
  // Two expire before the block and two after it; of each pair one is pending.
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
    withdrawalsDataset.read({ chain: { latest: async () => viewOf(contracts) } } as unknown as RequestContext);

  test('has both kinds of open requests by their ids, and what has become of them', async () => {
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

  // The pending ones hand in 3 shares and 1, which bring 3 of 100 and 1 of 97; 70 are not staked.
  test.each([
    [71n, 66n],
    [70n, 66n],
    [69n, 65n],
    [3n, -1n],
  ])('served of a pool that has released %d leaves %d', async (released, left) => {
    const { pool } = await read({ [network.withdrawQueue]: queue, [addresses.TokenggAVAX]: poolOf(released) });
    expect(pool?.leftAssets).toBe(left);
  });

  test.each(['getAllPendingRequests', 'getAllFulfilledRequests'])('is not told without %s', async (missing) => {
    const others = Object.fromEntries(Object.entries(queue).filter(([view]) => !view.startsWith(missing)));
    await expect(read({ [network.withdrawQueue]: others })).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      message: 'The withdrawal queue did not list its requests.',
    });
  });

  test('may not exist, and neither may the pool', async () => {
    expect(await read({})).toEqual({ block: BLOCK, pool: undefined, queue: {}, pendingAVAX: undefined, requests: [] });
  });
});
