import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stakersAddress } from '../../functions/stakers/address.ts';
import { stakers } from '../../functions/stakers.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { required } from '../../lib/chain/answered.ts';
import { chainOf } from '../../lib/chain/chain.ts';
import type { Staker } from '../../lib/contracts/staking.ts';
import { comingCycle } from '../../lib/protocol/overview-dataset.ts';
import { figuresOf } from '../../lib/protocol/staker-figures.ts';
import { readStaking, type Staking } from '../../lib/protocol/staking-dataset.ts';
import { formatAmount, parseAmount, percentFrom } from '../../lib/values/amounts.ts';
import { send } from '../support/events.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { type Chain, expectTrue, openChain } from './devnet.ts';

const INFINITE = 2n ** 256n - 1n;

let chain: Chain;
const tables = tablesForAllTests();
let runtime: TestRuntime;
let staking: Staking;

beforeAll(async () => {
  runtime = startOnDevnet();
  chain = await openChain();
  staking = await readStaking(await chainOf(runtime.opened).latest());
});
afterAll(() => chain.rpc.close());

// biome-ignore lint/suspicious/noExplicitAny: bodies as clients see them
type Body = any;

async function list(query?: Record<string, string>): Promise<Body> {
  const { status, body } = await send(createHandler(stakers, runtime), query && { query });
  expect(status).toBe(200);
  return body;
}
/** A container that has read the contracts' addresses and nothing else. */
async function cold(): Promise<TestRuntime> {
  await tables.renew();
  const fresh = startOnDevnet();
  await chainOf(fresh.opened).latest();
  fresh.telemetry.attempts.length = 0;
  return fresh;
}

const one = (address: string) => send(createHandler(stakersAddress, runtime), { params: { address } });
const bodyOf = async (address: string): Promise<Body> => (await one(address)).body;
const wei = (text: string) => parseAmount(text) as bigint;

