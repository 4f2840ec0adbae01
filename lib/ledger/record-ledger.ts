/**
 * Fills a generation of the ledger: new blocks up to those that are final, then backwards to the protocol's first block. Each
 * step reads blocks, writes their entries, then covers them: a run may end at any moment, and several may run at once (README.md).
 */

import type { Chain } from '../chain/chain.ts';
import { secondsNow } from '../runtime/context.ts';
import { lagOf } from './coverage.ts';
import type { LedgerState } from './ledger-state.ts';
import type { LedgerStore } from './ledger-store.ts';
import { type Emitters, findRegistered, knownEmitters } from './registry.ts';
import { FEWER_KEEP, type Part, Sources, TooFewSources } from './sources.ts';
import { type Blocks, type Dispute, Disputed, QUORUM } from './vote.ts';

/** Seconds by which the newest head may be ahead of one that stands still. A false head is at most a minute ahead of the clock. */
const MOST_AHEAD = 120;
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
  waiting?: TooFewSources;
}

/** The recorder of a generation. It keeps its findings about providers and contracts between runs. */
export class LedgerRecorder {
  readonly sources: Sources;
  readonly #chain: Chain;
  readonly #store: LedgerStore;
  /** Number of sources that have reported the contracts of all older blocks, once these have been looked up. */
  #pastSources: number | undefined;

  /** `quorum`: number of providers that have to agree, if so many are configured. */
  constructor(chain: Chain, store: LedgerStore, quorum = QUORUM) {
    this.#chain = chain;
    this.#store = store;
    this.sources = new Sources(chain, quorum);
  }

