import { type Clock, systemClock } from '../../runtime/clock.ts';
import { chunked, packed } from '../../values/arrays.ts';
import { RpcTooLarge, UpstreamFailure } from './failures.ts';
import { BatchRefused, type RpcCall, sendCalls } from './json-rpc.ts';
import { RateLimit } from './rate-limit.ts';

/** Maximum number of calls that api.avax.network takes in a batch (its documentation, 2026-11). */
const MAX_BATCH_CALLS = 40;
/** Nodes take 5 MB, anvil 2 MB, and nginx in front 1 MB; a 413 may be lost with the connection. */
const MAX_BATCH_BYTES = 900_000;

interface SendOptions {
  timeoutMs: number;
  /** True for recorders: clients' requests go before theirs, and they keep to the provider's rate limit. */
  isBackground?: boolean | undefined;
}

/**
 * One of several equivalent providers, and the limits that its answers have revealed. Logs, metrics and responses show
 * names, never URLs: a URL may hold a key.
 */
export class Provider {
  readonly name: string;
  readonly url: string;
  readonly rateLimit: RateLimit;
  /** Calls per batch now, and the most that the provider has not ruled out. */
  #calls = MAX_BATCH_CALLS;
  #maxCalls = MAX_BATCH_CALLS;

  constructor(name: string, url: string, clock: Clock = systemClock) {
    this.name = name;
    this.url = url;
    this.rateLimit = new RateLimit(clock);
  }

  /**
   * Sends the calls in JSON-RPC batches that the provider takes, or one by one if it refuses batches. Returns, in order,
   * each call's result or its {@link UpstreamFailure}. Throws an UpstreamFailure if there was no answer.
   */
  async send(calls: readonly RpcCall[], options: SendOptions): Promise<unknown[]> {
    const batches = packed(calls, { items: this.#calls, size: MAX_BATCH_BYTES }, sizeOf);
    const settled = await Promise.allSettled(batches.map((batch) => this.#sendPart(batch, options)));
    const failures = settled.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    const fault = failures.find(
      ({ reason }) => failures.length === batches.length || !(reason instanceof UpstreamFailure),
    );
    if (fault) throw fault.reason;
    return settled.flatMap((part, place) =>
      part.status === 'fulfilled' ? part.value : (batches[place] as RpcCall[]).map(() => part.reason),
    );
  }

  /** The outcomes of calls that should fit one request. A refused batch is divided. */
  async #sendPart(calls: readonly RpcCall[], options: SendOptions): Promise<unknown[]> {
    const run = options.isBackground ? 'runBackground' : 'runClient';
    try {
      const outcomes = await this.rateLimit[run](() => sendCalls(this.url, calls, options.timeoutMs));
      this.#calls = Math.min(this.#maxCalls, this.#calls + 1);
      return outcomes;
    } catch (error) {
      if (error instanceof RpcTooLarge) {
        if (calls.length === 1) return [error];
        this.#calls = Math.max(1, Math.min(this.#calls, Math.floor(calls.length / 2)));
        throw new RpcTooLarge({ cause: error, mayDivide: true });
      }
      if (!(error instanceof BatchRefused)) throw error;
      const most = Math.max(1, Math.min(error.limit ?? 1, calls.length - 1));
      if (error.limit !== undefined) this.#limitBatches(most);
      const parts = chunked(calls, Math.min(most, this.#calls)).map((part) => this.#sendPart(part, options));
      const outcomes = (await Promise.all(parts)).flat();
      // If all fail, their failure was the reason, not the batch.
      if (!outcomes.every((outcome) => outcome instanceof UpstreamFailure)) this.#limitBatches(most);
      return outcomes;
    }
  }

  #limitBatches(calls: number): void {
    this.#maxCalls = Math.min(this.#maxCalls, calls);
    this.#calls = Math.min(this.#calls, this.#maxCalls);
  }
}

/** Approximate bytes of a call: most are calldata. */
function sizeOf({ params }: RpcCall): number {
  return ((params as { 0?: { data?: string } })[0]?.data ?? '').length + 150;
}
