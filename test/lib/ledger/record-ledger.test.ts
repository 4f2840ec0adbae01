import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ChainRpc } from '../../../lib/chain/rpc.ts';
import { updateHolderList } from '../../../lib/history/holder-list.ts';
import { checkIfDue, checkLedger } from '../../../lib/ledger/check-ledger.ts';
import { subjectOf } from '../../../lib/ledger/ledger-entry.ts';
import { LedgerStore } from '../../../lib/ledger/ledger-store.ts';
import { LogReader } from '../../../lib/ledger/log-reader.ts';
import type { LedgerRunLimits, Step } from '../../../lib/ledger/record-ledger.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { LEDGER } from '../../../lib/tables/table-schemas.ts';
import { testClock } from '../../support/clock.ts';
import * as chains from '../../support/log-chain.ts';
import {
  type Behaviour,
  cover,
  LogChain,
  openStore,
  recorderOf,
  serve,
  staked,
  timeOf,
} from '../../support/log-chain.ts';
import { MemoryTable, type SeriesRows } from '../../support/memory-table.ts';
import type { RpcRequest } from '../../support/rpc-providers.ts';
import { stoppedAfterEach } from '../../support/servers.ts';
import { recordingTelemetry } from '../../support/telemetry.ts';

/** The recorder, with providers over real sockets. `test/resilience/ledger-faults.test.ts` has all their faults at once. */

const keep = stoppedAfterEach();
const UNLIMITED: LedgerRunLimits = { mayGoOn: () => true };

/** Limits of a run that may begin so many steps. */
const steps = (count: number): LedgerRunLimits => {
  let left = count;
  return {
    mayGoOn: () => {
      left -= 1;
      return left >= 0;
    },
  };
};

let rows: SeriesRows;
let store: LedgerStore;
beforeEach(() => {
  rows = new Map();
  store = openStore(new MemoryTable(LEDGER, rows));
});

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

test("a run covers every block from the protocol's first one to the head, and asks for each once", async () => {
  const { chain, expected } = chainOf(9_999, 37);
  const servers = [await provider(chain), await provider(chain)];
  store = openStore(new MemoryTable(LEDGER, rows), 3_700);
  const { recorder } = recorderOf(servers, store, 2, 3_700);
  expect(await recorder.countLeft()).toBe(6_300);
  await recorder.run(UNLIMITED);
  const fromFirst = expected.filter((block) => block >= 3_700);
  expect(await recorded()).toEqual(fromFirst);
  const whole = { fromBlock: 3_700, toBlock: 9_999, toTimestamp: timeOf(9_999), sources: 2, complete: true };
  expect((await store.progress.latest()).coverage).toEqual({ ...whole, generation: 0 });
  chain.head = 10_050;
  chain.emitted.push(staked(10_050, 10_050));
  const done: Step[] = [];
  await recorder.run({ ...UNLIMITED, onStep: (step) => done.push(step) });
  expect(done).toEqual([{ from: 10_000, to: 10_050, added: 1 }]);
  expect(await recorded()).toEqual([...fromFirst, 10_050]);
  for (const { requests } of servers) {
    const asked = requests.flat().filter(({ method }) => method === 'eth_getLogs');
    expect(asked.map(blocksIn).reduce((sum, one) => sum + one, 0)).toBe(6_351);
  }
});

/** The largest range of logs in each request. */
const rangesIn = (requests: readonly RpcRequest[][]) =>
  requests.map((calls) => Math.max(...calls.filter(({ method }) => method === 'eth_getLogs').map(blocksIn)));
const blocksIn = ({ params: [{ fromBlock, toBlock }] }: RpcRequest) => Number(toBlock) - Number(fromBlock) + 1;

test('ranges grow to the limit of a provider, which refuses few', async () => {
  const message = 'requested too many blocks from 0 to 2048, maximum is set to 2048';
  const server = await provider(new LogChain(4_000_000), {
    refuse: (from, to) => (to - from >= 2_048 ? { code: -32_000, message } : undefined),
  });
  await recorderOf([server], store).recorder.run(UNLIMITED);
  expect((await store.progress.latest()).coverage).toMatchObject({ fromBlock: 0, toBlock: 4_000_000 });
  const largest = rangesIn(server.requests).filter((blocks) => blocks > 0);
  const atLimit = largest.slice(largest.findIndex((blocks) => blocks > 2_048));
  expect(Math.min(...atLimit.slice(0, -6))).toBeGreaterThan(1_600);
  expect(atLimit.filter((blocks) => blocks > 2_048).length).toBeLessThan(atLimit.length / 5);
});

