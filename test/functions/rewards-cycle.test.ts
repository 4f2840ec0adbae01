import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rewardsAddress } from '../../functions/rewards/address.ts';
import { rewardsByStake } from '../../functions/rewards/by-stake.ts';
import { rewardsCycle } from '../../functions/rewards/cycle.ts';
import { stakersAddress } from '../../functions/stakers/address.ts';
import { stakers } from '../../functions/stakers.ts';
import { DEVNET_ADDRESSES } from '../../infra/devnet/addresses.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { formatAmount, parseAmount } from '../../lib/values/amounts.ts';
import { DAY } from '../../lib/values/durations.ts';
import { type Body, send, sendTo } from '../support/events.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { act, expectTrue, type Fork, forkDevnet, pass, setSetting, setUint, undoneAfterEach } from './devnet.ts';

const tables = tablesForAllTests();
const keep = stoppedAfterEach();

const wei = (text: string) => parseAmount(text) as bigint;
const startRewardsCycle = (chain: Fork) => act(chain, chain.people.keeper, 'RewardsPool', 'startRewardsCycle()');

/** The response of a container with an empty cache. */
async function cold(
  endpoint: Endpoint,
  url = process.env.DEVNET_RPC_URL as string,
  sent: Parameters<typeof send>[1] = {},
) {
  await tables.renew();
  const response = await sendTo(endpoint, startOnDevnet({ RPC_URLS: url }), sent);
  expect(response.status).toBe(200);
  return response;
}

test('the cycle has the values of the contracts, and the next one is projected from inflation', async () => {
  const { body } = await cold(rewardsCycle);
  await expectTrue('/rewards/cycle', [body]);
  expect(body).toMatchObject({ seconds: 30 * DAY, ggpMaxSupply: '22500000' });
  expect(body.next).toMatchObject({ number: body.number + 1, startsAt: body.startTime + 30 * DAY });
  expect(body.next).not.toHaveProperty('overdueSeconds');
  expect(wei(body.next.totalAmt)).toBeGreaterThan(wei(body.totalAmt));
});

