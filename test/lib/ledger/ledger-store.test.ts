import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type Entry, type EntryOf, listSubjects, subjectOf } from '../../../lib/ledger/ledger-entry.ts';
import { LedgerStore } from '../../../lib/ledger/ledger-store.ts';
import type { PageQuery } from '../../../lib/ledger/merge-pages.ts';
import { positionOf } from '../../../lib/ledger/rows.ts';
import { NETWORKS } from '../../../lib/runtime/networks.ts';
import { LEDGER } from '../../../lib/tables/table-schemas.ts';
import { testClock } from '../../support/clock.ts';
import { MemoryTable, type SeriesRows } from '../../support/memory-table.ts';

/** The ledger, in memory: `test/lib/tables` has what DynamoDB does with such a table. */

const ALICE = `0x${'a1'.repeat(20)}`;
const BOB = `0x${'b0'.repeat(20)}`;
const ZERO = `0x${'0'.repeat(40)}`;
const TX = `0x${'7e'.repeat(32)}`;

/** Blocks are two seconds apart. */
const timeOf = (block: number) => 1_700_000_000 + 2 * block;

const transfer = (block: number, logIndex = 0, from = ALICE, to = BOB): EntryOf<'ggAvaxTransferred'> => ({
  type: 'ggAvaxTransferred',
  block,
  logIndex,
  timestamp: timeOf(block),
  txHash: TX,
  from,
  to,
  shares: 2n ** 127n + BigInt(block),
  rate: 1_196_439_817_864_062_440n,
  assets: 2n ** 127n,
});

const staked = (block: number, logIndex = 0): EntryOf<'ggpStaked'> => ({
  type: 'ggpStaked',
  block,
  logIndex,
  timestamp: timeOf(block),
  txHash: TX,
  staker: ALICE,
  amount: 5n,
});

const NETWORK = { name: 'devnet', firstBlock: 0 } as const;

let table: SeriesRows;
let store: LedgerStore;
beforeEach(() => {
  table = new Map();
  store = openLedger();
});

/** A process's table that reports how many rows of events each of its reads has. */
class WatchedTable extends MemoryTable {
  readonly #onRead: (rows: number) => void;

  constructor(onRead: (rows: number) => void) {
    super(LEDGER, table);
    this.#onRead = onRead;
  }

  override async range(...range: Parameters<MemoryTable['range']>) {
    const rows = await super.range(...range);
    if (!range[0].endsWith('#state')) this.#onRead(rows.length);
    return rows;
  }
}

function openLedger(onRead: (rows: number) => void = () => {}): LedgerStore {
  return new LedgerStore(new WatchedTable(onRead), NETWORK, testClock());
}

/** Records these entries, and coverage from block 0 to `to`. */
async function record(to: number, entries: readonly Entry[]): Promise<void> {
  await store.write(entries);
  expect(await store.progress.extend(0, to, 0)).toBe(true);
}

const blocksOf = (entries: readonly Entry[]) => entries.map(({ block, logIndex }) => [block, logIndex]);

