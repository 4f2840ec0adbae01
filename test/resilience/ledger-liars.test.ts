import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { health } from '../../functions/health.ts';
import { checkLedger } from '../../lib/ledger/check-ledger.ts';
import type { Log } from '../../lib/ledger/contract-events.ts';
import { LedgerStore } from '../../lib/ledger/ledger-store.ts';
import { LedgerRecorder } from '../../lib/ledger/record-ledger.ts';
import { parseRegistry, registryCall } from '../../lib/ledger/registry.ts';
import { coverageIn } from '../../lib/ledger/search-row.ts';
import { NETWORKS } from '../../lib/runtime/networks.ts';
import { MemoryTable, type SeriesRows } from '../../lib/tables/memory-table.ts';
import { LEDGER } from '../../lib/tables/table-schemas.ts';
import { openChain } from '../functions/devnet.ts';
import { sendTo } from '../support/events.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { startServer, stoppedAfterEach } from '../support/servers.ts';

/** Providers with false responses about the devnet's logs, alone and beside honest ones. All are real sockets. */

const keep = stoppedAfterEach();
const mayGoOn = () => true;

/** Returns the logs that a liar sends instead of a log: none, the log itself, or others. */
type Lie = (log: Log) => Log[];

const hex = (number: number) => `0x${number.toString(16)}`;
const placeOf = ({ blockNumber, logIndex }: Log) => `${Number(blockNumber)} ${Number(logIndex)}`;
const flipLast = (word: string) => `${word.slice(0, -1)}${word.endsWith('1') ? '2' : '1'}`;

const LIES: [name: string, lie: Lie][] = [
  ['omits', () => []],
  ['repeats in its place', (log) => [log, log]],
  ['repeats in another place', (log) => [log, { ...log, logIndex: hex(Number(log.logIndex) + 1_000) }]],
  ['alters the last value of', (log) => [log.data === '0x' ? log : { ...log, data: flipLast(log.data) }]],
  [
    'alters the first argument of',
    (log) => [{ ...log, topics: log.topics.map((topic, place) => (place === 1 ? flipLast(topic) : topic)) }],
  ],
  [
    'invents a log like',
    (log) => [
      log,
      { ...log, logIndex: hex(Number(log.logIndex) + 500), transactionHash: flipLast(log.transactionHash) },
    ],
  ],
  ['gives to another transaction', (log) => [{ ...log, transactionHash: flipLast(log.transactionHash) }]],
  ['moves within its block', (log) => [{ ...log, logIndex: hex(Number(log.logIndex) + 300) }]],
];

/** Each of the lies, one after the other. */
const inTurn: Lie = (log) => {
  const [, lie] = LIES[(Number(log.blockNumber) + Number(log.logIndex)) % LIES.length] as (typeof LIES)[number];
  return lie(log);
};

/** The responses of the devnet, kept in memory: its state does not change. */
const known = new Map<string, unknown>();
const { rpc } = await openChain();
afterAll(() => rpc.close());

async function honestAnswer(method: string, params: unknown[]): Promise<unknown> {
  const key = JSON.stringify([method, params]);
  if (!known.has(key)) known.set(key, await rpc.send(method, ...params));
  return known.get(key);
}

const [REGISTRY] = registryCall(NETWORKS.devnet, 1).params as [{ data: string }];
const FOREIGN = '99'.repeat(20);

/** Returns a registry's response with another address (hex) for Staking. */
function withStaking(answer: string, address: string): string {
  const [staking] = [...parseRegistry(answer)].find(([, name]) => name === 'Staking') ?? [];
  return staking ? answer.replaceAll(staking.slice(2), address) : answer;
}

interface Liar {
  lie: Lie;
  /** The places of the logs that it lies about. */
  about: (log: Log) => boolean;
  /** True if its receipts contain the same lies. */
  isConsistent?: boolean;
  /** True if it reports that another contract is registered as Staking. */
  misnames?: boolean;
  /** Seconds by which it shifts the time of a block. */
  shift?: (block: number) => number;
}

/** The newest block of all providers; by default the devnet's. */
let newest: number | undefined;
afterEach(() => {
  newest = undefined;
});

/** A provider that lies about some logs; without a liar, an honest one. */
async function provider(liar?: Liar): Promise<string> {
  const told = (logs: Log[]) => (liar ? logs.flatMap((log) => (liar.about(log) ? liar.lie(log) : [log])) : logs);
  const answer = async ({ method, params, id }: { method: string; params: unknown[]; id: number }) => {
    const isHead = newest !== undefined && method === 'eth_getBlockByNumber' && params[0] === 'latest';
    const result = await honestAnswer(method, isHead ? [hex(newest as number), false] : params);
    const lied = () => {
      if (method === 'eth_getLogs') return told(result as Log[]);
      if (method === 'eth_getTransactionReceipt' && liar?.isConsistent && result)
        return { ...result, logs: told((result as { logs: Log[] }).logs) };
      const isRegistry = method === 'eth_call' && (params[0] as { data: string }).data === REGISTRY.data;
      if (isRegistry && liar?.misnames) return withStaking(result as string, FOREIGN);
      if (method === 'eth_getBlockByNumber' && liar?.shift && params[0] !== 'latest') {
        const { number, timestamp } = result as { number: string; timestamp: string };
        return { ...(result as object), timestamp: hex(Number(timestamp) + liar.shift(Number(number))) };
      }
      return result;
    };
    return { jsonrpc: '2.0', id, result: lied() };
  };
  const server = keep(
    await startServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const sent = JSON.parse(text);
      response.end(JSON.stringify(Array.isArray(sent) ? await Promise.all(sent.map(answer)) : await answer(sent)));
    }),
  );
  return server.url;
}