test('ranges with many logs become smaller', async () => {
  const { chain, expected } = chainOf(2_800, 2);
  const server = await provider(chain);
  const { recorder } = recorderOf([server], store);
  const sizes: number[] = [];
  for (chain.head of [2_000, 2_800]) {
    server.requests.length = 0;
    await recorder.run(UNLIMITED);
    sizes.push(Math.max(...rangesIn(server.requests)));
  }
  // 250 logs, and then 200.
  expect(sizes).toEqual([500, 400]);
  expect(await recorded()).toEqual(expected);
});

test('a recorder of a public network indexes up to two blocks before the head, and goes on after a gap with an archive', async () => {
  const { chain } = chainOf(1_000, 100);
  const pruning = Object.defineProperty(new LogChain(0), 'head', { get: () => chain.head });
  Object.defineProperty(Object.assign(pruning, { emitted: chain.emitted }), 'stateFrom', {
    get: () => chain.head - 31,
  });
  const two = [await provider(pruning), await provider(pruning)];
  const run = async (servers: typeof two) =>
    (await recorderOf(servers, store, 2, 998, 'avalanche').recorder.run(UNLIMITED)).waiting?.message;
  store = openStore(new MemoryTable(LEDGER, rows), 998);
  expect([await run(two), (await store.progress.read()).blocks?.to]).toEqual([undefined, 998]);
  for (chain.head of [1_001, 1_030]) expect(await run(two)).toBeUndefined();
  chain.head = 1_070;
  const reason = 'no provider keeps the state of these blocks; add one with archive state to RPC_URLS';
  expect(await run(two)).toBe(`blocks 1029 to 1068: ${reason}`);
  const { blocks, waiting, waitingSince } = await store.progress.read();
  expect([blocks?.to, waiting]).toEqual([1_028, { fromBlock: 1_029, toBlock: 1_068, reason }]);
  expect(waitingSince).toEqual(expect.any(Number));
  const archives = [await provider(chain), await provider(chain)];
  expect(await run([two[0] as (typeof two)[0], ...archives])).toBeUndefined();
  const { blocks: healed, sources, ...state } = await store.progress.read();
  expect([healed?.to, sources, state.waiting, state.waitingSince]).toEqual([1_068, 2, undefined, undefined]);
});

test('a provider that answers only some calls of a batch is read, and so is one whose answers are too long', async () => {
  const { chain, expected } = chainOf(3_000, 100);
  let left = 0;
  const metered = await provider(chain, {
    isDown: () => {
      left = 5;
      return false;
    },
    refuse: () => {
      left -= 1;
      return left < 0 ? { code: -32_005, message: 'rate limit' } : undefined;
    },
  });
  // 18 MB, if all of them are in one answer.
  const padded = (log: object) => ({ ...log, padding: '-'.repeat(600_000) });
  const verbose = await provider(chain, {
    change: (method, result) => (method === 'eth_getLogs' ? (result as object[]).map(padded) : result),
  });
  expect((await recorderOf([metered, verbose], store).recorder.run(UNLIMITED)).waiting).toBeUndefined();
  expect(await recorded()).toEqual(expected);
});

test.each<[string, Behaviour]>([
  ['is late', { isDown: () => new Promise(() => {}) }],
  ['limits its rate for all times', { isDown: () => ({ status: 429, text: '' }) }],
])('ranges become smaller when a provider %s', async (_, behaviour) => {
  const { url } = await provider(new LogChain(9_999), behaviour);
  const clock = { ...systemClock, wait: async () => {} };
  const limits = { attemptMs: 100, budgetMs: 100, isPatient: true, maxHeadAgeSeconds: 0, clock };
  const [onAttempt, onHead, onLateClock] = [() => {}, () => {}, () => {}];
  const reader = new LogReader(new ChainRpc([url], { ...limits, chainId: 1, onAttempt, onHead, onLateClock }));
  const reading = reader.read({ from: 0, to: 9_999 }, new Map());
  await expect(reading).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  expect(reader.blocksOfARequest).toBe(8 * 400);
});

