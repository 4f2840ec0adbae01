import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AbiCoder, decodeBytes32String, id, type Result, ZeroHash } from 'ethers';
import { minipoolsNodeID } from '../../functions/minipools/node-id.ts';
import { minipools } from '../../functions/minipools.ts';
import { nodeID } from '../../infra/devnet/scenario/minipool-steps.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { MINIPOOL_STATUSES } from '../../lib/contracts/minipool-statuses.ts';
import { formatAmount } from '../../lib/values/amounts.ts';
import { formatNodeID } from '../../lib/values/cb58.ts';
import { DAY } from '../../lib/values/durations.ts';
import { send } from '../support/events.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { type Chain, expectTrue, openChain } from './devnet.ts';

let chain: Chain;
tablesForAllTests();
let runtime: TestRuntime;
let records: Result[];
let cycleDuration: number;

beforeAll(async () => {
  runtime = startOnDevnet();
  chain = await openChain();
  const count = Number(await chain.read('MinipoolManager', 'getMinipoolCount'));
  cycleDuration = Number(await chain.read('ProtocolDAO', 'getMinipoolCycleDuration'));
  records = await Promise.all(
    Array.from({ length: count }, (_, index) => chain.read('MinipoolManager', 'getMinipool', [index])),
  );
});
afterAll(() => chain.rpc.close());

// biome-ignore lint/suspicious/noExplicitAny: bodies as clients see them
type Body = any;

async function list(query?: Record<string, string>): Promise<Body> {
  const { status, body } = await send(createHandler(minipools, runtime), query && { query });
  expect(status).toBe(200);
  return body;
}
const one = (node: string) => send(createHandler(minipoolsNodeID, runtime), { params: { nodeID: node } });
/** The minipool of the scenario's node with this number, as a response. */
const ofNode = async (node: number): Promise<Body> => (await one(nodeID(node))).body;
const statusesIn = (body: Body) => new Set(body.minipools.map(({ status }: Body) => status));

/** What clients should see of a record besides the values of its views, made from what ethers decodes. */
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

describe('the list', () => {
  test('has every record of the contract, field by field', async () => {
    const body = await list();
    expect(body.minipools).toHaveLength(records.length);
    for (const [index, record] of records.entries()) {
      const minipool = body.minipools[index];
      expect(minipool.index).toBe(index);
      await expectTrue('/minipools', { block: body.block, minipools: [minipool] });
      const expected = expectedBody(record);
      expect(Object.fromEntries(Object.keys(expected).map((name) => [name, minipool[name]]))).toEqual(expected);
    }
    expect(body.total).toBe(records.length);
    expect(body.block.number).toBe((await chain.block('latest')).number);
    expect(minipools.response().parse(body)).toEqual(body);
  });

  test('counts as many of each status as the contract', async () => {
    const { counts } = await list();
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
    const [all, body] = [await list(), await list({ status })];
    expect(statusesIn(body)).toEqual(new Set(expected));
    expect(body.minipools).toEqual(all.minipools.filter(({ status }: Body) => expected.includes(status)));
    expect(body.total).toBe(body.minipools.length);
    expect(body.counts).toEqual(all.counts);
  });

  test("is filtered by an owner, whose address may be in any case, and counts only that owner's", async () => {
    const { tara } = chain.people;
    const body = await list({ owner: tara.toLowerCase() });
    const theirs = (await list()).minipools.filter(({ owner }: Body) => owner === tara);
    expect(body.minipools).toEqual(theirs);
    expect(body.counts).toMatchObject({ withdrawable: 2, finished: 0, canceled: 0, error: 0 });
    const waiting = await list({ owner: tara, status: 'withdrawable' });
    expect(waiting.total).toBe(2);
    expect(waiting.counts).toEqual(body.counts);
  });

  test('is filtered by a node, for both forms of its ID', async () => {
    const hex = nodeID(26);
    const body = await list({ nodeID: formatNodeID(hex) });
    expect(body.minipools.map(({ nodeID }: Body) => nodeID)).toEqual([formatNodeID(hex)]);
    expect(await list({ nodeID: hex.toUpperCase().replace('0X', '0x') })).toEqual(body);
  });

  test('is empty if nothing matches', async () => {
    const body = await list({ owner: chain.people.alba });
    expect(body).toMatchObject({ minipools: [], total: 0, counts: { staking: 0 } });
  });

  test('returns the requested page and the total', async () => {
    const body = await list({ limit: '5', offset: '7' });
    expect(body.minipools.map(({ index }: Body) => index)).toEqual([7, 8, 9, 10, 11]);
    expect(body.total).toBe(records.length);
  });

  test('reports every invalid parameter', async () => {
    const query = { status: 'staking,running', owner: '0x12', nodeID: 'NodeID-1', limit: 'x' };
    const { status, body } = await send(createHandler(minipools, runtime), { query });
    expect(status).toBe(400);
    expect(body.errors.map(({ parameter }: Body) => parameter)).toEqual(Object.keys(query));
    expect(body.errors[0].message).toBe(
      'must be one or more of prelaunch, launched, staking, withdrawable, finished, canceled, error, separated by commas',
    );
  });
});

