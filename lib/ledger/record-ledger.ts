/**
 * Fills the ledger: first new blocks, then backwards to the protocol's first block (backfill). Then blocks that rest on
 * one provider are read again. Each step reads some blocks, writes their entries, and only then marks the blocks. So a run
 * may end at any moment, and several may run at once.
 */

import type { Chain } from '../chain/chain.ts';
import type { BlockRef } from '../values/block.ts';
import type { Blocks, Unconfirmed } from './block-ranges.ts';
import type { LedgerStore } from './ledger-store.ts';
import { type Emitters, fromTexts, knownEmitters, toTexts } from './registry.ts';
import { positionOf } from './rows.ts';
import type { Dispute, Search } from './search-row.ts';
import { Disputed, type Part, Sources } from './sources.ts';
import { QUORUM } from './vote.ts';

/**
 * Number of the last indexed blocks that each run reads again. The head in the same batch as the logs shows a provider's
 * progress, but a gateway may have another part of the batch answered by a node that lags.
 */
const LATE_BLOCKS = 100;
/** Most parts that are read at once: more than a rate limit of 20 requests per second needs at 200 ms latency. */
const MOST_PARTS = 16;
/** Entries that may be read ahead, where there are many: all of them are in memory. */
const MOST_ENTRIES_AHEAD = 8_000;

type Direction = 'forwards' | 'backwards';

/** Result of a step. */
export interface Step extends Blocks {
  /** Number of new entries. */
  added: number;
}

export interface LedgerRunLimits {
  /** Awaited before each step begins: false ends the run, once the steps that have begun are done. */
  mayGoOn: () => boolean | Promise<boolean>;
  onStep?: (step: Step) => void;
}

/** Result of a run. */
export interface LedgerRunReport {
  blocks: number;
  /** Number of new entries. */
  added: number;
  /** Blocks about which providers disagree; undefined if there are none. */
  disputed?: Dispute | undefined;
}

/** The ledger's recorder. It keeps its findings about providers and contracts between runs. */
export class LedgerRecorder {
  readonly #chain: Chain;
  readonly #store: LedgerStore;
  readonly #sources: Sources;
  #emitters: Emitters;
  /** True once the contracts of all older blocks have been looked up. */
  #knowsPast = false;
  /** True once two providers agree on the contracts. */
  #areContractsConfirmed = false;
  /** Number of parts that may be read at once. */
  #mostParts = 1;

  constructor(chain: Chain, store: LedgerStore) {
    this.#chain = chain;
    this.#store = store;
    this.#sources = new Sources(chain);
    this.#emitters = knownEmitters(chain.network);
  }

  /**
   * Calls {@link recordNew}, {@link recordOld} and {@link confirm}, and throws what they throw; what was recorded before
   * that stays. Where providers disagree, it stops, and the ledger names the blocks and the providers.
   */
  async run({ mayGoOn, onStep }: LedgerRunLimits): Promise<LedgerRunReport> {
    const report: LedgerRunReport = { blocks: 0, added: 0 };
    const limits = {
      mayGoOn,
      onStep: (step: Step) => {
        report.blocks += step.to - step.from + 1;
        report.added += step.added;
        onStep?.(step);
      },
    };
    const steps = [() => this.recordNew(limits), () => this.recordOld(limits), () => this.confirm(limits)];
    const disputes: Disputed[] = [];
    for (const step of steps) {
      await step().catch((error: unknown) => {
        if (!(error instanceof Disputed)) throw error;
        disputes.push(error);
      });
    }
    const [first] = disputes.sort((a, b) => a.blocks.from - b.blocks.from);
    const disputed = first && { fromBlock: first.blocks.from, toBlock: first.blocks.to, providers: first.providers };
    await this.#store.progress.setDisputed(disputed);
    return { ...report, disputed };
  }

