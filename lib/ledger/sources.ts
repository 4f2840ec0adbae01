/**
 * Agreement of providers. Logs, headers, states and registry are requested from each provider alone, and a fact counts if as
 * many sources as the quorum report it alike. Where they differ, all read once more, with receipts and a third source; after
 * that the blocks are disputed. What a source cannot answer counts neither as agreement nor as absence.
 */

import type { Chain } from '../chain/chain.ts';
import { failuresIn, NoState, type UpstreamFailure } from '../chain/upstream/failures.ts';
import type { Provider } from '../chain/upstream/provider.ts';
import { ApiError } from '../runtime/errors.ts';
import type { BlockRef } from '../values/block.ts';
import { completeEntries } from './complete-entries.ts';
import { decodeLogs, type Log } from './contract-events.ts';
import type { Entry } from './ledger-entry.ts';
import { type End, isLog, LogReader } from './log-reader.ts';
import type { Emitters } from './registry.ts';
import { type Blocks, Disputed, type Facts, findDisputedBlocks, QUORUM, vote, type Waiting } from './vote.ts';

interface Source {
  provider: Provider;
  chain: Chain;
  logs: LogReader;
  /** Reads that have begun: a slow provider has as many as a fast one, and so gets a smaller share. */
  pending: number;
}

type Read<T> = (source: Source) => Promise<Facts<T>>;
type Answer<T> = { source: Source; facts: Facts<T> };

interface Settling<T> {
  /** Reads once more, if sources differ; by default, the same. */
  again?: (source: Source, disputed: readonly T[]) => Promise<Facts<T>>;
  /** True if sources that do not keep the states may be missing. */
  mayLack?: boolean;
  blocks?: Blocks;
}

export type Part = Awaited<ReturnType<Sources['read']>>;

/** Error: fewer sources than the quorum answer. Indexing waits. */
export class TooFewSources extends ApiError {
  readonly waiting: Waiting;

  constructor(reason: string, blocks?: Blocks, options?: ErrorOptions) {
    super('UPSTREAM_UNAVAILABLE', blocks ? `blocks ${blocks.from} to ${blocks.to}: ${reason}` : reason, options);
    this.waiting = { reason, ...(blocks && { fromBlock: blocks.from, toBlock: blocks.to }) };
  }
}

/** The reason to ask once more, in the next run, before blocks rest on fewer sources. */
export const FEWER_KEEP =
  'fewer providers than agree on events keep the state of these blocks; they are asked once more';
const NO_STATE_KEPT = 'no provider keeps the state of these blocks; add one with archive state to RPC_URLS';

export class Sources {
  readonly quorum: number;
  readonly #sources: readonly Source[];

