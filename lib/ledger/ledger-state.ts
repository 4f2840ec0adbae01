/**
 * The ledger's state: one row of a generation. It names the covered blocks, which only grow, and once all their rows are
 * written. The generation that answers is at `current`; one that is being filled beside it has a row of its own (README.md).
 */

import { notKnownYet } from '../runtime/errors.ts';
import { textIn } from '../tables/rows.ts';
import type { Row } from '../tables/series-table.ts';
import { LEDGER, orUnavailable } from '../tables/table-schemas.ts';
import type { BlockRef } from '../values/block.ts';
import type { Coverage } from './coverage.ts';
import { keyOf, type LedgerTable } from './rows.ts';
import { type Blocks, QUORUM } from './vote.ts';

/** Blocks at which indexing has stopped: providers disagree, or a log does not decode. */
export interface Dispute {
  fromBlock: number;
  toBlock: number;
  providers: string[];
  reason: string;
}

/** A sum of the ledger, and the different value that a contract's view returns at the same block. */
export interface Mismatch {
  contract: string;
  view: string;
  /** The address, node (20 bytes, both lower-case 0x-hex) or request that the figure is about; missing if there is only one. */
  key?: string;
  /** The holder, staker, owner or requester whose figure it is; lower-case 0x-hex. */
  address?: string;
  ledger: string;
  chain: string;
  block: number;
}

/** A comparison with the contracts. It is an alarm: only answers about the address of a mismatch name it. */
export interface Check {
  /** Time at which the next comparison is due, unix seconds. */
  dueAt: number;
  mismatches: Mismatch[];
}

export interface Refused {
  cycle: number;
  /** Lower-case 0x-hex. */
  staker: string;
}

export interface LedgerState {
  generation: number;
  /** The covered blocks, and the time of the last one; undefined before the first ones. */
  blocks: (Blocks & { toTimestamp: number }) | undefined;
  /** Contracts that have been found in the registry: `<name>#<address>`. */
  contracts: string[];
  /** The least number of providers on which a part of the covered blocks rests. */
  sources: number;
  /** The block up to which the rows of holders (`lib/history`) have all changes; undefined before they are made. */
  listedTo: BlockRef | undefined;
  /** Time since which too few providers answer, unix seconds. */
  waitingSince: number | undefined;
  /** Blocks that stopped indexing, until they are covered. */
  disputed: Dispute | undefined;
  check: Check | undefined;
  refused: Refused[];
}

export const STATE = 'state';

/** It names all fields, so that nothing is left of a generation that another one replaces. */
const NOTHING_INDEXED: LedgerState = {
  generation: 0,
  blocks: undefined,
  contracts: [],
  sources: QUORUM,
  listedTo: undefined,
  waitingSince: undefined,
  disputed: undefined,
  check: undefined,
  refused: [],
};

/** Time in ms for which the state is kept, so that not every request reads it: less than between two recorder runs. */
const REMEMBERED_MS = 1_000;

/** The state, and what it covers, if it covers anything. */
export type ReadState = LedgerState & { coverage?: Coverage | undefined };
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

  /** The coverage, at most a second old. Throws like {@link latest}. */
  async coverage(): Promise<Coverage> {
    return (await this.latest()).coverage;
  }

  /**
   * The state, at most a second old, with its coverage. Throws NOT_KNOWN_YET if nothing is indexed, and UPSTREAM_UNAVAILABLE
   * if the table does not answer.
   */
  latest(): Promise<Known> {
    const now = this.#table.clock.now();
    if (this.#remembered && now < this.#remembered.until) return this.#remembered.known;
    const known = this.latestUncached();
    this.#remembered = { known, until: now + REMEMBERED_MS };
    known.catch(() => this.#forget());
    return known;
  }

  /** Reads what {@link latest} returns, uncached: for rows that were read before. */
  async latestUncached(): Promise<Known> {
    const { coverage, ...state } = await this.read();
    if (!coverage) throw notKnownYet('The ledger has not been recorded yet. Please try again shortly.');
    return { ...state, coverage };
  }

  /** Reads the state, uncached. Throws UPSTREAM_UNAVAILABLE if the table does not answer. */
  async read(): Promise<ReadState> {
    const read = async () => this.#parse(await this.#table.rows.get(...this.#place()));
    const state = await orUnavailable(LEDGER, read());
    if (!state.blocks) return state;
    const { from, to, toTimestamp } = state.blocks;
    const complete = from <= this.#table.network.firstBlock;
    return { ...state, coverage: { fromBlock: from, toBlock: to, toTimestamp, sources: state.sources, complete } };
  }

  /**
   * Adds blocks whose rows have been written, and that adjoin the covered ones or overlap them; an empty ledger takes any. False
   * if there would be a gap, or if another generation has taken this one's place. `toTimestamp` is the time of block `to`,
   * `sources` the number of providers on which these blocks rest.
   */
  extend(from: number, to: number, toTimestamp: number, generation = 0, sources = QUORUM): Promise<boolean> {
    return this.update((state) => {
      const { blocks = { from, to: from - 1, toTimestamp }, disputed } = state;
      if (state.generation !== generation || from > blocks.to + 1 || to < blocks.from - 1) return undefined;
      const last = to > blocks.to ? { to, toTimestamp } : {};
      const covered = { ...blocks, ...last, from: Math.min(from, blocks.from) };
      const isSettled = disputed && covered.from <= disputed.fromBlock && disputed.toBlock <= covered.to;
      return {
        blocks: covered,
        sources: Math.min(sources, state.sources),
        disputed: isSettled ? undefined : disputed,
      };
    });
  }

  /** Sets what `change` returns for the state and the time (unix seconds); false if it returns undefined. */
  async update(change: (state: LedgerState, now: number) => Partial<LedgerState> | undefined): Promise<boolean> {
    const now = Math.floor(this.#table.clock.now() / 1_000);
    const isDone = await this.#table.rows.update(...this.#place(), (row) => {
      const state = this.#parse(row);
      const changed = change(state, now);
      return changed && { state: JSON.stringify({ ...state, ...changed }) };
    });
    this.#forget();
    return isDone;
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
    return { ...NOTHING_INDEXED, generation: this.#next ?? 0, ...known };
  }
}

/** The contracts whose figures show whether the events of a source of income are true. */
const CONTRACTS = { ggAvax: ['TokenggAVAX', 'WithdrawQueue'], minipools: ['MinipoolManager'], ggp: ['Staking'] };

/** True if a figure of an address (0x-hex) about this source differs. */
export function isDoubted(
  { check }: Pick<LedgerState, 'check'>,
  source: keyof typeof CONTRACTS,
  address: string,
): boolean {
  const own = address.toLowerCase();
  return check?.mismatches.some((one) => CONTRACTS[source].includes(one.contract) && one.address === own) ?? false;
}
