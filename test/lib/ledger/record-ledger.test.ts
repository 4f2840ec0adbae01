import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { LocalServer } from '../../../infra/devnet/listen.ts';
import { createChainContext } from '../../../lib/chain/chain.ts';
import { subjectOf } from '../../../lib/ledger/ledger-entry.ts';
import type { LedgerStore } from '../../../lib/ledger/ledger-store.ts';
import { LedgerRecorder, type LedgerRunLimits } from '../../../lib/ledger/record-ledger.ts';
import { readConfig } from '../../../lib/runtime/config.ts';
import { createContext, RECORDER_LIMITS } from '../../../lib/runtime/context.ts';
import { stoppedAfterEach } from '../../support/servers.ts';
import { openLedger, tablesForEachTest } from '../../support/tables.ts';
import { recordingTelemetry } from '../../support/telemetry.ts';
import * as chains from './log-chain.ts';
import { type Behaviour, LogChain, serve, staked, timeOf, transferred } from './log-chain.ts';

/** The faults that the ledger recorder withstands, with real sockets and a real DynamoDB engine. */

tablesForEachTest();
const keep = stoppedAfterEach();
const UNLIMITED: LedgerRunLimits = { mayGoOn: () => true };

let store: LedgerStore;
beforeEach(() => {
  store = openLedger();
});

/** A recorder that uses these providers, in this order. */
function recorderOf(servers: readonly LocalServer[], into = store) {
  const config = readConfig({
    NETWORK: 'devnet',
    RPC_URLS: servers.map(({ url }) => url).join(','),
    ...{ CACHE_TABLE: 'cache', HISTORY_TABLE: 'history', LEDGER_TABLE: 'ledger', MAX_HEAD_AGE_SECONDS: '0' },
  });
  const telemetry = recordingTelemetry();
  const { chain } = createChainContext(createContext(config, telemetry, { limits: RECORDER_LIMITS }));
  return { recorder: new LedgerRecorder(chain, into), telemetry };
}

const provider = async (chain: LogChain, behaviour?: Behaviour) => keep(await serve(chain, behaviour));

/** The amounts of all entries, the oldest first. Each event in these tests has a different one. */
async function recorded(): Promise<number[]> {
  const { entries } = await store.all(subjectOf.protocol);
  return entries.map((entry) => Number('amount' in entry ? entry.amount : 'shares' in entry ? entry.shares : -1));
}

/** A chain with an event every `every` blocks, whose amounts are their block numbers. */
function chainOf(head: number, every: number): { chain: LogChain; expected: number[] } {
  const chain = new LogChain(head);
  const blocks = Array.from({ length: Math.floor(head / every) + 1 }, (_, index) => index * every);
  chain.emitted = blocks.map((block) => staked(block, block));
  return { chain, expected: blocks };
}

test("a run records every event from the protocol's first block to the head, once, in order", async () => {
  const { chain, expected } = chainOf(9_999, 37);
  chain.first = 3_700;
  const { recorder } = recorderOf([await provider(chain)]);
  const report = await recorder.run(UNLIMITED);
  const fromFirst = expected.filter((block) => block >= 3_700);
  expect(await recorded()).toEqual(fromFirst);
  expect(await store.progress.coverage()).toEqual({
    fromBlock: 3_700,
    toBlock: 9_999,
    toTimestamp: timeOf(9_999),
    confirmed: { number: 9_999, timestamp: timeOf(9_999) },
    sources: 1,
    complete: true,
  });
  expect(report).toEqual({ blocks: 6_300, added: fromFirst.length });

  chain.head = 10_050;
  chain.emitted.push(staked(10_000, 10_000), staked(10_050, 10_050));
  // The new blocks, and the last 100 again.
  expect(await recorder.run(UNLIMITED)).toEqual({ blocks: 151, added: 2 });
  expect(await recorded()).toEqual([...fromFirst, 10_000, 10_050]);
});

