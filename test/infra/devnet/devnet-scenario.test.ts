import { describe, expect, it } from '@jest/globals';
import { dataSlice, decodeBytes32String, id, ZeroAddress, ZeroHash, zeroPadValue } from 'ethers';
import { DEVNET_ADDRESSES } from '../../../infra/devnet/devnet.ts';
import { formatNodeID, formatTxID } from '../../../lib/values/cb58.ts';
import { revertOf } from './devnet-client.ts';
import { DAY, NOW, useDevnet } from './devnet-started.ts';

const MAX_UINT = 2n ** 256n - 1n;

const started = useDevnet(0);

describe('minipools', () => {
  it('exist in every status', async () => {
    const counts = await Promise.all(
      [0, 1, 2, 3, 4, 5, 6].map(
        async (status) => (await started.client.read('MinipoolManager', 'getMinipools', [status, 0, 0])).length,
      ),
    );
    expect(counts).toEqual([3, 2, 28, 3, 8, 2, 3]);
    expect(await started.client.read('MinipoolManager', 'getMinipoolCount')).toBe(49n);
  });

  it('add up to the AVAX that ggAVAX has lent, except for delegations', async () => {
    const out = await Promise.all(
      [1, 2].map((status) => started.client.read('MinipoolManager', 'getMinipools', [status, 0, 0])),
    );
    const total = out
      .flatMap((list) => Array.from(list))
      .reduce((sum: bigint, mp) => sum + (mp as { avaxLiquidStakerAmt: bigint }).avaxLiquidStakerAmt, 0n);
    expect(await started.client.read('MinipoolManager', 'getTotalAVAXLiquidStakerAmt')).toBe(total);
    const staking = await started.client.read('TokenggAVAX', 'stakingTotalAssets');
    expect(staking - total).toBe(5_100n * 10n ** 18n);
  });

  it("leave their operators' AVAX in the Vault: statuses 0, 3 and 6, and the rewards of 3", async () => {
    const lists = await Promise.all(
      [0, 3, 6].map((status) => started.client.read('MinipoolManager', 'getMinipools', [status, 0, 0])),
    );
    const expected = lists
      .flatMap((list) => Array.from(list) as { avaxNodeOpAmt: bigint; avaxNodeOpRewardAmt: bigint }[])
      .reduce((sum, mp) => sum + mp.avaxNodeOpAmt + mp.avaxNodeOpRewardAmt, 0n);
    expect(await started.client.read('Vault', 'balanceOf', ['MinipoolManager'])).toBe(expected);
  });

  it('have the documented error codes, and keep EC1 when finished', async () => {
    const all = await Promise.all(
      [3, 4, 5, 6].map((status) => started.client.read('MinipoolManager', 'getMinipools', [status, 0, 0])),
    );
    const codes = all.map((list) =>
      Array.from(list as { errorCode: string }[], ({ errorCode }) => errorCode)
        .filter((code) => code !== ZeroHash)
        .map((code) => decodeBytes32String(code)),
    );
    expect(codes).toEqual([[], ['EC1'], ['E1'], ['E1', 'E2', 'E3']]);
  });

  it('compound over their cycles, and include a slashed one, BLS keys and hardware providers', async () => {
    const count = Number(await started.client.read('MinipoolManager', 'getMinipoolCount'));
    const all = await Promise.all(
      Array.from({ length: count }, (_, index) => started.client.read('MinipoolManager', 'getMinipool', [index])),
    );
    const compounded = all.filter((mp) => mp.avaxNodeOpAmt > mp.avaxNodeOpInitialAmt);
    expect(compounded.length).toBeGreaterThan(15);
    expect(compounded.every((mp) => mp.avaxNodeOpAmt === mp.avaxLiquidStakerAmt)).toBe(true);
    expect(all.filter((mp) => mp.ggpSlashAmt > 0n)).toHaveLength(1);
    const artifact = all.filter(
      (mp) => mp.hardwareProvider === '0x9e8a01bb951fb38ff9aa0ddecfcda59c7d92b7e1569928f14e6d7bd3cce2f860',
    );
    expect(artifact.length).toBeGreaterThan(1);
    // abi.encode(bytes48, bytes96) takes ten words.
    expect(new Set(all.map((mp) => mp.blsPubkeyAndSig.length))).toEqual(new Set([2, 2 + 9 * 64]));
  });

  it('keep their index when another owner takes over the node', async () => {
    const early = await started.blockOnDay(10);
    const address = await started.client.registered('MinipoolManager', early);
    const [older] = await started.client.readAt('MinipoolManagerV4', address, 'getMinipool', [4], early);
    const newer = await started.client.read('MinipoolManager', 'getMinipool', [4]);
    expect(newer.nodeID).toBe(older.nodeID);
    expect(newer.owner).not.toBe(older.owner);
    expect([older.status, newer.status]).toEqual([4n, 2n]);
  });

  it('are zeros for an unknown node, like one in status Prelaunch', async () => {
    expect(await started.client.read('MinipoolManager', 'getIndexOf', [ZeroAddress])).toBe(-1n);
    expect(await revertOf(started.client.read('MinipoolManager', 'requireValidMinipool', [ZeroAddress]))).toBe(
      '0xd2fc63e3',
    );
    const ghost = (
      await started.client.read('MinipoolManager', 'getMinipoolByNodeID', [`0x${'99'.repeat(20)}`])
    ).toObject();
    expect(ghost).toMatchObject({
      index: -1n,
      nodeID: ZeroAddress,
      status: 0n,
      owner: ZeroAddress,
      blsPubkeyAndSig: '0x',
      errorCode: ZeroHash,
    });
    expect((await started.client.read('MinipoolManager', 'getMinipool', [1000])).owner).toBe(ZeroAddress);
  });

  it('have 21 fields in the old manager, which still answers', async () => {
    const early = await started.blockOnDay(20);
    const old = await started.client.registered('MinipoolManager', early);
    const [then] = await started.client.readAt('MinipoolManagerV4', old, 'getMinipool', [0], early);
    const [now] = await started.client.readAt('MinipoolManagerV4', old, 'getMinipool', [0]);
    const newest = await started.client.read('MinipoolManager', 'getMinipool', [0]);
    expect(then.length).toBe(21);
    expect(newest.length).toBe(22);
    expect(now.toArray()).toEqual(newest.toArray().slice(0, 21));
    expect(then.avaxNodeOpInitialAmt).toBe(1_000n * 10n ** 18n);
  });
});