  /**
   * Records the blocks since the last run, up to the head. Throws UPSTREAM_UNAVAILABLE if the chain or the table does not
   * answer, and {@link Disputed}.
   */
  async recordNew(limits: LedgerRunLimits): Promise<void> {
    await this.#store.progress.setSources(this.#sources.quorum);
    const { blocks, amending } = await this.#read();
    const head = await this.#sources.head();
    if (amending) await this.#readAgain(amending, limits, true);
    const last = blocks?.to ?? head.number;
    const from = Math.max(blocks?.from ?? 0, last - LATE_BLOCKS + 1);
    if (head.number < last) return;
    await this.#learn({ from: Math.min(last, head.number), to: head.number });
    await this.#inParts({ from, to: head.number }, 'forwards', limits, (part) => this.#extend(part));
  }

  /**
   * Records earlier blocks, back to the protocol's first block (backfill); nothing on an empty table. Throws like
   * {@link recordNew}.
   */
  async recordOld(limits: LedgerRunLimits): Promise<void> {
    const { blocks, first } = await this.#read();
    if (!blocks) return;
    const from = first ?? (await this.#findFirst(blocks.to));
    if (blocks.from <= from) return;
    if (!this.#knowsPast) await this.#learn({ from, to: blocks.from });
    this.#knowsPast = true;
    await this.#inParts({ from, to: blocks.from - 1 }, 'backwards', limits, (part) => this.#extend(part));
  }

  /** Reads blocks that rest on one provider again, once a second one answers. Throws like {@link recordNew}. */
  async confirm(limits: LedgerRunLimits): Promise<void> {
    if (this.#sources.quorum < QUORUM) return;
    const { blocks, unconfirmed } = await this.#read();
    if (!blocks || unconfirmed.length === 0) return;
    if (!this.#areContractsConfirmed && !(await this.#confirmContracts(blocks))) return;
    for (const range of (await this.#read()).unconfirmed) await this.#readAgain(range, limits);
    await this.#store.progress.setSources(this.#sources.quorum);
  }

  /**
   * Drops contracts that one provider named and two deny. Their events may be in any block, so that all blocks are read
   * again. False if only one provider answers.
   */
  async #confirmContracts({ from, to }: Blocks): Promise<boolean> {
    const { emitters, sources } = await this.#sources.registered({ from, to });
    if (sources < QUORUM) return false;
    const found = new Map([...knownEmitters(this.#chain.network), ...emitters]);
    const isDenied = [...this.#emitters].some(([address, name]) => found.get(address) !== name);
    if (isDenied) await this.#store.progress.doubt(await this.#chain.rpc.header(Math.max(0, from - 1)));
    await this.#store.progress.setContracts(toTexts(found));
    this.#areContractsConfirmed = true;
    return true;
  }

  /**
   * Indexes blocks again: rows that are not found again are deleted. If there are several providers, ends at blocks for
   * which only one of them answers. Throws like {@link recordNew}.
   */
  async readAgain({ from, to }: Blocks, limits: LedgerRunLimits): Promise<void> {
    await this.#read();
    const before = await this.#chain.rpc.header(Math.max(0, from - 1));
    await this.#readAgain({ from, to, before }, limits);
  }

  async #readAgain({ from, to, before }: Unconfirmed, limits: LedgerRunLimits, isAmending = false): Promise<void> {
    const kept = new Set<string>();
    let end: BlockRef | undefined;
    try {
      await this.#inParts({ from, to }, 'forwards', limits, async (part) => {
        if (part.sources < this.#sources.quorum) return undefined;
        const added = await this.#store.replace(part, isAmending ? 'again' : 'changed');
        await this.#store.progress.confirm(part, part.end);
        for (const entry of part.entries) kept.add(positionOf(entry));
        end = part.end;
        return { from: part.from, to: part.from - 1, added };
      });
    } finally {
      if (end) await this.#store.sweep({ from, to: end.number, before }, kept);
    }
    if (isAmending && end?.number === to) await this.#store.progress.endAmending();
  }

  /** Number of blocks from the protocol's first one to the head that are not indexed. Throws as a run does. */
  async countLeft(): Promise<number> {
    const { number: head } = await this.#sources.head();
    const { blocks, first = await this.#findFirst(head) } = await this.#read();
    return blocks ? Math.max(0, head - blocks.to) + Math.max(0, blocks.from - first) : head - first + 1;
  }

  /** Reads the ledger's progress, and adopts contracts that other recorders have found. */
  async #read(): Promise<Search> {
    const search = await this.#store.progress.read();
    this.#emitters = new Map([...knownEmitters(this.#chain.network), ...fromTexts(search.contracts)]);
    return search;
  }

  /** Stores all contracts that were registered in some blocks. */
  async #learn(blocks: Blocks): Promise<void> {
    const { emitters, sources } = await this.#sources.registered(blocks);
    const missing = [...emitters].filter(([address, name]) => this.#emitters.get(address) !== name);
    if (missing.length === 0) return;
    if (sources < QUORUM) this.#areContractsConfirmed = false;
    this.#emitters = new Map([...this.#emitters, ...emitters]);
    await this.#store.progress.addContracts(toTexts(new Map(missing)));
  }

  /**
   * Reads blocks in parts, several at once, and hands over one part after the other, from one end on: coverage has no gaps.
   * `take` returns its step, or undefined to stop. Throws the error of the first part that fails, once all parts that have begun are done.
   */
  async #inParts(
    { from, to }: Blocks,
    direction: Direction,
    { mayGoOn, onStep }: LedgerRunLimits,
    take: (part: Part) => Promise<Step | undefined>,
  ): Promise<void> {
    const ahead: { blocks: Blocks; read: Promise<Part> }[] = [];
    let left = { from, to };
    try {
      for (let most = 1; ; most = Math.min(most + 1, this.#mostParts)) {
        while (ahead.length < most && left.from <= left.to && (await mayGoOn())) {
          const { blocks, rest } = splitBlocks(left, this.#sources.blocksOfARequest, direction);
          left = rest;
          const read = this.#sources.read(blocks, this.#emitters);
          read.catch(() => {});
          ahead.push({ blocks, read });
        }
        const next = ahead.shift();
        if (!next) return;
        let dispute: Disputed | undefined;
        const part = await next.read.catch((error: unknown) => {
          if (!(error instanceof Disputed)) throw error;
          dispute = error;
          const sound =
            direction === 'forwards'
              ? { from: next.blocks.from, to: error.blocks.from - 1 }
              : { from: error.blocks.to + 1, to: next.blocks.to };
          if (sound.from > sound.to) throw error;
          return this.#sources.read(sound, this.#emitters);
        });
        this.#mostParts = Math.min(
          MOST_PARTS,
          Math.max(1, Math.floor(MOST_ENTRIES_AHEAD / Math.max(1, part.entries.length))),
        );
        const step = await take(part);
        if (!step) return;
        onStep?.(step);
        if (dispute) throw dispute;
      }
    } finally {
      await Promise.allSettled(ahead.map(({ read }) => read));
    }
  }

  /** Writes the entries of blocks, then marks these blocks as indexed. */
  async #extend(part: Part): Promise<Step> {
    const { from, to, before, end, sources } = part;
    // One of several providers does not change what two have confirmed.
    const added = await this.#store.replace(part, sources < this.#sources.quorum ? 'new' : 'changed');
    const isAlone = sources < QUORUM;
    if (!(await this.#store.progress.extend(from, to, end.timestamp, isAlone ? before : undefined)))
      throw new Error(`blocks ${from} to ${to} do not adjoin those already indexed`);
    return { from, to, added };
  }

  /** The protocol's first block. It is stored once the providers agree on it. */
  async #findFirst(to: number): Promise<number> {
    const { first, sources } = await this.#sources.first(to);
    if (sources >= this.#sources.quorum) await this.#store.progress.setFirst(first);
    return first;
  }
}

/** Takes at most `size` blocks from the end of a range at which the direction begins. */
function splitBlocks({ from, to }: Blocks, size: number, direction: Direction): { blocks: Blocks; rest: Blocks } {
  if (direction === 'forwards') {
    const end = Math.min(to, from + size - 1);
    return { blocks: { from, to: end }, rest: { from: end + 1, to } };
  }
  const start = Math.max(from, to - size + 1);
  return { blocks: { from: start, to }, rest: { from, to: start - 1 } };
}
