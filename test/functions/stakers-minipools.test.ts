import { beforeAll, describe, expect, test } from '@jest/globals';
import { AbiCoder, decodeBytes32String, id, type Result, ZeroHash } from 'ethers';
import { minipoolsNodeID } from '../../functions/minipools/node-id.ts';
import { minipools } from '../../functions/minipools.ts';
import { rewardsCycle } from '../../functions/rewards/cycle.ts';
import { stakersAddress } from '../../functions/stakers/address.ts';
import { stakers } from '../../functions/stakers.ts';
import { nodeID } from '../../infra/devnet/scenario/minipool-steps.ts';
import type { People } from '../../infra/devnet/scenario/people.ts';
import { MINIPOOL_STATUSES } from '../../lib/contracts/minipool-statuses.ts';
import { formatAmount, parseAmount } from '../../lib/values/amounts.ts';
import { formatNodeID } from '../../lib/values/cb58.ts';
import { type Body, bodyFrom, sendTo } from '../support/events.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { chainForAllTests, expectTrue } from './devnet.ts';

/** Stakers and minipools, compared with the records of the contracts. */

const chain = chainForAllTests();
tablesForAllTests();
let runtime: TestRuntime;
let records: Result[];
let cycleDuration: number;

beforeAll(async () => {
  runtime = startOnDevnet();
  const count = Number(await chain.read('MinipoolManager', 'getMinipoolCount'));
  cycleDuration = Number(await chain.read('ProtocolDAO', 'getMinipoolCycleDuration'));
  records = await Promise.all(
    Array.from({ length: count }, (_, index) => chain.read('MinipoolManager', 'getMinipool', [index])),
  );
});

const stakersWith = (query?: Record<string, string>): Promise<Body> => bodyFrom(stakers, runtime, query && { query });
const stakerOf = (address: string) => sendTo(stakersAddress, runtime, { params: { address } });
const wei = (text: string) => parseAmount(text) as bigint;

describe('stakers', () => {
  test("have every record of the contract, in its order, and the figures of the contract's views", async () => {
    const { stakers: answered, total, block } = await stakersWith();
    expect(total).toBe(Number(await chain.read('Staking', 'getStakerCount')));
    expect(answered.map(({ index }: Body) => index)).toEqual(Array.from({ length: total }, (_, index) => index));
    await expectTrue(
      '/stakers',
      answered.map((staker: Body) => ({ block, stakers: [staker] })),
    );
  });

  // The comparison above covers every kind.
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
    expect((await stakerOf(chain.people[name])).body).toMatchObject(expected);
  });

  test("have estimated rewards that add up to the next cycle's pool", async () => {
    const { stakers: answered } = await stakersWith();
    const sum = answered.reduce((total: bigint, staker: Body) => total + wei(staker.estimatedGGPReward), 0n);
    const { next } = (await sendTo(rewardsCycle, runtime)).body;
    const pool = wei(next.distribution.ClaimNodeOp);
    // Never more than the pool, and only rounding is left.
    expect(pool - sum).toBeGreaterThanOrEqual(0n);
    expect(pool - sum).toBeLessThan(1_000_000n);
  });
});

describe('the list of stakers', () => {
  test.each([
    ['ggpStaked', undefined, (a: Body, b: Body) => wei(a.ggpStaked) >= wei(b.ggpStaked)],
    ['ggpStaked', 'asc', (a: Body, b: Body) => wei(a.ggpStaked) <= wei(b.ggpStaked)],
    ['avaxStaked', 'desc', (a: Body, b: Body) => wei(a.avaxStaked) >= wei(b.avaxStaked)],
    ['index', undefined, (a: Body, b: Body) => a.index > b.index],
    ['index', 'asc', (a: Body, b: Body) => a.index < b.index],
  ] as const)('is sorted by sort=%s, order=%s', async (sort, order, inOrder) => {
    const { stakers: answered } = await stakersWith({ sort, ...(order && { order }) });
    expect(answered).toHaveLength(25);
    for (const [index, staker] of answered.slice(1).entries()) expect(inOrder(answered[index], staker)).toBe(true);
  });

  test('is filtered by minAvaxValidating', async () => {
    const all = (await stakersWith()).stakers;
    const { stakers: answered, total } = await stakersWith({ minAvaxValidating: '2000' });
    const expected = all.filter(({ avaxValidating }: Body) => wei(avaxValidating) >= wei('2000'));
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(25);
    expect(answered).toEqual(expected);
    expect(total).toBe(expected.length);
  });

  test('is filtered by eligible, true or false', async () => {
    const all = (await stakersWith()).stakers;
    const [yes, no] = [await stakersWith({ eligible: 'true' }), await stakersWith({ eligible: 'false' })];
    expect(yes.stakers).toEqual(all.filter(({ eligible }: Body) => eligible));
    expect(no.stakers).toEqual(all.filter(({ eligible }: Body) => !eligible));
    expect(Math.min(yes.total, no.total)).toBeGreaterThan(0);
  });
});