describe('an entry', () => {
  test('is read back to the wei, for every address it concerns and no other', async () => {
    const entry = transfer(7, 3);
    await record(10, [entry]);
    const ofAll = [subjectOf.protocol, subjectOf.type('ggAvaxTransferred')];
    for (const subject of [...ofAll, subjectOf.holder(ALICE), subjectOf.holder(BOB.toUpperCase())])
      expect((await store.all(subject)).entries).toEqual([entry]);
    for (const subject of [subjectOf.staker(ALICE), subjectOf.node(ALICE), subjectOf.holder(ZERO)])
      expect((await store.all(subject)).entries).toEqual([]);
  });

  test('appears once for a holder who sends to themselves, and never for the zero address', async () => {
    await record(10, [transfer(1, 0, ALICE, ALICE), transfer(2, 0, ZERO, BOB)]);
    expect(blocksOf((await store.all(subjectOf.holder(ALICE))).entries)).toEqual([[1, 0]]);
    expect((await store.all(subjectOf.holder(ZERO))).entries).toEqual([]);
  });

  test('is none of a holder if it moves nothing', async () => {
    const nothing = { ...transfer(1, 0), shares: 0n };
    await record(10, [nothing]);
    expect((await store.all(subjectOf.protocol)).entries).toEqual([nothing]);
    for (const holder of [ALICE, BOB]) expect((await store.all(subjectOf.holder(holder))).entries).toEqual([]);
  });

  const place = (block: number) => ({ block, logIndex: 0, timestamp: timeOf(block), txHash: TX });

  test('is read back with the optional fields it has, and no others', async () => {
    const entries: Entry[] = [
      { ...place(1), type: 'yieldAdded', source: 'staking', amount: 9n },
      { ...place(2), type: 'yieldAdded', source: 'deposit', amount: 9n, fee: 2n ** 127n },
      { ...place(3), type: 'unstakeFulfilled', requestId: 7, assets: 9n },
    ];
    // Its requester is unknown.
    await record(3, [...entries.slice(0, 2), { ...entries[2], requester: undefined } as unknown as Entry]);
    expect((await store.all(subjectOf.protocol)).entries).toStrictEqual(entries);
  });

  test('is stored in a form that does not change without a new version', async () => {
    await store.write([transfer(7, 3)]);
    const { fields, ...row } = table.get(`devnet#6.5#holder#${ALICE}`)?.[0] ?? {};
    const place = { block: 7, logIndex: 3, timestamp: timeOf(7), txHash: TX };
    const key = { subject: `devnet#6.5#holder#${ALICE}`, position: '1700000014-000000000007-000003' };
    expect(row).toEqual({ ...key, ...place, type: 'ggAvaxTransferred' });
    const amounts = { shares: String(2n ** 127n + 7n), rate: '1196439817864062440', assets: String(2n ** 127n) };
    expect(fields).toEqual({ from: ALICE, to: BOB, ...amounts });
  });

  test('is stored under subjects whose names never change', () => {
    const upper = BOB.toUpperCase();
    const typed = (subject: string) => [subject, `${subject}#ggpSlashed`];
    const names = ['protocol', 'type#ggpSlashed', ...typed(`node#${ALICE}`), ...typed(`staker#${BOB}`)];
    expect(listSubjects({ ...place(1), type: 'ggpSlashed', nodeID: ALICE, owner: upper, amount: 1n })).toEqual(names);
    expect([subjectOf.node(upper), subjectOf.holder(upper)]).toEqual([`node#${BOB}`, `holder#${BOB}`]);
  });
});

