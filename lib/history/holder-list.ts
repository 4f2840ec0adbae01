/**
 * Rows of holders that are made from their entries, in the order of the chain: each one's ggAVAX balance, and the sums of each
 * one's dust by day. A row carries the block up to which it has all changes, and the state that of all rows. So two recorders at
 * once, or one that dies at any moment and is run again, write the same.
 */

import { listChanges } from '../ledger/balance-changes.ts';
import { blockOf, dustOf, type Entry, type EntryOf, inChain, isDust, subjectOf } from '../ledger/ledger-entry.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { isDoubted } from '../ledger/mismatch.ts';
import { END, keyOf, startOf, toEntry, toRow } from '../ledger/rows.ts';
import { inParallel } from '../runtime/parallel.ts';
import { bigintIn, countIn, intact, textIn } from '../tables/rows.ts';
import type { Row } from '../tables/series-table.ts';
import type { BlockRef } from '../values/block.ts';
import { DAY } from '../values/durations.ts';
import { sum } from '../values/wad.ts';

const PARALLEL_UPDATES = 8;
const NEVER: BlockRef = { number: -1, timestamp: 0 };
const DUST_TYPES = ['ggAvaxTransferred', 'ggAvaxDeposited'] as const;
type Dust = EntryOf<(typeof DUST_TYPES)[number]>;

export interface ListedHolder {
  /** Lower-case 0x-hex. */
  address: string;
  /** ggAVAX wei; 0 if the address no longer holds any. */
  shares: bigint;
  /** Time at which the address first held ggAVAX, unix seconds. */
  since: number;
  block: number;
}

/** All addresses of a generation's list. It may be behind the entries. Throws UPSTREAM_UNAVAILABLE. */
export async function readHolderList(ledger: LedgerStore, generation: number): Promise<ListedHolder[]> {
  return intact(await rowsOf(ledger, 'holders', generation), toHolder, ledger.table.warn);
}

/**
 * The entries of a holder (lower-case 0x-hex) in the covered blocks, oldest first, and whether the contracts' state differs
 * from them. The dust of a day is one entry of each type, at the place of the first. Throws UPSTREAM_UNAVAILABLE.
 */
export async function readHolderPast(ledger: LedgerStore, holder: string) {
  const { coverage, listedTo = NEVER } = await ledger.progress.latest();
  const subject = subjectOf.holder(holder);
  const [entries, rows, doubts] = await Promise.all([
    ledger.between(subject, coverage),
    rowsOf(ledger, daysOf(holder), coverage.generation),
    ledger.progress.doubts(coverage.generation),
  ]);
  // In an export, the rows may be ahead.
  const isAhead = rows.some(({ block }) => Number(block) > coverage.toBlock);
  const [days, { number, timestamp }] = isAhead ? [[], NEVER] : [rows, listedTo];
  const later = await ledger.between(dustOf(subject), { ...coverage, fromBlock: number + 1 }, timestamp);
  const lastOf = new Map(days.map(({ position, block }) => [position, Number(block)]));
  const unlisted = later.filter((entry) => entry.block > (lastOf.get(dayOf(entry)) ?? -1));
  const sums = intact(days, sumsIn, ledger.table.warn).flat();
  const all: Entry[] = [...entries, ...sums, ...unlisted];
  return { entries: all.sort(inChain), coverage, isDoubted: isDoubted(doubts, holder, 'ggAvax') };
}

/**
 * Brings the rows up to the covered blocks, once these reach back to the protocol's first one. `mayGoOn` is awaited after
 * each page: false ends it. Throws what the table throws.
 */
export async function updateHolderList(
  ledger: LedgerStore,
  mayGoOn: () => boolean | Promise<boolean> = () => true,
): Promise<void> {
  const { coverage, generation, listedTo } = await ledger.progress.read();
  const { number, timestamp } = listedTo ?? NEVER;
  if (!coverage?.complete || number >= coverage.toBlock) return;
  let open: Entry[] = [];
  const left = { ...coverage, fromBlock: number + 1 };
  for await (const page of ledger.pages(subjectOf.protocol, left, { start: startOf(timestamp) })) {
    const entries = [...open, ...page];
    // The next page may have more of the last block.
    open = entries.filter(({ block }) => block === entries.at(-1)?.block);
    const last = entries.at(-1 - open.length);
    if (last) await add(ledger, generation, entries.slice(0, -open.length), blockOf(last));
    if (!(await mayGoOn())) return;
  }
  await add(ledger, generation, open, { number: coverage.toBlock, timestamp: coverage.toTimestamp });
}

/** Adds the entries of whole blocks, which end at `to`. */
async function add(ledger: LedgerStore, generation: number, entries: readonly Entry[], to: BlockRef): Promise<void> {
  const { table, progress } = ledger;
  const changes = entries.flatMap((entry) =>
    listChanges(entry).flatMap(([holder, shares]) => (shares === 0n ? [] : { holder, shares, entry })),
  );
  await inParallel([...Map.groupBy(changes, ({ holder }) => holder)], PARALLEL_UPDATES, async ([holder, own]) => {
    await table.rows.update(keyOf(table, 'holders', generation), holder, ({ block = -1, since, shares = 0 }) => {
      const later = own.filter(({ entry }) => entry.block > Number(block));
      const balance = later.reduce((total, change) => total + change.shares, BigInt(shares as number | bigint));
      return later[0] && { block: to.number, since: since ?? later[0].entry.timestamp, shares: balance };
    });
    const dust = own.map(({ entry }) => entry).filter((entry) => isDust(entry, holder));
    for (const [day, ofDay] of Map.groupBy(dust, dayOf))
      await table.rows.update(keyOf(table, daysOf(holder), generation), day, (row) => {
        const later = ofDay.filter(({ block }) => block > Number(row.block ?? -1));
        return later[0] && { block: to.number, ...addDust(row, later) };
      });
  });
  await progress.update(generation, (state) =>
    (state.listedTo ?? NEVER).number < to.number ? { ...state, listedTo: to } : undefined,
  );
}

function rowsOf({ table }: LedgerStore, subject: string, generation: number): Promise<Row[]> {
  return table.rows.range(keyOf(table, subject, generation), '0', END);
}

function toHolder({ position, shares, since, block }: Row): ListedHolder {
  return {
    address: textIn(position, /^0x[\da-f]{40}$/),
    shares: bigintIn(String(shares)),
    since: countIn(since),
    block: countIn(block),
  };
}

function daysOf(holder: string): string {
  return `${dustOf(subjectOf.holder(holder))}#days`;
}

/** The UTC day of an entry, which begins after its first second: a recorded point is the state after that. */
function dayOf({ timestamp }: Entry): string {
  return startOf(Math.floor((timestamp - 1) / DAY) * DAY);
}

/** The sums in a day's row, one entry per type. */
function sumsIn(row: Row): Dust[] {
  return DUST_TYPES.flatMap((type) => (row[type] ? (toEntry(row[type] as Row) as Dust) : []));
}

function addDust(row: Row, entries: readonly Entry[]): Record<string, ReturnType<typeof toRow>> {
  const ofTypes = Map.groupBy([...sumsIn(row), ...(entries as Dust[])], ({ type }) => type);
  const sums = [...ofTypes.values()].map((all) => ({
    ...(all[0] as Dust),
    shares: sum(all.map(({ shares }) => shares)),
    assets: sum(all.map(({ assets }) => assets)),
  }));
  return Object.fromEntries(sums.map((entry) => [entry.type, toRow(entry)]));
}
