/**
 * Agreement of two providers (quorum). Every provider is a source of its own: its logs, headers, states and registry are
 * requested from it alone, and facts that two sources report alike are confirmed. Where two differ, the receipts of the
 * transactions decide, then a third source. A fact from only one source is refused, unless only one source answers: then
 * the blocks rest on that source until a second one answers.
 */

import type { Chain } from '../chain/chain.ts';
import { NoState } from '../chain/upstream/failures.ts';
import type { BlockRef } from '../values/block.ts';
import { placeOf } from '../values/block.ts';
import type { Blocks } from './block-ranges.ts';
import { decodeLogs, type Log } from './contract-events.ts';
import { EntryCompleter, type UntimedEntry } from './entry-completer.ts';
import type { Entry } from './ledger-entry.ts';
import { LogReader } from './log-reader.ts';
import { type Emitters, findCreation, findRegistered } from './registry.ts';
import { type Facts, findDisputedBlocks, QUORUM, vote } from './vote.ts';

/** Time in ms for which a provider that failed is not asked, while another one answers. */
const DOWN_MS = 30_000;
/** A head that is this many seconds older than the newest one belongs to a provider that has stopped. */
const STALE_HEAD_SECONDS = 120;

/** A provider with its readers. */
interface Source {
  name: string;
  chain: Chain;
  logs: LogReader;
  completer: EntryCompleter;
  downUntil: number;
}

interface Answer<T> {
  source: Source;
  facts: Facts<T>;
}

/** The facts that count, and the number of sources that agree on them. */
interface Agreed<T> {
  facts: Map<string, T>;
  sources: number;
}

/** The block before some blocks, and the last one of them. */
interface Bounds {
  before: BlockRef;
  end: BlockRef;
}

/** The entries of some blocks, and the number of sources that agree on them. */
export interface Part extends Blocks, Bounds {
  entries: Entry[];
  sources: number;
}

/** Error: providers disagree about some blocks, and nothing decides. Indexing stops there. */
export class Disputed extends Error {
  readonly blocks: Blocks;
  readonly providers: string[];

  constructor(blocks: Blocks, providers: string[]) {
    super(`${providers.join(' and ')} disagree about blocks ${blocks.from} to ${blocks.to}`);
    this.name = 'Disputed';
    this.blocks = blocks;
    this.providers = providers;
  }
}

export class Sources {
  readonly #sources: readonly Source[];
  /** Counter of reads: each read begins with another source, so that the sources share the work. */
  #turn = 0;

