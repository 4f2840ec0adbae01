import { beforeAll, describe, expect, test } from '@jest/globals';
import { AbiCoder, decodeBytes32String, id, type Result, ZeroHash } from 'ethers';
import { minipoolsNodeID } from '../../functions/minipools/node-id.ts';
import { minipools } from '../../functions/minipools.ts';
import { nodeID } from '../../infra/devnet/scenario/minipool-steps.ts';
import { MINIPOOL_STATUSES } from '../../lib/contracts/minipool-statuses.ts';
import { formatAmount } from '../../lib/values/amounts.ts';
import { formatNodeID } from '../../lib/values/cb58.ts';
import { type Body, bodyFrom, sendTo } from '../support/events.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { chainForAllTests, expectTrue } from './devnet.ts';

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

const list = (query?: Record<string, string>): Promise<Body> => bodyFrom(minipools, runtime, query && { query });
const one = (node: string) => sendTo(minipoolsNodeID, runtime, { params: { nodeID: node } });
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

describe('the list', () => {
  test('has every record of the contract, field by field', async () => {
    const body = await list();
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
});

describe('one minipool', () => {
  test('is the record of its node, for both forms of its ID', async () => {
    const { minipools: all, block } = await list();
    const expected = { ...all[12], block };
    for (const form of [all[12].nodeID, records[12]?.nodeID.toLowerCase()]) {
      const { status, body } = await one(form);
      expect(status).toBe(200);
      expect(body).toEqual(expected);
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
      const sent = await sendTo(minipoolsNodeID, container, { params: { nodeID: unknown } });
      expect(sent.status).toBe(404);
    }
    expect(other.telemetry.attempts).toEqual([]);
  });
});
