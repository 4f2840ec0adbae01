/**
 * The list of holders, made from their entries in the order of the chain. A row carries the block up to which it has all changes,
 * and the state that of all rows. So two recorders at once, or one that dies at any moment and is run again, write the same.
 */

import { listChanges } from '../ledger/balance-changes.ts';
import { blockOf, type Entry, subjectOf } from '../ledger/ledger-entry.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { END, keyOf, startOf } from '../ledger/rows.ts';
import { inParallel } from '../runtime/parallel.ts';
import { bigintIn, countIn, intact, textIn } from '../tables/rows.ts';
import type { Row } from '../tables/series-table.ts';
import type { BlockRef } from '../values/block.ts';
import { addDust } from './dust-days.ts';

const PARALLEL_UPDATES = 8;
const NEVER: BlockRef = { number: -1, timestamp: 0 };

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
export async function readHolderList({ table }: LedgerStore, generation: number): Promise<ListedHolder[]> {
  return intact(await table.rows.range(keyOf(table, 'holders', generation), '0', END), toHolder, table.warn);
}

/**
 * Brings the list, and the sums of dust by day, up to the covered blocks, once these reach back to the protocol's first one.
 * `mayGoOn` is awaited after each page: false ends it. Throws what the table throws.
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
    await addDust(
      ledger,
      generation,
      holder,
      own.map(({ entry }) => entry),
      to,
    );
  });
  await progress.update(generation, (state) =>
    (state.listedTo ?? NEVER).number < to.number ? { ...state, listedTo: to } : undefined,
  );
}

function toHolder({ position, shares, since, block }: Row): ListedHolder {
  return {
    address: textIn(position, /^0x[\da-f]{40}$/),
    shares: bigintIn(String(shares)),
    since: countIn(since),
    block: countIn(block),
  };
}