test('on an empty table, a run asks for each block once', async () => {
  const { chain, expected } = chainOf(999, 37);
  const server = await provider(chain);
  await recorderOf([server]).recorder.run(UNLIMITED);
  expect(await recorded()).toEqual(expected);
  const ranges = server.requests
    .flat()
    .filter(({ method }) => method === 'eth_getLogs')
    .map(({ params }) => params[0] as { fromBlock: string; toBlock: string });
  const blocks = ranges.flatMap(({ fromBlock, toBlock }) =>
    Array.from({ length: Number(toBlock) - Number(fromBlock) + 1 }, (_, index) => Number(fromBlock) + index),
  );
  expect(blocks.sort((a, b) => a - b)).toEqual(Array.from({ length: 1_000 }, (_, block) => block));
});

test("the protocol's first block may be the newest of a young chain, and is found without asking for later blocks", async () => {
  const chain = new LogChain(32);
  chain.first = 32;
  const server = await provider(chain);
  await recorderOf([server]).recorder.run(UNLIMITED);
  expect(await store.progress.coverage()).toMatchObject({
    fromBlock: 0,
    toBlock: 32,
    toTimestamp: timeOf(32),
    complete: true,
  });
  const probed = server.requests.flat().filter(({ method }) => method === 'eth_getCode');
  expect(Math.max(...probed.map(({ params }) => Number(params[1])))).toBe(31);
});

test('the past is searched only after the present, and the blocks left are counted', async () => {
  const { chain, expected } = chainOf(200, 10);
  chain.first = 20;
  const { recorder } = recorderOf([await provider(chain)]);
  await recorder.recordOld(UNLIMITED);
  expect((await store.progress.read()).blocks).toBeUndefined();
  expect(await recorder.countLeft()).toBe(181);
  await recorder.recordNew(UNLIMITED);
  // A hundred are.
  expect(await recorder.countLeft()).toBe(81);
  chain.head = 210;
  expect(await recorder.countLeft()).toBe(91);
  await recorder.recordOld(UNLIMITED);
  expect(await recorder.countLeft()).toBe(10);
  await recorder.recordNew(UNLIMITED);
  expect(await recorder.countLeft()).toBe(0);
  // A provider that lags now does not change that.
  chain.head = 205;
  expect(await recorder.countLeft()).toBe(0);
  expect(await recorded()).toEqual(expected.filter((block) => block >= 20));
});

test('a day of blocks, in windows of 2,048, takes at most 45 requests besides those for headers', async () => {
  const { chain } = chainOf(1_079_500, 500);
  chain.first = 1_000_000;
  const limited = await provider(chain, {
    refuse: (from, to) =>
      to - from + 1 > 2_048
        ? { code: -32_000, message: `requested too many blocks from ${from} to ${to}, maximum is set to 2048` }
        : undefined,
    // Like most nodes, whose logs have no time.
    change: (method, result) =>
      method === 'eth_getLogs' ? (result as Record<string, string>[]).map(({ blockTimestamp, ...log }) => log) : result,
  });
  await recorderOf([limited]).recorder.run(UNLIMITED);
  expect(await store.progress.coverage()).toMatchObject({ complete: true });
  const isHeaders = (calls: { method: string; params: unknown[] }[]) =>
    calls.every(({ method, params }) => method === 'eth_getBlockByNumber' && params[0] !== 'latest');
  const others = limited.requests.filter((calls) => !isHeaders(calls));
  expect(others.length).toBeLessThanOrEqual(45);
  expect(limited.requests.length).toBeGreaterThan(others.length);
});

test('a provider that refuses a range is asked for less, and that never counts as a failure', async () => {
  const { chain, expected } = chainOf(3_000, 50);
  const limited = await provider(chain, {
    // A limit on results, with the code of a rate limit.
    refuse: (from, _, found) => {
      const range = `[0x${from.toString(16)}, 0x${(from + 99).toString(16)}]`;
      const message = `query returned more than 3 results. Try with this block range ${range}.`;
      return found > 3 ? { code: -32_005, message } : undefined;
    },
  });
  const { recorder, telemetry } = recorderOf([limited]);
  await recorder.run(UNLIMITED);
  expect(await recorded()).toEqual(expected);
  expect(await store.progress.coverage()).toMatchObject({ fromBlock: 0, toBlock: 3_000, complete: true });
  expect(new Set(telemetry.attempts)).toEqual(new Set(['rpc-1 ok']));
});

