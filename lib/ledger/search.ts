/**
 * Searches blocks for the logs of the protocol's contracts, one batch at a time. A batch asks one provider for its
 * head, for what is registered, and for the logs of several windows. A provider that lags answers `[]` for blocks it
 * does not have, so a window only counts up to the head named in the same batch.
 */

import { type BlockTag, headerCall, toTag } from '../chain/block-calls.ts';
import type { Chain } from '../chain/chain.ts';
import type { Provider } from '../chain/upstream/failover.ts';
import { NoState, RpcTooLarge, UpstreamFailure } from '../chain/upstream/failures.ts';
import type { RpcCall } from '../chain/upstream/json-rpc.ts';
import { type BlockRef, placeOf } from '../values/block.ts';
import { requireLogs } from './answered-logs.ts';
import { type Log, type PartialEntry, toDrafts } from './contract-events.ts';
import { topicsOfEvents } from './event-abis.ts';
import { type Emitters, findRegistered, knownEmitters, parseRegistry, registryCall } from './registry.ts';
import { WindowSize } from './window.ts';

/** Few enough for the cost that gateways allow a batch. */
const WINDOWS_OF_A_REQUEST = 8;

/** A range of blocks, both ends included. */
export interface Blocks {
  from: number;
  to: number;
}

/** What one batch found: the entries that all logs of these blocks make. */
export interface LogBatch extends Blocks {
  drafts: PartialEntry[];
  /** What they are made from. */
  logs: Log[];
  /** Its head, and so the time of `to` if that is its head. */
  head: BlockRef;
}

/** What a provider was asked for. */
interface LogRequest {
  windows: Blocks[];
  /** The contracts known at that time. */
  emitters: Emitters;
}

/** From which end of the range to begin: its first block or its last. */
export type Direction = 'forwards' | 'backwards';

export class LogSearch {
  readonly #chain: Chain;
  readonly #sizes = new Map<Provider, WindowSize>();
  #emitters: Emitters;

  constructor(chain: Chain) {
    this.#chain = chain;
    this.#emitters = knownEmitters(chain.network);
  }

  /** The contracts whose logs are searched for: all that are or were registered, as far as is known. */
  get emitters(): Emitters {
    return this.#emitters;
  }

  /** How many blocks one request searches now, of the provider that takes most. */
  get blocksOfARequest(): number {
    const sizes = this.#chain.rpc.failover.providers.map((provider) => this.#sizeOf(provider).blocks);
    return WINDOWS_OF_A_REQUEST * Math.max(...sizes);
  }

  /** Remembers contracts. */
  learn(found: Emitters): void {
    this.#emitters = new Map([...this.#emitters, ...found]);
  }

