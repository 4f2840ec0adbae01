import type { Chain } from '../chain/chain.ts';
import { parseHeader, toQuantity } from '../chain/rpc.ts';
import { NoState, type Upstream, UpstreamFailure } from '../upstream/failover.ts';
import { type RpcCall, RpcTooLarge } from '../upstream/json-rpc.ts';
import { type Log, TOPICS } from './events.ts';
import { type Emitters, knownEmitters, parseRegistry, registryCall } from './registry.ts';
import { WindowSize } from './window.ts';

/**
 * Searches blocks for the logs of the protocol's contracts, a request at a time. One HTTP request asks an endpoint for its head, for
 * what is registered, and for the logs of several windows: an endpoint that is behind answers `[]` for what it does not have, so
 * a window counts up to the head that the same endpoint names in the same batch.
 */

/** Few enough for what gateways allow a batch to cost. */
const WINDOWS_OF_A_REQUEST = 8;

/** Blocks, both included. */
export interface Blocks {
  from: number;
  to: number;
}

/** What one request found: the logs of these blocks, all of them. */
export interface Found extends Blocks {
  logs: Log[];
}

/** What an endpoint was asked for. */
interface Asked {
  windows: Blocks[];
  /** The contracts that were known by then. */
  emitters: Emitters;
}

/** Which end of the blocks to begin with. */
export type Direction = 'forwards' | 'backwards';

export class LogSearch {
  readonly #chain: Chain;
  readonly #sizes = new Map<Upstream, WindowSize>();
  #emitters: Emitters;

  constructor(chain: Chain) {
    this.#chain = chain;
    this.#emitters = knownEmitters(chain.network);
  }

  /** The contracts whose logs are searched for: all that are or were registered, as far as is known. */
  get emitters(): Emitters {
    return this.#emitters;
  }

  /** Remembers contracts. */
  learn(found: Emitters): void {
    this.#emitters = new Map([...this.#emitters, ...found]);
  }

  /**
   * The logs of the first or last of some blocks: as many as one request gives. Throws UPSTREAM_UNAVAILABLE if no endpoint does; the
   * next try then asks for less.
   */
  async next(blocks: Blocks, direction: Direction): Promise<Found> {
    for (;;) {
      const tried = new Map<Upstream, Asked>();
      const found = await this.#ask(blocks, direction, tried).catch((error: unknown) => {
        const firsts = [...tried].map(([endpoint, { windows }]) => ({ endpoint, ...(windows[0] as Blocks) }));
        for (const { endpoint, from, to } of firsts) this.#sizeOf(endpoint).refused(from, to);
        // HTTP's way to say so, which is about all windows.
        if (error instanceof RpcTooLarge && firsts.some(({ from, to }) => from < to)) return undefined;
        throw error;
      });
      if (found) return found;
    }
  }

  /** Undefined where the same has to be asked again: for smaller windows, or for a contract that is new. */
  #ask(blocks: Blocks, direction: Direction, tried: Map<Upstream, Asked>): Promise<Found | undefined> {
    const { network, rpc } = this.#chain;
    const callsFor = (endpoint: Upstream): RpcCall[] => {
      const windows = windowsOf(blocks, direction, this.#sizeOf(endpoint).blocks);
      const emitters = this.#emitters;
      tried.set(endpoint, { windows, emitters });
      return [
        { method: 'eth_getBlockByNumber', params: ['latest', false] },
        registryCall(network, farEndOf(windows.at(-1) as Blocks, blocks, direction)),
        ...windows.map(({ from, to }) => ({
          method: 'eth_getLogs',
          params: [
            { address: [...emitters.keys()], topics: [TOPICS], fromBlock: toQuantity(from), toBlock: toQuantity(to) },
          ],
        })),
      ];
    };
    return rpc.ask(callsFor, ([header, registry, ...answers], endpoint) => {
      const head = parseHeader(resultOf(header)).number;
      this.learn(parseRegistry(String(resultOf(registry))));
      const { windows, emitters } = tried.get(endpoint) as Asked;
      const found = this.#collect(endpoint, windows, answers, { head, direction });
      // Logs that were asked for without a contract are not all.
      return emitters.size < this.#emitters.size ? undefined : found;
    });
  }

  /**
   * The logs of the windows up to the first that was not answered whole. Undefined if that is the very first and a smaller one may
   * be; throws an {@link UpstreamFailure} if another endpoint has to be asked for it.
   */
  #collect(
    endpoint: Upstream,
    windows: readonly Blocks[],
    answers: readonly unknown[],
    { head, direction }: { head: number; direction: Direction },
  ): Found | undefined {
    const size = this.#sizeOf(endpoint);
    let found: Found | undefined;
    for (const [place, { from, to }] of windows.entries()) {
      const answer = answers[place];
      if (answer instanceof RpcTooLarge) {
        if (from === to) throw new UpstreamFailure('too_large', { cause: answer });
        size.refused(from, to, (answer.cause as Error | undefined)?.message);
        return found;
      }
      const end = direction === 'forwards' ? Math.min(to, head) : to;
      const isThere = from <= end && end <= head;
      if (found && (answer instanceof UpstreamFailure || !isThere)) return found;
      if (!isThere) throw new NoState();
      const logs = resultOf(answer) as Log[];
      size.answered(to - from + 1);
      found = {
        from: Math.min(from, found?.from ?? from),
        to: Math.max(end, found?.to ?? end),
        logs: [...(found?.logs ?? []), ...logs],
      };
    }
    return found;
  }

  #sizeOf(endpoint: Upstream): WindowSize {
    const size = this.#sizes.get(endpoint) ?? new WindowSize();
    this.#sizes.set(endpoint, size);
    return size;
  }
}

/** Some windows of so many blocks, side by side from one end of the blocks on. */
function windowsOf({ from, to }: Blocks, direction: Direction, blocks: number): Blocks[] {
  const count = Math.min(WINDOWS_OF_A_REQUEST, Math.ceil((to - from + 1) / blocks));
  return Array.from({ length: count }, (_, index) =>
    direction === 'forwards'
      ? { from: from + index * blocks, to: Math.min(to, from + (index + 1) * blocks - 1) }
      : { from: Math.max(from, to - (index + 1) * blocks + 1), to: to - index * blocks },
  );
}

/**
 * Where to look into the registry: what is registered at the other end is known from the blocks beside it. An endpoint that is a block
 * behind the head has no state of that, but one of its own latest.
 */
function farEndOf(last: Blocks, all: Blocks, direction: Direction): number | 'latest' {
  if (direction === 'backwards') return last.from;
  return last.to === all.to ? 'latest' : last.to;
}

/** The result of a call, unless its outcome is an error: then that is thrown. */
function resultOf(outcome: unknown): unknown {
  if (outcome instanceof Error) throw outcome;
  return outcome;
}