  constructor(chain: Chain) {
    this.#sources = chain.rpc.failover.providers.map((provider) => {
      const alone = chain.only(provider);
      const logs = new LogReader(alone.rpc);
      return { name: provider.name, chain: alone, logs, completer: new EntryCompleter(alone), downUntil: 0 };
    });
  }

  /** Number of sources that have to agree: 1 if there is only one source. */
  get quorum(): number {
    return Math.min(QUORUM, this.#sources.length);
  }

  /** Number of blocks that one request reads now, from the provider that takes the most. */
  get blocksOfARequest(): number {
    return Math.max(...this.#sources.map(({ logs }) => logs.blocksOfARequest));
  }

  /** The newest block that two sources have, or that of the only source that answers. Throws UPSTREAM_UNAVAILABLE. */
  async head(): Promise<BlockRef> {
    const { answers } = await this.#ask(this.#sources.length, async ({ chain }) => new Map([['', await chain.head()]]));
    const heads = answers.map(({ facts }) => facts.get('') as BlockRef);
    const newest = Math.max(...heads.map(({ timestamp }) => timestamp));
    const current = heads
      .filter(({ timestamp }) => timestamp >= newest - STALE_HEAD_SECONDS)
      .sort((a, b) => b.number - a.number);
    return (current[1] ?? current[0]) as BlockRef;
  }

  /** The block that created the registry. Throws UPSTREAM_UNAVAILABLE, or {@link Disputed}. */
  async first(to: number): Promise<{ first: number; sources: number }> {
    const { facts, sources } = await this.#agree(
      { from: 0, to },
      async ({ chain }) => new Map([['', String(await findCreation(chain, to))]]),
      { mayLackState: true },
    );
    return { first: Number(facts.get('')), sources };
  }

  /** Every contract that was registered in these blocks. Throws UPSTREAM_UNAVAILABLE, or {@link Disputed}. */
  async registered(blocks: Blocks): Promise<{ emitters: Emitters; sources: number }> {
    const { facts, sources } = await this.#agree(blocks, ({ chain }) => findRegistered(chain, blocks), {
      mayLackState: true,
    });
    return { emitters: facts, sources };
  }

  /** The entries of these blocks. Throws UPSTREAM_UNAVAILABLE, or {@link Disputed}. */
  async read(blocks: Blocks, emitters: Emitters): Promise<Part> {
    const { logs, ...bounds } = await this.#readLogs(blocks, emitters);
    const partialEntries = decodeLogs([...logs.values()], emitters);
    if (partialEntries.length === 0) return { ...blocks, ...bounds, entries: [] };
    const numbers = new Set(partialEntries.map(({ block }) => block));
    const [times, completed] = await Promise.all([
      this.#agree(blocks, ({ logs }) => logs.headers(numbers)),
      this.#agree(blocks, async ({ completer }) => byPlace(await completer.complete(partialEntries)), {
        mayLackState: true,
      }),
    ]);
    const entries = [...completed.facts.values()].map(({ fields, block, ...entry }) => {
      const { timestamp } = times.facts.get(String(block)) as BlockRef;
      return { block, timestamp, ...entry, ...fields } as Entry;
    });
    return { ...blocks, ...bounds, entries, sources: Math.min(bounds.sources, times.sources, completed.sources) };
  }

  async #readLogs(blocks: Blocks, emitters: Emitters) {
    const read = async ({ logs: reader }: Source): Promise<Facts<Log | BlockRef>> => {
      const { logs, before, end } = await reader.read(blocks, emitters);
      return new Map<string, Log | BlockRef>([...logs, ['before', before], ['end', end]]);
    };
    const { facts, sources } = await this.#agree(blocks, read, {
      confront: async ({ logs }, facts, disputed) => {
        const hashes = new Set(disputed.flatMap((fact) => ('transactionHash' in fact ? fact.transactionHash : [])));
        const kept = [...facts].filter(([, fact]) => !('transactionHash' in fact && hashes.has(fact.transactionHash)));
        return new Map([...kept, ...(await logs.receiptLogs(hashes, blocks, emitters))]);
      },
    });
    const [before, end] = [facts.get('before'), facts.get('end')] as [BlockRef, BlockRef];
    for (const bound of ['before', 'end']) facts.delete(bound);
    return { logs: facts as Map<string, Log>, before, end, sources };
  }

  /**
   * Returns the facts on which two sources agree. If they differ, `confront` has both look again; then a third source is
   * asked. If only one source answers, returns its facts with `sources: 1`, or with the quorum if the other sources only
   * lack old states (`mayLackState`).
   */
  async #agree<T extends object | string>(
    blocks: Blocks,
    read: (source: Source) => Promise<Facts<T>>,
    {
      confront,
      mayLackState = false,
    }: {
      confront?: (source: Source, facts: Facts<T>, disputed: readonly T[]) => Promise<Facts<T>>;
      mayLackState?: boolean;
    } = {},
  ): Promise<Agreed<T>> {
    const { answers, errors } = await this.#ask(QUORUM, read);
    if (answers.length < QUORUM) {
      const isLacking = mayLackState && errors.length > 0 && errors.every(lacksState);
      return { facts: new Map(answers[0]?.facts), sources: isLacking ? this.quorum : 1 };
    }
    const { facts, disputed } = vote(answers);
    if (disputed.length === 0) return { facts, sources: QUORUM };
    const lookAgain = (those: readonly Answer<T>[]) =>
      Promise.all(
        those.map(async ({ source, facts }) => ({
          source,
          facts: confront ? await confront(source, facts, disputed).catch(() => facts) : facts,
        })),
      );
    const confronted = await lookAgain(answers);
    const second = vote(confronted);
    if (second.disputed.length === 0) return { facts: second.facts, sources: QUORUM };
    const asked = answers.map(({ source }) => source);
    const third = await this.#ask(1, read, asked).catch(() => ({ answers: [] }));
    const all = [...confronted, ...(await lookAgain(third.answers))];
    const last = vote(all);
    if (last.disputed.length === 0) return { facts: last.facts, sources: QUORUM };
    throw new Disputed(
      findDisputedBlocks(last.disputed, blocks),
      all.map(({ source }) => source.name),
    );
  }

  /**
   * Returns the answers of `count` sources; fewer only if the others fail. A source that has failed is not asked for
   * {@link DOWN_MS} while another one answers. Throws the first error if all fail.
   */
  async #ask<T>(count: number, read: (source: Source) => Promise<Facts<T>>, but: readonly Source[] = []) {
    const candidates = this.#candidates(but);
    const answers: Answer<T>[] = [];
    const errors: unknown[] = [];
    const askNext = async (): Promise<void> => {
      const source = candidates.shift();
      if (!source) return;
      try {
        answers.push({ source, facts: await read(source) });
      } catch (error) {
        errors.push(error);
        if (!lacksState(error)) source.downUntil = performance.now() + DOWN_MS;
        await askNext();
      }
    };
    await Promise.all(Array.from({ length: count }, askNext));
    if (answers.length === 0) throw errors[0];
    return { answers, errors };
  }

  /** The sources to ask, in order. Sources that are down are only asked if no other one is left. */
  #candidates(but: readonly Source[]): Source[] {
    const others = this.#sources.filter((source) => !but.includes(source));
    const up = others.filter(({ downUntil }) => downUntil <= performance.now());
    const first = this.#turn++ % Math.max(1, up.length);
    return up.length > 0 ? [...up.slice(first), ...up.slice(0, first)] : others;
  }
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
