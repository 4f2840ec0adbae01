import { type Clock, monotonicMs, systemClock } from '../runtime/clock.ts';
import type { BlockRef } from '../values/block.ts';
import { Together } from './together.ts';
import { Failover, type FailoverOptions, LaggingAnswer, type Upstream, UpstreamFailure } from './upstream/failover.ts';
import { type RpcCall, RpcTooLarge, sendRpc } from './upstream/json-rpc.ts';

interface ChainRpcOptions extends FailoverOptions {
  chainId: number;
  /** A head older than this makes its endpoint the last choice; 0 means never. */
  maxHeadAgeSeconds: number;
  /** Called with the latest block of an endpoint, each time one is asked for it. */
  onHead: (head: BlockRef) => void;
  /** Called when an endpoint turns out to serve another chain. */
  onWrongChain: (endpoint: string, chainId: number) => void;
}

interface CallOptions<T> {
  parse: (result: unknown, others: readonly unknown[]) => T;
  headOf?: (parsed: T) => BlockRef;
  others?: readonly RpcCall[];
}

/** A call about a past block, and the parser of its result. */
interface PastQuestion {
  call: RpcCall;
  parse: (result: unknown) => unknown;
}

/** A block by its number, or the latest one that the endpoint has. */
export type BlockTag = 'latest' | number;

/** A block as JSON-RPC names it: `toTag(255)` is `"0xff"`. */
export function toTag(block: BlockTag): string {
  return block === 'latest' ? block : `0x${block.toString(16)}`;
}

/** The call for the header of a block. */
export function headerCall(block: BlockTag): RpcCall {
  return { method: 'eth_getBlockByNumber', params: [toTag(block), false] };
}

/** The block that the result of a {@link headerCall} describes. Throws if it is not a header. */
export function parseHeader(header: unknown): BlockRef {
  const { number, timestamp } = header as { number: unknown; timestamp: unknown };
  return { number: parseQuantity(number), timestamp: parseQuantity(timestamp) };
}

function parseQuantity(text: unknown): number {
  const value = typeof text === 'string' && /^0x[\da-f]+$/i.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new RangeError('no quantity');
  return value;
}

/** Penalty of an endpoint of the wrong chain: it stays refused for as long as this process lives. */
const FOR_GOOD_MS = 365 * 86_400_000;

/**
 * C-Chain JSON-RPC with failover. Each endpoint must prove its chain id once, in the same batch as its first call.
 *
 * - `call`: one result, of the latest state if its age matters, and what else is asked beside it.
 * - `batch`: several results of one endpoint, all or none. `ask`: the same, but each may be an error.
 * - `callPast`, `header`: one result about a past block. All those of a tick travel in one batch.
 * - `heads`: the latest block of every endpoint, without failover.
 */
export class ChainRpc {
  readonly failover: Failover;
  readonly #options: ChainRpcOptions;
  readonly #clock: Clock;
  /** Whether an endpoint's chain id is the right one, once it is known. */
  readonly #verified = new Map<Upstream, boolean>();
  readonly #headers = new Together((numbers: readonly number[]) => this.#readHeaders(numbers));
  readonly #past = new Together((questions: readonly PastQuestion[]) => this.#readPast(questions));

  constructor(urls: readonly string[], options: ChainRpcOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.failover = new Failover('rpc', urls, options);
  }

  /**
   * The parsed result of one call. A result that `parse` throws on counts as the endpoint's failure. With `headOf`, an
   * answer whose head is too old is used only if no endpoint has a fresher one. `others` are asked in the same request;
   * `parse` gets the outcome of each, a result or an error.
   */
  call<T>(call: RpcCall, { parse, headOf, others = [] }: CallOptions<T>): Promise<T> {
    return this.failover.request(async (endpoint, timeoutMs) => {
      const [outcome, ...rest] = await this.#outcomes(endpoint, [call, ...others], timeoutMs);
      const [result] = unwrap([outcome]);
      const parsed = parsedOrFailure(result, (those) => parse(those, rest));
      const head = headOf && parsedOrFailure(parsed, headOf);
      if (head) this.#options.onHead(head);
      if (head && this.#isTooOld(head)) throw new LaggingAnswer(parsed, head.timestamp);
      return parsed;
    });
  }

  /**
   * The results of several calls, all answered by the same endpoint. A result that `parse` throws on counts as the
   * endpoint's failure, unless it throws an {@link UpstreamFailure} itself.
   */
  batch<T>(calls: readonly RpcCall[], parse: (results: unknown[]) => T): Promise<T> {
    return this.failover.request(async (endpoint, timeoutMs) =>
      parsedOrFailure(await this.#send(endpoint, calls, timeoutMs), parse),
    );
  }

  /** Like {@link batch}, but the calls may depend on the endpoint, and each may fail: its outcome is then the error. */
  ask<T>(
    callsFor: (endpoint: Upstream) => readonly RpcCall[],
    parse: (outcomes: unknown[], endpoint: Upstream) => T,
  ): Promise<T> {
    return this.failover.request(async (endpoint, timeoutMs) => {
      const outcomes = await this.#outcomes(endpoint, callsFor(endpoint), timeoutMs);
      return parsedOrFailure(outcomes, (those) => parse(those, endpoint));
    });
  }

  /** Asks every endpoint for its latest block, without failover; undefined for those that do not answer in time. */
  heads(timeoutMs: number): Promise<{ name: string; latencyMs: number; head: BlockRef | undefined }[]> {
    return Promise.all(
      this.failover.endpoints.map(async (endpoint) => {
        const started = monotonicMs();
        const answered = this.#send(endpoint, [headerCall('latest')], timeoutMs).then(([header]) =>
          parseHeader(header),
        );
        const head = await answered.catch(() => undefined);
        return { name: endpoint.name, latencyMs: monotonicMs() - started, head };
      }),
    );
  }

  /** A block by its number. Those asked for in the same tick are read as one batch. */
  header(number: number): Promise<BlockRef> {
    return this.#headers.ask(number);
  }

  /**
   * The parsed result of a call about a past block, with failover like {@link call}. Those made in the same tick are
   * one batch; only what an endpoint does not answer is asked of the next one.
   */
  async callPast<T>(call: RpcCall, parse: (result: unknown) => T): Promise<T> {
    const answer = await this.#past.ask({ call, parse });
    if (answer instanceof Error) throw answer;
    return answer as T;
  }

  #readHeaders(numbers: readonly number[]): Promise<BlockRef[]> {
    return this.batch(numbers.map(headerCall), (headers) => headers.map(parseHeader));
  }