test.each<[string, (chain: LogChain) => Behaviour]>([
  ['refuses all for its rate', () => ({ refuse: () => ({ code: -32_005, message: 'rate limit exceeded' }) })],
  ['lacks old states', (chain) => ({ backend: () => Object.assign(new LogChain(0), chain, { stateFrom: 29_000 }) })],
  [
    'gives logs that cannot be true',
    () => ({ change: (method, result) => (method === 'eth_getLogs' ? [null] : result) }),
  ],
])('providers share the past, and one that %s is left out', async (_, badOf) => {
  const { chain, expected } = chainOf(30_000, 100);
  const few = (from: number, to: number) =>
    to - from >= 200 ? { code: -32_000, message: 'Max range: 200' } : undefined;
  const late = { refuse: few, onRequest: () => sleep(20) };
  const servers = [
    await provider(chain, badOf(chain)),
    await provider(chain, late),
    await provider(chain, late),
  ] as const;
  const { recorder } = recorderOf(servers);
  const steps: number[] = [];
  await recorder.run({ mayGoOn: () => true, onStep: ({ added }) => steps.push(added) });
  expect(await recorded()).toEqual(expected);
  // No event was found twice.
  expect(steps.reduce((sum, added) => sum + added)).toBe(expected.length);
  const [asked, some, others] = servers.map(
    ({ requests }) => requests.filter((calls) => calls.some(({ method }) => method === 'eth_getLogs')).length,
  ) as [number, number, number];
  expect(Math.min(some, others) / (some + others)).toBeGreaterThan(0.15);
  // Without other providers, each request would wait for ten refusals.
  expect(asked).toBeLessThan(some / 2);
});

describe('a provider that lags', () => {
  test('and has no logs beyond its head is believed up to its head', async () => {
    const { chain, expected } = chainOf(1_000, 20);
    const behind = new LogChain(903);
    behind.emitted = chain.emitted;
    // The request for logs also reads the provider's head.
    const { recorder } = recorderOf([await provider(behind)]);
    await recorder.run(UNLIMITED);
    expect(await store.progress.coverage()).toMatchObject({ toBlock: 903, toTimestamp: timeOf(903) });
    behind.head = 950;
    const other = recorderOf([await provider(chain, { backend: (m) => (m === 'eth_getLogs' ? behind : chain) })]);
    await other.recorder.recordNew(UNLIMITED);
    behind.head = 1_000;
    chain.head = 1_001;
    await other.recorder.recordNew(UNLIMITED);
    expect(await recorded()).toEqual(expected);
  });

  test('provides the blocks it has if no other provider can', async () => {
    const { chain, expected } = chainOf(900, 20);
    await recorderOf([await provider(chain)]).recorder.run(UNLIMITED);
    chain.head = 1_000;
    const behind = new LogChain(950);
    behind.emitted = chain.emitted;
    behind.emitted.push(staked(940, 940), staked(960, 960));
    const silent = await provider(chain, {
      refuse: () => ({ code: -32_000, message: 'cannot query unfinalized data' }),
    });
    const { recorder } = recorderOf([silent, await provider(behind)]);
    await recorder.recordNew(UNLIMITED);
    expect((await store.progress.read()).blocks).toMatchObject({ to: 950 });
    expect(await recorded()).toEqual([...expected, 940]);
  });

  test('less than two minutes behind a load balancer loses no events, and whoever follows gets each as soon as it is final', async () => {
    const { chain } = chainOf(1_000, 3);
    // Heads come from one backend, and logs from another backend that lags without an error.
    const behind = new LogChain(1_000);
    behind.emitted = chain.emitted;
    const balanced = await provider(chain, { backend: (method) => (method === 'eth_getLogs' ? behind : chain) });
    const { recorder } = recorderOf([balanced]);
    const lags = [0, 59, 30, 58, 59, 1, 59, 59];
    const shown: number[] = [];
    let after: string | undefined;
    for (const [run, lag] of [...lags, ...lags, ...lags].entries()) {
      behind.head = chain.head - lag;
      await recorder.run(UNLIMITED);
      const page = await openLedger().page(subjectOf.protocol, { limit: 1_000, order: 'asc', after });
      shown.push(...page.entries.map(({ block }) => block));
      after = page.lastCursor;
      // Blocks are two seconds apart.
      expect(shown).toEqual(chain.emitted.map(({ block }) => block).filter((block) => block <= chain.head - 60));
      for (const end = chain.head + 7 + 5 * (run % 6); chain.head < end; ) {
        chain.head += 1;
        chain.emitted.push(staked(chain.head, chain.head));
      }
    }
    expect(shown.length).toBeGreaterThan(500);
  });
});

