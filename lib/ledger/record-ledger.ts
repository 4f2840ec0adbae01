/**
 * Fills the ledger: first what is new, then backwards to the protocol's first block. Each step searches some blocks,
 * writes the entries it found, and only then marks these blocks as searched. So a run may end at any moment, and
 * several may run at once.
 */

import { toTag } from '../chain/block-calls.ts';
import type { Chain } from '../chain/chain.ts';
import type { BlockRef } from '../values/block.ts';
import { EntryCompleter } from './entry-completer.ts';
import { SETTLING_SECONDS, type Search } from './ledger-progress.ts';
import type { LedgerStore } from './ledger-store.ts';
import { fromTexts, toTexts } from './registry.ts';
import { type Blocks, LogSearch } from './search.ts';

/** Blocks probed per request in the search for the first one: six requests for 100 million blocks. */
const PROBES = 30;

/** Parts of the past that are read at once, for each provider: more than a limit of 20 requests a second needs 200 ms away. */
const AHEAD_OF_A_PROVIDER = 8;
/** Entries that may be read ahead, where there are many: all of them are in memory. */
const MOST_ENTRIES_AHEAD = 8_000;

/** Blocks that are read before it is their turn to count as searched: coverage has no gaps. */
interface Ahead extends Blocks {
  recorded: Promise<Recorded>;
}

/** What became of them. */
interface Recorded {
  /** The oldest block of which all entries are written. */
  from: number;
  added: number;
  /** Why it is not the oldest of them all. */
  error?: unknown;
}

/** What a step did. */
export interface Step extends Blocks {
  /** Entries that were not there yet. */
  added: number;
}

export interface LedgerRunLimits {
  /** Awaited before each step begins: false ends the run, once those that have begun are done. */
  mayGoOn: () => boolean | Promise<boolean>;
  onStep?: (step: Step) => void;
}

/** What a run did. */
export interface LedgerRunReport {
  blocks: number;
  /** Entries that were not there yet. */
  added: number;
}

/** A recorder remembers what it learns about providers and contracts. */
export class LedgerRecorder {
  readonly #chain: Chain;
  readonly #store: LedgerStore;
  readonly #search: LogSearch;
  readonly #details: EntryCompleter;
  /** The contracts that the table holds, as last read or written here. */
  #stored: ReadonlySet<string> = new Set();
  /** How many parts of the past may be read at once. */
  #mostAhead = 1;
  /** Whether all contracts of the past are known. */
  #knowsPast = false;

  constructor(chain: Chain, store: LedgerStore) {
    this.#chain = chain;
    this.#store = store;
    this.#search = new LogSearch(chain);
    this.#details = new EntryCompleter(chain);
  }

  /**
   * Calls {@link recordNew}, then {@link recordOld}, and throws what they throw; what was recorded before that stays.
   */
  async run({ mayGoOn, onStep }: LedgerRunLimits): Promise<LedgerRunReport> {
    const report = { blocks: 0, added: 0 };
    const limits = {
      mayGoOn,
      onStep: (step: Step) => {
        report.blocks += step.to - step.from + 1;
        report.added += step.added;
        onStep?.(step);
      },
    };
    await this.recordNew(limits);
    await this.recordOld(limits);
    return report;
  }