describe('one staker', () => {
  test('is found by an address in any case, with their minipools at the same block', async () => {
    const { ada } = chain.people;
    const { status, body } = await stakerOf(ada);
    expect(status).toBe(200);
    for (const spelling of [ada.toLowerCase(), `0x${ada.slice(2).toUpperCase()}`]) {
      expect((await stakerOf(spelling)).body).toEqual(body);
    }
    const { minipools, account, block, ...staker } = body;
    expect(account).toBe(`/accounts/${ada}`);
    expect(staker).toEqual((await stakersWith()).stakers.find(({ stakerAddr }: Body) => stakerAddr === ada));
    expect(minipools.map(({ owner }: Body) => owner)).toEqual(Array(4).fill(ada));
    expect(minipools.map(({ index }: Body) => index)).toEqual(
      minipools.map(({ index }: Body) => index).toSorted((a: number, b: number) => a - b),
    );
    expect(block.number).toBe((await chain.block('latest')).number);
  });

  test('who has never staked is a 404 that is cached for 15 s', async () => {
    const { status, headers, body } = await stakerOf(chain.people.alba);
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'STAKER_NOT_FOUND', error: 'STAKER_NOT_FOUND', status: 404 });
    expect(body.detail).toContain(chain.people.alba);
    expect(headers['Cache-Control']).toBe('public, max-age=15');
  });
});

const minipoolsWith = (query?: Record<string, string>): Promise<Body> =>
  bodyFrom(minipools, runtime, query && { query });
const minipoolOf = (node: string) => sendTo(minipoolsNodeID, runtime, { params: { nodeID: node } });
const statusesIn = (body: Body) => new Set(body.minipools.map(({ status }: Body) => status));

/** The fields that clients should get besides the values of a record's views, derived from ethers' decoding. */
function expectedBody(record: Result): Body {
  const status = MINIPOOL_STATUSES[Number(record.status)];
  const running = Number(record.status) < 3 && record.initialStartTime > 0n;
  const bls = record.blsPubkeyAndSig !== '0x';
  return {
    avaxNodeOpLifetimeRewardAmt: formatAmount(
      record.avaxNodeOpAmt - record.avaxNodeOpInitialAmt + record.avaxNodeOpRewardAmt,
    ),
    neededUptimePercent:
      record.startTime === 0n ? undefined : record.startTime < runtime.opened.config.network.heliconTime ? 80 : 90,
    cycleEndTime: status === 'staking' ? Number(record.startTime) + cycleDuration : undefined,
    expectedEndTime: running ? Number(record.initialStartTime + record.duration) : undefined,
    errorCode: record.errorCode === ZeroHash ? undefined : decodeBytes32String(record.errorCode),
    hardwareProvider: [ZeroHash, id('Artifact')].includes(record.hardwareProvider)
      ? { [id('Artifact')]: 'Artifact' }[record.hardwareProvider as string]
      : record.hardwareProvider,
    blsPublicKey: bls ? AbiCoder.defaultAbiCoder().decode(['bytes', 'bytes'], record.blsPubkeyAndSig)[0] : undefined,
  };
}