describe('a replaced contract', () => {
  /** Staking is replaced in the middle of a window, in which both contracts have emitted events. */
  function upgraded(at: number) {
    const chain = new LogChain(4_000);
    chain.stakingAt = (block) => (block < at ? chains.OLD_STAKING : chains.STAKING);
    chain.emitted = [
      staked(at - 300, 1, { by: chains.OLD_STAKING }),
      staked(at - 1, 2, { by: chains.OLD_STAKING }),
      staked(at, 3, { by: chains.STAKING }),
      staked(at + 300, 4, { by: chains.STAKING }),
    ];
    return chain;
  }

  test.each([
    ['between two windows of a request,', 2_345],
    ['in its last window,', 350],
  ])('in the past, %s is found in the registry of that time', async (_, at) => {
    await recorderOf([await provider(upgraded(at))]).recorder.run(UNLIMITED);
    expect(await recorded()).toEqual([1, 2, 3, 4]);
    expect((await store.progress.read()).contracts).toEqual(
      expect.arrayContaining([`Staking#${chains.OLD_STAKING}`, `Staking#${chains.STAKING}`]),
    );
  });

  const SHORT_LIVED = `0x${'52'.repeat(20)}`;

  /** A contract that is registered and replaced within one batch of windows, and what it emitted. */
  function replacedSoon(at: number, blocks: number) {
    const chain = upgraded(at);
    const { stakingAt } = chain;
    chain.stakingAt = (block) => (at <= block && block < at + blocks ? SHORT_LIVED : stakingAt(block));
    chain.emitted.push(staked(at + blocks - 1, 9, { by: SHORT_LIVED, logIndex: 1 }));
    return chain;
  }

  test.each([1, 2, 700])('that was registered for %i blocks in the past is found', async (blocks) => {
    await recorderOf([await provider(replacedSoon(2_345, blocks))]).recorder.run(UNLIMITED);
    expect((await recorded()).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 9]);
  });

  test('that was registered for a few blocks between two runs is found', async () => {
    const chain = replacedSoon(2_345, 5);
    chain.head = 2_000;
    const { recorder } = recorderOf([await provider(chain)]);
    await recorder.run(UNLIMITED);
    chain.head = 4_000;
    await recorder.run(UNLIMITED);
    expect((await recorded()).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 9]);
  });

  test('is kept in the table, so that other recorders search it, too', async () => {
    const chain = upgraded(2_345);
    await recorderOf([await provider(chain)]).recorder.run(UNLIMITED);
    chain.head = 4_100;
    chain.emitted.push(staked(4_050, 5, { by: chains.OLD_STAKING }));
    await recorderOf([await provider(chain)]).recorder.run(UNLIMITED);
    expect(await recorded()).toEqual([1, 2, 3, 4, 5]);
  });

  test('is kept in the table even if the step that found it failed', async () => {
    jest.spyOn(store, 'write').mockRejectedValueOnce(new Error('killed'));
    const { recorder } = recorderOf([await provider(upgraded(4_000))]);
    await expect(recorder.recordNew(UNLIMITED)).rejects.toThrow('killed');
    const { blocks, contracts } = await store.progress.read();
    expect(blocks).toBeUndefined();
    expect(contracts).toContain(`Staking#${chains.STAKING}`);
  });
});