describe('cycles near the maximum supply', () => {
  let chain: Fork;

  beforeAll(async () => {
    chain = await forkDevnet();
  });
  afterAll(() => chain.stop());

  /** Sets the time of the next block. */
  const nextAt = (timestamp: number) => chain.rpc.send('evm_setNextBlockTimestamp', timestamp);
  const startCycle = async (timestamp: number) => {
    await nextAt(timestamp);
    return startRewardsCycle(chain);
  };
  const mine = async (timestamp: number) => {
    await nextAt(timestamp);
    await chain.rpc.send('evm_mine');
  };

  test('an overdue cycle is projected to the present, and starting it mints exactly that amount', async () => {
    const { startTime } = (await cold(rewardsCycle, chain.url)).body;
    const due = startTime + 30 * DAY;
    await mine(due + 5 * DAY);
    const { body } = await cold(rewardsCycle, chain.url);
    expect(body.next).toMatchObject({ startsAt: due + 5 * DAY, overdueSeconds: 5 * DAY });
    // It pays for 35 days, so yearly rewards are those of 365 / 35 cycles, and do not grow because it is overdue.
    const inAYear = (amount: string) => (wei(amount) * 365n) / 35n;
    const query = { ggpStaked: '6000', avaxStaked: '1000' };
    const { cycle, ggpReward, ggpRewardPerYear } = (await cold(rewardsByStake, chain.url, { query })).body;
    expect(wei(ggpRewardPerYear)).toBe(inAYear(ggpReward));
    expect(cycle).toMatchObject({ seconds: 30 * DAY, overdueSeconds: 5 * DAY });
    const params = { address: chain.people.ada };
    const { estimatedGGPReward, aprPercent } = (await cold(rewardsAddress, chain.url, { params })).body;
    const { ggpStaked } = (await cold(stakersAddress, chain.url, { params })).body;
    expect(aprPercent).toBeCloseTo(Number((100_000_000n * inAYear(estimatedGGPReward)) / wei(ggpStaked)) / 1e6, 5);
    expect(await startCycle(due + 5 * DAY + 1)).toBe(true);
    const after = (await cold(rewardsCycle, chain.url)).body;
    expect(after).toMatchObject({ number: body.next.number, totalAmt: body.next.totalAmt });
    expect(after.distribution).toEqual(body.next.distribution);
    expect(after.next).not.toHaveProperty('overdueSeconds');
  });

  test('the last cycle is limited by the maximum supply', async () => {
    const { ggpTotalSupply, startTime } = (await cold(rewardsCycle, chain.url)).body;
    const { guardian } = chain.people;
    const room = wei('1000');
    await nextAt(startTime + DAY);
    const minted = [guardian, wei('22500000') - room - wei(ggpTotalSupply)];
    expect(await act(chain, guardian, DEVNET_ADDRESSES.TokenGGP, 'mint(address,uint256)', minted)).toBe(true);
    const { body } = await cold(rewardsCycle, chain.url);
    expect(body.next).toMatchObject({
      totalAmt: '1000',
      distribution: { ClaimNodeOp: '700', ClaimProtocolDAO: '200', MultisigManager: '100' },
    });
    // The contract's own view ignores the maximum.
    await mine(body.next.startsAt);
    const [supply, uncapped] = await chain.readAt(await chain.registered('RewardsPool'), 'getInflationAmt');
    expect(uncapped - supply).toBeGreaterThan(room);
    expect(await startCycle(body.next.startsAt + 1)).toBe(true);
    expect((await cold(rewardsCycle, chain.url)).body).toMatchObject({
      number: body.next.number,
      totalAmt: '1000',
      ggpTotalSupply: '22500000',
    });
  });

  test('after the last cycle the next one is 0, and the contract refuses to start it', async () => {
    const { body } = await cold(rewardsCycle, chain.url);
    expect(body.next).toMatchObject({
      totalAmt: '0',
      distribution: { ClaimNodeOp: '0', ClaimProtocolDAO: '0', MultisigManager: '0' },
    });
    await mine(body.next.startsAt + DAY);
    expect(await chain.read('RewardsPool', 'canStartRewardsCycle')).toBe(true);
    expect(await startCycle(body.next.startsAt + 2 * DAY)).toBe(false);
    const later = (await cold(rewardsCycle, chain.url)).body;
    expect(later.number).toBe(body.number);
    expect(later.next).toMatchObject({ totalAmt: '0', overdueSeconds: 2 * DAY });
    const { stakers: all } = (await cold(stakers, chain.url)).body;
    expect(new Set(all.map(({ estimatedGGPReward }: Body) => estimatedGGPReward))).toEqual(new Set(['0']));
  });
});