describe('stakers', () => {
  test("have figures equal to the contracts' views to the wei", async () => {
    const figures = figuresOf(staking);
    expect(required(staking.stakers)).toHaveLength(25);
    for (const staker of required(staking.stakers)) {
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

  test('have every record of the contract, and their figures, in the response', async () => {
    const { stakers: answered, total, block } = await list();
    expect(total).toBe(Number(await chain.read('Staking', 'getStakerCount')));
    expect(block.number).toBe((await chain.block('latest')).number);
    expect(answered).toHaveLength(total);
    const figures = figuresOf(staking);
    for (const [index, staker] of answered.entries()) {
      await expectTrue('/stakers', { block, stakers: [staker] });
      const { eligible, ...of } = figures(required(staking.stakers)[index] as Staker);
      expect(staker).toMatchObject({
        ...{ index, eligible },
        ...(of.collateralizationRatio && { collateralPercent: percentFrom(of.collateralizationRatio) }),
        estimatedGGPReward: formatAmount(of.estimatedGGPReward as bigint),
      });
      expect('collateralPercent' in staker).toBe(Boolean(of.collateralizationRatio));
    }
    expect(stakers.response().parse(await list())).toEqual(await list());
  });

  test("have estimated rewards that add up to the next cycle's pool", async () => {
    const { stakers: answered } = await list();
    const sum = answered.reduce((total: bigint, staker: Body) => total + wei(staker.estimatedGGPReward), 0n);
    const pool = comingCycle(staking)?.distribution.ClaimNodeOp as bigint;
    // Never more than the pool, and only rounding is left.
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
  ] as const)('is sorted by sort=%s, order=%s', async (sort, order, inOrder) => {
    const { stakers: answered } = await list({ sort, ...(order && { order }) });
    expect(answered).toHaveLength(25);
    for (const [index, staker] of answered.slice(1).entries()) expect(inOrder(answered[index], staker)).toBe(true);
  });

  test('is filtered by minAvaxValidating', async () => {
    const all = (await list()).stakers;
    const { stakers: answered, total } = await list({ minAvaxValidating: '2000' });
    const expected = all.filter(({ avaxValidating }: Body) => wei(avaxValidating) >= wei('2000'));
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(25);
    expect(answered).toEqual(expected);
    expect(total).toBe(expected.length);
  });

  test('is filtered by eligible, true or false', async () => {
    const all = (await list()).stakers;
    const [yes, no] = [await list({ eligible: 'true' }), await list({ eligible: 'false' })];
    expect(yes.stakers).toEqual(all.filter(({ eligible }: Body) => eligible));
    expect(no.stakers).toEqual(all.filter(({ eligible }: Body) => !eligible));
    expect(Math.min(yes.total, no.total)).toBeGreaterThan(0);
  });

  test('returns the requested page and the total', async () => {
    const all = (await list()).stakers;
    const { stakers: answered, total } = await list({ limit: '10', offset: '5' });
    expect(answered).toEqual(all.slice(5, 15));
    expect(total).toBe(25);
    expect((await list({ limit: '0' })).stakers).toEqual([]);
  });

  test('reports every invalid parameter', async () => {
    const query = { minAvaxValidating: '-1', eligible: 'yes', sort: 'name', order: 'up', limit: 'all', offset: '-1' };
    const { status, body } = await send(createHandler(stakers, runtime), { query });
    expect(status).toBe(400);
    // At most five are named.
    expect(body.errors.map(({ parameter }: Body) => parameter)).toEqual(Object.keys(query).slice(0, 5));
    expect(body.errors[0].message).toMatch(
      /^must be a decimal number of whole tokens \(not wei\) like 6000\.5, from 0 to 720000000 /,
    );
  });

  test('takes one request to the chain, whatever the parameters', async () => {
    const fresh = await cold();
    const handler = createHandler(stakers, fresh);
    for (const limit of ['1', '2', '3']) await send(handler, { query: { limit, eligible: 'true', sort: 'index' } });
    expect(fresh.telemetry.attempts).toEqual(['rpc-1 ok']);
  });
});

describe('one staker', () => {
  test('is found by an address in any case, with their minipools at the same block', async () => {
    const { ada } = chain.people;
    const { status, body } = await one(ada);
    expect(status).toBe(200);
    expect(stakersAddress.response().parse(body)).toEqual(body);
    for (const spelling of [ada.toLowerCase(), `0x${ada.slice(2).toUpperCase()}`]) {
      expect((await one(spelling)).body).toEqual(body);
    }
    const { minipools, account, block, ...staker } = body;
    expect(account).toBe(`/accounts/${ada}`);
    expect(staker).toEqual((await list()).stakers.find(({ stakerAddr }: Body) => stakerAddr === ada));
    expect(minipools.map(({ owner }: Body) => owner)).toEqual(Array(4).fill(ada));
    expect(minipools.map(({ index }: Body) => index)).toEqual(
      minipools.map(({ index }: Body) => index).toSorted((a: number, b: number) => a - b),
    );
    expect(block.number).toBe((await chain.block('latest')).number);
  });

  test('takes one request to the chain, whichever staker is asked for', async () => {
    const fresh = await cold();
    const handler = createHandler(stakersAddress, fresh);
    for (const name of ['ada', 'boris', 'alba'] as const)
      await send(handler, { params: { address: chain.people[name] } });
    expect(fresh.telemetry.attempts).toEqual(['rpc-1 ok']);
  });

  test('who has never staked is a 404 that is cached for 15 s', async () => {
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

describe('peculiarities of the contract:', () => {
  test('the total includes stakers with nothing staked', async () => {
    const kaya = await bodyOf(chain.people.kaya);
    expect(kaya).toMatchObject({ ggpStaked: '0', avaxStaked: '0', effectiveGGPStaked: '0', estimatedGGPReward: '0' });
    expect((await list()).total).toBe(25);
  });

  test('infinite collateral is omitted, even for stakers with GGP but no minipools', async () => {
    const dmitri = await bodyOf(chain.people.dmitri);
    expect(await chain.read('Staking', 'getCollateralizationRatio', [chain.people.dmitri])).toBe(INFINITE);
    expect(wei(dmitri.ggpStaked)).toBeGreaterThan(0n);
    expect(dmitri).not.toHaveProperty('collateralPercent');
    expect(dmitri.effectiveRewardsPercent).toBe(0);
  });

  test('effective GGP is some wei below what is staked', async () => {
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

  test('a high-water mark without assigned AVAX has effective GGP, and is paid once more', async () => {
    const hugo = await bodyOf(chain.people.hugo);
    expect(hugo).toMatchObject({ avaxAssigned: '0', avaxValidating: '0', eligible: true });
    expect(hugo).not.toHaveProperty('collateralPercent');
    expect(wei(hugo.avaxValidatingHighWater)).toBeGreaterThan(0n);
    expect(wei(hugo.effectiveGGPStaked)).toBeGreaterThan(0n);
    expect(wei(hugo.estimatedGGPReward)).toBeGreaterThan(0n);
  });

  test('an eligible staker with less than 10 % collateral gets no reward', async () => {
    const boris = await bodyOf(chain.people.boris);
    expect(boris).toMatchObject({
      eligible: true,
      effectiveRewardsPercent: 0,
      effectiveGGPStaked: '0',
      estimatedGGPReward: '0',
    });
    expect(boris.collateralPercent).toBeLessThan(10);
  });

  test('a staker who is not eligible by the next distribution has effective GGP but no estimated reward', async () => {
    const ines = await bodyOf(chain.people.ines);
    expect(ines).toMatchObject({ eligible: false, estimatedGGPReward: '0' });
    expect(wei(ines.effectiveGGPStaked)).toBeGreaterThan(0n);
    expect(ines.rewardsStartTime + 15 * 86_400).toBeGreaterThan(comingCycle(staking)?.startsAt as number);
  });

  test('collateral is relative to assigned AVAX, and rewards are relative to the high-water mark', async () => {
    const { stakers: answered } = await list();
    const apart = answered.filter(
      (staker: Body) => wei(staker.avaxAssigned) > 0n && wei(staker.avaxValidatingHighWater) > wei(staker.avaxAssigned),
    );
    expect(apart.length).toBeGreaterThan(0);
    for (const staker of apart) expect(staker.effectiveRewardsPercent).toBeLessThan(staker.collateralPercent);
  });

  test('collateral above 150 % earns as much as 150 %', async () => {
    const jonas = await bodyOf(chain.people.jonas);
    expect(jonas.collateralPercent).toBeGreaterThan(150);
    expect(jonas.effectiveRewardsPercent).toBe(150);
  });

  test('a lock of GGP does not affect eligibility, and is 0 for a staker without one', async () => {
    const jonas = await bodyOf(chain.people.jonas);
    expect(jonas.ggpLockedUntil).toBeGreaterThan(jonas.block.timestamp);
    expect(jonas.eligible).toBe(true);
    expect((await bodyOf(chain.people.ada)).ggpLockedUntil).toBe(0);
  });

  test("a node taken over by another owner is no longer among its first owner's minipools", async () => {
    const [kaya, quinn] = [await bodyOf(chain.people.kaya), await bodyOf(chain.people.quinn)];
    expect(kaya.minipools).toEqual([]);
    expect(quinn.minipools.map(({ index }: Body) => index)).toContain(4);
  });
});
