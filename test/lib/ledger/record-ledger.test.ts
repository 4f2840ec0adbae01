import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { LocalServer } from '../../../infra/devnet/listen.ts';
import { withDatasets } from '../../../lib/cache/dataset.ts';
import { createChainContext } from '../../../lib/chain/chain.ts';
import { holdersDataset, holdersOf } from '../../../lib/history/holders-dataset.ts';
import type { Log } from '../../../lib/ledger/contract-events.ts';
import { type Entry, subjectOf } from '../../../lib/ledger/ledger-entry.ts';
import { type LedgerContext, LedgerStore } from '../../../lib/ledger/ledger-store.ts';
import { LedgerRecorder, type LedgerRunLimits } from '../../../lib/ledger/record-ledger.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { readConfig } from '../../../lib/runtime/config.ts';
import { createContext, RECORDER_LIMITS } from '../../../lib/runtime/context.ts';
import type { Row } from '../../../lib/tables/series-table.ts';
import { LEDGER } from '../../../lib/tables/table-schemas.ts';
import { clockAt } from '../../support/clock.ts';
import * as chains from '../../support/log-chain.ts';
import {
  type Behaviour,
  LogChain,
  type RpcRequest,
  serve,
  staked,
  timeOf,
  transferred,
} from '../../support/log-chain.ts';
import { MemoryTable, type SeriesRows } from '../../support/memory-table.ts';
import { stoppedAfterEach } from '../../support/servers.ts';
import { recordingTelemetry } from '../../support/telemetry.ts';

/** The recorder beside providers with faults, over real sockets. */

const keep = stoppedAfterEach();
const UNLIMITED: LedgerRunLimits = { mayGoOn: () => true };

let rows: SeriesRows;
let store: LedgerStore;
beforeEach(renew);

function openStore(table = new MemoryTable(LEDGER, rows), firstBlock = 0, clock = systemClock): LedgerStore {
  return new LedgerStore(table, { name: 'devnet', firstBlock }, clock);
}

function renew(): void {
  rows = new Map();
  store = openStore();
}

/** The table of a process that is killed before its write of this number. */
class DyingTable extends MemoryTable {
  #left: number;

  constructor(left: number) {
    super(LEDGER, rows);
    this.#left = left;
  }

  override async putAll(all: readonly Row[]) {
    for (const row of all) {
      this.#write();
      await super.putAll([row]);
    }
  }

  override update(...change: Parameters<MemoryTable['update']>) {
    this.#write();
    return super.update(...change);
  }

  #write() {
    this.#left -= 1;
    if (this.#left < 0) throw new Error('killed');
  }
}