test.each<[code: number, message: string, data: unknown]>([
  [-32_602, 'invalid params', { payload: 'range 500 is bigger than range limit 50' }],
  [-32_005, 'no', undefined],
  [-32_601, 'not here', undefined],
  [3, 'execution reverted', '0x'],
  [-32_000, 'header not found', undefined],
  [-39_999, '', {}],
])('a range that is refused with %i "%s" is asked for less, at the start and later', async (code, message, data) => {
  const { chain, expected } = chainOf(2_000, 100);
  let limit = 50;
  const server = await provider(chain, {
    refuse: (from, to) => (to - from >= limit ? { code, message, data } : undefined),
  });
  const { recorder } = recorderOf([server], store);
  expect((await recorder.run(UNLIMITED)).waiting).toBeUndefined();
  [limit, chain.head] = [10, 2_500];
  expect((await recorder.run(UNLIMITED)).waiting).toBeUndefined();
  expect(await recorded()).toEqual(expected);
  expect((await store.progress.latest()).coverage).toMatchObject({ fromBlock: 0, toBlock: 2_500 });
});

test.each([
  { status: 400, text: 'nothing that is JSON' },
  { status: 200, text: '{"error":{"code":-32603,"message":"odd"}}' },
  { status: 400, text: '{"error":{"code":-39999,"message":"odd"}}' },
  { status: 403, text: '' },
  { status: 504, text: '<html></html>' },
  { status: 200, text: '<html></html>' },
  { status: 200, text: '[]' },
])('a provider that refuses the whole batch is asked for less: %j', async (refused) => {
  const { chain, expected } = chainOf(1_000, 100);
  const isLarge = (calls: readonly RpcRequest[]) =>
    calls.some((call) => call.method === 'eth_getLogs' && blocksIn(call) > 200);
  const { recorder } = recorderOf([await provider(chain, { isDown: (calls) => isLarge(calls) && refused })], store);
  expect((await recorder.run(UNLIMITED)).waiting).toBeUndefined();
  expect(await recorded()).toEqual(expected);
});

test.each([
  [2, 80],
  [1, 4_000],
])('with a quorum of %i, parts are what so many providers take in a request: %i blocks', async (quorum, size) => {
  const { chain } = chainOf(40_000, 100);
  const refusal = { code: -32_000, message: 'at most 10' };
  const small = await provider(chain, { refuse: (from, to) => (to - from >= 10 ? refusal : undefined) });
  const { recorder } = recorderOf([small, await provider(chain)], store, quorum);
  await recorder.run(steps(3));
  const sizes: number[] = [];
  await recorder.run({ ...steps(5), onStep: ({ from, to }) => sizes.push(to - from + 1) });
  expect(Math.min(...sizes)).toBeGreaterThan(0.8 * size);
  expect(Math.max(...sizes)).toBeLessThan(1.2 * size);
});

test('a provider that refuses even one block does not answer', async () => {
  const refusal = { code: -32_000, message: 'query returned more than 10000 results' };
  const server = await provider(new LogChain(1_000), { refuse: () => refusal });
  const reason = 'fewer than 1 providers answer; rpc-1: too_large';
  expect((await recorderOf([server], store).recorder.run(UNLIMITED)).waiting?.waiting).toMatchObject({ reason });
  expect(server.requests.length).toBeLessThan(20);
});

const asksLogs = (calls: readonly RpcRequest[]) => calls.some(({ method }) => method === 'eth_getLogs');

test('while too few providers answer for new blocks, they are not asked for old ones', async () => {
  const chain = new LogChain(10_000);
  let [isEnding, isDown] = [false, false];
  const server = await provider(chain, {
    isDown: (calls) => {
      isDown ||= isEnding && asksLogs(calls);
      return isDown;
    },
  });
  const { recorder } = recorderOf([server], store);
  await recorder.run(steps(1));
  [isEnding, chain.head, server.requests.length] = [true, 10_050, 0];
  expect((await recorder.run(UNLIMITED)).waiting).toBeInstanceOf(Error);
  const asked = server.requests.flat().filter(({ method }) => method === 'eth_getLogs');
  expect(new Set(asked.map(({ params }) => Number(params[0].fromBlock)))).toEqual(new Set([10_001]));
});

test('an outage does not shrink the ranges', async () => {
  let isDown = true;
  const server = await provider(new LogChain(10_000), { isDown: (calls) => isDown && asksLogs(calls) });
  const { recorder } = recorderOf([server], store);
  expect((await recorder.run(UNLIMITED)).waiting).toBeInstanceOf(Error);
  isDown = false;
  const failed = server.requests.length;
  await recorder.run(UNLIMITED);
  expect((await store.progress.latest()).coverage.complete).toBe(true);
  expect(server.requests.slice(failed).filter(asksLogs).length).toBeLessThan(10);
});