const store = (on: TestRuntime) => on.opened.ledger;
const recorderOf = (on: TestRuntime) => new LedgerRecorder(on.opened.chain, store(on));

/** The rows of each ledger. */
const rowsOf = new Map<LedgerStore, SeriesRows>();

/** A container with these providers, in this order, and a ledger of its own in memory. */
function containerWith(urls: readonly string[], given?: LedgerStore): TestRuntime {
  const tables = { CACHE_TABLE: 'no-cache', HISTORY_TABLE: 'history', LEDGER_TABLE: 'ledger' };
  const rows: SeriesRows = new Map();
  const ledger = given ?? new LedgerStore(new MemoryTable(LEDGER, rows), 'devnet');
  rowsOf.set(ledger, rowsOf.get(ledger) ?? rows);
  return startOnDevnet({ RPC_URLS: urls.join(','), ...tables }, undefined, { ledger });
}

async function recordFrom(...urls: string[]): Promise<TestRuntime> {
  const on = containerWith(urls);
  await recorderOf(on).run({ mayGoOn });
  return on;
}

/** The rows of all entries up to a block: those of the protocol, and the copies for every participant. */
function rowsUntil(on: TestRuntime, to: number): string[] {
  const rows = [...(rowsOf.get(store(on)) as SeriesRows).values()].flat();
  const ofEntries = rows.filter(({ block }) => block !== undefined && Number(block) <= to);
  return ofEntries.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
}

let whole: { to: number; on: TestRuntime };
/** One log of each kind of event: the middle one. */
let ofEachKind: Set<string>;
beforeAll(async () => {
  const places = new Map<string, Log[]>();
  const seen = await provider({
    lie: (log) => [log],
    about: (log) => {
      const kind = `${log.address} ${log.topics[0]}`;
      places.set(kind, [...(places.get(kind) ?? []), log]);
      return false;
    },
  });
  const on = await recordFrom(seen);
  const coverage = await store(on).progress.coverage();
  whole = { to: coverage.toBlock, on };
  ofEachKind = new Set([...places.values()].map((logs) => placeOf(logs[Math.floor(logs.length / 2)] as Log)));
  expect(ofEachKind.size).toBeGreaterThan(20);
});

const isOfEachKind = (log: Log) => ofEachKind.has(placeOf(log));

/** All that is confirmed is true. Returns whether that is everything. */
async function expectTruth(on: TestRuntime): Promise<boolean> {
  const search = await store(on).progress.read();
  const end = coverageIn(search)?.confirmed?.number ?? -1;
  if (end < 0) return false;
  expect(rowsUntil(on, end)).toEqual(rowsUntil(whole.on, end));
  return end === whole.to;
}

describe.each([
  ['first of two', (liar: string, honest: string[]) => [liar, honest[0] as string]],
  ['second of two', (liar: string, honest: string[]) => [honest[0] as string, liar]],
  ['first of three', (liar: string, honest: string[]) => [liar, ...honest]],
  ['second of three', (liar: string, honest: string[]) => [honest[0] as string, liar, honest[1] as string]],
  ['last of three', (liar: string, honest: string[]) => [...honest, liar]],
])('a provider that is the %s, and', (_place, order) => {
  const record = async (liar: Liar) => {
    const urls = order(await provider(liar), [await provider(), await provider()]);
    return { on: await recordFrom(...urls), count: urls.length };
  };

  test.each(LIES)('%s a log of each kind of event, changes nothing', async (_name, lie) => {
    const { on } = await record({ lie, about: isOfEachKind });
    expect(await expectTruth(on)).toBe(true);
    expect((await store(on).progress.coverage()).sources).toBe(2);
  });

  test.each(LIES)(
    '%s a log of each kind, also in receipts, changes nothing, or stops two by name',
    async (_name, lie) => {
      const { on, count } = await record({ lie, about: isOfEachKind, isConsistent: true });
      const isWhole = await expectTruth(on);
      if (count > 2) expect(isWhole).toBe(true);
      if (isWhole) return;
      const { body } = await sendTo(health, on);
      expect(body).toMatchObject({ status: 'degraded', ledger: { disputed: { providers: expect.any(Array) } } });
      expect([...body.ledger.disputed.providers].sort()).toEqual(['rpc-1', 'rpc-2']);
    },
  );

  test('lies in turn about what is new, changes nothing', async () => {
    newest = whole.to - 300;
    const { on } = await record({ lie: inTurn, about: ({ blockNumber }) => Number(blockNumber) > whole.to - 300 });
    expect((await store(on).progress.coverage()).toBlock).toBe(newest);
    const following = recorderOf(on);
    for (newest += 70; newest < whole.to; newest += 70) await following.run({ mayGoOn });
    newest = whole.to;
    await following.run({ mayGoOn });
    expect(await expectTruth(on)).toBe(true);
  });

  test('shifts the times of blocks, changes nothing, or stops two by name', async () => {
    const shift = (block: number) => (block % 7 === 0 ? 86_400 : 0);
    const { on, count } = await record({ lie: (log) => [log], about: () => false, shift });
    const isWhole = await expectTruth(on);
    if (count > 2) expect(isWhole).toBe(true);
    else expect((await store(on).progress.read()).disputed).toMatchObject({ providers: expect.any(Array) });
  });
});

