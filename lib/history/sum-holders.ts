/**
 * Sums up the days of all holders, the oldest first, once the protocol's whole past is searched: each day when no more
 * entries can be found in it. `lib/ledger/holder-sums.ts` says why that may end, or run twice, at any moment.
 */

import type { Chain } from '../chain/chain.ts';
import type { HolderChange, HolderDayRow } from '../ledger/holder-sums.ts';
import { type Entry, holdersOf, subjectOf } from '../ledger/ledger-entry.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import type { Blocks } from '../ledger/search.ts';
import { sumUp, toText } from './holder-day.ts';
import { type Promised, requestsOf } from './holder-flows.ts';
import { boundaryBefore, boundaryFrom } from './series.ts';

/** Rows after which it is noted how far the sums have come. */
const ROWS_OF_A_STEP = 500;

interface Summing {
  chain: Chain;
  ledger: LedgerStore;
  /** False ends it after the current step. */
  mayGoOn: () => boolean | Promise<boolean>;
}

/** Throws what the chain and the table throw. */
export async function sumUpHolders({ chain, ledger, mayGoOn }: Summing): Promise<void> {
  const { blocks, settled = 0, first, summedTo = 0 } = await ledger.progress.read();
  if (!blocks?.toTimestamp || first === undefined || blocks.from > first) return;
  if (dayBefore(blocks.toTimestamp) <= summedTo) return;
  // Later blocks are searched again, so more may be found there.
  const { timestamp } = await chain.rpc.header(settled);
  const end = dayBefore(timestamp);
  if (end <= summedTo) return;

  const promised = await readPromised(ledger);
  let [days, changes]: [HolderDayRow[], HolderChange[]] = [[], []];
  const write = async (until: number) => {
    await ledger.sums.writeDays(days);
    await ledger.sums.addChanges(changes);
    await ledger.progress.setSummedTo(until);
    [days, changes] = [[], []];
  };
  const later = entriesAfter(summedTo, ledger, { from: blocks.from, to: settled });
  for await (const { day, entries } of daysOf(later, end)) {
    for (const [holder, ofHolder] of byHolder(entries)) {
      const sums = sumUp(holder, ofHolder, chain.network.withdrawQueue, promised.get(holder));
      days.push({ holder, end: day, sums: toText(sums) });
      if (sums.flows) changes.push({ holder, end: day, shares: sums.flows.shares, first: sums.flows.first });
    }
    if (days.length < ROWS_OF_A_STEP) continue;
    await write(day);
    if (!(await mayGoOn())) return;
  }
  await write(end);
}

/** The end of the last UTC day that was over before the second of `time`. */
function dayBefore(time: number): number {
  return boundaryBefore(time - 1, '1d');
}

async function* entriesAfter(time: number, ledger: LedgerStore, blocks: Blocks): AsyncGenerator<Entry> {
  for await (const page of ledger.pagesBetween(subjectOf.protocol, blocks, time + 1)) yield* page;
}

interface Day {
  /** Its end, unix seconds. */
  day: number;
  entries: Entry[];
}

/** The days of entries, which are in order, up to the day that ends at `end`; nothing is read beyond its next entry. */
export async function* daysOf(all: AsyncIterable<Entry>, end = Number.POSITIVE_INFINITY): AsyncGenerator<Day> {
  let [day, entries]: [number, Entry[]] = [0, []];
  for await (const entry of all) {
    // An entry of a boundary's own second belongs to the day that ends there, as in holder-yield.ts.
    const itsDay = boundaryFrom(entry.timestamp, '1d');
    if (itsDay !== day) {
      if (entries.length > 0) yield { day, entries };
      [day, entries] = [itsDay, []];
      if (day > end) return;
    }
    entries.push(entry);
  }
  if (entries.length > 0) yield { day, entries };
}

/** Entries by the holders that they concern. */
export function byHolder(entries: readonly Entry[]): Map<string, Entry[]> {
  const pairs = entries.flatMap((entry) => holdersOf(entry).map((holder) => ({ holder, entry })));
  const groups = Map.groupBy(pairs, ({ holder }) => holder);
  return new Map([...groups].map(([holder, group]) => [holder, group.map(({ entry }) => entry)]));
}

/** What withdrawal requests promised, by requester: those that end on a day were made before it. */
async function readPromised(ledger: LedgerStore): Promise<ReadonlyMap<string, Promised>> {
  const { entries } = await ledger.all(subjectOf.type('unstakeRequested'));
  return new Map([...byHolder(entries)].map(([holder, own]) => [holder, new Map(requestsOf(holder, own))]));
}