describe('stakers', () => {
  it('exist in every range of collateral', async () => {
    const stakers = Array.from(await started.client.read('Staking', 'getStakers', [0, 0])) as { stakerAddr: string }[];
    expect(stakers).toHaveLength(25);
    const ratios = await Promise.all(
      stakers.map(({ stakerAddr }) => started.client.read('Staking', 'getCollateralizationRatio', [stakerAddr])),
    );
    const percent = ratios.filter((ratio) => ratio !== MAX_UINT).map((ratio) => Number(ratio) / 1e16);
    const between = (low: number, high: number) => percent.filter((value) => value >= low && value < high).length;
    expect(between(0, 10)).toBe(1);
    expect(between(10, 10.000001)).toBe(1);
    expect(between(59, 62)).toBeGreaterThan(1);
    expect(between(150, 155)).toBe(2);
    expect(between(300, 310)).toBe(1);
    expect(ratios.filter((ratio) => ratio === MAX_UINT).length).toBeGreaterThan(3);
  });

  it('include the special cases', async () => {
    const stakers = Array.from(await started.client.read('Staking', 'getStakers', [0, 0]), (staker) =>
      (staker as { toObject(): Record<string, bigint> }).toObject(),
    );
    const find = (test: (staker: Record<string, bigint>) => boolean) => stakers.filter(test);
    const eligible = (staker: Record<string, bigint>) =>
      started.client.read('ClaimNodeOp', 'isEligible', [staker.stakerAddr]);
    const [exited] = find(({ ggpStaked }) => ggpStaked === 0n);
    expect(exited).toMatchObject({ avaxStaked: 0n, avaxAssigned: 0n, lastRewardsCycleCompleted: 22n });
    const [highWaterOnly] = find(
      ({ avaxAssigned = 0n, avaxValidatingHighWater = 0n }) => avaxAssigned === 0n && avaxValidatingHighWater > 0n,
    );
    expect(await eligible(highWaterOnly ?? {})).toBe(true);
    expect(await started.client.read('Staking', 'getEffectiveGGPStaked', [highWaterOnly?.stakerAddr])).toBeGreaterThan(
      0n,
    );
    const tooNew = find(
      ({ rewardsStartTime = 0n, avaxValidatingHighWater = 0n }) =>
        avaxValidatingHighWater > 0n && Number(rewardsStartTime) > NOW - 15 * DAY,
    );
    expect(tooNew).toHaveLength(1);
    expect(await eligible(tooNew[0] ?? {})).toBe(false);
    expect(find(({ ggpLockedUntil = 0n }) => Number(ggpLockedUntil) > NOW)).toHaveLength(1);
    expect(
      find(
        ({ rewardsStartTime, ggpStaked = 0n, avaxStaked }) =>
          ggpStaked > 0n && rewardsStartTime === 0n && avaxStaked === 0n,
      ).length,
    ).toBeGreaterThan(0);
  });

  it('are consistent with their minipools', async () => {
    const count = Number(await started.client.read('MinipoolManager', 'getMinipoolCount'));
    const minipools = await Promise.all(
      Array.from({ length: count }, (_, index) => started.client.read('MinipoolManager', 'getMinipool', [index])),
    );
    for (const staker of Array.from(await started.client.read('Staking', 'getStakers', [0, 0])) as Record<
      string,
      bigint
    >[]) {
      const own = minipools.filter(({ owner }) => owner === (staker.stakerAddr as unknown));
      const sum = (field: string, statuses: bigint[]) =>
        own.filter(({ status }) => statuses.includes(status)).reduce((total, mp) => total + mp[field], 0n);
      expect(staker.avaxAssigned).toBe(sum('avaxLiquidStakerAmt', [0n, 1n, 2n]));
      expect(staker.avaxStaked).toBe(sum('avaxNodeOpAmt', [0n, 1n, 2n, 3n, 6n]));
      expect(staker.avaxValidating).toBe(sum('avaxLiquidStakerAmt', [2n]));
    }
  });
});