describe('coverage', () => {
  test('is unavailable before anything has been searched, and so are entries', async () => {
    const error = { code: 'NOT_KNOWN_YET', message: 'The ledger has not been recorded yet. Please try again shortly.' };
    await expect(store.progress.coverage()).rejects.toMatchObject(error);
    await expect(store.all(subjectOf.protocol)).rejects.toMatchObject(error);
  });

  test('is read at most once a second, unless that failed', async () => {
    await store.progress.extend(5, 6, 0);
    const rows = new MemoryTable(LEDGER, table);
    const get = jest.spyOn(rows, 'get').mockRejectedValueOnce(new Error('a table that is down'));
    const clock = testClock();
    const reader = new LedgerStore(rows, NETWORK, clock);
    await expect(reader.progress.coverage()).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      message: 'The ledger could not be read. Please try again shortly.',
    });
    expect(await reader.progress.coverage()).toMatchObject({ fromBlock: 5, toBlock: 6 });
    clock.skip(999);
    await reader.progress.coverage();
    expect(get).toHaveBeenCalledTimes(2);
    clock.skip(1);
    await reader.progress.coverage();
    expect(get).toHaveBeenCalledTimes(3);
  });

  test("is complete once it reaches back to the protocol's first block", async () => {
    await store.progress.extend(100, 200, 0);
    expect(await store.progress.coverage()).toMatchObject({ fromBlock: 100, toBlock: 200, complete: false });
    await store.progress.extend(0, 99, 0);
    expect(await store.progress.coverage()).toMatchObject({ fromBlock: 0, toBlock: 200, complete: true });
  });

  test.each([
    ['after it', 201, 300, { from: 100, to: 300 }],
    ['before it', 50, 99, { from: 50, to: 200 }],
    ['over its end', 150, 300, { from: 100, to: 300 }],
    ['over its start', 50, 150, { from: 50, to: 200 }],
    ['inside it', 120, 130, { from: 100, to: 200 }],
    ['around it', 50, 300, { from: 50, to: 300 }],
  ])('grows by blocks %s', async (_, from, to, blocks) => {
    await store.progress.extend(100, 200, 0);
    expect(await store.progress.extend(from, to, 0)).toBe(true);
    expect((await store.progress.read()).blocks).toMatchObject(blocks);
  });

  test.each([
    [202, 300],
    [0, 98],
  ])('is not extended over a gap, by blocks %i to %i', async (from, to) => {
    await store.progress.extend(100, 200, 0);
    expect(await store.progress.extend(from, to, 0)).toBe(false);
    expect((await store.progress.read()).blocks).toMatchObject({ from: 100, to: 200 });
  });

  test('has the time of its last block, even if several recorders extend it at the same time', async () => {
    await store.progress.extend(100, 200, 2_000);
    const steps = [1, 2, 3, 4, 5].flatMap((n) => [
      store.progress.extend(200, 200 + n, 2_000 + n),
      store.progress.extend(100 - n, 190, 0),
    ]);
    await Promise.all(steps);
    expect(await store.progress.coverage()).toMatchObject({ fromBlock: 95, toBlock: 205, toTimestamp: 2_005 });
  });

  test('limits which entries are shown, because a block that is not covered may have only some of its entries', async () => {
    await store.write([staked(9), staked(10), staked(20), staked(21)]);
    await store.progress.extend(10, 20, 0);
    const { entries, coverage } = await store.page(subjectOf.protocol, { limit: 10 });
    expect(blocksOf(entries)).toEqual([
      [20, 0],
      [10, 0],
    ]);
    expect(coverage).toMatchObject({ fromBlock: 10, toBlock: 20, complete: false });
    // A forged cursor shows no more.
    const beyond = await store.page(subjectOf.protocol, { limit: 10, cursor: positionOf(staked(22)) });
    expect(beyond.entries).toEqual(entries);
    expect(blocksOf((await store.all(subjectOf.protocol)).entries)).toEqual([
      [10, 0],
      [20, 0],
    ]);
  });
});

