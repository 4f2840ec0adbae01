/**
 * The ledger's state: one row of a generation. It names the covered blocks, which only grow. The generation that answers is at
 * `current`; one that is being filled beside it has a row of its own (README.md).
 */

import { notKnownYet } from '../runtime/errors.ts';
import { textIn } from '../tables/rows.ts';
import type { Row } from '../tables/series-table.ts';
import { LEDGER, orUnavailable } from '../tables/table-schemas.ts';
import type { BlockRef } from '../values/block.ts';
import type { Coverage } from './coverage.ts';
import type { ContractName } from './event-abis.ts';
import { type Doubts, MOST_DOUBTS } from './mismatch.ts';
import { keyOf, type LedgerTable } from './rows.ts';
import { type Blocks, type Dispute, QUORUM, type Waiting } from './vote.ts';

/** Blocks whose rows have been written, their last one, and the number of providers on which they rest. */
export interface Written extends Blocks {
  end: { timestamp: number; hash?: string; parentHash?: string };
  sources: number;
}

export interface LedgerState {
  generation: number;
  /** The covered blocks, time and hash of the last one, and hash of the one before the first; missing before the first ones. */
  blocks?: Blocks & { toTimestamp: number; hash?: string; parentHash?: string };
  /** Contracts that have been found in the registry, by address. */
  contracts: Readonly<Record<string, ContractName>>;
  /** The least number of providers on which a part of the covered blocks rests. */
  sources: number;
  /** The block up to which the rows of holders (`lib/history`) have all changes; missing before they are made. */
  listedTo?: BlockRef | undefined;
  /** Time since which too few providers answer, unix seconds. */
  waitingSince?: number | undefined;
  waiting?: Waiting | undefined;
  /** Blocks that stopped indexing, until they are covered. */
  disputed?: Dispute | undefined;
}

export const STATE = 'state';
export const DOUBTS = 'doubts';

/** Time in ms for which the state is kept, so that not every request reads it: less than between two recorder runs. */
const REMEMBERED_MS = 1_000;

/** The state, and what it covers, if it covers anything. */
export type ReadState = LedgerState & { coverage?: Coverage };
type Known = LedgerState & { coverage: Coverage };

export class LedgerProgress {
  readonly #table: LedgerTable;
  readonly #next: number | undefined;
  #remembered: { known: Promise<Known>; until: number } | undefined;

  /** `next`: the generation that is being filled; by default, the one that answers. */
  constructor(table: LedgerTable, next?: number) {
    this.#table = table;
    this.#next = next;
  }

  /** The state, at most one second old. Throws like {@link read}, and NOT_KNOWN_YET if nothing is indexed. */
  latest(): Promise<Known> {
    const now = this.#table.clock.now();
    if (this.#remembered && now < this.#remembered.until) return this.#remembered.known;
    const known = this.read().then(({ coverage, ...state }) => {
      if (!coverage) throw notKnownYet('The ledger has not been recorded yet. Please try again shortly.');
      return { ...state, coverage };
    });
    this.#remembered = { known, until: now + REMEMBERED_MS };
    known.catch(() => this.#forget());
    return known;
  }

  /** Reads the state. Throws UPSTREAM_UNAVAILABLE if the table does not answer. */
  async read(): Promise<ReadState> {
    const read = async () => this.#parse(await this.#table.rows.get(...this.#place()));
    const state = await orUnavailable(LEDGER, read());
    const { blocks, sources, generation } = state;
    if (!blocks) return state;
    const complete = blocks.from <= this.#table.network.firstBlock;
    const { from: fromBlock, to: toBlock, toTimestamp } = blocks;
    return { ...state, coverage: { fromBlock, toBlock, toTimestamp, sources, complete, generation } };
  }

  /** Adds blocks that adjoin the covered ones or overlap them; an empty ledger takes any. False like {@link update}, or for a gap. */
  extend({ from, to, end, sources }: Written, generation: number): Promise<boolean> {
    const { timestamp: toTimestamp, hash, parentHash } = end;
    return this.update(generation, (state) => {
      const { blocks = { from, to: from - 1, toTimestamp, parentHash }, disputed } = state;
      if (from > blocks.to + 1 || to < blocks.from - 1) return undefined;
      const first = from < blocks.from ? { from, parentHash } : {};
      const last = to > blocks.to ? { to, toTimestamp, hash } : {};
      const covered = { ...blocks, ...first, ...last };
      const isSettled = disputed && covered.from <= disputed.fromBlock && disputed.toBlock <= covered.to;
      const least = Math.min(sources, state.sources);
      return { ...state, blocks: covered, sources: least, disputed: isSettled ? undefined : disputed };
    });
  }

  /** Takes over the state of another generation. False if that does not cover all that this one covers. */
  takeOver({ coverage, ...filled }: ReadState): Promise<boolean> {
    return this.update(undefined, ({ generation, blocks }) => {
      const isBehind = !coverage?.complete || (blocks !== undefined && coverage.toBlock < blocks.to);
      return filled.generation <= generation || isBehind ? undefined : filled;
    });
  }

  /**
   * Replaces the state of a generation, by default of any, by what `change` returns for it. False if it returns undefined, or if
   * another generation has taken this one's place.
   */
  update(generation: number | undefined, change: (state: LedgerState) => LedgerState | undefined): Promise<boolean> {
    const written = this.#table.rows.update(...this.#place(), (row) => {
      const known = this.#parse(row);
      const state = (generation ?? known.generation) === known.generation ? change(known) : undefined;
      return state && { state: JSON.stringify(state) };
    });
    return written.finally(() => this.#forget());
  }

  /** The doubts about a generation, by default the one that answers: a row of their own. Throws like {@link latest}. */
  async doubts(generation?: number): Promise<Doubts> {
    const place = this.#doubtsOf(generation ?? (await this.latest()).generation);
    return toDoubts(await orUnavailable(LEDGER, this.#table.rows.get(...place)));
  }

  /** Replaces the doubts about a generation like {@link update}. */
  updateDoubts(generation: number, change: (doubts: Doubts) => Doubts | undefined): Promise<boolean> {
    const most = (_: string, value: unknown) => (Array.isArray(value) ? value.slice(0, MOST_DOUBTS) : value);
    return this.#table.rows.update(...this.#doubtsOf(generation), (row) => {
      const doubts = change(toDoubts(row));
      return doubts && { doubts: JSON.stringify(doubts, most) };
    });
  }

  #doubtsOf(generation: number): [series: string, position: string] {
    return [keyOf(this.#table, DOUBTS, generation), 'all'];
  }

  #forget(): void {
    this.#remembered = undefined;
  }

  #place(): [series: string, position: string] {
    return [keyOf(this.#table, STATE), this.#next === undefined ? 'current' : `next-${this.#next}`];
  }

  /** Throws if the row is damaged: without the covered range, nothing may be shown, and nothing indexed anew. */
  #parse(row: Row | undefined): LedgerState {
    const known = row?.state === undefined ? {} : JSON.parse(textIn(row.state));
    return { generation: this.#next ?? 0, contracts: {}, sources: QUORUM, ...known };
  }
}

function toDoubts({ doubts }: Row = {}): Doubts {
  return { mismatches: [], refused: [], ...(doubts !== undefined && JSON.parse(textIn(doubts))) };
}
