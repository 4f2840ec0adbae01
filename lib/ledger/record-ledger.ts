/**
 * Fills a generation of the ledger: first new blocks, up to those that are final, then backwards to the protocol's first
 * block. Each step reads some blocks, writes their entries, and only then covers them. So a run may end at any moment, and
 * several may run at once. The states are in README.md.
 */

import type { Chain } from '../chain/chain.ts';
import { lagOf } from './coverage.ts';
import type { Dispute } from './ledger-state.ts';
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

type Limits = Required<LedgerRunLimits>;

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
    for (const direction of ['forwards', 'backwards'] as const) {
      await this.#record(direction, limits).catch((error: unknown) => {
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
    const { from, to } = (await this.#readBlocks()) ?? { from: head + 1, to: head };
    return Math.max(0, head - to) + Math.max(0, from - this.#chain.network.firstBlock);
  }

  /** Covers what is not covered in a direction. The first block of all is the last final one. */
  async #record(direction: Direction, limits: Limits): Promise<void> {
    const { from, to } = (await this.#readBlocks()) ?? {};
    const head = direction === 'forwards' ? await this.#lastFinal() : 0;
    const left =
      direction === 'forwards'
        ? { from: to === undefined ? head : to + 1, to: head }
        : { from: this.#chain.network.firstBlock, to: (from ?? 0) - 1 };
    if (left.from > left.to) return;
    if (direction === 'forwards' || !this.#knowsPast) await this.#learn(left);
    this.#knowsPast ||= direction === 'backwards';
    await this.#inParts(left, direction, limits);
  }

  async #lastFinal(): Promise<number> {
    const { number } = await this.sources.head();
    return Math.max(0, number - lagOf(this.#chain.network));
  }

  /** Reads the covered blocks, and adopts contracts that other recorders have found. */
  async #readBlocks(): Promise<Blocks | undefined> {
    const { generation, contracts, blocks } = await this.#store.progress.read();
    this.#generation = generation;
    this.#emitters = new Map([...knownEmitters(this.#chain.network), ...fromTexts(contracts)]);
    return blocks;
  }

  async #learn(blocks: Blocks): Promise<void> {
    const { facts, sources } = await this.sources.readStates(blocks, ({ chain }) => findRegistered(chain, blocks));
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
  async #inParts({ from, to }: Blocks, direction: Direction, limits: Limits): Promise<void> {
    const ahead: { blocks: Blocks; read: Promise<Part> }[] = [];
    let left = { from, to };
    try {
      for (let most = 1; ; most = Math.min(most + 1, this.#mostParts)) {
        while (ahead.length < most && left.from <= left.to && (await limits.mayGoOn())) {
          const { blocks, rest } = splitBlocks(left, this.sources.blocksOfARequest, direction);
          left = rest;
          const read = this.sources.read(blocks, this.#emitters);
          read.catch(() => {});
          ahead.push({ blocks, read });
        }
        const next = ahead.shift();
        if (!next) return;
        try {
          await this.#cover(await next.read, limits);
        } catch (error) {
          if (error instanceof Disputed) await this.#coverSound(next.blocks, error.dispute, direction, limits);
          throw error;
        }
      }
    } finally {
      await Promise.allSettled(ahead.map(({ read }) => read));
    }
  }

  /** Covers the blocks of a part that come before a dispute, in the direction of reading. */
  async #coverSound({ from, to }: Blocks, { fromBlock, toBlock }: Dispute, direction: Direction, limits: Limits) {
    const sound = direction === 'forwards' ? { from, to: fromBlock - 1 } : { from: toBlock + 1, to };
    if (sound.from <= sound.to) await this.#cover(await this.sources.read(sound, this.#emitters), limits);
  }

  async #cover({ from, to, end, entries, sources }: Part, { onStep }: Limits): Promise<void> {
    const ahead = Math.floor(MOST_ENTRIES_AHEAD / Math.max(1, entries.length));
    this.#mostParts = Math.min(MOST_PARTS, Math.max(1, ahead));
    await this.#store.write(entries, this.#generation);
    if (!(await this.#store.progress.extend(from, to, end.timestamp, this.#generation, sources)))
      throw new Error(`blocks ${from} to ${to} do not adjoin those already indexed`);
    onStep({ from, to, added: entries.length });
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