describe('one minipool', () => {
  test('is the record of its node, for both forms of its ID', async () => {
    const { minipools: all, block } = await list();
    const expected = { ...all[12], block };
    for (const form of [all[12].nodeID, records[12]?.nodeID.toLowerCase()]) {
      const { status, body } = await one(form);
      expect(status).toBe(200);
      expect(body).toEqual(expected);
      expect(minipoolsNodeID.response().parse(body)).toEqual(body);
    }
  });

  test('that never existed is a 404, cached for all containers', async () => {
    const unknown = 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5';
    const { status, headers, body } = await one(unknown);
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'MINIPOOL_NOT_FOUND', error: 'MINIPOOL_NOT_FOUND' });
    expect(body.detail).toBe(`${unknown} has never had a minipool.`);
    expect(headers['Cache-Control']).toBe('public, max-age=15');
    // The first container may have to read again if the 404 has expired meanwhile.
    const other = startOnDevnet();
    for (const container of [startOnDevnet(), other]) {
      const sent = await send(createHandler(minipoolsNodeID, container), { params: { nodeID: unknown } });
      expect(sent.status).toBe(404);
    }
    expect(other.telemetry.attempts).toEqual([]);
  });

  test('with an invalid node ID is a 400', async () => {
    for (const bad of ['NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE6', '0x1234', 'node']) {
      const { status, body } = await one(bad);
      expect([status, body.errors[0].parameter]).toEqual([400, 'nodeID']);
    }
  });
});

