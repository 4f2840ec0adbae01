import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { readHolderList, updateHolderList } from '../../../lib/history/holder-list.ts';
import { readHolderPast } from '../../../lib/history/holder-past.ts';
import { type Entry, type EntryOf, listSubjects, subjectOf } from '../../../lib/ledger/ledger-entry.ts';
import type { LedgerStore } from '../../../lib/ledger/ledger-store.ts';
import { type PageQuery, readPage } from '../../../lib/ledger/page.ts';
import { positionOf } from '../../../lib/ledger/rows.ts';
import { NETWORKS } from '../../../lib/runtime/networks.ts';
import { LEDGER } from '../../../lib/tables/table-schemas.ts';
import { testClock } from '../../support/clock.ts';
import { cover, openStore } from '../../support/log-chain.ts';
import { MemoryTable, type SeriesRows } from '../../support/memory-table.ts';

/** The ledger, in memory: `test/lib/tables` has what DynamoDB does with such a table. */

const ALICE = `0x${'a1'.repeat(20)}`;
const BOB = `0x${'b0'.repeat(20)}`;
const ZERO = `0x${'0'.repeat(40)}`;
const TX = `0x${'7e'.repeat(32)}`;

/** Blocks are two seconds apart. */
const timeOf = (block: number) => 1_700_000_000 + 2 * block;

const place = (block: number, logIndex = 0) => ({ block, logIndex, timestamp: timeOf(block), txHash: TX });

const transfer = (block: number, logIndex = 0, from = ALICE, to = BOB): EntryOf<'ggAvaxTransferred'> => ({
  type: 'ggAvaxTransferred',
  ...place(block, logIndex),
  from,
  to,
  shares: 2n ** 127n + BigInt(block),
  rate: 1_196_439_817_864_062_440n,
  assets: 2n ** 127n,
});

const staked = (block: number, logIndex = 0): EntryOf<'ggpStaked'> => ({
  type: 'ggpStaked',
  ...place(block, logIndex),
  staker: ALICE,
  amount: 5n,
});

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
  return openStore(new WatchedTable(onRead), 0, testClock());
}

/** Records these entries, and coverage from block 0 to `to`. */
async function record(to: number, entries: readonly Entry[]): Promise<void> {
  await store.write(entries);
  expect(await cover(store, 0, to, 0)).toBe(true);
}

const blocksOf = (entries: readonly Entry[]) => entries.map(({ block, logIndex }) => [block, logIndex]);

describe('the subjects of an entry', () => {
  const holders = (...addresses: string[]) =>
    addresses.flatMap((holder) => [`holder#${holder}`, `holder#${holder}#ggAvaxTransferred`]);
  const PROTOCOL = ['protocol', 'protocol#ggAvaxTransferred'];

  test.each<[string, Entry, subjects: string[]]>([
    ['are its sender and receiver', transfer(1), [...PROTOCOL, ...holders(ALICE, BOB)]],
    ['are named once', transfer(1, 0, ALICE, ALICE), [...PROTOCOL, ...holders(ALICE)]],
    ['are not the zero address that mints', transfer(1, 0, ZERO, BOB), [...PROTOCOL, ...holders(BOB)]],
    ['are no holders if it moves nothing', { ...transfer(1), shares: 0n }, PROTOCOL],
    [
      'are a node and its owner, in lower case',
      { ...place(1), type: 'ggpSlashed', nodeID: ALICE, owner: BOB.toUpperCase(), amount: 1n },
      [
        ...['protocol', 'protocol#ggpSlashed', `node#${ALICE}`, `node#${ALICE}#ggpSlashed`],
        ...[`staker#${BOB}`, `staker#${BOB}#ggpSlashed`],
      ],
    ],
  ])('%s', (_, entry, subjects) => {
    expect(listSubjects(entry)).toEqual(subjects);
  });
});

test('an entry is stored in a form that does not change without a new version, and read back to the wei', async () => {
  await record(10, [transfer(7, 3)]);
  const { fields, ...row } = table.get(`devnet#6.6#holder#${ALICE}`)?.[0] ?? {};
  const key = { subject: `devnet#6.6#holder#${ALICE}`, position: '1700000014-000000000007-000003' };
  expect(row).toEqual({ ...key, ...place(7, 3), type: 'ggAvaxTransferred' });
  const amounts = { shares: String(2n ** 127n + 7n), rate: '1196439817864062440', assets: String(2n ** 127n) };
  expect(fields).toEqual({ from: ALICE, to: BOB, ...amounts });
  expect((await store.all(subjectOf.holder(BOB.toUpperCase()))).entries).toEqual([transfer(7, 3)]);
});