interface Log {
  address: string;
  data: string;
  topics: string[];
  transactionHash: string;
}

const logs = async (topics: (string | null)[]) =>
  (await started.client.rpc.send('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest', topics })) as Log[];

describe('GGP rewards', () => {
  const topicsOf = (signature: string) => [id(signature)];

  it('were paid in three cycles, and the next one is due within days', async () => {
    expect(await started.client.read('RewardsPool', 'getRewardsCycleCount')).toBe(23n);
    const start = Number(await started.client.read('RewardsPool', 'getRewardsCycleStartTime'));
    expect(start + 30 * DAY).toBeGreaterThan(NOW);
    expect(start + 30 * DAY).toBeLessThan(NOW + 7 * DAY);
    const totals = (await logs(topicsOf('GGPInflated(uint256)'))).map(({ data }) => BigInt(data));
    expect(totals).toHaveLength(3);
    expect(totals[2]).toBe(await started.client.read('RewardsPool', 'getRewardsCycleTotalAmt'));
    // This event contains the total of the previous cycle.
    const previous = (await logs(topicsOf('NewRewardsCycleStarted(uint256)'))).map(({ data }) => BigInt(data));
    expect(previous).toEqual([0n, totals[0], totals[1]]);
  });

  it('were claimed, once with everything staked again, which the event does not include', async () => {
    const claims = await logs(['0xe6efee8958feb2079af9a7a1df26a6fae99525397bebfc3f64a4b7c3b41984d1']);
    expect(claims).toHaveLength(11);
    expect(claims.filter(({ data }) => BigInt(data) === 0n)).toHaveLength(1);
  });

  it('leave the supply below its cap', async () => {
    const supply = await started.client.read('TokenGGP', 'totalSupply');
    expect(supply).toBeGreaterThan(19_500_000n * 10n ** 18n);
    expect(supply).toBeLessThan(20_000_000n * 10n ** 18n);
    expect(await started.client.read('TokenGGP', 'MAX_SUPPLY')).toBe(22_500_000n * 10n ** 18n);
  });

  it.each([
    ['GGPPriceUpdated(uint256,uint256)', '0x1826f74860bd5ff97bcab2245acae00a635acaa3dbc72e5c68b83ff34b1fac00'],
    ['MinipoolStatusChanged(address,uint8)', '0xc9c043637725967252aedd2704cc65fee962e7b8a1e3cf8098587a66601e50c5'],
    ['MinipoolLaunched(address,bytes32,uint256)', '0x051432f8fe60e16e77c7d63dd8fbec40600ab62c8ab79ad5e332a41db28158ab'],
    ['GGPSlashed', '0xa10866a4e21985bc2d4130717769d773ffe207cffc5fb5d714c8c030e0677ec7'],
    ['WithdrawForDelegation', '0x5c0634f49d80388cdf02b7c6f9888f47fa03d474b3161645312eefe213ed9d63'],
    ['DepositFromDelegation', '0x868e27795a5c07be99af73e34e168fea7fa7ff2f542f754f942eb7850efa184d'],
    ['GGPStaked', '0x3cd32fbc628a7c1c5a309e823125e5a4b8d98b9b31ad71d8338cc5f05829b199'],
    ['GGPWithdrawn', '0x24231562008debd875e9a0c93d43fda03c49a4578215067a1d7024b97dd15d24'],
    ['ClaimNodeOpRewardsTransferred', '0x9dc2a9c69bc4e59ac92c234a79a97954145d1cc38a2119fb9469bc2f558a8bca'],
    ['ProtocolDAORewardsTransferred', '0xcaa85a3f894711725580db005a3b1daafc415adf7e18be3e3dcec2618f089c4a'],
    ['MultisigRewardsTransferred', '0xd93981eb8fd94d58b54b8a8887cb8cd11245c68f7b6e287b4b7a045523c245be'],
    ['Deposit', '0xdcbc1c05240f31ff3ad067ef1ee35ce4997762752e3a095284754544f4c709d7'],
    ['Withdraw', '0xfbde797d201c681b91056529119e0b02407c7bb96a4a2c75c01fc9667232c8db'],
    ['NewRewardsCycle', '0x456468d0d5c249d1e9c2eb03d20f2a6627334ac8667838011f1df0013816f1cf'],
    ['DepositedFromStaking of V1 and V2', '0xc427d2d659d7dba18f3b7dc230a5b3eeaf5775bdda96b5018efceed241e06e0e'],
    ['WithdrawnForStaking of V1 and V2', '0x14438a8606c512fda07a1e9dfefc371418ed542946338bfa1c87788e903b4d68'],
    ['Upgraded', '0xbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b'],
    ['DepositedFromStaking', '0x7aa50fb4f250f9725bff6436208316b64f66ab969d3cf340fe345f2718fdee12'],
    ['WithdrawnForStaking', '0x95531cf01679ac5aa7d49c50fdb23ccff8bd527cdd85214ca1d81f6d2aee7780'],
    ['DepositedAdditionalYield', '0xb0f90eb9923b5c0a32d2df54960511caffba716d1baa3d348d4af0cb2aa79f59'],
    ['FeeCollected', '0x156e588d1067ba3c8a6a7f4376ef70794f8afed114dc9d1421e054b65743e630'],
    ['YieldDonated', '0xc94c46ffbbc1b036a4912660fe60c404ba4d10638d365a46d1bac54abf76a849'],
    ['UnstakeRequested', '0x672d3037ab2b5e16a4cfc69d1259b034593964aea5a09f1d1059b114f2e8aceb'],
    ['RequestFulfilled', '0x29d1fd44cc39a4213a364818c158187934866b333b04a59815cdf69b58c809c0'],
    ['UnstakeClaimed', '0xec2af0315c3009f0d44cc1df95e9026a4b39e15989f60015637e232f0495515f'],
    ['RequestCancelled', '0x3796cd2bbde8f185a2341d1c3fb8207b168febf5cd44d360661956cfdc70a177'],
    ['ExpiredSharesReturned', '0xfa7a4c66fb185204e7c31862b3a4004982f18694bc3fcc056a1d6af6944888ce'],
    ['AVAXDeposited', '0xd4502e0d4f9dc8fb9302d686a2b2bff55a6ed89cc5549f55b64490dff5d3e559'],
    ['AVAXWithdrawn', '0xf2cef7bfb552886daf5034c34174362dca0ce32c5d844a0d384c2d4c41bd0696'],
  ])('%s was emitted with its documented topic', async (_, topic) => {
    expect((await logs([topic])).length).toBeGreaterThan(0);
  });
});