describe('peculiarities of the contract:', () => {
  test('an unknown node, which looks like Prelaunch on the contract, is a 404', async () => {
    const unknown = `0x${'12'.repeat(20)}`;
    const record = await chain.read('MinipoolManager', 'getMinipoolByNodeID', [unknown]);
    expect([record.index, record.status]).toEqual([-1n, 0n]);
    expect((await one(unknown)).status).toBe(404);
    expect((await list({ nodeID: unknown })).total).toBe(0);
  });

  test('amounts stay in Finished, Canceled and Error', async () => {
    const over = (await list({ status: 'finished,canceled,error' })).minipools;
    expect(statusesIn({ minipools: over }).size).toBe(3);
    for (const { avaxNodeOpAmt, avaxLiquidStakerAmt } of over) {
      expect(Number(avaxNodeOpAmt)).toBeGreaterThanOrEqual(1_000);
      expect(Number(avaxLiquidStakerAmt)).toBeGreaterThanOrEqual(1_000);
    }
  });

  test('the creation time is 0 if the former manager has begun another cycle', async () => {
    const { minipools: all } = await list();
    const cleared = all.filter(({ creationTime }: Body) => creationTime === 0);
    expect(cleared.length).toBeGreaterThan(0);
    for (const { initialStartTime, startTime } of cleared) expect(startTime).not.toBe(initialStartTime);
  });

  test('a relaunched minipool begins with the principal of its first life', async () => {
    const { creationTime, avaxNodeOpInitialAmt, initialStartTime } = await ofNode(1);
    expect(creationTime).toBeGreaterThan((await ofNode(12)).initialStartTime);
    expect([initialStartTime > creationTime, avaxNodeOpInitialAmt]).toEqual([true, '1000']);
  });

  test('EC1 is not an error of the node: the minipool has validated, and is withdrawable or finished', async () => {
    const { minipools: all } = await list();
    const ec1 = all.filter(({ errorCode }: Body) => errorCode === 'EC1');
    expect(ec1.length).toBeGreaterThan(0);
    for (const { status, avaxTotalRewardAmt } of ec1) {
      expect(['withdrawable', 'finished']).toContain(status);
      expect(Number(avaxTotalRewardAmt)).toBeGreaterThan(0);
    }
    expect((await ofNode(13)).errorCode).toBe('E1');
    expect((await ofNode(43)).status).toBe('canceled');
  });

  test('a node ID reused by another owner keeps its index and gets a new record', async () => {
    const body = await ofNode(5);
    expect(body).toMatchObject({ index: 4, owner: chain.people.quinn, duration: 60 * DAY });
    expect(records.filter(({ nodeID: hex }) => hex.toLowerCase() === nodeID(5))).toHaveLength(1);
    expect((await list({ owner: chain.people.kaya })).total).toBe(0);
  });

  test('endTime is 0 while staking, and expectedEndTime says when the total duration will be over', async () => {
    const { minipools: staking, block } = await list({ status: 'staking' });
    for (const { endTime, expectedEndTime, initialStartTime, duration, startTime } of staking) {
      expect(endTime).toBe(0);
      expect(expectedEndTime).toBe(initialStartTime + duration);
      expect(expectedEndTime).toBeGreaterThan(block.timestamp);
      expect(startTime).toBeGreaterThanOrEqual(initialStartTime);
    }
    expect(staking.some(({ startTime, initialStartTime }: Body) => startTime > initialStartTime)).toBe(true);
  });

  test('a minipool that has ended or has never started has no expectedEndTime', async () => {
    const { minipools: others } = await list({ status: 'prelaunch,launched,withdrawable,finished,canceled,error' });
    for (const minipool of others) {
      const cycling = minipool.statusCode < 2 && minipool.initialStartTime > 0;
      expect('expectedEndTime' in minipool).toBe(cycling);
    }
  });

  test('the delegation fee is stored in millionths, and returned in percent', async () => {
    const { minipools: all } = await list();
    expect(records[0]?.delegationFee).toBe(20_000n);
    expect(new Set(all.map(({ delegationFeePercent }: Body) => delegationFeePercent))).toEqual(new Set([2]));
  });

  test('rewards are those of the last cycle only, except avaxNodeOpLifetimeRewardAmt', async () => {
    const compounded = (await list({ status: 'staking' })).minipools.filter(
      ({ avaxNodeOpAmt, avaxNodeOpInitialAmt }: Body) => avaxNodeOpAmt !== avaxNodeOpInitialAmt,
    );
    expect(compounded.length).toBeGreaterThan(0);
    for (const { avaxTotalRewardAmt, avaxNodeOpLifetimeRewardAmt } of compounded) {
      expect(avaxTotalRewardAmt).toBe('0');
      expect(Number(avaxNodeOpLifetimeRewardAmt)).toBeGreaterThan(0);
    }
    // A minipool that ended after its first cycle has earned only that.
    const ended = (await list({ status: 'finished,withdrawable' })).minipools.filter(
      ({ avaxNodeOpAmt, avaxNodeOpInitialAmt }: Body) => avaxNodeOpAmt === avaxNodeOpInitialAmt,
    );
    expect(ended.length).toBeGreaterThan(0);
    for (const { avaxNodeOpRewardAmt, avaxNodeOpLifetimeRewardAmt } of ended) {
      expect(avaxNodeOpLifetimeRewardAmt).toBe(avaxNodeOpRewardAmt);
    }
  });

  test('a zero txID is omitted, because nothing has been staked yet', async () => {
    const { minipools: queued } = await list({ status: 'prelaunch,canceled' });
    for (const minipool of queued) expect(minipool).not.toHaveProperty('txID');
    expect((await ofNode(1)).txID).toMatch(/^[1-9A-HJ-NP-Za-km-z]{45,55}$/);
  });

  test('a hardware provider is a name if its hash is known, and otherwise the hash', async () => {
    expect((await ofNode(26)).hardwareProvider).toBe('Artifact');
    expect((await ofNode(41)).hardwareProvider).toBe(id('Cascadia'));
    expect(await ofNode(1)).not.toHaveProperty('hardwareProvider');
  });

  test('old records have no BLS key', async () => {
    expect((await ofNode(6)).blsPublicKey).toMatch(/^0x[0-9a-f]{96}$/);
    expect(await ofNode(7)).not.toHaveProperty('blsPublicKey');
  });
});
