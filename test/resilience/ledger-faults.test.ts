import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { withDatasets } from '../../lib/cache/cache.ts';
import { updateHolderList } from '../../lib/history/holder-list.ts';
import { readHolderPast } from '../../lib/history/holder-past.ts';
import { holdersDataset, holdersOf } from '../../lib/history/holders-dataset.ts';
import type { Log } from '../../lib/ledger/contract-events.ts';
import { type Entry, subjectOf } from '../../lib/ledger/ledger-entry.ts';
import type { LedgerContext } from '../../lib/ledger/ledger-store.ts';
import type { Row } from '../../lib/tables/series-table.ts';
import { LEDGER } from '../../lib/tables/table-schemas.ts';
import { sum } from '../../lib/values/wad.ts';
import {
  type Behaviour,
  BOB,
  LogChain,
  openStore,
  recorderOf,
  serve,
  staked,
  transferred,
} from '../support/log-chain.ts';
import { MemoryTable, type SeriesRows } from '../support/memory-table.ts';
import { stoppedAfterEach } from '../support/servers.ts';

/** Providers with any faults, one of them lying at a time, and recorders that are killed at any write. */

const keep = stoppedAfterEach();
const UNLIMITED = { mayGoOn: () => true };

/** The table of a process that is killed before its write of this number. */
function dyingTable(rows: SeriesRows, writes: number): MemoryTable {
  const table = new MemoryTable(LEDGER, rows);
  const [put, update] = [table.putAll.bind(table), table.update.bind(table)];
  let left = writes;
  const count = () => {
    left -= 1;
    if (left < 0) throw new Error('killed');
  };
  table.update = async (...change) => {
    count();
    return update(...change);
  };
  table.putAll = async (all) => {
    for (const row of all) {
      count();
      await put([row]);
    }
  };
  return table;
}

const sharesIn = (entries: readonly Entry[]) => sum(entries.map((entry) => ('shares' in entry && entry.shares) || 0n));
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
  /** Number of newest blocks whose states it keeps: 32 if it prunes. */
  states: 999,
  /** Most blocks in a range of logs, and the words with which it refuses more. */
  limit: 999,
  words: '',
  /** True if it is on another fork since block 60. */
  isForked: false,
  /** Blocks by which it is behind. */
  lag: 0,
  /** One of so many requests fails; 0 for none. */
  fails: 0,
};
type Fault = typeof HONEST;

const weak = {
  hasReceipts: fc.boolean(),
  states: fc.constantFrom(999, 999, 32, 0),
  limit: fc.constantFrom(999, 50, 7, 1),
  words: fc.oneof(fc.string(), fc.constantFrom('revert', 'pruned', 'no such method', 'block not found', 'timeout')),
  lag: fc.constantFrom(0, 0, 7),
  fails: fc.constantFrom(0, 0, 0, 1, 3),
};
const anyWeakness = fc.record(weak).map((one): Fault => ({ ...HONEST, ...one }));
const anyFault = fc.record<Fault>({
  lie: fc.constantFrom('none', ...Object.keys(LIES)),
  isConsistent: fc.boolean(),
  shift: fc.constantFrom(0, 0, 86_400),
  isForked: fc.boolean(),
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
  const behaviour: Behaviour = {
    isDown: () => {
      requests += 1;
      return requests % faultNow().fails === 0;
    },
    refuse: (from, to) => (to - from >= faultNow().limit ? { code: -32_602, message: faultNow().words } : undefined),
    change: (method, result) => {
      const { shift, hasReceipts, isConsistent, isForked } = faultNow();
      if (method === 'eth_getLogs') return told(result as Log[]);
      if (method === 'eth_getTransactionReceipt' && !hasReceipts) return null;
      if (method === 'eth_getTransactionReceipt' && isConsistent && result)
        return { ...result, logs: told((result as { logs: Log[] }).logs) };
      if (method !== 'eth_getBlockByNumber' || !result) return result;
      const header = result as Record<'number' | 'timestamp' | 'hash', string>;
      const number = Number(header.number);
      const timestamp = hex(Number(header.timestamp) + (number % 4 === 0 ? shift : 0));
      return { ...header, timestamp, hash: isForked && number >= 60 ? flipped(header.hash) : header.hash };
    },
  };
  return keep(await serve(chain, behaviour));
}

/** The rows of entries in some blocks, by key. */
function rowsIn(all: SeriesRows, { from, to }: { from: number; to: number }): Map<string, string> {
  const isInside = ({ block, type }: Row) => type && from <= Number(block) && Number(block) <= to;
  const inside = [...all.values()].flat().filter(isInside);
  return new Map(inside.map((row) => [`${row.subject} ${row.position}`, JSON.stringify(Object.entries(row).sort())]));
}

/** A run of the recorder: the chain's head, the write at which the process is killed, and the provider that may lie. */
const anyPhase = fc.record({
  to: fc.integer({ min: 20, max: 119 }),
  writes: fc.nat({ max: 60 }),
  liar: fc.nat({ max: 2 }),
  fault: anyFault,
  others: fc.array(anyWeakness, { minLength: 3, maxLength: 3 }),
});

test('whatever providers do, one of them lying at a time, and whenever processes are killed, covered blocks are true for ever', async () => {
  const server = { truth: new LogChain(119), faults: [HONEST, HONEST, HONEST] };
  const start = (place: number) => startFaulty(server.truth, () => server.faults[place] as Fault);
  const servers = await Promise.all([0, 1, 2].map(start));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ block: fc.nat({ max: 119 }), isTransfer: fc.boolean() }), { minLength: 5, maxLength: 30 }),
      fc.array(anyPhase, { minLength: 2, maxLength: 4 }),
      fc.integer({ min: 2, max: 3 }),
      async (events, phases, count) => {
        const rows: SeriesRows = new Map();
        const store = openStore(new MemoryTable(LEDGER, rows));
        const { truth } = server;
        truth.head = 119;
        truth.emitted.length = 0;
        for (const [index, { block, isTransfer }] of events.entries())
          truth.emitted.push(
            isTransfer ? transferred(block, 1 + index, index) : staked(block, 1 + index, { logIndex: index }),
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
          const dying = openStore(dyingTable(rows, writes));
          const { recorder } = recorderOf(servers.slice(0, count), dying);
          await Promise.allSettled([recorder.run(UNLIMITED)]);
          await Promise.allSettled([updateHolderList(dying)]);
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
        const [past, own] = await Promise.all([readHolderPast(store, BOB), readHolderPast(truly, BOB)]);
        expect(sharesIn(past.entries)).toBe(sharesIn(own.entries));
      },
    ),
    { numRuns: 12 },
  );
}, 600_000);
