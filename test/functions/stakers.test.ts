import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stakersAddress } from '../../functions/stakers/address.ts';
import { stakers } from '../../functions/stakers.ts';
import { formatAmount, parseAmount, toNumber } from '../../lib/amounts.ts';
import type { Staker } from '../../lib/contracts/staking.ts';
import { createHandler } from '../../lib/endpoint.ts';
import { figuresOf } from '../../lib/protocol/stakers.ts';
import { comingCycle, readStaking, type Staking, stakersOf } from '../../lib/protocol/staking.ts';
import { send } from '../support/events.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { type Chain, openChain } from './devnet.ts';

const INFINITE = 2n ** 256n - 1n;

let chain: Chain;
const tables = tablesForAllTests();
let runtime: TestRuntime;
let staking: Staking;

beforeAll(async () => {
  runtime = startOnDevnet();
  chain = await openChain();
  staking = await readStaking(await runtime.opened.chain.latest());
});
afterAll(() => chain.rpc.close());

// biome-ignore lint/suspicious/noExplicitAny: bodies as clients see them
type Body = any;

async function list(query?: Record<string, string>): Promise<Body> {
  const { status, body } = await send(createHandler(stakers, runtime), query && { query });
  expect(status).toBe(200);
  return body;
}
/** A container that knows addresses and nothing else. */
async function cold(): Promise<TestRuntime> {
  await tables.renew();
  const fresh = startOnDevnet();
  await fresh.opened.chain.latest();
  fresh.telemetry.attempts.length = 0;
  return fresh;
}

const one = (address: string) => send(createHandler(stakersAddress, runtime), { params: { address } });
const bodyOf = async (address: string): Promise<Body> => (await one(address)).body;
const wei = (text: string) => parseAmount(text) as bigint;

describe("figures equal the contracts' own views to the wei", () => {
  test('for every staker of the scenario', async () => {
    const figures = figuresOf(staking);
    expect(stakersOf(staking)).toHaveLength(25);
    for (const staker of stakersOf(staking)) {
      const view = (name: string): Promise<bigint> => chain.read('Staking', name, [staker.stakerAddr]);
      const { eligible, ...amounts } = figures(staker);
      expect({
        name: staker.stakerAddr,
        collateralizationRatio: amounts.collateralizationRatio ?? INFINITE,
        effectiveRewardsRatio: amounts.effectiveRewardsRatio,
        effectiveGGPStaked: amounts.effectiveGGPStaked,
        minimumGGPStake: amounts.minimumGGPStake,
        eligible,
      }).toEqual({
        name: staker.stakerAddr,
        collateralizationRatio: await view('getCollateralizationRatio'),
        effectiveRewardsRatio: await view('getEffectiveRewardsRatio'),
        effectiveGGPStaked: await view('getEffectiveGGPStaked'),
        minimumGGPStake: await view('getMinimumGGPStake'),
        eligible: await chain.read('ClaimNodeOp', 'isEligible', [staker.stakerAddr]),
      });
    }
  });

  test('and so do the records, as they are answered', async () => {
    const { stakers: answered, total, block } = await list();
    const records = await chain.read('Staking', 'getStakers', [0, 0]);
    expect(total).toBe(Number(await chain.read('Staking', 'getStakerCount')));
    expect(block.number).toBe((await chain.block('latest')).number);
    expect(answered).toHaveLength(records.length);
    const figures = figuresOf(staking);
    for (const [index, record] of records.entries()) {
      const { eligible, ...of } = figures(stakersOf(staking)[index] as Staker);
      expect(answered[index]).toEqual({
        index,
        stakerAddr: record.stakerAddr,
        ggpStaked: formatAmount(record.ggpStaked),
        avaxStaked: formatAmount(record.avaxStaked),
        avaxAssigned: formatAmount(record.avaxAssigned),
        avaxValidating: formatAmount(record.avaxValidating),
        avaxValidatingHighWater: formatAmount(record.avaxValidatingHighWater),
        ...(of.collateralizationRatio && { collateralPercent: toNumber(of.collateralizationRatio, 16) }),
        effectiveRewardsPercent: toNumber(of.effectiveRewardsRatio as bigint, 16),
        effectiveGGPStaked: formatAmount(of.effectiveGGPStaked as bigint),
        minimumGGPStake: formatAmount(of.minimumGGPStake as bigint),
        eligible,
        estimatedGGPReward: formatAmount(of.estimatedGGPReward as bigint),
        ggpRewards: formatAmount(record.ggpRewards),
        lastRewardsCycleCompleted: Number(record.lastRewardsCycleCompleted),
        rewardsStartTime: Number(record.rewardsStartTime),
        ggpLockedUntil: Number(record.ggpLockedUntil),
      });
    }
    expect(stakers.response().parse(await list())).toEqual(await list());
  });

  test('and rewards of the coming cycle share out its pool', async () => {
    const { stakers: answered } = await list();
    const sum = answered.reduce((total: bigint, staker: Body) => total + wei(staker.estimatedGGPReward), 0n);
    const pool = comingCycle(staking)?.distribution.ClaimNodeOp as bigint;
    // Nobody gets more than there is, and only roundings are left.
    expect(pool - sum).toBeGreaterThanOrEqual(0n);
    expect(pool - sum).toBeLessThan(1_000_000n);
  });
});