describe('of two providers', () => {
  test('one that is down stops indexing until it is back, and one that is behind does not', async () => {
    const { chain, expected } = chainOf(500, 10);
    let isDown = true;
    const servers = [await provider(chain), await provider(chain, { isDown: () => isDown })];
    const clock = testClock();
    const since = clock.now() / 1_000;
    store = openStore(new MemoryTable(LEDGER, rows), 0, clock);
    for (const run of [1, 2]) {
      const { waiting } = await recorderOf(servers, store).recorder.run(UNLIMITED);
      expect([run, waiting?.waiting]).toEqual([run, { reason: 'fewer than 2 providers answer; rpc-2: http_503' }]);
      clock.skip(60_000);
    }
    const state = await store.progress.read();
    expect([state.coverage, state.waitingSince]).toEqual([undefined, since]);
    isDown = false;
    await recorderOf(servers, store).recorder.run(UNLIMITED);
    const again = await store.progress.read();
    expect([again.coverage?.toBlock, again.waitingSince]).toEqual([500, undefined]);
    chain.head = 800;
    const behind = Object.assign(new LogChain(700), { emitted: chain.emitted });
    await recorderOf([await provider(chain), await provider(behind)], store).recorder.run(UNLIMITED);
    expect((await store.progress.latest()).coverage.toBlock).toBe(700);
    expect(await recorded()).toEqual(expected);
  });

  const asksReceipts = (calls: readonly RpcRequest[]) =>
    calls.some(({ method }) => method === 'eth_getTransactionReceipt');
  const doubled = (logs: object[]) => logs.flatMap((log) => [log, { ...log, logIndex: '0x1f4' }]);
  const lost = (logs: object[]) => logs.slice(1);
  test.each<[string, (logs: object[]) => object[], Behaviour]>([
    ['repeats logs in other places changes nothing if both have receipts', doubled, {}],
    ['loses logs changes nothing if both have receipts', lost, {}],
    ['loses logs changes nothing if the other one fails when both are read again', lost, { isDown: asksReceipts }],
  ])('one that %s', async (_, told, other) => {
    const { chain, expected } = chainOf(500, 10);
    const change = (method: string, result: unknown) => (method === 'eth_getLogs' ? told(result as object[]) : result);
    const servers = [await provider(chain, { change }), await provider(chain, other)];
    expect((await recorderOf(servers, store).recorder.run(UNLIMITED)).disputed).toBeUndefined();
    expect([await recorded(), (await store.progress.latest()).coverage.sources]).toEqual([expected, 2]);
  });

  test('one that fails where it could have the state is awaited', async () => {
    const { chain } = chainOf(500, 10);
    const failing = await provider(chain, { isDown: (calls) => calls.some(({ method }) => method === 'eth_call') });
    const { waiting } = await recorderOf([failing, await provider(chain)], store).recorder.run(UNLIMITED);
    expect(waiting?.message).toBe('blocks 500 to 500: fewer than 2 providers answer; rpc-1: http_503');
  });

  test.each([
    ['no states: new contracts rest on one source', 501, chains.OLD_STAKING, false],
    ['no states: that there is no new contract rests on one source', 501, chains.STAKING, false],
    ['no old states: rates rest on one source', 500, chains.STAKING, false],
    ['no states for a while: nothing rests on one source', 501, chains.STAKING, true],
  ])('a provider with %s, once it has been asked again', async (_, stateFrom, old, isForAWhile) => {
    const { chain } = chainOf(500, 10);
    chain.emitted.push(chains.transferred(105, 7));
    chain.stakingAt = (block) => (block < 100 ? old : chains.STAKING);
    const pruned = Object.assign(new LogChain(500), { emitted: chain.emitted, stateFrom, stakingAt: chain.stakingAt });
    const servers = [await provider(chain), await provider(pruned)];
    const runs = async (count: number) => {
      for (let run = 0; run < count; run++) await recorderOf(servers, store).recorder.run(UNLIMITED);
      return (await store.progress.read()).coverage;
    };
    expect(await runs(1)).toEqual(
      stateFrom > 500 ? undefined : expect.objectContaining({ sources: 2, complete: false }),
    );
    const { waiting } = await store.progress.read();
    if (isForAWhile) pruned.stateFrom = 0;
    expect(await runs(2)).toMatchObject({ complete: true, sources: isForAWhile ? 2 : 1 });
    expect(waiting).toMatchObject(stateFrom > 500 ? { fromBlock: 500, toBlock: 500 } : { toBlock: 499 });
  });

  test('one that stands still is named once it is two minutes behind', async () => {
    const { chain } = chainOf(500, 10);
    const still = Object.assign(new LogChain(500), { emitted: chain.emitted });
    const { recorder } = recorderOf([await provider(chain), await provider(still)], store);
    for (chain.head of [500, 560]) expect((await recorder.run(UNLIMITED)).waiting).toBeUndefined();
    chain.head = 561;
    await recorder.run(UNLIMITED);
    const waiting = { fromBlock: 501, toBlock: 561, reason: 'fewer than 2 providers have these blocks' };
    expect(await store.progress.read()).toMatchObject({ waiting, waitingSince: expect.any(Number) });
  });

  test('one on another fork is a dispute, and so are both if they have changed the fork since', async () => {
    const { chain } = chainOf(500, 10);
    const other = Object.assign(new LogChain(500), { emitted: chain.emitted });
    const { recorder } = recorderOf([await provider(chain), await provider(other)], store);
    await recorder.run(UNLIMITED);
    [chain.head, other.head, other.fork] = [600, 600, 7];
    const providers = ['rpc-1', 'rpc-2'];
    const fork = { fromBlock: 501, toBlock: 600, providers };
    expect((await recorder.run(UNLIMITED)).disputed).toMatchObject({ ...fork, reason: 'rpc-1 and rpc-2 disagree' });
    chain.fork = 7;
    const reason = 'rpc-1 and rpc-2 return blocks of another fork than before';
    expect((await recorder.run(UNLIMITED)).disputed).toMatchObject({ ...fork, reason });
    [chain.fork, other.fork] = [0, 0];
    expect((await recorder.run(UNLIMITED)).disputed).toBeUndefined();
    expect((await store.progress.read()).blocks).toMatchObject({ to: 600 });
  });

  test('one suffices if the settings say so', async () => {
    const { chain, expected } = chainOf(200, 10);
    const down = await provider(chain, { isDown: () => true });
    await recorderOf([await provider(chain), down], store, 1).recorder.run(UNLIMITED);
    expect([await recorded(), (await store.progress.latest()).coverage.sources]).toEqual([expected, 1]);
  });
});