describe('the withdrawal queue', () => {
  const read = async (method: string, ...args: unknown[]) =>
    (await started.client.readAt('WithdrawQueue', DEVNET_ADDRESSES.WithdrawQueue, method, args))[0];

  it('exists since day 45', async () => {
    const code = async (day: number) =>
      started.client.rpc.send(
        'eth_getCode',
        DEVNET_ADDRESSES.WithdrawQueue,
        `0x${(await started.blockOnDay(day)).toString(16)}`,
      );
    expect(await code(44.5)).toBe('0x');
    expect(await code(45)).not.toBe('0x');
  });

  it('has pending, fulfilled and expired requests, and deletes finished ones', async () => {
    expect(await read('nextRequestId')).toBe(11n);
    expect((await read('getAllPendingRequests')).toArray().toSorted()).toEqual([7n, 8n, 9n]);
    expect((await read('getAllFulfilledRequests')).toArray()).toEqual([1n, 2n, 5n]);
    expect(await read('getExpiredRequestsCount')).toBe(1n);
    const claimable = await Promise.all([1, 2, 5, 7].map((requestId) => read('canClaimRequest', requestId)));
    expect(claimable).toEqual([false, true, true, false]);
    const finished = await Promise.all([0, 3, 4, 6, 10].map((requestId) => read('getRequestInfo', requestId)));
    expect(new Set(finished.map(({ requester }) => requester))).toEqual(new Set([ZeroAddress]));
  });

  it('returns all shares of an expired pending request, and supports requests paid by somebody else', async () => {
    const token = await started.client.registered('TokenggAVAX');
    const queue = zeroPadValue(DEVNET_ADDRESSES.WithdrawQueue, 32);
    const [requested, returned] = await Promise.all([
      logs([id('UnstakeRequested(uint256,address,uint256,uint256,uint48)')]),
      logs([id('ExpiredSharesReturned(uint256,address,uint256)')]),
    ]);
    expect(returned.map(({ topics }) => BigInt(topics[1] as string))).toEqual([6n]);
    const [{ data = '', transactionHash = '' } = {}] = returned;
    const transfers = await logs([id('Transfer(address,address,uint256)'), queue]);
    const paidOut = transfers.find((log) => log.transactionHash === transactionHash);
    expect([paidOut?.address, paidOut?.topics[2], paidOut?.data]).toEqual([
      token.toLowerCase(),
      returned[0]?.topics[2],
      data,
    ]);
    expect(dataSlice(requested[6]?.data ?? '0x', 0, 32)).toBe(data);
    const intoQueue = await logs([id('Transfer(address,address,uint256)'), null, queue]);
    const payers = requested.map((request) => [
      request.topics[2],
      intoQueue.find(({ transactionHash }) => transactionHash === request.transactionHash)?.topics[1],
    ]);
    expect(payers.filter(([requester, payer]) => requester !== payer)).toHaveLength(1);
  });

  it('holds the AVAX of fulfilled requests, in the amount that was fixed by the request', async () => {
    const requests = await Promise.all([1, 2, 5].map((requestId) => read('getRequestInfo', requestId)));
    expect(requests.map(({ allocatedFunds }) => allocatedFunds)).toEqual(
      requests.map(({ expectedAssets }) => expectedAssets),
    );
    const allocated = requests.reduce((sum, { allocatedFunds }) => sum + allocatedFunds, 0n);
    expect(await read('totalAllocatedFunds')).toBe(allocated);
    expect(
      BigInt((await started.client.rpc.send('eth_getBalance', DEVNET_ADDRESSES.WithdrawQueue, 'latest')) as string),
    ).toBe(allocated);
  });

  it("holds the shares of pending requests, and returns a user's requests in pages", async () => {
    const pending = await Promise.all([7, 8, 9].map((requestId) => read('getRequestInfo', requestId)));
    const shares = pending.reduce((sum, request) => sum + request.shares, 0n);
    expect(await started.client.read('TokenggAVAX', 'balanceOf', [DEVNET_ADDRESSES.WithdrawQueue])).toBe(shares);
    const owner = pending[2]?.requester;
    expect((await read('getRequestsByOwner', owner, 0, 10)).toArray()).toEqual([1n, 9n]);
    expect((await read('getRequestsByOwner', owner, 1, 10)).toArray()).toEqual([9n]);
    expect((await read('getRequestsByOwner', owner, 2, 10)).toArray()).toEqual([]);
  });
});