describe('coverage', () => {
  test('is unavailable before anything has been searched, and so are entries', async () => {
    const error = { code: 'NOT_KNOWN_YET', message: 'The ledger has not been recorded yet. Please try again shortly.' };
    await expect(store.progress.latest()).rejects.toMatchObject(error);
    await expect(store.all(subjectOf.protocol)).rejects.toMatchObject(error);
  });

  test('is unavailable if its row is damaged, and while the table is down', async () => {
    table.set('devnet#6.6#state', [{ subject: 'devnet#6.6#state', position: 'current', state: '{"blocks":' }]);
    await expect(store.progress.read()).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    const rows = new MemoryTable(LEDGER, table);
    jest.spyOn(rows, 'get').mockRejectedValueOnce(new Error('a table that is down'));
    await expect(openStore(rows).progress.latest()).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      message: 'The ledger could not be read. Please try again shortly.',
    });
  });

  test('rests on the least number of sources of any of its blocks', async () => {
    // Nothing is covered by rows of another generation.
    expect(await cover(store, 0, 9, 0, { generation: 1 })).toBe(false);
    for (const [block, sources] of [2, 1, 2].entries()) await cover(store, block, block, 0, { sources });
    expect((await store.progress.latest()).coverage.sources).toBe(1);
  });

  test("grows without a gap, and is complete from the protocol's first block on", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 20 })), { minLength: 1 }),
        async (steps) => {
          table = new Map();
          store = openLedger();
          const covered = new Set<number>();
          for (const [from, length] of steps) {
            const blocks = Array.from({ length: length + 1 }, (_, index) => from + index);
            const adjoins =
              covered.size === 0 || blocks.some((block) => [-1, 0, 1].some((by) => covered.has(block + by)));
            expect(await cover(store, from, from + length, timeOf(from + length))).toBe(adjoins);
            if (adjoins) for (const block of blocks) covered.add(block);
          }
          const [fromBlock, toBlock] = [Math.min(...covered), Math.max(...covered)];
          const rest = { toTimestamp: timeOf(toBlock), complete: fromBlock === 0, sources: 2, generation: 0 };
          expect((await openLedger().progress.latest()).coverage).toEqual({ fromBlock, toBlock, ...rest });
        },
      ),
    );
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
      const { entries, nextCursor, lastCursor } = await readPage(store, subject, { ...query, ...next });
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
          await cover(store, first, last, secondOf(last));
          const { from = 0, to = Number.POSITIVE_INFINITY, type } = query;
          const wanted = entries
            .filter((entry) => listSubjects(entry).some((one) => one === `${subject}#${entry.type}` || one === subject))
            .filter((entry) => from <= entry.timestamp && entry.timestamp <= to && first <= entry.block)
            .filter((entry) => type?.includes(entry.type as (typeof TYPES)[number]) ?? true);
          const known = wanted.filter(({ block }) => block <= last);
          expect((await walk(subject, { ...query, order: 'desc' })).shown).toEqual(known.toReversed());
          // A forged cursor shows no more.
          const beyond = await walk(subject, { ...query, order: 'desc' }, { cursor: positionOf(staked(9_999)) });
          expect(beyond.shown).toEqual(known.toReversed());
          const followed = await walk(subject, { ...query, order: 'asc' });
          expect(followed.shown).toEqual(known);
          await cover(store, last + 1, 99, secondOf(99));
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
    await cover(store, 0, 41, timeOf(41));
    store = openLedger();
    const none = async (query: Partial<PageQuery>) => {
      const page = await readPage(store, subjectOf.protocol, { limit: 0, ...query });
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
    const page = await readPage(store, subjectOf.protocol, { limit: 2, order: 'asc', after: beyond });
    expect(page).toMatchObject({ entries: [], lastCursor: beyond });
  });

  test('pass over blocks that are written, but not covered, in ever larger steps', async () => {
    await store.write(Array.from({ length: 300 }, (_, block) => [staked(block), transfer(block, 1)]).flat());
    await cover(store, 100, 250, timeOf(250));
    const read: number[] = [];
    const reader = openLedger((rows) => read.push(rows));
    const { entries: newest } = await readPage(reader, subjectOf.protocol, { limit: 1 });
    expect(blocksOf(newest)).toEqual([[250, 1]]);
    // 98 rows are of later blocks.
    expect(read).toEqual([2, 4, 8, 16, 32, 64]);
  });
});