/** A recorder that uses these providers, in this order. */
function recorderOf(servers: readonly LocalServer[], into = store, sources = 2, firstBlock = 0) {
  const config = readConfig({
    NETWORK: 'devnet',
    RPC_URLS: servers.map(({ url }) => url).join(','),
    ...{ CACHE_TABLE: 'cache', HISTORY_TABLE: 'history', LEDGER_TABLE: 'ledger', MAX_HEAD_AGE_SECONDS: '0' },
  });
  const onChain = { ...config, network: { ...config.network, firstBlock } };
  const telemetry = recordingTelemetry();
  const { chain } = createChainContext(createContext(onChain, telemetry, { limits: RECORDER_LIMITS }));
  return { recorder: new LedgerRecorder(chain, into, sources), telemetry };
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

const hex = (number: number) => `0x${number.toString(16)}`;
const flipped = (word: string) => `${word.slice(0, -1)}${word.endsWith('1') ? '2' : '1'}`;

/** Lies about a log: the logs that are sent instead. */
const LIES: Record<string, (log: Log) => Log[]> = {
  omits: () => [],
  alters: (log) => [{ ...log, data: flipped(log.data) }],
  moves: (log) => [{ ...log, logIndex: hex(Number(log.logIndex) + 300) }],
  invents: (log) => [
    log,
    { ...log, logIndex: hex(Number(log.logIndex) + 500), transactionHash: flipped(log.transactionHash) },
  ],
  repeats: (log) => [log, log],
};

const HONEST = {
  /** Its lies about some logs, also in receipts if it is consistent. */
  lie: 'none',
  isConsistent: false,
  /** Seconds by which it shifts the times of some blocks. */
  shift: 0,
  hasReceipts: true,
  /** Number of newest blocks whose states it keeps. */
  states: 999,
  /** Blocks by which it is behind. */
  lag: 0,
  /** One of so many requests fails; 0 for none. */
  fails: 0,
};
type Fault = typeof HONEST;

const weak = {
  hasReceipts: fc.boolean(),
  states: fc.constantFrom(999, 999, 0),
  lag: fc.constantFrom(0, 0, 7),
  fails: fc.constantFrom(0, 0, 0, 1, 3),
};
const anyWeakness = fc.record(weak).map((one): Fault => ({ ...HONEST, ...one }));
const anyFault = fc.record<Fault>({
  lie: fc.constantFrom('none', ...Object.keys(LIES)),
  isConsistent: fc.boolean(),
  shift: fc.constantFrom(0, 0, 86_400),
  ...weak,
});

/** Starts a provider with the faults that it has now. */
async function startFaulty(truth: LogChain, faultNow: () => Fault) {
  const chain = Object.defineProperties(new LogChain(0), {
    head: { get: () => truth.head - faultNow().lag },
    stateFrom: { get: () => truth.head - faultNow().states },
  });
  chain.emitted = truth.emitted;
  let requests = 0;
  const told = (logs: Log[]) =>
    logs.flatMap((log) => (Number(log.blockNumber) % 3 === 0 ? (LIES[faultNow().lie]?.(log) ?? [log]) : [log]));
  return provider(chain, {
    isDown: () => {
      requests += 1;
      const { fails } = faultNow();
      return fails > 0 && requests % fails === 0;
    },
    change: (method, result) => {
      const { shift, hasReceipts, isConsistent } = faultNow();
      if (method === 'eth_getLogs') return told(result as Log[]);
      if (method === 'eth_getTransactionReceipt' && !hasReceipts) return null;
      if (method === 'eth_getTransactionReceipt' && isConsistent && result)
        return { ...result, logs: told((result as { logs: Log[] }).logs) };
      const { number, timestamp } = (result ?? {}) as Record<string, string>;
      if (method !== 'eth_getBlockByNumber' || !shift || !number || Number(number) % 4 > 0) return result;
      return { number, timestamp: hex(Number(timestamp) + shift) };
    },
  });
}

/** The rows of entries in some blocks, by key. */
function rowsIn(all: SeriesRows, { from, to }: { from: number; to: number }): Map<string, string> {
  const found = [...all].flatMap(([subject, own]) => own.map((row) => ({ ...row, subject })));
  const inside = found.filter(({ block, type }: Row) => type && from <= Number(block) && Number(block) <= to);
  return new Map(
    inside.map((row: Row) => [`${row.subject} ${row.position}`, JSON.stringify(Object.entries(row).sort())]),
  );
}

/** What ends at one moment: the head, the write at which the process is killed, and the provider that may lie. */
const anyPhase = fc.record({
  to: fc.integer({ min: 20, max: 119 }),
  writes: fc.nat({ max: 60 }),
  liar: fc.nat({ max: 2 }),
  fault: anyFault,
  others: fc.array(anyWeakness, { minLength: 3, maxLength: 3 }),
});

test('whatever providers do, one of them lying at a time, and whenever processes are killed, covered blocks are true for ever', async () => {
  const server = { truth: new LogChain(119), faults: [HONEST, HONEST, HONEST] };
  const servers = await Promise.all(
    [0, 1, 2].map((place) => startFaulty(server.truth, () => server.faults[place] as Fault)),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ block: fc.nat({ max: 119 }), isTransfer: fc.boolean() }), { minLength: 5, maxLength: 30 }),
      fc.array(anyPhase, { minLength: 2, maxLength: 4 }),
      fc.integer({ min: 2, max: 3 }),
      async (events, phases, count) => {
        renew();
        const { truth } = server;
        truth.head = 119;
        truth.emitted.splice(
          0,
          truth.emitted.length,
          ...events.map(({ block, isTransfer }, index) =>
            isTransfer ? transferred(block, 1 + index, index) : staked(block, 1 + index, { logIndex: index }),
          ),
        );
        server.faults = [HONEST, HONEST, HONEST];
        const expected: SeriesRows = new Map();
        const truly = openStore(new MemoryTable(LEDGER, expected));
        await recorderOf(servers, truly).recorder.run(UNLIMITED);
        const last = { to: 119, writes: 1e6, liar: 0, fault: HONEST, others: [HONEST, HONEST, HONEST] };
        let covered = new Map<string, string>();
        for (const { to, writes, liar, fault, others } of [...phases.sort((a, b) => a.to - b.to), last]) {
          truth.head = to;
          server.faults = others.map((other, place) => (place === liar % count ? fault : other));
          const dying = openStore(new DyingTable(writes));
          await recorderOf(servers.slice(0, count), dying)
            .recorder.run(UNLIMITED)
            .catch(() => {});
          await dying.holders.update().catch(() => {});
          const { blocks = { from: 1, to: 0 } } = await store.progress.read();
          const now = rowsIn(rows, blocks);
          expect(now).toEqual(rowsIn(expected, blocks));
          for (const [key, row] of covered) expect(now.get(key)).toBe(row);
          covered = now;
        }
        // Once all are honest, nothing is missing.
        expect((await store.progress.read()).blocks).toMatchObject({ from: 0, to: 119 });
        const whole = (await truly.all(subjectOf.protocol)).entries;
        const { holders } = await holdersDataset.read(withDatasets({ ledger: store } as LedgerContext, []));
        expect(new Set(holders)).toEqual(new Set(holdersOf(whole)));
        const [past, own] = await Promise.all([store.holders.past(chains.BOB), truly.holders.past(chains.BOB)]);
        expect(past.coverage.complete).toBe(true);
        expect(sharesIn(past.entries)).toBe(sharesIn(own.entries));
      },
    ),
    { numRuns: 12 },
  );
}, 600_000);