describe('what is not in logs:', () => {
  test("the rate of a transfer is read from its block's state, once per block", async () => {
    const chain = new LogChain(1_000);
    chain.emitted = [transferred(100, 1), transferred(100, 2, 1), transferred(700, 3)];
    const server = await provider(chain);
    await recorderOf([server]).recorder.run(UNLIMITED);
    const { entries } = await store.all(subjectOf.holder(chains.BOB));
    expect(entries.map((entry) => 'rate' in entry && [entry.rate, entry.assets])).toEqual(
      [100, 100, 700].map(chains.rateOf).map((rate) => [rate, rate]),
    );
    const reads = server.requests.flat().filter(({ method, params }) => method === 'eth_call' && params[1] === '0x64');
    expect(reads).toHaveLength(1);
  });

  test('zeros of a node that lacks the states are no answer', async () => {
    const chain = new LogChain(1_000);
    chain.emitted = [staked(50, 4, { by: chains.OLD_STAKING }), transferred(100, 1), transferred(700, 3)];
    chain.stakingAt = (block) => (block < 60 ? chains.OLD_STAKING : chains.STAKING);
    const pruned = Object.assign(new LogChain(1_000), chain, { stateFrom: 900 });
    const { recorder, telemetry } = recorderOf([await provider(pruned), await provider(chain)]);
    await recorder.run(UNLIMITED);
    expect(await recorded()).toEqual([4, 1, 3]);
    const { entries } = await store.all(subjectOf.holder(chains.BOB));
    expect(entries.map((entry) => 'rate' in entry && entry.rate)).toEqual([100, 700].map(chains.rateOf));
    expect(telemetry.attempts.filter((attempt) => attempt.startsWith('rpc-1 no_state')).length).toBeGreaterThan(0);
    const alone = openLedger('fuji');
    await expect(recorderOf([await provider(pruned)], alone).recorder.run(UNLIMITED)).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
    });
  });
});

describe('malformed logs', () => {
  type Logs = Record<string, unknown>[];
  const each = (change: object) => (logs: Logs) => logs.map((log) => ({ ...log, ...change }));

  test.each<[string, (logs: Logs) => unknown]>([
    ['that are a number', () => 7],
    ['that are a list of nulls', () => [null]],
    ['without a block', each({ blockNumber: {} })],
    ['of a block that was not asked for', each({ blockNumber: '0xffffff' })],
    ['without an index', each({ logIndex: 'x' })],
    ['without a transaction', each({ transactionHash: 1 })],
    ['without data', each({ data: null })],
    ['without a contract', each({ address: 1 })],
    ['of a contract that was not asked for', each({ address: chains.ALICE })],
    ['of an event that was not asked for', each({ topics: [`0x${'00'.repeat(32)}`] })],
    ['that were removed', each({ removed: true })],
    [
      'with another log in the same place',
      (logs) => logs.flatMap((log) => [log, { ...log, data: `0x${'01'.padStart(64, '0')}` }]),
    ],
    [
      'with the same log of another transaction',
      (logs) => logs.flatMap((log) => [log, { ...log, transactionHash: `0x${'77'.repeat(32)}` }]),
    ],
  ])('%s are read from another provider', async (_, made) => {
    const { chain, expected } = chainOf(1_000, 100);
    const bad = await provider(chain, {
      change: (method, logs) => (method === 'eth_getLogs' ? made(logs as Logs) : logs),
    });
    const good = await provider(chain);
    for (const added of [[], [1_010, 1_040]]) {
      // During the backfill, and then for new blocks.
      chain.head += 25 * added.length;
      chain.emitted.push(...added.map((block) => staked(block, block)));
      const { recorder, telemetry } = recorderOf([bad, good]);
      await recorder.run(UNLIMITED);
      expect(await recorded()).toEqual([...expected, ...added]);
      expect(telemetry.attempts).toContain('rpc-1 malformed');
    }
  });

  test.each<[string, (logs: Logs) => Logs]>([
    ['in another order', (logs) => logs.toReversed()],
    ['with times of their own', each({ blockTimestamp: '0xffffffff' })],
  ])('that come %s are the same logs', async (_, made) => {
    const { chain, expected } = chainOf(1_000, 100);
    chain.emitted.push(staked(500, 7, { logIndex: 1 }));
    const bad = await provider(chain, {
      change: (method, logs) => (method === 'eth_getLogs' ? made(logs as Logs) : logs),
    });
    const { recorder, telemetry } = recorderOf([bad]);
    // The second run finds them once more.
    for (let run = 0; run < 2; run += 1) await recorder.run(UNLIMITED);
    expect(await recorded()).toEqual([...expected.slice(0, 6), 7, ...expected.slice(6)]);
    expect(new Set(telemetry.attempts)).toEqual(new Set(['rpc-1 ok']));
  });

  test('of blocks after the head do not count yet', async () => {
    const { chain, expected } = chainOf(1_000, 100);
    const ahead = await provider(chain, {
      backend: (method) => (method === 'eth_getBlockByNumber' ? new LogChain(950) : chain),
    });
    await recorderOf([ahead]).recorder.recordNew(UNLIMITED);
    await recorderOf([ahead]).recorder.recordOld(UNLIMITED);
    expect(await recorded()).toEqual(expected.filter((block) => block <= 950));
  });
});