  /** Remembers all contracts that were registered in a range. Throws UPSTREAM_UNAVAILABLE. */
  async learnRegistered(blocks: Blocks): Promise<void> {
    if (blocks.from < blocks.to) this.learn(await findRegistered(this.#chain, blocks));
  }

  /**
   * The head, and in the same request what is registered there: of an empty ledger nothing is known, and its first blocks would be
   * read a second time for what their own batch has found. Throws like {@link next}.
   */
  begin(): Promise<BlockRef> {
    const { network, rpc } = this.#chain;
    const calls = [headerCall('latest'), registryCall(network, 'latest')];
    return rpc.batch(calls, ([header, registry]) => {
      this.learn(parseRegistry(String(registry)));
      return rpc.parseHead(header);
    });
  }

  /**
   * The logs of the first or last blocks of a range, as many as one batch gives. Throws UPSTREAM_UNAVAILABLE if no
   * provider answers; the next try then asks for less. With `only`, no other provider is asked.
   */
  async next(blocks: Blocks, direction: Direction, only?: Provider): Promise<LogBatch> {
    for (;;) {
      const tried = new Map<Provider, LogRequest>();
      const known = this.#emitters.size;
      const found = await this.#ask(blocks, direction, tried, only).catch((error: unknown) => {
        const firsts = [...tried].map(([provider, { windows }]) => ({ provider, ...(windows[0] as Blocks) }));
        for (const { provider, from, to } of firsts) this.#sizeOf(provider).refused(from, to);
        // HTTP 413, which is about all windows together.
        if (error instanceof RpcTooLarge && firsts.some(({ from, to }) => from < to)) return undefined;
        throw error;
      });
      if (found) return found;
      // What was replaced since the last search may have been replaced twice.
      if (direction === 'forwards' && this.#emitters.size > known) await this.learnRegistered(blocks);
    }
  }

  /** Undefined if the same has to be asked again: for smaller windows, or for a newly found contract as well. */
  #ask(
    blocks: Blocks,
    direction: Direction,
    tried: Map<Provider, LogRequest>,
    only?: Provider,
  ): Promise<LogBatch | undefined> {
    const { network, rpc } = this.#chain;
    const callsFor = (provider: Provider): RpcCall[] => {
      const windows = toWindows(blocks, direction, this.#sizeOf(provider).blocks);
      const emitters = this.#emitters;
      tried.set(provider, { windows, emitters });
      return [
        headerCall('latest'),
        registryCall(network, farEndOf(windows.at(-1) as Blocks, blocks, direction)),
        ...windows.map(({ from, to }) => ({
          method: 'eth_getLogs',
          params: [
            { address: [...emitters.keys()], topics: [topicsOfEvents()], fromBlock: toTag(from), toBlock: toTag(to) },
          ],
        })),
      ];
    };
    return rpc.ask(
      callsFor,
      ([header, registry, ...answers], provider) => {
        const head = rpc.parseHead(requireResult(header));
        this.learn(parseRegistry(String(requireResult(registry))));
        const { windows, emitters } = tried.get(provider) as LogRequest;
        const found = this.#collect(provider, { windows, emitters }, answers, { head, direction });
        // Logs read before a contract was known are incomplete.
        return emitters.size < this.#emitters.size ? undefined : found;
      },
      only,
    );
  }

  /**
   * The logs of the windows up to the first that was not answered in full. If that is the very first one: undefined if
   * a smaller one may be answered; otherwise throws an {@link UpstreamFailure}, so that another provider is asked.
   */
  #collect(
    provider: Provider,
    { windows, emitters }: LogRequest,
    answers: readonly unknown[],
    { head, direction }: { head: BlockRef; direction: Direction },
  ): LogBatch | undefined {
    const size = this.#sizeOf(provider);
    let found: LogBatch | undefined;
    for (const [place, { from, to }] of windows.entries()) {
      const answer = answers[place];
      if (answer instanceof RpcTooLarge) {
        if (from === to) throw new UpstreamFailure('too_large', { cause: answer });
        size.refused(from, to, (answer.cause as Error | undefined)?.message);
        return found;
      }
      const end = direction === 'forwards' ? Math.min(to, head.number) : to;
      const isThere = from <= end && end <= head.number;
      if (found && (answer instanceof UpstreamFailure || !isThere)) return found;
      if (!isThere) throw new NoState();
      const logs = requireLogs(requireResult(answer), { from, to, emitters, head });
      const drafts = requireDrafts(logs, emitters);
      size.answered(to - from + 1, logs.length);
      found = {
        from: Math.min(from, found?.from ?? from),
        to: Math.max(end, found?.to ?? end),
        drafts: [...(found?.drafts ?? []), ...drafts],
        logs: [...(found?.logs ?? []), ...logs],
        head,
      };
    }
    return found;
  }

  #sizeOf(provider: Provider): WindowSize {
    const size = this.#sizes.get(provider) ?? new WindowSize();
    this.#sizes.set(provider, size);
    return size;
  }
}

/** The drafts of a window's logs. Throws if two of them are in one place, which no whole answer makes. */
function requireDrafts(logs: readonly Log[], emitters: Emitters): PartialEntry[] {
  const drafts = toDrafts(logs, emitters);
  const places = new Set(drafts.map(placeOf));
  if (places.size < drafts.length) throw new RangeError('two entries in one place');
  return drafts;
}

/** Adjacent windows of `blocks` blocks each, from one end of the range. */
function toWindows({ from, to }: Blocks, direction: Direction, blocks: number): Blocks[] {
  const count = Math.min(WINDOWS_OF_A_REQUEST, Math.ceil((to - from + 1) / blocks));
  return Array.from({ length: count }, (_, index) =>
    direction === 'forwards'
      ? { from: from + index * blocks, to: Math.min(to, from + (index + 1) * blocks - 1) }
      : { from: Math.max(from, to - (index + 1) * blocks + 1), to: to - index * blocks },
  );
}

/**
 * The block at which to read the registry: the far end of the windows, as the near end borders on searched blocks. At
 * the head it is `latest`: a provider a block behind lacks that block's state, but has its own latest.
 */
function farEndOf(last: Blocks, all: Blocks, direction: Direction): BlockTag {
  if (direction === 'backwards') return last.from;
  return last.to === all.to ? 'latest' : last.to;
}

/** The result of a call. Throws its outcome if that is an error. */
function requireResult(outcome: unknown): unknown {
  if (outcome instanceof Error) throw outcome;
  return outcome;
}