test('a log that does not decode is a dispute of its block, and what comes before it is covered', async () => {
  const { chain } = chainOf(500, 10);
  chain.emitted.push({ ...staked(455, 9), data: '0x01' });
  const { recorder } = recorderOf([await provider(chain), await provider(chain)], store);
  chain.head = 400;
  await recorder.run(UNLIMITED);
  chain.head = 500;
  const { disputed } = await recorder.run(UNLIMITED);
  expect(disputed).toMatchObject({ fromBlock: 455, toBlock: 455, reason: expect.stringContaining('GGPStaked') });
  const state = await store.progress.read();
  expect([state.blocks?.to, state.disputed]).toEqual([454, disputed]);
  await recorderOf([await provider(chain, { isDown: () => true })], store).recorder.run(UNLIMITED);
  expect((await store.progress.read()).disputed).toEqual(disputed);
  chain.emitted.pop();
  await recorder.run(UNLIMITED);
  const settled = await store.progress.read();
  expect([settled.blocks?.to, settled.disputed]).toEqual([500, undefined]);
});

test('a completing call that reverts is a dispute of its block, if both providers say so', async () => {
  const { chain } = chainOf(500, 10);
  chain.emitted.push(chains.transferred(455, 7));
  const reverting = Object.assign(new LogChain(500), { emitted: chain.emitted, revertsAt: 455 });
  const [one, two] = [await provider(chain), await provider(reverting)];
  const disputedBy = async (servers: (typeof one)[]) =>
    (await recorderOf(servers, store).recorder.run(UNLIMITED)).disputed;
  const block = { fromBlock: 455, toBlock: 455 };
  const reason = 'a call that completes ggAvaxTransferred reverts';
  expect(await disputedBy([two, two])).toEqual({ ...block, providers: [], reason });
  expect(await disputedBy([one, two])).toMatchObject({ ...block, providers: ['rpc-1', 'rpc-2'] });
  expect(await disputedBy([one, two, one])).toBeUndefined();
});

