/**
 * Agreement of providers. Every provider is a source of its own: its logs, headers, states and registry are requested from
 * it alone, and a fact counts if as many sources as the quorum report it alike. Where they differ, receipts decide, then a
 * third source, then the blocks are read once more; after that they are disputed. What a source cannot answer counts for
 * nothing: neither as agreement nor as absence.
 */

import type { Chain } from '../chain/chain.ts';
import { NoState } from '../chain/upstream/failures.ts';
import { type BlockRef, placeOf } from '../values/block.ts';
import { decodeLogs, type Log, Undecodable } from './contract-events.ts';
import { EntryCompleter, type UntimedEntry } from './entry-completer.ts';
import type { Entry } from './ledger-entry.ts';
import type { Blocks } from './ledger-state.ts';
import { LogReader } from './log-reader.ts';
import { type Emitters, findRegistered } from './registry.ts';
import { type Facts, findDisputedBlocks, QUORUM, vote } from './vote.ts';

/** Time in ms for which a provider that failed is asked last. */
const DOWN_MS = 30_000;

interface Source {
  name: string;
  chain: Chain;
  logs: LogReader;
  completer: EntryCompleter;
  downUntil: number;
  /** Reads that have begun: a slow provider has as many as a fast one, and so gets a smaller share. */
  pending: number;
}

interface Answer<T> {
  source: Source;
  facts: Facts<T>;
}

/** The entries of some blocks, the last of these blocks, and the number of sources on which they rest. */
export interface Part extends Blocks {
  entries: Entry[];
  end: BlockRef;
  sources: number;
}

/** Error: nothing decides what some blocks hold. Indexing stops there. */
export class Disputed extends Error {
  override readonly name = 'Disputed';
  readonly blocks: Blocks;
  readonly providers: string[];

  constructor(blocks: Blocks, providers: string[], reason: string) {
    super(reason);
    this.blocks = blocks;
    this.providers = providers;
  }
}

/** Error: fewer sources than the quorum answer. Indexing waits. */
export class TooFewSources extends Error {
  override readonly name = 'TooFewSources';
}

export class Sources {
  readonly quorum: number;
  readonly #sources: readonly Source[];

