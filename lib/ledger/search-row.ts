/** The row with the indexed and the confirmed blocks: its content, and the coverage that follows from it. */

import { countIn, textIn } from '../tables/rows.ts';
import type { Row, Value } from '../tables/series-table.ts';
import type { BlockRef } from '../values/block.ts';
import type { Blocks, Unconfirmed } from './block-ranges.ts';
import { type Coverage, TOLERATED_LAG_SECONDS } from './coverage.ts';
import { concerns, confirmedBefore, type Mismatch, type Scope } from './mismatches.ts';

/** Key of the row. */
export const SEARCH = { subject: 'search', position: 'blocks' };

/** Result of a comparison with the contracts. */
export interface Check {
  block: BlockRef;
  /** Time of the comparison, unix seconds. */
  at: number;
  mismatches: Mismatch[];
}

/** Blocks about which providers disagree, so that indexing has stopped there. */
export interface Dispute {
  fromBlock: number;
  toBlock: number;
  providers: string[];
}

/** A change of rows of indexed blocks from `from` on. Data derived from them in an earlier revision is outdated. */
export interface Revision {
  revision: number;
  from: number;
}

/** Content of the row. */
export interface Search {
  /** The first and last indexed block, and the last one's time; undefined before the first ones. */
  blocks: { from: number; to: number; toTimestamp: number } | undefined;
  /** The protocol's first block, once it is known. */
  first: number | undefined;
  /** Contracts that have been found in the registry: `<name>#<address>`. */
  contracts: string[];
  /** Number of providers that have to agree on a block: 1 or 2. */
  sources: number;
  /** Blocks that rest on one provider, in order. */
  unconfirmed: Unconfirmed[];
  /** Indexed blocks whose rows are being changed. */
  amending: Unconfirmed | undefined;
  /** The latest changes, the newest last, each from a later block than the one before. */
  revisions: Revision[];
  disputed: Dispute | undefined;
  /** The last comparison with the contracts; undefined before the first one. */
  check: Check | undefined;
  /** Number of the list of holders (`holder-list.ts`) that is made from these entries. */
  list: number;
  /** All entries up to this time (unix seconds) are in that list; undefined before the first one. */
  listedTo: number | undefined;
  /** Source of the import that is under way, see {@link LedgerProgress.beginImport}. */
  importing?: string | undefined;
}

/** Progress of an imported ledger. Older archives lack some of these fields. */
export type Indexed = Blocks &
  Pick<Search, 'contracts'> &
  Partial<Pick<Search, 'first' | 'sources'>> & {
    toTimestamp?: number | undefined;
    mismatches?: Mismatch[] | undefined;
  };

/** The coverage if only mismatches of a scope count; by default all count. Undefined while nothing is indexed. */
export function coverageIn(search: Search, scope?: Scope): Coverage | undefined {
  const { blocks, first, sources, unconfirmed, amending, check } = search;
  if (!blocks) return undefined;
  const { from: fromBlock, to: toBlock, toTimestamp } = blocks;
  const mismatches = check?.mismatches.filter((one) => concerns(one, scope)) ?? [];
  const ends = [
    { number: toBlock, timestamp: toTimestamp },
    ...(sources > 1 && unconfirmed[0] ? [unconfirmed[0].before] : []),
    ...(amending ? [amending.before] : []),
    ...(mismatches.length > 0 ? [confirmedBefore(mismatches) ?? { number: -1, timestamp: 0 }] : []),
  ];
  const end = ends.reduce((one, other) => (other.number < one.number ? other : one));
  const reachesFirstBlock = first !== undefined && fromBlock <= first;
  const confirmed = reachesFirstBlock && end.number >= fromBlock ? end : undefined;
  const complete = confirmed !== undefined && confirmed.timestamp >= toTimestamp - TOLERATED_LAG_SECONDS;
  return { fromBlock, toBlock, toTimestamp, confirmed, sources, complete };
}

export function asJson(values: readonly object[]): string | undefined {
  return values.length > 0 ? JSON.stringify(values) : undefined;
}

/** Throws if a value is damaged: without the coverage, nothing may be shown, and nothing indexed anew. */
export function toSearch(row: Row = {}): Search {
  const { from, to, toTimestamp, first, contracts, importing, list = 0, listedTo, sources = 1 } = row;
  const known = (value: Value | undefined) => (value === undefined ? undefined : countIn(value));
  const parsed = (value: Value | undefined) => (value === undefined ? undefined : JSON.parse(textIn(value)));
  return {
    blocks:
      from === undefined || to === undefined
        ? undefined
        : { from: countIn(from), to: countIn(to), toTimestamp: countIn(toTimestamp) },
    first: known(first),
    contracts: [...((contracts ?? []) as Iterable<string>)],
    sources: countIn(sources),
    unconfirmed: parsed(row.unconfirmed) ?? [],
    amending: parsed(row.amending),
    revisions: parsed(row.revisions) ?? [],
    disputed: parsed(row.disputed),
    check: parsed(row.check),
    list: countIn(list),
    listedTo: known(listedTo),
    importing: importing as string | undefined,
  };
}

/** The progress of an imported ledger, as attributes of the row. */
export function importedRow({ from, to, toTimestamp = 0, first, contracts, sources = 1, mismatches }: Indexed): Row {
  const block = { number: to, timestamp: toTimestamp };
  return {
    ...{ from, to, toTimestamp, first, sources },
    contracts: contracts.length > 0 ? new Set(contracts) : undefined,
    check: mismatches && JSON.stringify({ block, at: block.timestamp, mismatches }),
  };
}
