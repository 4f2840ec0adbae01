/**
 * Fills a generation of the ledger: first new blocks, up to those that are final, then backwards to the protocol's first
 * block. Each step reads some blocks, writes their entries, and only then covers them. So a run may end at any moment, and
 * several may run at once. The states are in README.md.
 */

import type { Chain } from '../chain/chain.ts';
import { lagOf } from './coverage.ts';
import type { Dispute, LedgerState } from './ledger-state.ts';
import type { LedgerStore } from './ledger-store.ts';
import { type Emitters, findRegistered, fromTexts, knownEmitters, toTexts } from './registry.ts';
import { Disputed, type Part, Sources, TooFewSources } from './sources.ts';
import { type Blocks, QUORUM } from './vote.ts';

/** Most parts that are read at once: more than a rate limit of 20 requests per second needs at 200 ms latency. */
const MOST_PARTS = 16;
/** Entries that may be read ahead, where there are many: all of them are in memory. */
const MOST_ENTRIES_AHEAD = 8_000;

type Direction = 'forwards' | 'backwards';

export interface Step extends Blocks {
  added: number;
}

export interface LedgerRunLimits {
  /** Awaited before each step begins: false ends the run, once the steps that have begun are done. */
  mayGoOn: () => boolean | Promise<boolean>;
  onStep?: (step: Step) => void;
}

export interface LedgerRunReport {
  blocks: number;
  added: number;
  /** Blocks at which it has stopped. */
  disputed?: Dispute | undefined;
  /** The error of too few providers. */
  waiting?: Error | undefined;
}

/** The recorder of a generation. It keeps its findings about providers and contracts between runs. */
export class LedgerRecorder {
  readonly sources: Sources;
  readonly #chain: Chain;
  readonly #store: LedgerStore;
  #generation = 0;
  #emitters: Emitters = new Map();
  /** True once the contracts of all older blocks have been looked up. */
  #knowsPast = false;
  #mostParts = 1;

  /** `quorum`: number of providers that have to agree, if so many are configured. */
  constructor(chain: Chain, store: LedgerStore, quorum = QUORUM) {
    this.#chain = chain;
    this.#store = store;
    this.sources = new Sources(chain, quorum);
  }

  /**
   * Records new blocks, then older ones. Where nothing decides what blocks hold, or too few providers answer, it stops, and
   * the state says so. Throws if the table does not answer.
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
    for (const step of [() => this.#recordNew(limits), () => this.#recordOld(limits)]) {
      await step().catch((error: unknown) => {
        if (error instanceof TooFewSources) report.waiting = error;
        else if (error instanceof Disputed) report.disputed ??= error.dispute;
        else throw error;
      });
      if (report.waiting) break;
    }
    const { disputed, waiting } = report;
    await this.#store.progress.update(({ waitingSince }, now) =>
      waiting || waitingSince !== undefined || disputed
        ? { waitingSince: waiting && (waitingSince ?? now), ...(disputed && { disputed }) }
        : undefined,
    );
    return report;
  }

  /** Number of blocks from the protocol's first one to the last final one that are not covered. Throws as a step does. */
  async countLeft(): Promise<number> {
    const head = await this.#lastFinal();
    const { blocks } = await this.#read();
    const first = this.#chain.network.firstBlock;
    return blocks ? Math.max(0, head - blocks.to) + Math.max(0, blocks.from - first) : Math.max(0, head - first + 1);
  }

  async #recordNew(limits: LedgerRunLimits): Promise<void> {
    const { blocks, first } = await this.#read();
    const to = await this.#lastFinal();
    if (first === undefined) await this.#store.progress.update(() => ({ first: this.#chain.network.firstBlock }));
    const last = blocks?.to ?? to - 1;
    if (to <= last) return;
    await this.#learn({ from: last, to });
    await this.#inParts({ from: last + 1, to }, 'forwards', limits);
  }

  async #recordOld(limits: LedgerRunLimits): Promise<void> {
    const { blocks, first } = await this.#read();
    if (!blocks || first === undefined || blocks.from <= first) return;
    if (!this.#knowsPast) await this.#learn({ from: first, to: blocks.from });
    this.#knowsPast = true;
    await this.#inParts({ from: first, to: blocks.from - 1 }, 'backwards', limits);
  }

  async #lastFinal(): Promise<number> {
    const { number } = await this.sources.head();
    return Math.max(0, number - lagOf(this.#chain.network));
  }

  /** Reads the state, and adopts contracts that other recorders have found. */
  async #read(): Promise<LedgerState> {
    const state = await this.#store.progress.read();
    this.#generation = state.generation;
    this.#emitters = new Map([...knownEmitters(this.#chain.network), ...fromTexts(state.contracts)]);
    return state;
  }

  async #learn(blocks: Blocks): Promise<void> {
    const { facts, sources } = await this.sources.readStates(blocks, (chain) => findRegistered(chain, blocks));
    const missing = [...facts].filter(([address, name]) => this.#emitters.get(address) !== name);
    if (missing.length === 0) return;
    this.#emitters = new Map([...this.#emitters, ...missing]);
    await this.#store.progress.update((state) => ({
      contracts: [...new Set([...state.contracts, ...toTexts(new Map(missing))])],
      sources: Math.min(state.sources, sources),
    }));
  }

  /**
   * Reads blocks in parts, several at once, and covers one part after the other, from one end on: there are no gaps. Throws
   * the error of the first part that fails, once all parts that have begun are done.
   */
  async #inParts({ from, to }: Blocks, direction: Direction, { mayGoOn, onStep }: LedgerRunLimits): Promise<void> {
    const ahead: { blocks: Blocks; read: Promise<Part> }[] = [];
    let left = { from, to };
    try {
      for (let most = 1; ; most = Math.min(most + 1, this.#mostParts)) {
        while (ahead.length < most && left.from <= left.to && (await mayGoOn())) {
          const { blocks, rest } = splitBlocks(left, this.sources.blocksOfARequest, direction);
          left = rest;
          const read = this.sources.read(blocks, this.#emitters);
          read.catch(() => {});
          ahead.push({ blocks, read });
        }
        const next = ahead.shift();
        if (!next) return;
        const part: Part & { dispute?: Disputed } = await next.read.catch((error: unknown) =>
          this.#readSound(next.blocks, direction, error),
        );
        const size = Math.max(1, part.entries.length);
        this.#mostParts = Math.min(MOST_PARTS, Math.max(1, Math.floor(MOST_ENTRIES_AHEAD / size)));
        await this.#cover(part);
        onStep?.({ from: part.from, to: part.to, added: part.entries.length });
        if (part.dispute) throw part.dispute;
      }
    } finally {
      await Promise.allSettled(ahead.map(({ read }) => read));
    }
  }

  /** The part of disputed blocks that comes before the dispute, in the direction of reading. Throws if there is none. */
  async #readSound({ from, to }: Blocks, direction: Direction, error: unknown): Promise<Part & { dispute?: Disputed }> {
    if (!(error instanceof Disputed)) throw error;
    const { fromBlock, toBlock } = error.dispute;
    const sound = direction === 'forwards' ? { from, to: fromBlock - 1 } : { from: toBlock + 1, to };
    if (sound.from > sound.to) throw error;
    return { ...(await this.sources.read(sound, this.#emitters)), dispute: error };
  }

  async #cover({ from, to, end, entries, sources }: Part): Promise<void> {
    await this.#store.write(entries, this.#generation);
    if (!(await this.#store.progress.extend(from, to, end.timestamp, this.#generation, sources)))
      throw new Error(`blocks ${from} to ${to} do not adjoin those already indexed`);
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