test('a second recorder on an empty table ends quietly if another one has begun at another block', async () => {
  const { chain } = chainOf(500, 10);
  const { recorder } = recorderOf([await provider(chain)], store);
  const write = jest.spyOn(store, 'write').mockImplementationOnce(async () => void (await cover(store, 100, 200, 0)));
  await recorder.run(steps(1));
  write.mockRestore();
  expect((await store.progress.read()).blocks).toMatchObject({ from: 100, to: 200 });
  await recorder.run(UNLIMITED);
  expect((await store.progress.read()).blocks).toMatchObject({ from: 0, to: 500 });
});

test('a run that may not go on ends after the steps that have begun, and the next run goes on there', async () => {
  const { chain, expected } = chainOf(20_000, 100);
  const { recorder } = recorderOf([await provider(chain)], store);
  await recorder.run(steps(3));
  expect((await store.progress.read()).blocks).toMatchObject({ from: 12_000, to: 20_000 });
  await recorder.run(UNLIMITED);
  expect(await recorded()).toEqual(expected);
});

test('what fails while earlier blocks are read is reported after these', async () => {
  const { chain } = chainOf(20_000, 100);
  // The request for the newest 4,000 blocks takes 100 ms. Requests for older blocks fail before.
  const isDown = async (calls: readonly RpcRequest[]) => {
    const first = Number(calls.find(({ method }) => method === 'eth_getLogs')?.params[0].fromBlock);
    if (first === 16_000) await sleep(100);
    return first < 16_000;
  };
  const { waiting } = await recorderOf([await provider(chain, { isDown })], store).recorder.run(UNLIMITED);
  expect(waiting?.message).toBe('blocks 12000 to 15999: fewer than 1 providers answer; rpc-1: http_503');
  expect((await store.progress.read()).blocks).toMatchObject({ from: 16_000, to: 20_000 });
});

test('a new generation is filled beside the one that answers, and takes its place once it covers as much', async () => {
  const { chain, expected } = chainOf(300, 10);
  const servers = [await provider(chain), await provider(chain)];
  await recorderOf(servers, store).recorder.run(UNLIMITED);
  await updateHolderList(store);
  chain.emitted = chain.emitted.filter(({ block }) => block !== 100);
  const next = new LedgerStore(store.table, 1);
  const again = recorderOf(servers, next).recorder;
  expect(await store.progress.takeOver(await next.progress.read())).toBe(false);
  await again.run(steps(1));
  expect((await next.progress.read()).blocks).toMatchObject({ from: 300, to: 300 });
  expect(await store.progress.takeOver(await next.progress.read())).toBe(false);
  await again.run(UNLIMITED);
  expect(await recorded()).toEqual(expected);
  chain.head = 320;
  await recorderOf(servers, store).recorder.run(UNLIMITED);
  expect(await store.progress.takeOver(await next.progress.read())).toBe(false);
  await again.run(UNLIMITED);
  let isSwitched = false;
  // The list of the replaced generation is brought up to date meanwhile.
  await updateHolderList(store, async () => {
    isSwitched = await store.progress.takeOver(await next.progress.read());
    return isSwitched;
  });
  expect(isSwitched).toBe(true);
  expect((await store.progress.read()).listedTo).toBeUndefined();
  expect(await recorded()).toEqual(expected.filter((block) => block !== 100));
  const empty = { generation: 2, contracts: {}, sources: 2 };
  expect(await new LedgerStore(store.table, 2).progress.read()).toEqual(empty);
});

test('what a generation differs in is not said of the one that replaces it meanwhile', async () => {
  const { recorder } = recorderOf([await provider(new LogChain(9))], store);
  const next = new LedgerStore(store.table, 1);
  for (const [generation, { progress }] of [store, next].entries()) await cover({ progress }, 0, 9, 0, { generation });
  jest.spyOn(recorder.sources, 'settle').mockImplementation(async () => {
    await store.progress.takeOver(await next.progress.read());
    return { facts: new Map(), sources: 2, disputed: new Map(), providers: [] };
  });
  expect(await checkLedger({ ledger: store, clock: systemClock, recorder })).toEqual([]);
  const { generation } = await store.progress.read();
  expect([generation, await store.progress.doubts(), (await store.progress.doubts(0)).comparedAt]).toEqual([
    ...[1, { mismatches: [], refused: [] }],
    expect.any(Number),
  ]);
});