describe('pages', () => {
  const TYPES = ['ggpStaked', 'ggAvaxTransferred', 'ggAvaxDeposited', 'ggpSlashed'] as const;
  const SUBJECTS = [subjectOf.protocol, subjectOf.staker(ALICE), subjectOf.holder(ALICE), subjectOf.holder(BOB)];
  /** Two blocks are of the same second. */
  const secondOf = (block: number) => 1_700_000_000 + Math.floor(block / 2);
  const KINDS: ((block: number, logIndex: number) => Entry)[] = [
    staked,
    transfer,
    (block, logIndex) => ({ ...transfer(block, logIndex), shares: 1n }),
    (block, logIndex) => {
      const { from, to, rate, ...place } = transfer(block, logIndex);
      return { ...place, type: 'ggAvaxDeposited', caller: from, owner: to, shares: 1n };
    },
  ];
  const anyTime = fc.option(
    fc.integer({ min: 0, max: 45 }).map((block) => secondOf(block)),
    { nil: undefined },
  );

  /** Reads page after page, from a place on. Each is full but the last. */
  async function walk(subject: string, query: PageQuery, start: Partial<PageQuery> = {}) {
    const shown: Entry[] = [];
    for (let next = start; ; ) {
      const { entries, nextCursor, lastCursor } = await store.page(subject, { ...query, ...next });
      shown.push(...entries);
      expect(entries.length).toBe(nextCursor ? query.limit : Math.min(entries.length, query.limit));
      if (!nextCursor) return { shown, lastCursor };
      if (query.order === 'asc') expect(nextCursor).toBe(lastCursor);
      next = query.order === 'asc' ? { after: lastCursor } : { cursor: nextCursor };
    }
  }

  test('of any query show what is covered, in order and once, and those to follow go on from there', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ block: fc.nat({ max: 40 }), kind: fc.nat({ max: 3 }) }), { maxLength: 60 }),
        fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 40 })),
        fc.record({
          ...{ from: anyTime, to: anyTime, limit: fc.integer({ min: 1, max: 12 }) },
          type: fc.option(fc.subarray([...TYPES], { minLength: 1 }), { nil: undefined }),
        }),
        fc.constantFrom(...SUBJECTS),
        async (kinds, covered, query, subject) => {
          table = new Map();
          store = openLedger();
          const entries = kinds
            .map(({ block, kind }, logIndex) => (KINDS[kind] as (typeof KINDS)[number])(block, logIndex))
            .map((entry) => ({ ...entry, timestamp: secondOf(entry.block) }))
            .sort((a, b) => a.block - b.block || a.logIndex - b.logIndex);
          await store.write(entries);
          const [first, last] = covered.sort((a, b) => a - b) as [number, number];
          await store.progress.extend(first, last, secondOf(last));
          const { from = 0, to = Number.POSITIVE_INFINITY, type } = query;
          const wanted = entries
            .filter((entry) => listSubjects(entry).some((one) => one === `${subject}#${entry.type}` || one === subject))
            .filter((entry) => from <= entry.timestamp && entry.timestamp <= to && first <= entry.block)
            .filter((entry) => type?.includes(entry.type as (typeof TYPES)[number]) ?? true);
          const known = wanted.filter(({ block }) => block <= last);
          expect((await walk(subject, { ...query, order: 'desc' })).shown).toEqual(known.toReversed());
          const followed = await walk(subject, { ...query, order: 'asc' });
          expect(followed.shown).toEqual(known);
          await store.progress.extend(last + 1, 99, secondOf(99));
          store = openLedger();
          const { shown } = await walk(subject, { ...query, order: 'asc' }, { after: followed.lastCursor });
          expect(shown).toEqual(wanted.filter(({ block }) => block > last));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('that were to have no entries go on from where they begin', async () => {
    await record(40, [staked(1), staked(2), staked(3)]);
    await store.progress.extend(0, 41, timeOf(41));
    store = openLedger();
    const none = async (query: Partial<PageQuery>) => {
      const page = await store.page(subjectOf.protocol, { limit: 0, ...query });
      expect(page.entries).toEqual([]);
      return page.lastCursor;
    };
    const follow = async (query: Partial<PageQuery>) => {
      const { shown } = await walk(subjectOf.protocol, { limit: 2, order: 'asc' }, { after: await none(query) });
      return shown.map(({ block }) => block);
    };
    expect(await follow({ order: 'asc' })).toEqual([1, 2, 3]);
    expect(await follow({ order: 'asc', from: timeOf(2) })).toEqual([2, 3]);
    expect(await follow({ order: 'asc', after: positionOf(staked(2)) })).toEqual([3]);
    expect(await none({})).toBe(positionOf({ ...staked(41), logIndex: 999_999 }));
    // A cursor from beyond does not go back.
    const beyond = positionOf(staked(9_999));
    const page = await store.page(subjectOf.protocol, { limit: 2, order: 'asc', after: beyond });
    expect(page).toMatchObject({ entries: [], lastCursor: beyond });
  });

  test('pass over blocks that are written, but not covered, in ever larger steps', async () => {
    await store.write(Array.from({ length: 300 }, (_, block) => [staked(block), transfer(block, 1)]).flat());
    await store.progress.extend(100, 250, timeOf(250));
    const read: number[] = [];
    const reader = openLedger((rows) => read.push(rows));
    const { entries: newest } = await reader.page(subjectOf.protocol, { limit: 1 });
    expect(blocksOf(newest)).toEqual([[250, 1]]);
    // 98 rows are of later blocks.
    expect(read).toEqual([2, 4, 8, 16, 32, 64]);
  });
});