describe('a provider that names a foreign contract', () => {
  const misnaming = () => provider({ lie: (log) => [log], about: () => false, misnames: true });
  const areOwn = async (on: TestRuntime) =>
    (await store(on).progress.read()).contracts.every((text) => !text.endsWith(FOREIGN));

  test('stops the other one by name, and changes nothing beside two', async () => {
    const two = await recordFrom(await misnaming(), await provider());
    expect((await store(two).progress.read()).disputed?.providers.toSorted()).toEqual(['rpc-1', 'rpc-2']);
    expect(await areOwn(two)).toBe(true);
    const three = await recordFrom(await provider(), await misnaming(), await provider());
    expect(await expectTruth(three)).toBe(true);
    expect(await areOwn(three)).toBe(true);
  });

  test('is believed alone; the contract is dropped once two others deny it', async () => {
    const liar = await misnaming();
    const alone = await recordFrom(liar);
    expect(await areOwn(alone)).toBe(false);
    const together = containerWith([await provider(), liar, await provider()], store(alone));
    await recorderOf(together).run({ mayGoOn });
    expect(await areOwn(together)).toBe(true);
    expect(await expectTruth(together)).toBe(true);
  });
});

test.each([2, 3])('any lies about any logs change nothing beside honest ones: %i providers', async (count) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 9 }),
      fc.integer({ min: 0, max: 8 }),
      fc.boolean(),
      async (every, rest, isConsistent) => {
        const about = (log: Log) => (Number(log.blockNumber) * 31 + Number(log.logIndex)) % every === rest % every;
        const liar = await provider({ lie: inTurn, about, isConsistent });
        const honest = await Promise.all(Array.from({ length: count - 1 }, () => provider()));
        const on = await recordFrom(...honest.toSpliced(rest % count, 0, liar));
        const isWhole = await expectTruth(on);
        if (count > 2 || !isConsistent) expect(isWhole).toBe(true);
      },
    ),
    { numRuns: 8, interruptAfterTimeLimit: 120_000 },
  );
});

test('a liar alone counts as one source; once an honest provider is added, the ledger is what both say', async () => {
  const liar = await provider({ lie: () => [], about: isOfEachKind });
  const alone = await recordFrom(liar);
  expect(await store(alone).progress.coverage()).toMatchObject({ sources: 1, confirmed: { number: whole.to } });
  expect(rowsUntil(alone, whole.to)).not.toEqual(rowsUntil(whole.on, whole.to));

  const together = containerWith([liar, await provider()], store(alone));
  await recorderOf(together).run({ mayGoOn });
  expect(await expectTruth(together)).toBe(true);
  expect((await store(together).progress.coverage()).sources).toBe(2);
});

test('while the second provider is down, indexing goes on with one, and is confirmed later', async () => {
  let isDown = true;
  const honest = await provider();
  const second = keep(
    await startServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      if (isDown) response.writeHead(503).end();
      else response.end(await (await fetch(honest, { method: 'POST', body })).text());
    }),
  );
  const on = await recordFrom(honest, second.url);
  expect(await store(on).progress.coverage()).toMatchObject({ toBlock: whole.to, sources: 2, complete: false });
  expect((await store(on).progress.coverage()).confirmed).toBeUndefined();
  isDown = false;
  await recorderOf(on).run({ mayGoOn });
  expect(await expectTruth(on)).toBe(true);
});

test('an honest ledger has no mismatch, and one that lacks events has; both name the figures', async () => {
  const honest = await recordFrom(await provider());
  const check = (on: TestRuntime) => checkLedger({ ...on.opened, recorder: recorderOf(on), mayGoOn });
  expect((await check(honest))?.mismatches).toEqual([]);

  const liar = await recordFrom(await provider({ lie: () => [], about: isOfEachKind }));
  const found = (await check(liar))?.mismatches ?? [];
  const views = found.map(({ contract, view }) => `${contract} ${view}`);
  expect(views).toEqual(expect.arrayContaining(['TokenggAVAX balanceOf', 'Staking getGGPStake']));
  const { body } = await sendTo(health, liar);
  expect(body).toMatchObject({ status: 'degraded' });
  expect(body.ledger.mismatches.length).toBeGreaterThan(0);
});