function sharesIn(entries: readonly Entry[]): bigint {
  return entries.reduce((sum, entry) => sum + ('shares' in entry ? (entry.shares ?? 0n) : 0n), 0n);
}

test("a run covers every block from the protocol's first one to the head, and asks for each once", async () => {
  const { chain, expected } = chainOf(9_999, 37);
  const servers = [await provider(chain), await provider(chain)];
  store = openStore(new MemoryTable(LEDGER, rows), 3_700);
  const { recorder } = recorderOf(servers, store, 2, 3_700);
  expect(await recorder.countLeft()).toBe(6_300);
  expect(await recorder.run(UNLIMITED)).toMatchObject({ blocks: 6_300 });
  const fromFirst = expected.filter((block) => block >= 3_700);
  expect(await recorded()).toEqual(fromFirst);
  const end = { toBlock: 9_999, toTimestamp: timeOf(9_999) };
  expect(await store.progress.coverage()).toEqual({ fromBlock: 3_700, ...end, sources: 2, complete: true });
  chain.head = 10_050;
  chain.emitted.push(staked(10_050, 10_050));
  expect(await recorder.run(UNLIMITED)).toMatchObject({ blocks: 51, added: 1 });
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

test('a range that a provider refused is not asked for again', async () => {
  const message = 'requested too many blocks from 0 to 2048, maximum is set to 2048';
  const server = await provider(new LogChain(4_000_000), {
    refuse: (from, to) => (to - from >= 2_048 ? { code: -32_000, message } : undefined),
  });
  expect(await recorderOf([server]).recorder.run(UNLIMITED)).toMatchObject({ blocks: 4_000_001 });
  const largest = rangesIn(server.requests);
  const refused = largest.filter((blocks) => blocks > 2_048);
  // Those that have begun before the first refusal: at most as many as are read at once.
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThanOrEqual(16);
  expect(largest.length - largest.findLastIndex((blocks) => blocks > 2_048)).toBeGreaterThan(20);
});

test('an outage does not shrink the ranges', async () => {
  let isDown = true;
  const asksLogs = (calls: readonly RpcRequest[]) => calls.some(({ method }) => method === 'eth_getLogs');
  const server = await provider(new LogChain(10_000), { isDown: (calls) => isDown && asksLogs(calls) });
  const { recorder } = recorderOf([server]);
  expect(await recorder.run(UNLIMITED)).toMatchObject({ blocks: 0, waiting: expect.any(Error) });
  isDown = false;
  const failed = server.requests.length;
  expect(await recorder.run(UNLIMITED)).toMatchObject({ blocks: 10_001 });
  expect(server.requests.slice(failed).filter(asksLogs).length).toBeLessThan(10);
});

describe('of two providers', () => {
  test('one that is down stops indexing until it is back, and one that is behind does not', async () => {
    const { chain, expected } = chainOf(500, 10);
    let isDown = true;
    const servers = [await provider(chain), await provider(chain, { isDown: () => isDown })];
    const { waiting } = await recorderOf(servers).recorder.run(UNLIMITED);
    expect(waiting?.message).toBe('fewer than 2 providers answer');
    const state = await store.progress.read();
    expect([state.coverage, state.waitingSince]).toEqual([undefined, expect.any(Number)]);
    isDown = false;
    await recorderOf(servers).recorder.run(UNLIMITED);
    const again = await store.progress.read();
    expect([again.coverage?.toBlock, again.waitingSince]).toEqual([500, undefined]);
    const behind = await startFaulty(chain, () => ({ ...HONEST, lag: 100 }));
    chain.head = 800;
    await recorderOf([await provider(chain), behind]).recorder.run(UNLIMITED);
    expect((await store.progress.coverage()).toBlock).toBe(700);
    expect(await recorded()).toEqual(expected);
  });

  test('one suffices if the settings say so', async () => {
    const { chain, expected } = chainOf(200, 10);
    const down = await provider(chain, { isDown: () => true });
    await recorderOf([await provider(chain), down], store, 1).recorder.run(UNLIMITED);
    expect([await recorded(), (await store.progress.coverage()).sources]).toEqual([expected, 1]);
  });
});

test('a log that does not decode is a dispute of its block, and what comes before it is covered', async () => {
  const { chain } = chainOf(500, 10);
  chain.emitted.push({ ...staked(455, 9), data: '0x01' });
  const { recorder } = recorderOf([await provider(chain), await provider(chain)]);
  chain.head = 400;
  await recorder.run(UNLIMITED);
  chain.head = 500;
  const { disputed } = await recorder.run(UNLIMITED);
  expect(disputed).toMatchObject({ fromBlock: 455, toBlock: 455, reason: expect.stringContaining('GGPStaked') });
  const state = await store.progress.read();
  expect([state.blocks?.to, state.disputed]).toEqual([454, disputed]);
});

test('a new generation is filled beside the one that answers, and takes its place once it covers as much', async () => {
  const { chain, expected } = chainOf(300, 10);
  const servers = [await provider(chain), await provider(chain)];
  await recorderOf(servers).recorder.run(UNLIMITED);
  await store.holders.update();
  chain.emitted = chain.emitted.filter(({ block }) => block !== 100);
  const next = await store.next();
  const again = recorderOf(servers, next).recorder;
  expect(await store.switchTo(next)).toBe(false);
  await again.run(UNLIMITED);
  expect(await recorded()).toEqual(expected);
  chain.head = 320;
  await recorderOf(servers).recorder.run(UNLIMITED);
  expect(await store.switchTo(next)).toBe(false);
  await again.run(UNLIMITED);
  expect(await store.switchTo(next)).toBe(true);
  expect(await recorded()).toEqual(expected.filter((block) => block !== 100));
  const empty = { generation: 2, contracts: [], sources: 2, refused: [] };
  expect(await (await store.next()).progress.read()).toEqual(empty);

  const later = clockAt(() => Date.now() + 3_600_001);
  await openStore(new MemoryTable(LEDGER, rows), 0, later).deleteFormer();
  const left = [...rows].filter(([subject, own]) => own.length > 0 && !subject.endsWith('#state'));
  expect(left.every(([subject]) => subject.includes('.1#'))).toBe(true);
  expect(left.length).toBeGreaterThan(0);
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
    await recorderOf([await provider(chain)]).recorder.run(UNLIMITED);
    expect(await recorded()).toEqual([1, 2, 3]);
    const { contracts } = await store.progress.read();
    expect(contracts.toSorted()).toEqual([
      ...[chains.OLD_STAKING, chains.STAKING, short].map((address) => `Staking#${address}`),
      `TokenggAVAX#${chains.GG_AVAX}`,
    ]);
    chain.head = 4_100;
    chain.emitted.push(staked(4_050, 5, { by: chains.OLD_STAKING }));
    await recorderOf([await provider(chain)]).recorder.run(UNLIMITED);
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
    ['with another log in the same place', (logs) => logs.flatMap((log) => [log, { ...log, data: hex(1) }])],
  ])('%s are no answer', async (_, made) => {
    const { chain, expected } = chainOf(1_000, 100);
    const change = (method: string, logs: unknown) => (method === 'eth_getLogs' ? made(logs as Logs) : logs);
    const bad = await provider(chain, { change });
    const { recorder, telemetry } = recorderOf([bad, await provider(chain), await provider(chain)]);
    await recorder.run(UNLIMITED);
    expect(await recorded()).toEqual(expected);
    expect(telemetry.attempts).toContain('rpc-1 malformed');
  });
});