test('a write that the table refuses for what the ledger made says so', async () => {
  const { chain } = chainOf(100, 10);
  await recorderOf([await provider(chain)]).recorder.run(UNLIMITED);
  const { entries } = await store.all(subjectOf.protocol);
  await expect(store.write([...entries, ...entries])).rejects.toThrow(
    'the table refused rows of the ledger as invalid',
  );
});

describe('a run that is interrupted', () => {
  test('because coverage cannot be extended claims nothing', async () => {
    const { chain } = chainOf(100, 10);
    const apart = openLedger();
    jest.spyOn(apart.progress, 'extend').mockResolvedValue(false);
    const { recorder } = recorderOf([await provider(chain)], apart);
    await expect(recorder.run(UNLIMITED)).rejects.toThrow('blocks 1 to 100 do not adjoin those already indexed');
  });

  test('after any number of steps leaves coverage without gaps', async () => {
    const { chain, expected } = chainOf(30_000, 100);
    const server = await provider(chain, { refuse: (from, to) => (to - from >= 500 ? MAX_500 : undefined) });
    for (let runs = 0; !(await isComplete()); runs += 1) {
      let steps = 0;
      await recorderOf([server]).recorder.run({ mayGoOn: () => steps++ < 2 });
      const { fromBlock: from, toBlock: to } = await store.progress.coverage();
      expect(await recorded()).toEqual(expected.filter((block) => from <= block && block <= to));
      expect(runs).toBeLessThan(20);
    }
    expect(await recorded()).toEqual(expected);
  });

  test('in one of several parts that are read at once leaves no gap', async () => {
    const { chain, expected } = chainOf(100_000, 100);
    let broken = true;
    const server = await provider(chain, {
      refuse: (from, to) => {
        if (to - from >= 500) return MAX_500;
        return broken && from <= 50_000 && 50_000 <= to ? { code: -32_603, message: 'internal error' } : undefined;
      },
    });
    let [begun, done, most] = [0, 0, 0];
    const counted = {
      mayGoOn: () => {
        begun += 1;
        most = Math.max(most, begun - done);
        return true;
      },
      onStep: () => {
        done += 1;
      },
    };
    await expect(recorderOf([server]).recorder.run(counted)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(most).toBeGreaterThan(4);
    const { fromBlock: from } = await store.progress.coverage();
    expect(from).toBeGreaterThan(50_000);
    // The part that failed has eight ranges.
    expect(from).toBeLessThan(54_001);
    broken = false;
    await recorderOf([server]).recorder.run(UNLIMITED);
    expect(await recorded()).toEqual(expected);
  });

  const MAX_500 = { code: -32_000, message: 'Max range: 500' };
  const isComplete = async () =>
    (await store.progress.read()).blocks !== undefined && (await store.progress.coverage()).complete;
});

test('two recorders and a backfill at the same time record every event once', async () => {
  const { chain, expected } = chainOf(20_000, 100);
  const server = await provider(chain, {
    refuse: (from, to) => (to - from >= 700 ? { code: 35, message: '' } : undefined),
  });
  const narrow = await provider(chain, {
    refuse: (from, to) => (to - from >= 200 ? { code: -32_000, message: 'Max range: 200' } : undefined),
    // The chain advances meanwhile.
    onRequest: () => {
      chain.head += 1;
    },
  });
  await recorderOf([narrow]).recorder.recordNew(UNLIMITED);
  const runs = [[narrow], [narrow, server], [await provider(chain)]].map((servers) =>
    recorderOf(servers).recorder.run(UNLIMITED),
  );
  await Promise.all(runs);
  expect(await recorded()).toEqual(expected);
  expect(await store.progress.coverage()).toMatchObject({ fromBlock: 0, complete: true });
});
