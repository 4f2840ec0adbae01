import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { EntryType } from '../../../lib/ledger/events/entry-types.ts';
import { type Entry, type EntryOf, listSubjects, subjectOf } from '../../../lib/ledger/ledger-entry.ts';
import { LedgerStore } from '../../../lib/ledger/ledger-store.ts';
import type { PageQuery } from '../../../lib/ledger/merge-pages.ts';
import { endOf, positionOf } from '../../../lib/ledger/rows.ts';
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

function openLedger(network = 'devnet', onRead: (rows: number) => void = () => {}): LedgerStore {
  return new LedgerStore(new WatchedTable(onRead), network, testClock());
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
    const { fields, ...row } = table.get(`devnet#6.4#holder#${ALICE}`)?.[0] ?? {};
    const place = { block: 7, logIndex: 3, timestamp: timeOf(7), txHash: TX };
    const key = { subject: `devnet#6.4#holder#${ALICE}`, position: '1700000014-000000000007-000003' };
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
    const reader = new LedgerStore(rows, 'devnet', clock);
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

  test("is complete once it reaches back to the protocol's first block, and that is known", async () => {
    await store.progress.extend(100, 200, 0);
    expect(await store.progress.coverage()).toMatchObject({ fromBlock: 100, toBlock: 200, complete: false });
    await store.progress.update(() => ({ first: 99 }));
    expect(await store.progress.coverage()).toMatchObject({ fromBlock: 100, toBlock: 200, complete: false });
    await store.progress.extend(99, 99, 0);
    expect(await store.progress.coverage()).toMatchObject({ fromBlock: 99, toBlock: 200, complete: true });
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

  describe('has the time of its last block', () => {
    const end = async () => (await store.progress.coverage()).toTimestamp;
    beforeEach(() => store.progress.extend(100, 200, 2_000));

    test.each<[string, [from: number, to: number, time: number], number]>([
      ['which a longer search moves', [150, 300, 3_000], 3_000],
      ['which a search of the past leaves', [50, 99, 990], 2_000],
      ['which a search that lags leaves', [120, 190, 1_900], 2_000],
      ['which the same search again leaves', [120, 200, 2_000], 2_000],
    ])('%s', async (_, blocks, time) => {
      expect(await store.progress.extend(...blocks)).toBe(true);
      expect(await end()).toBe(time);
    });

    test('even if several recorders extend it at the same time', async () => {
      const steps = [1, 2, 3, 4, 5].flatMap((n) => [
        store.progress.extend(200, 200 + n, 2_000 + n),
        store.progress.extend(100 - n, 100, 0),
      ]);
      await Promise.all(steps);
      expect(await store.progress.coverage()).toMatchObject({ fromBlock: 95, toBlock: 205, toTimestamp: 2_005 });
    });
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
  const OTHERS = ['ggpWithdrawn', 'ggpRewardsClaimed', 'ggpSlashed', 'rewardsStreamed', 'priceUpdated'] as const;
  test.each<[string, string, EntryType[]]>([
    ['one type', subjectOf.protocol, ['ggpStaked']],
    ['two types', subjectOf.protocol, ['ggAvaxTransferred', 'ggpStaked']],
    ['a type without entries', subjectOf.protocol, ['ggpSlashed']],
    ['many types', subjectOf.protocol, ['ggpStaked', ...OTHERS]],
    ['one type of a staker', subjectOf.staker(ALICE), ['ggpStaked']],
  ])(
    'of %s are full except the last, because the limit does not count other entries in between',
    async (_, subject, types) => {
      const entries = Array.from({ length: 60 }, (_, block) => (block % 10 < 2 ? staked(block) : transfer(block)));
      await record(60, entries);
      const wanted = entries.filter(({ type }) => types.includes(type)).map(({ block }) => block);
      const shown: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.page(subject, { type: types, limit: 5, cursor });
        shown.push(...page.entries.map(({ block }) => block));
        cursor = page.nextCursor;
        expect(page.entries).toHaveLength(cursor ? 5 : wanted.length % 5 || Math.min(wanted.length, 5));
      } while (cursor);
      expect(shown).toEqual(wanted.toReversed());
    },
  );

  test('of several types are in the order of the chain, even within a block', async () => {
    const entries = [staked(1, 0), transfer(1, 1), staked(1, 2), transfer(2, 0)];
    await record(10, entries);
    const types = ['ggpStaked', 'ggAvaxTransferred'] as const;
    expect((await store.page(subjectOf.protocol, { type: types, limit: 10 })).entries).toEqual(entries.toReversed());
  });

  describe('to follow, the oldest first,', () => {
    const TO = 400;
    const END = positionOf({ ...staked(TO), logIndex: 999_999 });
    const entries = Array.from({ length: TO }, (_, block) =>
      block % 3 ? [staked(block + 1, 0), transfer(block + 1, 1)] : [],
    ).flat();
    const follow = async (query: Partial<PageQuery>, after?: string) => {
      const shown: Entry[] = [];
      for (;;) {
        const page = await store.page(subjectOf.protocol, { limit: 7, order: 'asc', ...query, after });
        shown.push(...page.entries);
        after = page.lastCursor;
        if (!page.nextCursor) return { shown, after };
        expect(page.nextCursor).toBe(after);
      }
    };
    beforeEach(async () => {
      await store.write(entries);
      await store.progress.extend(0, TO, timeOf(TO));
    });

    test('end with the last covered block, and go on from there', async () => {
      const { shown, after } = await follow({});
      expect([shown, after]).toEqual([entries, END]);
      expect(await follow({}, after)).toEqual({ shown: [], after });
      expect(await follow({ type: ['ggpSlashed'] })).toEqual({ shown: [], after });
      // Of the same second as the last one.
      const later = [{ ...staked(TO + 1), timestamp: timeOf(TO) }, staked(TO + 2)];
      await store.write(later);
      await store.progress.extend(TO + 1, TO + 200, timeOf(TO + 200));
      store = openLedger();
      expect((await follow({}, after)).shown).toEqual(later);
    });

    test('begin anywhere, with any filter', async () => {
      const isOdd = ({ type }: Entry) => type === 'ggpStaked';
      expect((await follow({ type: ['ggpStaked', 'ggpSlashed'] })).shown).toEqual(entries.filter(isOdd));
      const [tenth] = entries.slice(10);
      const { timestamp } = tenth as Entry;
      expect((await follow({}, positionOf(tenth as Entry))).shown).toEqual(entries.slice(11));
      expect((await follow({ from: timestamp })).shown).toEqual(
        entries.filter((entry) => entry.timestamp >= timestamp),
      );
      const [first] = entries;
      expect((await follow({ from: timestamp }, positionOf(first as Entry))).shown[0]?.timestamp).toBe(timestamp);
      const until = await follow({ to: timestamp });
      expect(until.shown).toEqual(entries.filter((entry) => entry.timestamp <= timestamp));
      expect(until.after).toBe(endOf(timestamp));
    });

    test('go on from where the newest ones say', async () => {
      const { entries: newest, lastCursor } = await store.page(subjectOf.protocol, { limit: 3 });
      expect(newest).toEqual(entries.slice(-3).toReversed());
      expect(lastCursor).toBe(END);
      // A cursor from beyond does not go back.
      const beyond = positionOf(staked(9_999));
      expect(await follow({}, beyond)).toEqual({ shown: [], after: beyond });
    });

    test('go on from where they begin after a page that was to have none', async () => {
      const none = async (query: Partial<PageQuery>) => {
        const { entries, lastCursor, coverage } = await store.page(subjectOf.protocol, { limit: 0, ...query });
        expect([entries, coverage.toBlock]).toEqual([[], TO]);
        return lastCursor;
      };
      const { timestamp } = entries[10] as Entry;
      expect((await follow({}, await none({ order: 'asc' }))).shown).toEqual(entries);
      const since = await follow({}, await none({ order: 'asc', from: timestamp }));
      expect(since.shown).toEqual(entries.filter((entry) => entry.timestamp >= timestamp));
      expect(await none({ order: 'asc', after: positionOf(entries[3] as Entry) })).toBe(
        positionOf(entries[3] as Entry),
      );
      expect(await none({})).toBe(END);
    });
  });

  describe('of blocks that are written, but not all of them searched,', () => {
    const entries = Array.from({ length: 300 }, (_, block) => [staked(block), transfer(block, 1)]).flat();
    const shownIn = async (query: Omit<PageQuery, 'limit'>, limit: number) => {
      const shown: Entry[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await store.page(subjectOf.protocol, { ...query, limit, cursor });
        shown.push(...page.entries);
        expect(page.entries).toHaveLength(page.nextCursor ? limit : page.entries.length);
        cursor = page.nextCursor;
        if (!cursor) return shown;
      }
    };
    beforeEach(async () => {
      await store.write(entries);
      await store.progress.extend(100, 250, timeOf(250));
    });

    test.each<[string, Omit<PageQuery, 'limit'>]>([
      ['all times', {}],
      ['a range beyond both ends', { from: timeOf(40), to: timeOf(290) }],
      ['a range up to before them', { to: timeOf(99) }],
      ['a range from behind them', { from: timeOf(251) }],
      ['a range over their start', { from: timeOf(40), to: timeOf(120) }],
      ['a range over their end', { from: timeOf(180), to: timeOf(290) }],
      ['types', { from: timeOf(40), to: timeOf(290), type: ['ggpStaked', 'ggpSlashed'] }],
    ])('those of %s have only what is searched, in both orders, and go on behind the rest', async (_, query) => {
      const { from = 0, to = timeOf(300), type } = query;
      const wanted = entries
        .filter(({ block }) => 100 <= block && block <= 250)
        .filter(({ timestamp }) => from <= timestamp && timestamp <= to)
        .filter((entry) => !type || type.includes(entry.type));
      for (const limit of [1, 7, 1_000]) {
        expect(await shownIn(query, limit)).toEqual(wanted.toReversed());
        expect(await shownIn({ ...query, order: 'asc' }, limit)).toEqual(wanted);
      }
    });

    test('are passed over in ever larger steps', async () => {
      const read: number[] = [];
      const reader = openLedger('devnet', (rows) => read.push(rows));
      const { entries: newest } = await reader.page(subjectOf.protocol, { limit: 1 });
      expect(blocksOf(newest)).toEqual([[250, 1]]);
      // 98 rows are of later blocks.
      expect(read).toEqual([2, 4, 8, 16, 32, 64]);
    });
  });

  test('of blocks of the same second are in their order, and end with the searched ones', async () => {
    const second = (block: number, logIndex = 0) => ({ ...staked(block, logIndex), timestamp: timeOf(10) });
    const entries = [second(10), second(10, 1), second(11), second(11, 1)];
    await store.write([staked(9), ...entries, second(12), staked(13)]);
    await store.progress.extend(9, 11, timeOf(10));
    const times = { from: timeOf(10), to: timeOf(10) };
    for (const [place, entry] of entries.toReversed().entries()) {
      const cursor = positionOf(entry);
      const page = await store.page(subjectOf.protocol, { ...times, limit: 10, cursor });
      expect(page.entries).toEqual(entries.toReversed().slice(place + 1));
    }
    expect((await store.page(subjectOf.protocol, { ...times, limit: 10 })).entries).toEqual(entries.toReversed());
    await store.progress.extend(12, 100, timeOf(100));
    store = openLedger();
    const { entries: rest } = await store.page(subjectOf.protocol, {
      ...{ order: 'asc', limit: 10, after: positionOf(second(11)) },
    });
    expect(rest).toEqual([second(11, 1), second(12), staked(13)]);
  });
});

test('what a table refuses to write is the fault of the ledger, and nothing else that it throws', async () => {
  const putAll = jest.spyOn(MemoryTable.prototype, 'putAll');
  const refusal = Object.assign(new Error('a key is too long'), { name: 'ValidationException' });
  const failure = new Error('a table that is down');
  putAll.mockRejectedValueOnce(refusal).mockRejectedValueOnce(failure);
  await expect(store.write([staked(1)])).rejects.toMatchObject({
    message: 'the table refused rows of the ledger as invalid',
    cause: refusal,
  });
  await expect(store.write([staked(1)])).rejects.toBe(failure);
  putAll.mockRestore();
});

describe('the start of the protocol', () => {
  test('is the time of the oldest entry, read once, and unknown before coverage is complete', async () => {
    let rows: number[] = [];
    store = openLedger('devnet', (read) => rows.push(read));
    await store.progress.update(() => ({ first: 3 }));
    await store.write([staked(5), staked(7)]);
    await store.progress.extend(5, 8, 0);
    expect(await store.start()).toBeUndefined();
    await store.progress.extend(3, 5, 0);
    rows = [];
    expect(await Promise.all([store.start(), store.start()])).toEqual([timeOf(5), timeOf(5)]);
    expect(rows).toEqual([2]);
    rows = [];
    expect(await store.start()).toBe(timeOf(5));
    expect(rows).toEqual([]);
  });

  test('may be in the last covered block, and is unknown without entries', async () => {
    await store.progress.update(() => ({ first: 3 }));
    await store.progress.extend(3, 4, 0);
    expect(await store.start()).toBeUndefined();
    await store.write([staked(5)]);
    await store.progress.extend(5, 5, 0);
    expect(await store.start()).toBe(timeOf(5));
  });
});

describe('7,000 entries of one address', () => {
  /** Three per block. */
  const entries = Array.from({ length: 7_000 }, (_, index) => staked(Math.floor(index / 3), index % 3));
  const subject = subjectOf.staker(ALICE);
  let requests: number;
  beforeEach(async () => {
    await record(3_000, entries);
    store = openLedger('devnet', () => {
      requests += 1;
    });
    requests = 0;
  });

  test('are read all together in order, or up to the block before which there are as many as are wanted', async () => {
    for (const [most, block] of [
      [3, 0],
      [4, 1],
    ] as const) {
      requests = 0;
      const { entries: first, coverage } = await store.all(subject, most);
      expect([first, requests]).toEqual([entries.slice(0, 3 * (block + 1)), 1]);
      expect(coverage).toMatchObject({ toBlock: block, toTimestamp: timeOf(block), complete: false });
    }
    for (const most of [undefined, 7_000, 7_001]) {
      const whole = await store.all(subject, most);
      expect([whole.entries, whole.coverage.toBlock]).toEqual([entries, 3_000]);
    }
  });

  test('are read some after others, from a time on, up to the last block that is wanted', async () => {
    const pagesOf = async (from: number, to: number, since?: number) => {
      requests = 0;
      const pages: Entry[][] = [];
      for await (const page of store.pagesBetween(subject, { from, to }, since)) pages.push(page);
      return { read: pages.flat(), sizes: pages.map(({ length }) => length), requests };
    };
    expect(await pagesOf(0, 3_000)).toEqual({ read: entries, sizes: [2_000, 2_000, 2_000, 1_000], requests: 4 });
    expect((await pagesOf(0, 3_000, timeOf(1_666))).read).toEqual(entries.filter(({ block }) => block >= 1_666));
    const wanted = entries.filter(({ block }) => 10 <= block && block <= 700);
    expect(await pagesOf(10, 700)).toMatchObject({ read: wanted, requests: 2 });
    // A page may end within the last block.
    expect((await pagesOf(0, 666)).read).toEqual(entries.slice(0, 2_001));
  });
});