describe('the list of minipools', () => {
  test('has every record of the contract, field by field', async () => {
    const body = await minipoolsWith();
    expect(body.minipools).toHaveLength(records.length);
    const kinds: Record<string, Set<unknown>> = {};
    for (const [index, record] of records.entries()) {
      const minipool = body.minipools[index];
      expect(minipool.index).toBe(index);
      for (const [name, expected] of Object.entries(expectedBody(record))) {
        expect([index, name, minipool[name]]).toEqual([index, name, expected]);
        kinds[name] = (kinds[name] ?? new Set()).add(expected);
      }
    }
    await expectTrue(
      '/minipools',
      body.minipools.map((minipool: Body) => ({ ...body, minipools: [minipool] })),
    );
    // Each of these is there in some minipools and not, or another, in others.
    expect(Object.entries(kinds).filter(([, { size }]) => size === 1)).toEqual([]);
    expect(body.total).toBe(records.length);
    expect(body.block.number).toBe((await chain.block('latest')).number);
  });

  test('counts as many of each status as the contract', async () => {
    const { counts } = await minipoolsWith();
    for (const [code, name] of MINIPOOL_STATUSES.entries()) {
      expect([name, counts[name]]).toEqual([
        name,
        (await chain.read('MinipoolManager', 'getMinipools', [code, 0, 0])).length,
      ]);
    }
    expect(Object.values(counts).every((count) => Number(count) > 0)).toBe(true);
  });

  test.each([
    ['staking', ['staking']],
    ['error,prelaunch', ['prelaunch', 'error']],
    ['prelaunch, error', ['prelaunch', 'error']],
  ])('is filtered by the statuses %s, while counts stay the same', async (status, expected) => {
    const [all, body] = [await minipoolsWith(), await minipoolsWith({ status })];
    expect(statusesIn(body)).toEqual(new Set(expected));
    expect(body.minipools).toEqual(all.minipools.filter(({ status }: Body) => expected.includes(status)));
    expect(body.total).toBe(body.minipools.length);
    expect(body.counts).toEqual(all.counts);
  });

  test("is filtered by an owner, whose address may be in any case, and counts only that owner's", async () => {
    const { tara } = chain.people;
    const body = await minipoolsWith({ owner: tara.toLowerCase() });
    const theirs = (await minipoolsWith()).minipools.filter(({ owner }: Body) => owner === tara);
    expect(body.minipools).toEqual(theirs);
    expect(body.counts).toMatchObject({ withdrawable: 2, finished: 0, canceled: 0, error: 0 });
    const waiting = await minipoolsWith({ owner: tara, status: 'withdrawable' });
    expect(waiting.total).toBe(2);
    expect(waiting.counts).toEqual(body.counts);
  });

  test('is filtered by a node, for both forms of its ID', async () => {
    const hex = nodeID(26);
    const body = await minipoolsWith({ nodeID: formatNodeID(hex) });
    expect(body.minipools.map(({ nodeID }: Body) => nodeID)).toEqual([formatNodeID(hex)]);
    expect(await minipoolsWith({ nodeID: hex.toUpperCase().replace('0X', '0x') })).toEqual(body);
  });
});

describe('one minipool', () => {
  test('is the record of its node, for both forms of its ID', async () => {
    const { minipools: all, block } = await minipoolsWith();
    const expected = { ...all[12], block };
    for (const form of [all[12].nodeID, records[12]?.nodeID.toLowerCase()]) {
      const { status, body } = await minipoolOf(form);
      expect(status).toBe(200);
      expect(body).toEqual(expected);
    }
  });

  test('that never existed is a 404, cached for all containers', async () => {
    const unknown = 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5';
    const { status, headers, body } = await minipoolOf(unknown);
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'MINIPOOL_NOT_FOUND', error: 'MINIPOOL_NOT_FOUND' });
    expect(body.detail).toBe(`${unknown} has never had a minipool.`);
    expect(headers['Cache-Control']).toBe('public, max-age=15');
    // The first container may have to read again if the 404 has expired meanwhile.
    const other = startOnDevnet();
    for (const container of [startOnDevnet(), other]) {
      const sent = await sendTo(minipoolsNodeID, container, { params: { nodeID: unknown } });
      expect(sent.status).toBe(404);
    }
    expect(other.telemetry.attempts).toEqual([]);
  });
});