describe('validators', () => {
  it('are those of the staking minipools, and others', async () => {
    const staking = Array.from(await started.client.read('MinipoolManager', 'getMinipools', [2, 0, 0])) as {
      nodeID: string;
      txID: string;
      startTime: bigint;
      avaxNodeOpAmt: bigint;
      avaxLiquidStakerAmt: bigint;
    }[];
    const own = started.devnet.validators.slice(0, staking.length);
    expect(
      own.map(({ nodeID, txID, startTime, endTime, stake }) => ({ nodeID, txID, startTime, endTime, stake })),
    ).toEqual(
      staking.map((mp) => ({
        nodeID: formatNodeID(mp.nodeID),
        txID: formatTxID(mp.txID),
        startTime: Number(mp.startTime),
        endTime: Number(mp.startTime) + 15 * DAY,
        stake: (mp.avaxNodeOpAmt + mp.avaxLiquidStakerAmt) / 10n ** 9n,
      })),
    );
    expect(new Set(own.map(({ rewardAddress }) => rewardAddress)).size).toBe(1);
    expect(started.devnet.validators.length - own.length).toBe(230);
  });

  it('are within the limits of the Primary Network', () => {
    expect(new Set(started.devnet.validators.map(({ nodeID }) => nodeID)).size).toBe(started.devnet.validators.length);
    for (const validator of started.devnet.validators) {
      expect(validator.nodeID).toMatch(/^NodeID-[1-9A-HJ-NP-Za-km-z]{32,33}$/);
      expect(validator.rewardAddress).toMatch(/^P-avax1[a-z0-9]{38}$/);
      const [weight, cap] = [validator.stake + validator.delegated, 5n * validator.stake];
      expect(validator.stake).toBeGreaterThanOrEqual(2_000n * 10n ** 9n);
      expect(weight).toBeLessThanOrEqual(cap < 3n * 10n ** 15n ? cap : 3n * 10n ** 15n);
      expect(validator.delegated === 0n).toBe(validator.delegatorCount === 0);
      expect(validator.startTime).toBeLessThanOrEqual(NOW);
      expect(validator.endTime).toBeGreaterThan(NOW);
      expect(validator.uptimePercent).toBeGreaterThanOrEqual(20);
      expect(validator.uptimePercent).toBeLessThanOrEqual(100);
      expect(validator.delegationFeePercent).toBeGreaterThanOrEqual(2);
      expect(validator.delegationFeePercent).toBeLessThanOrEqual(20);
      expect(validator.potentialReward).toBeGreaterThan(0n);
    }
  });
});