  /** The parsed result of each call, or its error. */
  async #readPast(questions: readonly PastQuestion[]): Promise<unknown[]> {
    const answers: unknown[] = [];
    let left = [...questions.keys()];
    try {
      await this.failover.request(async (endpoint, timeoutMs) => {
        const asked = left.map((place) => questions[place] as PastQuestion);
        const outcomes = await this.#outcomes(
          endpoint,
          asked.map(({ call }) => call),
          timeoutMs,
        );
        for (const [index, place] of left.entries())
          answers[place] = settled(outcomes[index], (asked[index] as PastQuestion).parse);
        left = left.filter((place) => answers[place] instanceof UpstreamFailure);
        if (left[0] !== undefined) throw answers[left[0]];
      });
    } catch (error) {
      if (error instanceof RpcTooLarge && questions.length > 1) {
        return (await Promise.all(questions.map((question) => this.#readPast([question])))).flat();
      }
      for (const place of left) answers[place] = error;
    }
    return answers;
  }

  async #send(endpoint: Upstream, calls: readonly RpcCall[], timeoutMs: number): Promise<unknown[]> {
    return unwrap(await this.#outcomes(endpoint, calls, timeoutMs));
  }

  async #outcomes(endpoint: Upstream, calls: readonly RpcCall[], timeoutMs: number): Promise<unknown[]> {
    const verified = this.#verified.get(endpoint);
    if (verified) return sendRpc(endpoint, calls, timeoutMs);
    if (verified === false) throw new UpstreamFailure('wrong_chain', { penaltyMs: FOR_GOOD_MS });
    const [chainId, ...outcomes] = await sendRpc(
      endpoint,
      [{ method: 'eth_chainId', params: [] }, ...calls],
      timeoutMs,
    );
    this.#verify(endpoint, parsedOrFailure(unwrap([chainId])[0], parseQuantity));
    return outcomes;
  }

  #verify(endpoint: Upstream, chainId: number): void {
    const right = chainId === this.#options.chainId;
    this.#verified.set(endpoint, right);
    if (right) return;
    this.#options.onWrongChain(endpoint.name, chainId);
    throw new UpstreamFailure('wrong_chain', { penaltyMs: FOR_GOOD_MS });
  }

  #isTooOld({ timestamp }: BlockRef): boolean {
    const { maxHeadAgeSeconds } = this.#options;
    return maxHeadAgeSeconds > 0 && this.#clock.now() / 1_000 - timestamp > maxHeadAgeSeconds;
  }
}

/** The parsed outcome: an error stays one, and a result that cannot be parsed becomes one. */
function settled(outcome: unknown, parse: PastQuestion['parse']): unknown {
  if (outcome instanceof Error) return outcome;
  try {
    return parse(outcome);
  } catch (cause) {
    return new UpstreamFailure('malformed', { cause });
  }
}

function parsedOrFailure<R, T>(result: R, parse: (result: R) => T): T {
  try {
    return parse(result);
  } catch (cause) {
    if (cause instanceof UpstreamFailure) throw cause;
    throw new UpstreamFailure('malformed', { cause });
  }
}

/** The results. Throws the first error among the outcomes. */
function unwrap(outcomes: unknown[]): unknown[] {
  const error = outcomes.find((outcome) => outcome instanceof Error);
  if (error) throw error;
  return outcomes;
}