  /** Records new blocks, then older ones, up to what is disputed, or too few providers answer. Throws what the table throws. */
  async run(limits: LedgerRunLimits): Promise<LedgerRunReport> {
    const report: LedgerRunReport = {};
    const { generation } = await this.#store.progress.read();
    const record = (isForwards: boolean) =>
      this.#record(isForwards, generation, limits).catch((error: unknown) => {
        if (error instanceof Disputed) report.disputed ??= error.dispute;
        else if (error instanceof TooFewSources) report.waiting = error;
        else throw error;
      });
    await record(true);
    if (!report.waiting) await record(false);
    const { disputed, waiting } = report;
    await this.#store.progress.update(generation, (state) => {
      if (!waiting && !disputed && state.waitingSince === undefined) return undefined;
      const waitingSince = waiting && (state.waitingSince ?? secondsNow(this.#store.table));
      return { ...state, waitingSince, waiting: waiting?.waiting, disputed: disputed ?? state.disputed };
    });
    return report;
  }

  /** Number of blocks from the protocol's first one to the last final one that are not covered. Throws as a step does. */
  async countLeft(): Promise<number> {
    const head = Math.max(0, (await this.sources.heads()).agreed.number - lagOf(this.#chain.network));
    const { blocks: { from, to } = { from: head + 1, to: head } } = await this.#store.progress.read();
    return Math.max(0, head - to) + Math.max(0, from - this.#chain.network.firstBlock);
  }

  /** Number of sources that keep the state of the protocol's first block. Throws as a step does. */
  async countArchives(): Promise<number> {
    const { firstBlock } = this.#chain.network;
    const first = { from: firstBlock, to: firstBlock };
    return (await this.sources.readStates(first, ({ chain }) => findRegistered(chain, first))).sources;
  }

  /** Covers what is not covered in a direction. The first block of all is the last final one. */
  async #record(isForwards: boolean, generation: number, limits: LedgerRunLimits): Promise<void> {
    const state = await this.#store.progress.read();
    // Another one has taken its place.
    if (state.generation !== generation) return;
    const left = await this.#findLeft(isForwards, state);
    if (left.from > left.to) return;
    const { emitters, sources: ofEmitters } = await this.#findEmitters(left, isForwards, state);
    let sources = Math.min(this.sources.quorum, state.sources);
    let joint = isForwards ? state.blocks?.hash : state.blocks?.parentHash;
    for await (const part of this.#parts(left, emitters, isForwards, limits)) {
      const { from, to, end, entries, providers } = part;
      if (joint !== undefined && joint !== (isForwards ? end.parentHash : end.hash))
        throw new Disputed(part, providers, `${providers.join(' and ')} return blocks of another fork than before`);
      joint = isForwards ? end.hash : end.parentHash;
      const found = Math.min(part.sources, ofEmitters);
      const { reason, fromBlock, toBlock } = state.waiting ?? {};
      const isAskedAgain = reason === FEWER_KEEP && (isForwards ? fromBlock === from : toBlock === to);
      if (found < sources && !isAskedAgain) throw new TooFewSources(FEWER_KEEP, part);
      sources = Math.min(sources, found);
      await this.#store.write(entries, generation);
      // False if another recorder has begun elsewhere, or another generation has taken the place of this one.
      if (!(await this.#store.progress.extend({ ...part, sources: found }, generation))) return;
      limits.onStep?.({ from, to, added: entries.length });
    }
  }

  /** The blocks that are not covered in a direction. Throws {@link TooFewSources} if too few providers have any, but others do. */
  async #findLeft(isForwards: boolean, { blocks }: LedgerState): Promise<Blocks> {
    if (!isForwards) return { from: this.#chain.network.firstBlock, to: (blocks?.from ?? 0) - 1 };
    const { agreed, newest } = await this.sources.heads();
    const to = Math.max(0, agreed.number - lagOf(this.#chain.network));
    const from = blocks ? blocks.to + 1 : to;
    const reason = `fewer than ${this.sources.quorum} providers have these blocks`;
    if (from > to && newest.timestamp - agreed.timestamp > MOST_AHEAD)
      throw new TooFewSources(reason, { from, to: newest.number });
    return { from, to };
  }

  /** The known contracts, and those that were registered in some blocks, which are known from then on. */
  async #findEmitters(blocks: Blocks, isForwards: boolean, state: LedgerState) {
    const known: Emitters = new Map([...knownEmitters(this.#chain.network), ...Object.entries(state.contracts)]);
    if (!isForwards && this.#pastSources) return { emitters: known, sources: this.#pastSources };
    const { facts, sources } = await this.sources.readStates(blocks, ({ chain }) => findRegistered(chain, blocks));
    const missing = [...facts].filter(([address, name]) => known.get(address) !== name);
    if (missing.length > 0)
      await this.#store.progress.update(state.generation, (current) => ({
        ...current,
        contracts: { ...current.contracts, ...Object.fromEntries(missing) },
      }));
    if (!isForwards && sources >= Math.min(this.sources.quorum, state.sources)) this.#pastSources = sources;
    return { emitters: new Map([...known, ...missing]), sources };
  }

  /**
   * Reads blocks in parts, several at once, from one end on. Throws the error of the first part that fails, once all others that
   * have begun are done. What is sound before a dispute is a part of its own.
   */
  async *#parts(left: Blocks, emitters: Emitters, isForwards: boolean, { mayGoOn }: LedgerRunLimits) {
    const ahead: { blocks: Blocks; read: Promise<Part> }[] = [];
    let { from, to } = left;
    try {
      while (true) {
        while (ahead.length < PARTS_AT_ONCE && from <= to && (await mayGoOn())) {
          const size = this.sources.blocksOfARequest;
          const blocks = isForwards
            ? { from, to: Math.min(to, from + size - 1) }
            : { from: Math.max(from, to - size + 1), to };
          if (isForwards) from = blocks.to + 1;
          else to = blocks.from - 1;
          const read = this.sources.read(blocks, emitters);
          read.catch(() => {});
          ahead.push({ blocks, read });
        }
        const next = ahead.shift();
        if (!next) return;
        try {
          yield await next.read;
        } catch (error) {
          if (!(error instanceof Disputed)) throw error;
          const { fromBlock, toBlock } = error.dispute;
          const sound = { ...next.blocks, ...(isForwards ? { to: fromBlock - 1 } : { from: toBlock + 1 }) };
          if (sound.from <= sound.to) yield await this.sources.read(sound, emitters);
          throw error;
        }
      }
    } finally {
      await Promise.allSettled(ahead.map(({ read }) => read));
    }
  }
}
