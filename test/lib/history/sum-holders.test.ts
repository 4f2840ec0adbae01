import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RequestContext } from '../../../lib/cache/dataset.ts';
import type { Chain } from '../../../lib/chain/chain.ts';
import { earningsOf, flowsOf } from '../../../lib/history/holder-flows.ts';
import { readHolderPast, totalsOf } from '../../../lib/history/holder-past.ts';
import { holdersDataset } from '../../../lib/history/holders-dataset.ts';
import { sumUpHolders } from '../../../lib/history/sum-holders.ts';
import { type Entry, holdersOf } from '../../../lib/ledger/ledger-entry.ts';
import { LedgerStore } from '../../../lib/ledger/ledger-store.ts';
import { sharesOf } from '../../../lib/rewards/holder-yield.ts';
import type { Context } from '../../../lib/runtime/context.ts';
import { LEDGER } from '../../../lib/tables/forms.ts';
import { MemoryTable, type SeriesRows } from '../../../lib/tables/memory-table.ts';
import type { Row } from '../../../lib/tables/series-table.ts';
import { DAY, wei } from '../rewards/units.ts';

/** Holders' days are summed up: whatever happens to recorders, everybody's figures stay the same. */

const HOLDERS = ['a1', 'b2', 'd4', 'e5'].map((byte) => `0x${byte.repeat(20)}`);
const QUEUE = `0x${'c3'.repeat(20)}`;
const EVERYBODY = [...HOLDERS, QUEUE];
const START = 20_000 * DAY;
/** 144 blocks a day. */
const timeOf = (block: number) => START + block * 600;
const LAST = 144 * 6;
const FAR = 9_999_999_999;
const chain = {
  network: { withdrawQueue: QUEUE },
  rpc: { header: async (number: number) => ({ number, timestamp: timeOf(number) }) },
} as unknown as Chain;

/** A process's table, which may fail at any of its writes. */
class FailingTable extends MemoryTable {
  readonly #beforeWrite: () => void;

  constructor(rows: SeriesRows, beforeWrite: () => void) {
    super(LEDGER, rows);
    this.#beforeWrite = beforeWrite;
  }

  override async putAll(rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      this.#beforeWrite();
      await super.putAll([row]);
    }
  }

  override async update(...change: Parameters<MemoryTable['update']>): Promise<boolean> {
    this.#beforeWrite();
    return super.update(...change);
  }
}

let rows: SeriesRows;
let ledger: LedgerStore;
beforeEach(renew);

/** An empty ledger. */
function renew(): void {
  rows = new Map();
  ledger = openLedger();
}

/** The ledger for another process. */
function openLedger(beforeWrite = () => {}): LedgerStore {
  return new LedgerStore(new FailingTable(rows, beforeWrite), 'devnet');
}

const sumUp = (into = ledger) => sumUpHolders({ chain, ledger: into, mayGoOn: () => true });