describe('the list', () => {
  test("is in the contract's order", async () => {
    const { stakers: answered } = await list();
    expect(answered.map(({ index }: Body) => index)).toEqual(answered.map((_: Body, index: number) => index));
  });

  test.each([
    ['ggpStaked', undefined, (a: Body, b: Body) => wei(a.ggpStaked) >= wei(b.ggpStaked)],
    ['ggpStaked', 'asc', (a: Body, b: Body) => wei(a.ggpStaked) <= wei(b.ggpStaked)],
    ['avaxStaked', 'desc', (a: Body, b: Body) => wei(a.avaxStaked) >= wei(b.avaxStaked)],
    ['index', undefined, (a: Body, b: Body) => a.index > b.index],
    ['index', 'asc', (a: Body, b: Body) => a.index < b.index],
  ] as const)('is sorted by %s %s', async (sort, order, inOrder) => {
    const { stakers: answered } = await list({ sort, ...(order && { order }) });
    expect(answered).toHaveLength(25);
    for (const [index, staker] of answered.slice(1).entries()) expect(inOrder(answered[index], staker)).toBe(true);
  });

  test('keeps those with enough AVAX validating', async () => {
    const all = (await list()).stakers;
    const { stakers: answered, total } = await list({ minAvaxValidating: '2000' });
    const expected = all.filter(({ avaxValidating }: Body) => wei(avaxValidating) >= wei('2000'));
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(25);
    expect(answered).toEqual(expected);
    expect(total).toBe(expected.length);
  });

  test('keeps the eligible, or the others', async () => {
    const all = (await list()).stakers;
    const [yes, no] = [await list({ eligible: 'true' }), await list({ eligible: 'false' })];
    expect(yes.stakers).toEqual(all.filter(({ eligible }: Body) => eligible));
    expect(no.stakers).toEqual(all.filter(({ eligible }: Body) => !eligible));
    expect(Math.min(yes.total, no.total)).toBeGreaterThan(0);
  });

  test('answers one page and counts all', async () => {
    const all = (await list()).stakers;
    const { stakers: answered, total } = await list({ limit: '10', offset: '20' });
    expect(answered).toEqual(all.slice(20));
    expect(total).toBe(25);
    expect((await list({ limit: '0' })).stakers).toEqual([]);
  });

  test('names every bad parameter', async () => {
    const query = { minAvaxValidating: '-1', eligible: 'yes', sort: 'name', order: 'up', limit: 'all', offset: '-1' };
    const { status, body } = await send(createHandler(stakers, runtime), { query });
    expect(status).toBe(400);
    expect(body.errors.map(({ parameter }: Body) => parameter)).toEqual(Object.keys(query));
    expect(body.errors[0].message).toMatch(
      /^must be a decimal number of whole tokens \(not wei\) from 0 to 720000000 /,
    );
  });

  test('is read in one request, whatever is asked for', async () => {
    const fresh = await cold();
    const handler = createHandler(stakers, fresh);
    for (const limit of ['1', '2', '3']) await send(handler, { query: { limit, eligible: 'true', sort: 'index' } });
    expect(fresh.telemetry.attempts).toEqual(['rpc-1 ok']);
  });
});

describe('one staker', () => {
  test('is found in any case, with their minipools of the same block', async () => {
    const { ada } = chain.people;
    const { status, body } = await one(ada);
    expect(status).toBe(200);
    expect(stakersAddress.response().parse(body)).toEqual(body);
    for (const spelling of [ada.toLowerCase(), `0x${ada.slice(2).toUpperCase()}`]) {
      expect((await one(spelling)).body).toEqual(body);
    }
    const { minipools, block, ...staker } = body;
    expect(staker).toEqual((await list()).stakers.find(({ stakerAddr }: Body) => stakerAddr === ada));
    expect(minipools.map(({ owner }: Body) => owner)).toEqual(Array(4).fill(ada));
    expect(minipools.map(({ index }: Body) => index)).toEqual(
      minipools.map(({ index }: Body) => index).toSorted((a: number, b: number) => a - b),
    );
    expect(block.number).toBe((await chain.block('latest')).number);
  });

  test('is read in one request with all minipools, whoever is asked for', async () => {
    const fresh = await cold();
    const handler = createHandler(stakersAddress, fresh);
    for (const name of ['ada', 'boris', 'alba'] as const)
      await send(handler, { params: { address: chain.people[name] } });
    expect(fresh.telemetry.attempts).toEqual(['rpc-1 ok']);
  });

  test('who has never staked is a 404 that is remembered briefly', async () => {
    const { status, headers, body } = await one(chain.people.alba);
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'STAKER_NOT_FOUND', error: 'STAKER_NOT_FOUND', status: 404 });
    expect(body.detail).toContain(chain.people.alba);
    expect(headers['Cache-Control']).toBe('public, max-age=15');
  });

  test('with a wrong checksum is a 400', async () => {
    const { ada } = chain.people;
    const wrong = ada.replace(/[a-f]/, (letter) => letter.toUpperCase());
    const { status, body } = await one(wrong === ada ? `${ada}0` : wrong);
    expect(status).toBe(400);
    expect(body.errors[0].parameter).toBe('address');
  });
});

