/**
 * Fills a generation of the ledger: first new blocks, up to those that are final, then backwards to the protocol's first
 * block. Each step reads some blocks, writes their entries, and only then covers them. So a run may end at any moment, and
 * several may run at once. The states are in README.md.
 */

import type { Chain } from '../chain/chain.ts';
import { lagOf } from './coverage.ts';
import type { LedgerStore } from './ledger-store.ts';
import { type Emitters, findRegistered, knownEmitters } from './registry.ts';
import { type Part, Sources, TooFewSources } from './sources.ts';
import { type Blocks, type Dispute, Disputed, QUORUM } from './vote.ts';

/** Parts that are read at once: a rate limit of 20 requests per second needs four at 200 ms latency. */
const PARTS_AT_ONCE = 6;

export type Step = Blocks & { added: number };

export interface LedgerRunLimits {
  /** Awaited before each step begins: false ends the run, once the steps that have begun are done. */
  mayGoOn: () => boolean | Promise<boolean>;
  onStep?: (step: Step) => void;
}

export interface LedgerRunReport {
  /** Blocks at which it has stopped. */
  disputed?: Dispute;
  /** The error of too few providers. */
  waiting?: Error;
}

/** The recorder of a generation. It keeps its findings about providers and contracts between runs. */
export class LedgerRecorder {
  readonly sources: Sources;
  readonly #chain: Chain;
  readonly #store: LedgerStore;
  /** True once the contracts of all older blocks have been looked up. */
  #knowsPast = false;

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
  async run(limits: LedgerRunLimits): Promise<LedgerRunReport> {
    const report: LedgerRunReport = {};
    const record = (isForwards: boolean) =>
      this.#record(isForwards, limits).catch((error: unknown) => {
        if (error instanceof Disputed) report.disputed ??= error.dispute;
        else if (error instanceof TooFewSources) report.waiting = error;
        else throw error;
      });
    await record(true);
    if (!report.waiting) await record(false);
    const { disputed, waiting } = report;
    await this.#store.progress.update((state, now) => {
      if (!waiting && !disputed && state.waitingSince === undefined) return undefined;
      return { ...state, waitingSince: waiting && (state.waitingSince ?? now), disputed: disputed ?? state.disputed };
    });
    return report;
  }

  /** Number of blocks from the protocol's first one to the last final one that are not covered. Throws as a step does. */
  async countLeft(): Promise<number> {
    const head = await this.#lastFinal();
    const { blocks: { from, to } = { from: head + 1, to: head } } = await this.#store.progress.read();
    return Math.max(0, head - to) + Math.max(0, from - this.#chain.network.firstBlock);
  }

  /** Covers what is not covered in a direction. The first block of all is the last final one. */
  async #record(isForwards: boolean, limits: LedgerRunLimits): Promise<void> {
    const { generation, contracts, blocks } = await this.#store.progress.read();
    const head = isForwards ? await this.#lastFinal() : 0;
    const left = isForwards
      ? { from: blocks ? blocks.to + 1 : head, to: head }
      : { from: this.#chain.network.firstBlock, to: (blocks?.from ?? 0) - 1 };
    if (left.from > left.to) return;
    const known = new Map([...knownEmitters(this.#chain.network), ...Object.entries(contracts)]);
    const emitters = isForwards || !this.#knowsPast ? await this.#findEmitters(left, known) : known;
    this.#knowsPast ||= !isForwards;
    for await (const { from, to, end, entries, sources } of this.#parts(left, emitters, isForwards, limits)) {
      await this.#store.write(entries, generation);
      if (!(await this.#store.progress.extend(from, to, end.timestamp, generation, sources)))
        throw new Error(`blocks ${from} to ${to} do not adjoin those already indexed`);
      limits.onStep?.({ from, to, added: entries.length });
    }
  }

  async #lastFinal(): Promise<number> {
    const { number } = await this.sources.head();
    return Math.max(0, number - lagOf(this.#chain.network));
  }

  /** The known contracts, and those that were registered in some blocks, which are known from then on. */
  async #findEmitters(blocks: Blocks, known: Emitters): Promise<Emitters> {
    const { facts, sources } = await this.sources.readStates(blocks, ({ chain }) => findRegistered(chain, blocks));
    const missing = [...facts].filter(([address, name]) => known.get(address) !== name);
    if (missing.length > 0)
      await this.#store.progress.update((state) => ({
        ...state,
        contracts: { ...state.contracts, ...Object.fromEntries(missing) },
        sources: Math.min(state.sources, sources),
      }));
    return new Map([...known, ...missing]);
  }

  /**
   * Reads blocks in parts, several at once, from one end on: there are no gaps. Throws the error of the first part that
   * fails, once all parts that have begun are done. What is sound before a dispute is a part of its own.
   */
  async *#parts(left: Blocks, emitters: Emitters, isForwards: boolean, { mayGoOn }: LedgerRunLimits) {
    const ahead: { blocks: Blocks; read: Promise<Part> }[] = [];
    const upTo = (to: number, blocks: Blocks) => ({ ...blocks, to: Math.min(to, blocks.to) });
    const downTo = (from: number, blocks: Blocks) => ({ ...blocks, from: Math.max(from, blocks.from) });
    try {
      for (let rest = left; ; ) {
        while (ahead.length < PARTS_AT_ONCE && rest.from <= rest.to && (await mayGoOn())) {
          const size = this.sources.blocksOfARequest;
          const blocks = isForwards ? upTo(rest.from + size - 1, rest) : downTo(rest.to - size + 1, rest);
          const read = this.sources.read(blocks, emitters);
          read.catch(() => {});
          ahead.push({ blocks, read });
          rest = isForwards ? { ...rest, from: blocks.to + 1 } : { ...rest, to: blocks.from - 1 };
        }
        const next = ahead.shift();
        if (!next) return;
        try {
          yield await next.read;
        } catch (error) {
          if (!(error instanceof Disputed)) throw error;
          const { fromBlock, toBlock } = error.dispute;
          const sound = isForwards ? upTo(fromBlock - 1, next.blocks) : downTo(toBlock + 1, next.blocks);
          if (sound.from <= sound.to) yield await this.sources.read(sound, emitters);
          throw error;
        }
      }
    } finally {
      await Promise.allSettled(ahead.map(({ read }) => read));
    }
  }
}