/** Any transfers between holders, and requests that take their shares back days later, in block order. */
const anyEntries = fc
  .array(
    fc.record({
      block: fc.integer({ min: 1, max: LAST }),
      from: fc.nat({ max: 3 }),
      to: fc.nat({ max: 3 }),
      shares: fc.oneof(fc.bigInt({ min: 0n, max: 9n }), fc.bigInt({ min: 0n, max: wei('9') })),
      kind: fc.constantFrom('transfer', 'deposit', 'request', 'return'),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((moves) => moves.toSorted((a, b) => a.block - b.block).flatMap(entriesOf));

interface Move {
  block: number;
  from: number;
  to: number;
  shares: bigint;
  kind: string;
}

/** As in the contract, each request has a new number, and ends at most once: the oldest one first, or one from before all. */
function requestIdOf({ from, kind }: Move, index: number, moves: readonly Move[]): number {
  if (kind !== 'return') return index;
  const numbersOf = (wanted: string) =>
    [...moves.slice(0, index).entries()].filter(([, own]) => own.from === from && own.kind === wanted);
  return numbersOf('request')[numbersOf('return').length]?.[0] ?? moves.length + index;
}

function entriesOf(move: Move, index: number, moves: readonly Move[] = []): Entry[] {
  const { block, from, to, shares, kind } = move;
  const [giver, taker] = [HOLDERS[from], HOLDERS[to]] as [string, string];
  const place = { block, timestamp: timeOf(block), txHash: `0x${String(index).padStart(64, '0')}` };
  const moved = { ...place, logIndex: 2 * index, type: 'ggAvaxTransferred', shares, rate: wei('1.2'), assets: shares };
  const request = {
    ...place,
    logIndex: 2 * index + 1,
    requestId: requestIdOf(move, index, moves),
    requester: giver,
    shares,
  };
  const made: Record<string, object[]> = {
    transfer: [{ ...moved, from: giver, to: taker }],
    deposit: [{ ...moved, type: 'ggAvaxDeposited', caller: taker, owner: giver }],
    request: [
      { ...moved, from: giver, to: QUEUE },
      { ...request, type: 'unstakeRequested', expectedAssets: shares + 7n, claimableTime: 0 },
    ],
    return: [
      { ...request, type: 'unstakeReturned', logIndex: 2 * index },
      { ...moved, from: QUEUE, to: giver, logIndex: 2 * index + 1 },
    ],
  };
  return made[kind] as Entry[];
}

async function record(entries: readonly Entry[], [from, to] = [0, LAST]): Promise<void> {
  await ledger.write(entries);
  await ledger.progress.setFirst(0);
  await ledger.progress.setSettled(LAST - 100);
  await ledger.progress.extend(from as number, to as number, timeOf(to as number));
}

/** Everybody's figures, from days that end by `until` and are summed up, and the entries after them. */
async function figures(until = FAR) {
  const context = { clients: new Map([['ledger', openLedger()]]) } as unknown as Context;
  const now = { time: timeOf(LAST + 1), totals: { totalAssets: wei('12'), totalSupply: wei('10') } };
  return Promise.all(
    EVERYBODY.map(async (holder) => {
      const { flows, ...totals } = totalsOf(holder, await readHolderPast(context, holder, until), QUEUE);
      return { ...totals, ...earningsOf(flows, [], now) };
    }),
  );
}

/** What those hold who hold any, as `/holders` reads it. */
async function listed(): Promise<Record<string, bigint>> {
  const context = { clients: new Map([['ledger', openLedger()]]) } as unknown as RequestContext;
  const { holders } = await holdersDataset.read(context);
  return Object.fromEntries(holders.map(({ address, shares }) => [address, shares]));
}

/** What everybody holds, from the list of holders and the entries that come on top. */
async function balances(): Promise<bigint[]> {
  const { summedTo = 0 } = await openLedger().progress.latest();
  const holders = await ledger.sums.holders();
  const later = await ledger.between('protocol', { from: 0, to: LAST }, summedTo + 1);
  return EVERYBODY.map((holder) => {
    const { shares = 0n, until = 0 } = holders.find(({ address }) => address === holder) ?? {};
    const own = later.filter((entry) => entry.timestamp > until && holdersOf(entry).includes(holder));
    return shares + sharesOf(flowsOf(holder, own, QUEUE));
  });
}

test('any entries give the same figures with and without sums, also if recorders die, meet, or write twice', async () => {
  await fc.assert(
    fc.asyncProperty(anyEntries, fc.nat({ max: 12 }), fc.boolean(), async (entries, writes, isComplete) => {
      renew();
      // Or the past is filled in later.
      const half = LAST / 2;
      const newest = isComplete ? entries : entries.filter(({ block }) => block > half);
      await record(newest, [isComplete ? 0 : half + 1, LAST]);
      let left = writes;
      const dying = openLedger(() => {
        left -= 1;
        if (left < 0) throw new Error('the recorder died');
      });
      await sumUp(dying).catch(() => {});
      if (!isComplete) await record(entries, [0, half]);
      const expected = await figures(0);
      const shares = EVERYBODY.flatMap((holder, index) => ({ holder, shares: expected[index]?.shares ?? 0n }));
      const held = Object.fromEntries(shares.filter((one) => one.shares > 0n).map((one) => [one.holder, one.shares]));
      expect(await figures()).toEqual(expected);
      expect(await listed()).toEqual(held);
      await Promise.all([sumUp(openLedger()), sumUp(openLedger())]);
      await ledger.write(entries);
      await sumUp();
      for (const day of [1, 4, 6]) expect(await figures(START + day * DAY)).toEqual(expected);
      expect(await listed()).toEqual(held);
      expect(await balances()).toEqual(expected.map(({ shares }) => shares));
    }),
    { numRuns: 30 },
  );
});

describe('days', () => {
  const deposits = [10, 150, LAST - 150, LAST - 50].flatMap((block, index) =>
    entriesOf({ block, from: 0, to: 1, shares: wei('1'), kind: 'deposit' }, index),
  );
  const [holder] = HOLDERS as [string];
  const days = async () => (await ledger.sums.days(holder, FAR, (sums) => sums)).length;
  const summedTo = async () => (await openLedger().progress.latest()).summedTo;

  test('are summed up once no more can be found in them, and only the new ones afterwards', async () => {
    await record(deposits);
    // What is not settled may still change, and the sixth day ends in it.
    await sumUp();
    expect([await days(), await summedTo()]).toEqual([3, START + 5 * DAY]);
    await sumUp();
    expect(await days()).toBe(3);
    for (const to of [LAST + 1, LAST + 101]) await ledger.progress.extend(LAST, to, timeOf(to));
    await sumUp();
    expect([await days(), await summedTo()]).toEqual([4, START + 6 * DAY]);
  });

  test('are not summed up before the whole past is searched', async () => {
    await record(deposits, [1, LAST]);
    await sumUp();
    expect([await days(), await summedTo()]).toEqual([0, undefined]);
  });

  test('are summed up step by step, so that a recorder may end in between', async () => {
    const many = Array.from({ length: 5 * 144 }, (_, block) =>
      entriesOf({ block, from: 0, to: 1, shares: 1n, kind: 'deposit' }, block).map((entry) => ({
        ...entry,
        owner: `0x${String(block + 1).padStart(40, '0')}`,
      })),
    ).flat() as Entry[];
    await record(many);
    const ends: unknown[] = [];
    const mayGoOn = async () => ends.push(await summedTo()) > 5;
    await sumUpHolders({ chain, ledger, mayGoOn });
    expect(ends).toEqual([START + 4 * DAY]);
    await sumUp();
    expect(await ledger.sums.holders()).toHaveLength(5 * 144);
  });
});
