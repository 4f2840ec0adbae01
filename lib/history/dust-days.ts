/**
 * The sums of each holder's dust by day. A row carries the block up to which it has all dust of its holder, so two recorders
 * at once, or one that dies at any moment and is run again, write the same.
 */

import type { Coverage } from '../ledger/coverage.ts';
import { dustOf, type Entry, type EntryOf, isDust, subjectOf } from '../ledger/ledger-entry.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { END, keyOf, startOf, toEntry, toRow } from '../ledger/rows.ts';
import { intact } from '../tables/rows.ts';
import type { Row } from '../tables/series-table.ts';
import type { BlockRef } from '../values/block.ts';
import { DAY } from '../values/durations.ts';
import { sum } from '../values/wad.ts';

const DUST_TYPES = ['ggAvaxTransferred', 'ggAvaxDeposited'] as const;
type Dust = EntryOf<(typeof DUST_TYPES)[number]>;

/**
 * The dust of a holder (lower-case 0x-hex) in the covered blocks: up to `listedTo`, one entry of each type for a day, at the
 * place of the first. Throws UPSTREAM_UNAVAILABLE.
 */
export async function readDust(ledger: LedgerStore, holder: string, coverage: Coverage, listedTo?: BlockRef) {
  const { rows, warn } = ledger.table;
  const listed = await rows.range(keyOf(ledger.table, daysOf(holder), coverage.generation), '0', END);
  // In an export, the rows may be ahead.
  const isAhead = listed.some(({ block }) => Number(block) > coverage.toBlock);
  const days = isAhead ? [] : listed;
  const { number, timestamp } = isAhead || !listedTo ? { number: -1, timestamp: 0 } : listedTo;
  const left = { ...coverage, fromBlock: number + 1 };
  const later = await ledger.between(dustOf(subjectOf.holder(holder)), left, timestamp);
  const lastOf = new Map(days.map(({ position, block }) => [position, Number(block)]));
  const unlisted = later.filter((entry) => entry.block > (lastOf.get(dayOf(entry)) ?? -1));
  return [...intact(days, sumsIn, warn).flat(), ...unlisted];
}

/** Adds the dust among a holder's entries of whole blocks, which end at `to`. Throws what the table throws. */
export async function addDust(
  { table }: LedgerStore,
  generation: number,
  holder: string,
  entries: readonly Entry[],
  to: BlockRef,
): Promise<void> {
  const dust = entries.filter((entry) => isDust(entry, holder)) as Dust[];
  for (const [day, ofDay] of Map.groupBy(dust, dayOf))
    await table.rows.update(keyOf(table, daysOf(holder), generation), day, (row) => {
      const later = ofDay.filter(({ block }) => block > Number(row.block ?? -1));
      return later[0] && { block: to.number, ...toSums([...sumsIn(row), ...later]) };
    });
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

function toSums(dust: readonly Dust[]): Record<string, ReturnType<typeof toRow>> {
  const sums = [...Map.groupBy(dust, ({ type }) => type).values()].map((all) => ({
    ...(all[0] as Dust),
    shares: sum(all.map(({ shares }) => shares)),
    assets: sum(all.map(({ assets }) => assets)),
  }));
  return Object.fromEntries(sums.map((entry) => [entry.type, toRow(entry)]));
}