  /** `quorum` is at most the number of providers. */
  constructor(chain: Chain, quorum = QUORUM) {
    const { providers } = chain.rpc.failover;
    this.quorum = Math.min(quorum, providers.length);
    this.#sources = providers.map((provider) => {
      const alone = chain.only(provider);
      return { provider, chain: alone, logs: new LogReader(alone.rpc), pending: 0 };
    });
  }

  /** Number of blocks that as many providers as the quorum take in one request now. */
  get blocksOfARequest(): number {
    const sizes = this.#sources.map(({ logs }) => logs.blocksOfARequest).sort((a, b) => b - a);
    return sizes[this.quorum - 1] as number;
  }

  /** The newest block that as many sources as the quorum have, and the newest one of all. Throws {@link TooFewSources}. */
  async heads(): Promise<{ agreed: BlockRef; newest: BlockRef }> {
    const read = async ({ chain }: Source) => new Map([['', await chain.head()]]);
    const { answers, errors } = await this.#ask(this.#sources.length, read);
    const heads = answers.map(({ facts }) => facts.get('') as BlockRef).sort((a, b) => b.number - a.number);
    return { newest: heads[0] as BlockRef, agreed: heads[this.quorum - 1] ?? this.#tooFew(errors) };
  }

  /**
   * The entries of some blocks, the last of these blocks, and the number of sources on which they rest. Throws
   * {@link TooFewSources}, or {@link Disputed}.
   */
  async read(blocks: Blocks, emitters: Emitters) {
    const { facts, providers } = await this.#agree<Log | End>(blocks, ({ logs }) => logs.read(blocks, emitters), {
      again: ({ logs }, disputed) => logs.readWithReceipts(blocks, emitters, disputed.filter(isLog)),
    });
    const end = facts.get(String(blocks.to)) as End;
    const partialEntries = decodeLogs([...facts.values()].filter(isLog), emitters);
    const numbers = new Set(partialEntries.map(({ block }) => block));
    const [times, completed] = await Promise.all([
      this.#agree(blocks, ({ logs }) => logs.headers(numbers)),
      this.readStates(blocks, ({ chain }) => completeEntries(chain, partialEntries)),
    ]);
    const entries = [...completed.facts.values()].map(({ emitter: _, fields, isRefused, ...entry }) => {
      const { block, type } = entry;
      if (isRefused) throw new Disputed({ from: block, to: block }, [], `a call that completes ${type} reverts`);
      const { timestamp } = times.facts.get(String(entry.block)) as BlockRef;
      return { ...entry, timestamp, ...fields } as Entry;
    });
    return { ...blocks, end, entries, sources: completed.sources, providers };
  }

  /** Facts about states in these blocks, and the number of sources that keep the states and agree. Throws like {@link read}. */
  readStates<T extends object | string>(blocks: Blocks, read: Read<T>) {
    return this.#agree(blocks, read, { mayLack: true });
  }

  /** Like {@link settle}. Throws {@link Disputed} if something is not settled. */
  async #agree<T extends object | string>(blocks: Blocks, read: Read<T>, options?: Settling<T>) {
    const { disputed, ...agreed } = await this.settle(read, { ...options, blocks });
    if (disputed.size === 0) return agreed;
    const { providers } = agreed;
    const reason = `${providers.join(' and ')} disagree`;
    throw new Disputed(findDisputedBlocks([...disputed.values()].flat(), blocks), providers, reason);
  }

  /**
   * The facts on which as many sources as the quorum agree, and by key, those on which they do not. If sources differ, they
   * read again, and so does a third one. Throws {@link TooFewSources}.
   */
  async settle<T extends object | string>(read: Read<T>, { again = read, mayLack, blocks }: Settling<T> = {}) {
    const { answers, errors } = await this.#ask(this.quorum, read);
    const sources = answers.length;
    if (sources < this.quorum && !(mayLack && errors.every(lacksState))) this.#tooFew(errors, blocks);
    if (sources === 0) throw new TooFewSources(NO_STATE_KEPT, blocks, { cause: errors[0] });
    const disputed = [...vote(answers, sources).disputed.values()].flat();
    if (disputed.length > 0) {
      const asked = answers.map(({ source }) => source);
      answers.push(...(await this.#ask(1, read, asked)).answers);
      const readAgain = async (answer: Answer<T>) => {
        // A source that fails now keeps its facts.
        answer.facts = await again(answer.source, disputed).catch(() => answer.facts);
      };
      await Promise.all(answers.map(readAgain));
    }
    const providers = answers.map(({ source }) => source.provider.name).sort();
    return { ...vote(answers, sources), sources, providers };
  }

  /** The answers of `count` sources, besides `others`; fewer only if the others fail, with their errors. */
  async #ask<T>(count: number, read: Read<T>, others: readonly Source[] = []) {
    const left = this.#sources.filter((source) => !others.includes(source));
    const answers: Answer<T>[] = [];
    const errors: unknown[] = [];
    const askNext = async (): Promise<void> => {
      const source = left.sort((a, b) => rank(a) - rank(b)).shift();
      if (!source) return;
      source.pending += 1;
      try {
        answers.push({ source, facts: await read(source) });
      } catch (error) {
        errors.push(error);
        await askNext();
      } finally {
        source.pending -= 1;
      }
    };
    await Promise.all(Array.from({ length: count }, askNext));
    return { answers, errors };
  }

  #tooFew(errors: readonly unknown[], blocks?: Blocks): never {
    const failures = errors.flatMap(failuresIn) as UpstreamFailure[];
    const named = new Set(failures.map(({ provider, outcome }) => provider && `${provider}: ${outcome}`));
    const reason = [`fewer than ${this.quorum} providers answer`, ...named].filter(Boolean).join('; ');
    throw new TooFewSources(reason, blocks, { cause: errors[0] });
  }
}

/** Sources that are up come first, those with the fewest reads before others. */
function rank({ provider, pending }: Source): number {
  return (provider.isPenalised ? 1e6 : 0) + pending;
}

/** True if a source failed only because it does not keep a state, or does not have a block yet. */
export function lacksState(error: unknown): boolean {
  return failuresIn(error).every((failure) => failure instanceof NoState);
}