test('a comparison that does not end is due again after an hour, and one by a clock that was ahead at once', async () => {
  const { recorder } = recorderOf([await provider(new LogChain(9))], store);
  await cover(store, 0, 9, 0);
  const telemetry = recordingTelemetry();
  const clock = testClock();
  const settle = jest.spyOn(recorder.sources, 'settle').mockReturnValue(new Promise(() => {}));
  const run = async () => {
    const [before, running] = [settle.mock.calls.length, checkIfDue({ ledger: store, clock, recorder, telemetry })];
    await sleep(20);
    await clock.advance(settle.mock.calls.length > before ? 70_000 : 0);
    await running;
    return settle.mock.calls.length - before;
  };
  const counts = [await run(), await run()];
  expect(telemetry.lines).toMatchObject([{ level: 'warn', fields: { error: { code: 'DEADLINE_EXCEEDED' } } }]);
  clock.skip(3_600_000 - 70_000);
  counts.push(await run());
  settle.mockResolvedValue({ facts: new Map(), sources: 2, disputed: new Map(), providers: [] });
  clock.skip(365 * 86_400_000);
  counts.push(await run(), await run());
  clock.skip(-364 * 86_400_000);
  counts.push(await run(), await run());
  expect(counts).toEqual([1, 0, 1, 1, 0, 1, 0]);
});

test.each([1, 700])(
  'a replaced contract that was registered for %i blocks is found, and known from then on',
  async (blocks) => {
    const at = 2_345;
    const short = `0x${'52'.repeat(20)}`;
    const chain = new LogChain(4_000);
    chain.stakingAt = (block) => (block < at ? chains.OLD_STAKING : block < at + blocks ? short : chains.STAKING);
    chain.emitted = [
      staked(at - 1, 1, { by: chains.OLD_STAKING }),
      staked(at + blocks - 1, 2, { by: short }),
      staked(at + blocks + 300, 3, { by: chains.STAKING }),
    ];
    const server = await provider(chain);
    await recorderOf([server], store).recorder.run(UNLIMITED);
    expect(await recorded()).toEqual([1, 2, 3]);
    const states = server.requests.flat().filter(({ method }) => method === 'eth_call');
    expect(new Set(states.map(({ params }) => params[1])).size).toBe(states.length);
    const { contracts } = await store.progress.read();
    const replaced = [chains.OLD_STAKING, chains.STAKING, short].map((address) => [address, 'Staking']);
    expect(contracts).toEqual({ ...Object.fromEntries(replaced), [chains.GG_AVAX]: 'TokenggAVAX' });
    chain.head = 4_100;
    chain.emitted.push(staked(4_050, 5, { by: chains.OLD_STAKING }));
    await recorderOf([await provider(chain)], store).recorder.run(UNLIMITED);
    expect(await recorded()).toEqual([1, 2, 3, 5]);
  },
);

describe('malformed logs', () => {
  type Logs = Record<string, unknown>[];
  const each = (change: object) => (logs: Logs) => logs.map((log) => ({ ...log, ...change }));

  test.each<[string, (logs: Logs) => unknown]>([
    ['that are a number', () => 7],
    ['that are a list of nulls', () => [null]],
    ['without a block', each({ blockNumber: {} })],
    ['of a block that was not asked for', each({ blockNumber: '0xffffff' })],
    ['without a transaction', each({ transactionHash: 1 })],
    ['without data', each({ data: null })],
    ['of a contract that was not asked for', each({ address: chains.ALICE })],
    ['of an event that was not asked for', each({ topics: [`0x${'00'.repeat(32)}`] })],
    ['that were removed', each({ removed: true })],
    ['with another log in the same place', (logs) => logs.flatMap((log) => [log, { ...log, data: '0x1' }])],
  ])('%s are no answer', async (_, made) => {
    const { chain, expected } = chainOf(1_000, 100);
    const change = (method: string, logs: unknown) => (method === 'eth_getLogs' ? made(logs as Logs) : logs);
    const bad = await provider(chain, { change });
    const { recorder, telemetry } = recorderOf([bad, await provider(chain), await provider(chain)], store);
    await recorder.run(UNLIMITED);
    expect(await recorded()).toEqual(expected);
    expect(telemetry.attempts).toContain('rpc-1 malformed');
  });
});
