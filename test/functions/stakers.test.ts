import { beforeAll, describe, expect, test } from '@jest/globals';
import { rewardsCycle } from '../../functions/rewards/cycle.ts';
import { stakersAddress } from '../../functions/stakers/address.ts';
import { stakers } from '../../functions/stakers.ts';
import type { People } from '../../infra/devnet/scenario/people.ts';
import { parseAmount } from '../../lib/values/amounts.ts';
import { type Body, bodyFrom, sendTo } from '../support/events.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { chainForAllTests, expectTrue } from './devnet.ts';

const chain = chainForAllTests();
tablesForAllTests();
let runtime: TestRuntime;

beforeAll(async () => {
  runtime = startOnDevnet();
});

const list = (query?: Record<string, string>): Promise<Body> => bodyFrom(stakers, runtime, query && { query });
const one = (address: string) => sendTo(stakersAddress, runtime, { params: { address } });
const wei = (text: string) => parseAmount(text) as bigint;

describe('stakers', () => {
  test("have every record of the contract, in its order, and the figures of the contract's views", async () => {
    const { stakers: answered, total, block } = await list();
    expect(total).toBe(Number(await chain.read('Staking', 'getStakerCount')));
    expect(answered.map(({ index }: Body) => index)).toEqual(Array.from({ length: total }, (_, index) => index));
    await expectTrue(
      '/stakers',
      answered.map((staker: Body) => ({ block, stakers: [staker] })),
    );
  });

  // What is compared above is of every kind.
  test.each<[keyof People, string, object]>([
    ['kaya', 'has nothing staked', { ggpStaked: '0', avaxStaked: '0', minipools: [] }],
    ['dmitri', 'has GGP but no minipools', { ggpStaked: expect.stringMatching(/[1-9]/), effectiveRewardsPercent: 0 }],
    [
      'hugo',
      'is paid once more for a high-water mark',
      { avaxAssigned: '0', estimatedGGPReward: expect.stringMatching(/[1-9]/) },
    ],
    ['boris', 'is eligible, but has too little collateral', { eligible: true, effectiveGGPStaked: '0' }],
    [
      'ines',
      'is not eligible yet',
      { eligible: false, effectiveGGPStaked: expect.stringMatching(/[1-9]/), estimatedGGPReward: '0' },
    ],
    [
      'jonas',
      'has more collateral than counts, and a lock',
      { eligible: true, effectiveRewardsPercent: 150, ggpLockedUntil: expect.any(Number) },
    ],
  ])('%s %s', async (name, _, expected) => {
    expect((await one(chain.people[name])).body).toMatchObject(expected);
  });

  test("have estimated rewards that add up to the next cycle's pool", async () => {
    const { stakers: answered } = await list();
    const sum = answered.reduce((total: bigint, staker: Body) => total + wei(staker.estimatedGGPReward), 0n);
    const { next } = (await sendTo(rewardsCycle, runtime)).body;
    const pool = wei(next.distribution.ClaimNodeOp);
    // Never more than the pool, and only rounding is left.
    expect(pool - sum).toBeGreaterThanOrEqual(0n);
    expect(pool - sum).toBeLessThan(1_000_000n);
  });
});

describe('the list', () => {
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
});

describe('one staker', () => {
  test('is found by an address in any case, with their minipools at the same block', async () => {
    const { ada } = chain.people;
    const { status, body } = await one(ada);
    expect(status).toBe(200);
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

  test('who has never staked is a 404 that is cached for 15 s', async () => {
    const { status, headers, body } = await one(chain.people.alba);
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'STAKER_NOT_FOUND', error: 'STAKER_NOT_FOUND', status: 404 });
    expect(body.detail).toContain(chain.people.alba);
    expect(headers['Cache-Control']).toBe('public, max-age=15');
  });
});