test('the distribution pays each staker exactly the estimate, to the wei', async () => {
  const chain = keep(await forkDevnet());
  const { rialto } = chain.people;
  const { next } = (await cold(rewardsCycle, chain.url)).body;
  const estimated = (await cold(stakers, chain.url)).body.stakers;
  await chain.rpc.send('evm_setNextBlockTimestamp', next.startsAt);
  expect(await startRewardsCycle(chain)).toBe(true);

  const { number } = await chain.block('latest');
  const read = (contract: 'ClaimNodeOp' | 'Staking', view: string, staker: Body, block?: number) =>
    chain.read(contract, view, [staker.stakerAddr], block);
  const effective = async (staker: Body) =>
    (await read('ClaimNodeOp', 'isEligible', staker, number))
      ? read('Staking', 'getEffectiveGGPStaked', staker, number)
      : 0n;
  const parts: bigint[] = await Promise.all(estimated.map(effective));
  const total = parts.reduce((sum, part) => sum + part, 0n);
  const distribute = 'calculateAndDistributeRewards(address,uint256)';
  const undistributed = async ({ stakerAddr: address }: Body) => {
    const { undistributedGGPReward } = (await cold(rewardsAddress, chain.url, { params: { address } })).body;
    return undistributedGGPReward;
  };
  // Until the first of them is paid, everybody sees their part of the started cycle.
  for (const [index, staker] of estimated.slice(0, 8).entries())
    expect(await undistributed(staker)).toBe(parts[index] ? staker.estimatedGGPReward : undefined);
  for (const staker of estimated.filter((_: Body, index: number) => parts[index])) {
    expect(await act(chain, rialto, 'ClaimNodeOp', distribute, [staker.stakerAddr, total])).toBe(true);
  }
  const paid = async (staker: Body) => {
    const rewards = await read('Staking', 'getGGPRewards', staker);
    return { ...staker, estimatedGGPReward: formatAmount(rewards - wei(staker.ggpRewards)) };
  };
  expect(await Promise.all(estimated.map(paid))).toEqual(estimated);
  expect(await undistributed(estimated[0])).toBeUndefined();
  expect(parts.filter((part) => part > 0n).length).toBeGreaterThan(5);
});

describe('with settings for which the contract starts no cycle', () => {
  let chain: Fork;

  beforeAll(async () => {
    chain = await forkDevnet();
    await pass(chain, 40 * DAY);
  });
  afterAll(() => chain.stop());
  undoneAfterEach(() => chain);

  test.each([
    ['more than 100 % for the claimants', 'ClaimingContractPct.ClaimProtocolDAO', wei('1')],
    ['an inflation interval of no length', 'InflationIntervalSeconds', 0n],
  ])('(%s), the next cycle is omitted, and only /rewards/byStake is a 503', async (_, name, value) => {
    const params = { address: chain.people.ada };
    const [before] = (await cold(stakers, chain.url)).body.stakers;
    expect(before).toHaveProperty('estimatedGGPReward');
    await setSetting(chain, name, value);
    expect(await startRewardsCycle(chain)).toBe(false);

    const { estimatedGGPReward: _none, ...known } = before;
    expect((await cold(stakers, chain.url)).body.stakers[0]).toEqual(known);
    expect((await cold(stakersAddress, chain.url, { params })).body).not.toHaveProperty('estimatedGGPReward');
    const { body } = await cold(rewardsAddress, chain.url, { params });
    expect(body).toMatchObject({ eligible: expect.any(Boolean), effectiveGGPStaked: expect.any(String) });
    expect(body).not.toHaveProperty('cycle');
    const cycle = (await cold(rewardsCycle, chain.url)).body;
    expect(cycle).not.toHaveProperty('next');
    await expectTrue('/rewards/cycle', [cycle], chain.url);
    const byStake = createHandler(rewardsByStake, startOnDevnet({ RPC_URLS: chain.url }));
    const query = { ggpStaked: '6000', avaxStaked: '1000' };
    expect(await send(byStake, { query })).toMatchObject({
      headers: { 'Retry-After': '5' },
      body: { code: 'UPSTREAM_UNAVAILABLE' },
    });
  });

  test('(a cycle of no length that starts now), the yearly rate is omitted', async () => {
    await setSetting(chain, 'RewardsCycleSeconds', 0n);
    const { timestamp } = await chain.block('latest');
    await chain.rpc.send('evm_setNextBlockTimestamp', timestamp + 1);
    await setUint(chain, 'RewardsPool.RewardsCycleStartTime', BigInt(timestamp + 1));
    const { body } = await cold(rewardsAddress, chain.url, { params: { address: chain.people.ada } });
    expect(body).toMatchObject({
      cycle: { startsAt: timestamp + 1, seconds: 0 },
      estimatedGGPReward: expect.any(String),
    });
    expect(body).not.toHaveProperty('aprPercent');
  });
});