  /**
   * Records what may have happened in blocks that are not settled, up to the head. Throws UPSTREAM_UNAVAILABLE if the
   * chain or the table does not answer.
   */
  async recordNew({ mayGoOn, onStep }: LedgerRunLimits): Promise<void> {
    const { blocks, settled } = await this.#read();
    const head = blocks ? await this.#chain.head() : await this.#search.begin();
    const last = settled ?? (await this.#findSettled(blocks?.to, head));
    let from = Math.max(blocks?.from ?? 0, last + 1);
    while (from <= head.number && (await mayGoOn())) {
      const step = await this.#step({ from, to: head.number }, head);
      onStep?.(step);
      from = step.to + 1;
    }
  }

  /**
   * Records what happened earlier, back to the protocol's first block; nothing on an empty table. Throws
   * UPSTREAM_UNAVAILABLE if the chain or the table does not answer.
   */
  async recordOld({ mayGoOn, onStep }: LedgerRunLimits): Promise<void> {
    const ahead: Ahead[] = [];
    try {
      for (let most = 1; ; most = Math.min(most + 1, this.#mostAhead)) {
        const { blocks, first } = await this.#read();
        if (!blocks) return;
        const from = first ?? (await this.#findFirst(blocks.to));
        if (!this.#knowsPast && blocks.from > from) await this.#search.learnRegistered({ from, to: blocks.from });
        this.#knowsPast = true;
        for (let to = (ahead.at(-1)?.from ?? blocks.from) - 1; ahead.length < most && to >= from; ) {
          if (!(await mayGoOn())) break;
          const part = { from: Math.max(from, to - this.#search.blocksOfARequest + 1), to };
          ahead.push({ ...part, recorded: this.#recordPart(part) });
          to = part.from - 1;
        }
        const part = ahead.shift();
        if (!part) return;
        const { from: reached, added, error } = await part.recorded;
        const step = { from: reached, to: part.to, added };
        if (step.from <= step.to) {
          await this.#extend(step);
          onStep?.(step);
        }
        if (error) throw error;
      }
    } finally {
      await Promise.all(ahead.map(({ recorded }) => recorded));
    }
  }

  /** How many blocks from the protocol's first one to the head have not been searched. Throws as a run does. */
  async countLeft(): Promise<number> {
    const { number: head } = await this.#chain.head();
    const { blocks, first = await this.#findFirst(head) } = await this.#read();
    return blocks ? Math.max(0, head - blocks.to) + Math.max(0, blocks.from - first) : head - first + 1;
  }

  /** How far the search has come. Also learns of contracts that other recorders have found. */
  async #read(): Promise<Search> {
    const search = await this.#store.progress.read();
    this.#search.learn(fromTexts(search.contracts));
    this.#stored = new Set(search.contracts);
    return search;
  }

  /** Records the first of these blocks, and stores the time of the last one that it reaches. */
  async #step(blocks: Blocks, head: BlockRef): Promise<Step> {
    const { from, to, drafts, head: itsHead } = await this.#search.next(blocks, 'forwards');
    const added = await this.#store.write(await this.#details.complete(drafts));
    const end = [head, itsHead].find(({ number }) => number === to) ?? (await this.#chain.rpc.header(to));
    await this.#extend({ from, to }, end.timestamp);
    return { from, to, added };
  }

  /** Writes the entries of blocks that do not yet count as searched, from the newest back, as far as that succeeds. */
  async #recordPart({ from, to }: Blocks): Promise<Recorded> {
    const recorded: Recorded = { from: to + 1, added: 0 };
    let drafts = 0;
    try {
      while (recorded.from > from) {
        const found = await this.#search.next({ from, to: recorded.from - 1 }, 'backwards');
        recorded.added += await this.#store.write(await this.#details.complete(found.drafts));
        recorded.from = found.from;
        drafts += found.drafts.length;
      }
    } catch (error) {
      recorded.error = error;
    }
    const most = AHEAD_OF_A_PROVIDER * this.#chain.rpc.failover.providers.length;
    this.#mostAhead = Math.min(most, Math.max(1, Math.floor(MOST_ENTRIES_AHEAD / Math.max(1, drafts))));
    return recorded;
  }

  /** Makes blocks count as searched. Their entries must have been written. */
  async #extend({ from, to }: Blocks, toTimestamp?: number): Promise<void> {
    await this.#storeContracts();
    if (!(await this.#store.progress.extend(from, to, toTimestamp)))
      throw new Error(`blocks ${from} to ${to} do not adjoin those already searched`);
  }

  /** Stores the known contracts that the table lacks: found in this step, or in an earlier one that failed. */
  async #storeContracts(): Promise<void> {
    const missing = toTexts(this.#search.emitters).filter((text) => !this.#stored.has(text));
    if (missing.length === 0) return;
    await this.#store.progress.addContracts(missing);
    this.#stored = new Set([...this.#stored, ...missing]);
  }

  /** The last block that is settled at the end of what is searched, or will be at the head; -1 on a chain that has just begun. */
  async #findSettled(to: number | undefined, head: BlockRef): Promise<number> {
    const end = to === undefined ? head : await this.#chain.rpc.header(Math.min(to, head.number));
    const [block] = await this.#chain.blocksAt([end.timestamp - SETTLING_SECONDS], head);
    if (!block) return -1;
    await this.#store.progress.setSettled(block.number);
    return block.number;
  }

  /** The block that created the registry: the first one that has code at its address. */
  async #findFirst(to: number): Promise<number> {
    let [none, some] = [-1, to];
    while (some - none > 1) {
      const step = Math.max(1, Math.ceil((some - none) / (PROBES + 1)));
      const probes = Array.from({ length: PROBES }, (_, index) => none + (index + 1) * step).filter((n) => n < some);
      const calls = probes.map((block) => ({
        method: 'eth_getCode',
        params: [this.#chain.network.storage, toTag(block)],
      }));
      const codes = await this.#chain.rpc.batch(calls, (results) => results.map(String));
      const place = codes.findIndex((code) => code !== '0x');
      some = probes[place] ?? some;
      none = probes[(place < 0 ? probes.length : place) - 1] ?? none;
    }
    await this.#store.progress.setFirst(some);
    return some;
  }
}