  /** `quorum` is at most the number of providers. */
  constructor(chain: Chain, quorum = QUORUM) {
    const { providers } = chain.rpc.failover;
    this.quorum = Math.min(quorum, providers.length);
    this.#sources = providers.map((provider) => {
      const alone = chain.only(provider);
      const readers = { logs: new LogReader(alone.rpc), completer: new EntryCompleter(alone) };
      return { name: provider.name, chain: alone, ...readers, downUntil: 0, pending: 0 };
    });
  }

  /** Number of blocks that one request reads now, from the provider that takes the most. */
  get blocksOfARequest(): number {
    return Math.max(...this.#sources.map(({ logs }) => logs.blocksOfARequest));
  }

  /** The newest block that as many sources as the quorum have. Throws {@link TooFewSources}. */
  async head(): Promise<BlockRef> {
    const { answers, errors } = await this.#ask(
      this.#sources.length,
      async ({ chain }) => new Map([['', await chain.head()]]),
    );
    const heads = answers.map(({ facts }) => facts.get('') as BlockRef).sort((a, b) => b.number - a.number);
    return heads[this.quorum - 1] ?? this.#tooFew(errors);
  }

  /** Every contract that was registered in these blocks. Throws {@link TooFewSources}, or {@link Disputed}. */
  async registered(blocks: Blocks): Promise<{ emitters: Emitters; sources: number }> {
    const { facts, sources } = await this.#agreeOnState(blocks, ({ chain }) => findRegistered(chain, blocks));
    return { emitters: facts, sources };
  }

  /** The entries of these blocks. Throws {@link TooFewSources}, or {@link Disputed}. */
  async read(blocks: Blocks, emitters: Emitters): Promise<Part> {
    const facts = await this.#readLogs(blocks, emitters);
    const end = facts.get(String(blocks.to)) as BlockRef;
    const partialEntries = this.#decode([...facts.values()].filter(isLog), emitters);
    if (partialEntries.length === 0) return { ...blocks, end, entries: [], sources: this.quorum };
    const numbers = new Set(partialEntries.map(({ block }) => block));
    const [times, completed] = await Promise.all([
      this.#agree(blocks, ({ logs }) => logs.headers(numbers)),
      this.#agreeOnState(blocks, async ({ completer }) => byPlace(await completer.complete(partialEntries))),
    ]);
    const entries = [...completed.facts.values()].map(({ fields, block, ...entry }) => {
      const { timestamp } = times.facts.get(String(block)) as BlockRef;
      return { block, timestamp, ...entry, ...fields } as Entry;
    });
    return { ...blocks, end, entries, sources: completed.sources };
  }

  /** The figures that as many sources as the quorum read alike; undefined if too few sources can read them. */
  async figures(read: (chain: Chain) => Promise<Facts<string>>): Promise<Map<string, string> | undefined> {
    const { answers } = await this.#ask(this.quorum, ({ chain }) => read(chain));
    return answers.length < this.quorum ? undefined : vote(answers, this.quorum).facts;
  }

  async #readLogs(blocks: Blocks, emitters: Emitters): Promise<Map<string, Log | BlockRef>> {
    const read = ({ logs }: Source) => logs.read(blocks, emitters);
    const { facts } = await this.#agree<Log | BlockRef>(blocks, read, async ({ logs }, facts, disputed) => {
      const hashes = new Set(disputed.filter(isLog).map(({ transactionHash }) => transactionHash));
      const { found, known } = await logs.receiptLogs(hashes, blocks, emitters);
      const kept = [...facts].filter(([, fact]) => !(isLog(fact) && known.has(fact.transactionHash)));
      return new Map([...kept, ...found]);
    });
    return facts;
  }

  #decode(logs: readonly Log[], emitters: Emitters) {
    try {
      return decodeLogs(logs, emitters);
    } catch (error) {
      if (!(error instanceof Undecodable)) throw error;
      const names = this.#sources.map(({ name }) => name);
      throw new Disputed({ from: error.block, to: error.block }, names, error.message);
    }
  }

  /** Like {@link #agree}, for states, which a source may not keep: the facts then rest on those that do. */
  #agreeOnState<T extends object | string>(blocks: Blocks, read: (source: Source) => Promise<Facts<T>>) {
    return this.#agree(blocks, read, undefined, true);
  }

  /**
   * The facts on which as many sources as the quorum agree. If they differ, `confront` has each look again; then a third
   * source is asked; then all read once more. Throws {@link TooFewSources}, or {@link Disputed}.
   */
  async #agree<T extends object | string>(
    blocks: Blocks,
    read: (source: Source) => Promise<Facts<T>>,
    confront: (source: Source, facts: Facts<T>, disputed: readonly T[]) => Promise<Facts<T>> = async (_, facts) =>
      facts,
    mayLackState = false,
  ): Promise<{ facts: Map<string, T>; sources: number }> {
    const { answers, errors } = await this.#ask(this.quorum, read);
    if (answers.length < this.quorum) {
      if (mayLackState && answers.length > 0 && errors.every(lacksState))
        return { facts: new Map(answers[0]?.facts), sources: answers.length };
      return this.#tooFew(errors);
    }
    const lookAgain = (all: readonly Answer<T>[], disputed: readonly T[]) =>
      Promise.all(
        all.map(async ({ source, facts }) => ({
          source,
          facts: await confront(source, facts, disputed).catch(() => facts),
        })),
      );
    const askThird = async (all: readonly Answer<T>[], disputed: readonly T[]) => {
      const third = await this.#ask(
        1,
        read,
        all.map(({ source }) => source),
      );
      return [...all, ...(await lookAgain(third.answers, disputed))];
    };
    const readOnceMore = (all: readonly Answer<T>[]) =>
      Promise.all(all.map(async ({ source, facts }) => ({ source, facts: await read(source).catch(() => facts) })));
    let all: readonly Answer<T>[] = answers;
    let { facts, disputed } = vote(all, this.quorum);
    for (const step of [lookAgain, askThird, readOnceMore]) {
      if (disputed.length === 0) break;
      all = await step(all, disputed);
      ({ facts, disputed } = vote(all, this.quorum));
    }
    if (disputed.length === 0) return { facts, sources: this.quorum };
    const names = all.map(({ source }) => source.name).sort();
    throw new Disputed(findDisputedBlocks(disputed, blocks), names, `${names.join(' and ')} disagree`);
  }

  /** The answers of `count` sources; fewer only if the others fail, with their errors. */
  async #ask<T>(count: number, read: (source: Source) => Promise<Facts<T>>, but: readonly Source[] = []) {
    const left = this.#sources.filter((source) => !but.includes(source));
    const answers: Answer<T>[] = [];
    const errors: unknown[] = [];
    const askNext = async (): Promise<void> => {
      const source = takeBest(left);
      if (!source) return;
      source.pending += 1;
      try {
        answers.push({ source, facts: await read(source) });
      } catch (error) {
        errors.push(error);
        if (!lacksState(error)) source.downUntil = performance.now() + DOWN_MS;
        await askNext();
      } finally {
        source.pending -= 1;
      }
    };
    await Promise.all(Array.from({ length: count }, askNext));
    return { answers, errors };
  }

  #tooFew(errors: readonly unknown[]): never {
    throw new TooFewSources(`fewer than ${this.quorum} providers answer`, { cause: errors[0] });
  }
}

/** Takes the source to ask next out of a list: one that is up, with the fewest reads. */
function takeBest(sources: Source[]): Source | undefined {
  const rank = ({ downUntil, pending }: Source) => (downUntil > performance.now() ? 1e6 : 0) + pending;
  const best = sources.toSorted((a, b) => rank(a) - rank(b))[0];
  if (best) sources.splice(sources.indexOf(best), 1);
  return best;
}

function isLog(fact: Log | BlockRef): fact is Log {
  return 'transactionHash' in fact;
}

function byPlace(entries: readonly UntimedEntry[]): Map<string, UntimedEntry> {
  return new Map(entries.map((entry) => [placeOf(entry), entry]));
}

/** True if a source failed only because it does not keep a state, or does not have a block yet. */
function lacksState(error: unknown): boolean {
  const { cause } = error as { cause?: { errors?: unknown[] } };
  return (
    error instanceof NoState || (cause?.errors?.length ? cause.errors.every((each) => each instanceof NoState) : false)
  );
}