describe('traps', () => {
  test('the staker count includes those with nothing staked', async () => {
    const kaya = await bodyOf(chain.people.kaya);
    expect(kaya).toMatchObject({ ggpStaked: '0', avaxStaked: '0', effectiveGGPStaked: '0', estimatedGGPReward: '0' });
    expect((await list()).total).toBe(25);
  });

  test('infinite collateral is left out, also for people who staked and have nothing running', async () => {
    const dmitri = await bodyOf(chain.people.dmitri);
    expect(await chain.read('Staking', 'getCollateralizationRatio', [chain.people.dmitri])).toBe(INFINITE);
    expect(wei(dmitri.ggpStaked)).toBeGreaterThan(0n);
    expect(dmitri).not.toHaveProperty('collateralPercent');
    expect(dmitri.effectiveRewardsPercent).toBe(0);
  });

  test('effective GGP comes back some wei below what is staked', async () => {
    const { stakers: answered } = await list();
    const uncapped = answered.filter(
      ({ effectiveRewardsPercent, avaxAssigned, avaxValidatingHighWater }: Body) =>
        effectiveRewardsPercent > 0 && effectiveRewardsPercent < 150 && avaxAssigned === avaxValidatingHighWater,
    );
    const lost = uncapped.map((staker: Body) => wei(staker.ggpStaked) - wei(staker.effectiveGGPStaked));
    expect(lost.length).toBeGreaterThan(3);
    for (const difference of lost) {
      expect(difference).toBeGreaterThan(0n);
      expect(difference).toBeLessThan(1_000_000n);
    }
  });

  test('high water without assignment has effective GGP and is paid once more', async () => {
    const hugo = await bodyOf(chain.people.hugo);
    expect(hugo).toMatchObject({ avaxAssigned: '0', avaxValidating: '0', eligible: true });
    expect(hugo).not.toHaveProperty('collateralPercent');
    expect(wei(hugo.avaxValidatingHighWater)).toBeGreaterThan(0n);
    expect(wei(hugo.effectiveGGPStaked)).toBeGreaterThan(0n);
    expect(wei(hugo.estimatedGGPReward)).toBeGreaterThan(0n);
  });

  test('eligible does not mean that there is a reward: under 10 % there is none', async () => {
    const boris = await bodyOf(chain.people.boris);
    expect(boris).toMatchObject({
      eligible: true,
      effectiveRewardsPercent: 0,
      effectiveGGPStaked: '0',
      estimatedGGPReward: '0',
    });
    expect(boris.collateralPercent).toBeLessThan(10);
  });

  test('who is not eligible yet may be by the time of the distribution, and is not counted before', async () => {
    const ines = await bodyOf(chain.people.ines);
    expect(ines).toMatchObject({ eligible: false, estimatedGGPReward: '0' });
    expect(wei(ines.effectiveGGPStaked)).toBeGreaterThan(0n);
    expect(ines.rewardsStartTime + 15 * 86_400).toBeGreaterThan(comingCycle(staking)?.startsAt as number);
  });

  test('collateral is against what is assigned, rewards are against the high water', async () => {
    const { stakers: answered } = await list();
    const apart = answered.filter(
      (staker: Body) => wei(staker.avaxAssigned) > 0n && wei(staker.avaxValidatingHighWater) > wei(staker.avaxAssigned),
    );
    expect(apart.length).toBeGreaterThan(0);
    for (const staker of apart) expect(staker.effectiveRewardsPercent).toBeLessThan(staker.collateralPercent);
  });

  test('more than 150 % earns as 150 %', async () => {
    const jonas = await bodyOf(chain.people.jonas);
    expect(jonas.collateralPercent).toBeGreaterThan(150);
    expect(jonas.effectiveRewardsPercent).toBe(150);
  });

  test('a lock is in the future or has no meaning, and touches neither collateral nor rewards', async () => {
    const jonas = await bodyOf(chain.people.jonas);
    expect(jonas.ggpLockedUntil).toBeGreaterThan(jonas.block.timestamp);
    expect(jonas.eligible).toBe(true);
    expect((await bodyOf(chain.people.ada)).ggpLockedUntil).toBe(0);
  });

  test('a node that somebody else took over is no longer among the minipools of its first owner', async () => {
    const [kaya, quinn] = [await bodyOf(chain.people.kaya), await bodyOf(chain.people.quinn)];
    expect(kaya.minipools).toEqual([]);
    expect(quinn.minipools.map(({ index }: Body) => index)).toContain(4);
  });
});