describe('dust', () => {
  const dust = (block: number, logIndex = 0, to = BOB): Entry => ({
    ...{ ...transfer(block, logIndex, ALICE, to), timestamp: 1_700_000_000 + 640 * block },
    ...{ shares: 1n, assets: 2n },
  });
  const own = { ...transfer(700), timestamp: 1_700_000_000 + 640 * 700 };
  const totals = (entries: readonly Entry[]) =>
    entries.reduce((sum, entry) => sum + ('shares' in entry ? (entry.shares ?? 0n) : 0n), 0n);

  test('of somebody else, however much of it, takes a row per day to read, and every holder is listed to the wei', async () => {
    const flood = Array.from({ length: 3_000 }, (_, index) => dust(Math.floor(index / 3), index % 3));
    const nothing = { ...transfer(1, 9, ALICE, `0x${'ca'.repeat(20)}`), shares: 0n };
    await store.write([...flood, { ...own, logIndex: 3 }, nothing]);
    await cover(store, 0, 1_000, dust(1_000).timestamp);
    // A page has 2,000 rows, with a part of block 666.
    await updateHolderList(store, () => false);
    expect((await store.progress.read()).listedTo?.number).toBe(665);
    await updateHolderList(store);
    const read: number[] = [];
    const reader = openLedger((rows) => read.push(rows));
    const { entries, coverage } = await readHolderPast(reader, BOB);
    // The dust spans 640,000 seconds, in nine UTC days: a sum for each, and one larger transfer.
    expect(entries).toHaveLength(10);
    expect(read.reduce((sum, rows) => sum + rows, 0)).toBe(10);
    expect([totals(entries), coverage.complete]).toEqual([3_000n + own.shares, true]);
    // The first day has 6,400 seconds left: eleven blocks, the last one at midnight.
    expect(entries[0]).toEqual({ ...dust(0), shares: 33n, assets: 66n });
    const [alice, bob, ...others] = await readHolderList(store, 0);
    expect([alice?.shares, bob?.shares, others]).toEqual([-3_000n - own.shares, 3_000n + own.shares, []]);
    // Activities show each.
    const { entries: newest } = await readPage(reader, subjectOf.holder(BOB), { limit: 2 });
    expect(newest).toEqual([dust(999, 2), dust(999, 1)]);
  });

  test('is counted once while its rows are being made, and without them', async () => {
    const read = async () => totals((await readHolderPast(openLedger(), BOB)).entries);
    await record(9, [dust(1), dust(9)]);
    expect(await read()).toBe(2n);
    await updateHolderList(store);
    await store.write([dust(10), dust(500)]);
    await cover(store, 10, 500, 0);
    expect(await read()).toBe(4n);
    const { listedTo } = await store.progress.read();
    await updateHolderList(store);
    await store.progress.update(0, (state) => ({ ...state, listedTo }));
    expect(await read()).toBe(4n);
    await updateHolderList(store);
    const [alice, bob] = await readHolderList(store, 0);
    expect([await read(), alice?.shares, bob?.shares]).toEqual([4n, -4n, 4n]);
    // An export goes on with the state of its beginning.
    await store.progress.update(0, ({ blocks, ...state }) => blocks && { ...state, blocks: { ...blocks, to: 9 } });
    expect(await read()).toBe(2n);
  });

  test('is none if the holder or the queue sends it, or if it is worth something', async () => {
    const { withdrawQueue } = NETWORKS.devnet;
    const entries = [
      { ...dust(1), from: withdrawQueue.toLowerCase() } as Entry,
      { ...dust(2), shares: 10n ** 15n } as Entry,
      dust(3, 0, ALICE),
      {
        ...place(4),
        timestamp: dust(4).timestamp,
        type: 'ggAvaxDeposited',
        caller: BOB,
        owner: BOB,
        shares: 1n,
        assets: 2n,
      } as Entry,
    ];
    await record(9, entries);
    expect((await store.all(subjectOf.holder(BOB))).entries).toEqual([entries[0], entries[1], entries[3]]);
    expect((await store.all(subjectOf.holder(ALICE))).entries).toEqual(entries.slice(1, 3));
  });
});

test('all entries are read page after page, from a time on, up to the last block that is wanted', async () => {
  /** Three per block: more than a page. */
  const entries = Array.from({ length: 2_500 }, (_, index) => staked(Math.floor(index / 3), index % 3));
  await record(900, entries);
  const between = (fromBlock: number, toBlock: number, since?: number) =>
    store.between(subjectOf.staker(ALICE), { fromBlock, toBlock, generation: 0 }, since);
  expect(await between(0, 900)).toEqual(entries);
  expect(await between(0, 900, timeOf(600))).toEqual(entries.filter(({ block }) => block >= 600));
  expect(await between(10, 600)).toEqual(entries.filter(({ block }) => 10 <= block && block <= 600));
  // A page may end within the last block.
  expect(await between(0, 666)).toEqual(entries.slice(0, 2_001));
});