describe('dust', () => {
  const dust = (block: number, logIndex = 0, to = BOB): Entry => ({
    ...{ ...transfer(block, logIndex, ALICE, to), timestamp: 1_700_000_000 + 600 * block },
    ...{ shares: 1n, assets: 2n },
  });
  const own = { ...transfer(700), timestamp: 1_700_000_000 + 600 * 700 };
  const totals = (entries: readonly Entry[]) =>
    entries.reduce((sum, entry) => sum + ('shares' in entry ? (entry.shares ?? 0n) : 0n), 0n);

  test('of somebody else, however much of it, takes a row per day to read, and every holder is listed to the wei', async () => {
    const flood = Array.from({ length: 3_000 }, (_, index) => dust(Math.floor(index / 3), index % 3));
    await store.write([...flood, { ...own, logIndex: 3 }]);
    await store.progress.extend(0, 1_000, dust(1_000).timestamp);
    await store.holders.update();
    const read: number[] = [];
    const reader = openLedger((rows) => read.push(rows));
    const { entries, coverage } = await reader.holders.past(BOB);
    // 600,000 seconds: eight days, of which one has another entry.
    expect(entries).toHaveLength(9);
    expect(read.reduce((sum, rows) => sum + rows, 0)).toBe(9);
    expect([totals(entries), coverage.complete]).toEqual([3_000n + own.shares, true]);
    // The first day has 6,400 seconds left: eleven blocks.
    expect(entries[0]).toEqual({ ...dust(0), shares: 33n, assets: 66n });
    const [alice, bob] = await store.holders.read(0);
    expect([alice?.shares, bob?.shares]).toEqual([-3_000n - own.shares, 3_000n + own.shares]);
    // Activities show each.
    const { entries: newest } = await reader.page(subjectOf.holder(BOB), { limit: 2 });
    expect(newest).toEqual([dust(999, 2), dust(999, 1)]);
  });

  test('is counted once while its rows are being made, and without them', async () => {
    const read = async () => totals((await openLedger().holders.past(BOB)).entries);
    await record(9, [dust(1), dust(9)]);
    expect(await read()).toBe(2n);
    await store.holders.update();
    await store.write([dust(10), dust(500)]);
    await store.progress.extend(10, 500, 0);
    expect(await read()).toBe(4n);
    const { listedTo } = await store.progress.read();
    await store.holders.update();
    await store.progress.update(() => ({ listedTo }));
    expect(await read()).toBe(4n);
    // An export goes on with the state of its beginning.
    await store.progress.update(({ blocks }) => blocks && { blocks: { ...blocks, to: 9 } });
    expect(await read()).toBe(2n);
  });

  test('is none if the holder or the queue sends it, or if it is worth something', async () => {
    const { withdrawQueue } = NETWORKS.devnet;
    const entries = [
      { ...dust(1), from: withdrawQueue.toLowerCase() } as Entry,
      { ...dust(2), shares: 10n ** 15n } as Entry,
      dust(3, 0, ALICE),
    ];
    await record(9, entries);
    expect((await store.all(subjectOf.holder(BOB))).entries).toEqual(entries.slice(0, 2));
    expect((await store.all(subjectOf.holder(ALICE))).entries).toEqual(entries.slice(1));
  });
});

test('all entries are read some after others, from a time on, up to the last block that is wanted', async () => {
  /** Three per block. */
  const entries = Array.from({ length: 2_500 }, (_, index) => staked(Math.floor(index / 3), index % 3));
  await record(900, entries);
  let requests = 0;
  store = openLedger(() => {
    requests += 1;
  });
  const subject = subjectOf.staker(ALICE);
  const pagesOf = async (fromBlock: number, toBlock: number, since?: number) => {
    requests = 0;
    const pages: Entry[][] = [];
    for await (const page of store.pages(subject, { fromBlock, toBlock }, since)) pages.push(page);
    return { read: pages.flat(), requests };
  };
  expect((await store.all(subject)).entries).toEqual(entries);
  expect(await pagesOf(0, 900)).toEqual({ read: entries, requests: 2 });
  expect((await pagesOf(0, 900, timeOf(600))).read).toEqual(entries.filter(({ block }) => block >= 600));
  expect(await pagesOf(10, 600)).toEqual({
    ...{ read: entries.filter(({ block }) => 10 <= block && block <= 600), requests: 1 },
  });
  // A page may end within the last block.
  expect((await pagesOf(0, 666)).read).toEqual(entries.slice(0, 2_001));
});
