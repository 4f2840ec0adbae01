import { type Clock, systemClock } from '../runtime/clock.ts';
import type { Context } from '../runtime/context.ts';
import type { BlockRef } from '../values/block.ts';
import { headerCall, parseHeader, parseQuantity } from './block-calls.ts';
import { CallBatcher } from './call-batcher.ts';
import { sendRpc } from './upstream/batches.ts';
import {
  Failover,
  type FailoverOptions,
  LesserAnswer,
  type Provider,
  reportAttempt,
  UpstreamFailure,
} from './upstream/failover.ts';
import type { RpcCall } from './upstream/json-rpc.ts';
import { Pace } from './upstream/pace.ts';

interface ChainRpcOptions extends FailoverOptions {
  /** Whether to ask no faster than a provider allows, and to wait when it refuses. */
  isPatient?: boolean;
  chainId: number;
  /** A head older than this makes its provider the last choice; 0 means that heads are not compared with the clock. */
  maxHeadAgeSeconds: number;
  /** Called with the latest block of a provider, each time one is asked for it. */
  onHead: (head: BlockRef) => void;
  /** Called when a provider turns out to serve another chain. */
  onWrongChain: (provider: string, chainId: number) => void;
}

/** A client with the settings of a context. */
export function createRpc({ config, telemetry, limits }: Context): ChainRpc {
  const { chainId } = config.network;
  return new ChainRpc(config.rpcUrls, {
    chainId,
    maxHeadAgeSeconds: config.maxHeadAgeSeconds,
    ...limits.rpc,
    onAttempt: reportAttempt(telemetry),
    onHead: ({ timestamp }) => telemetry.record('HeadAge', Date.now() / 1_000 - timestamp),
    onWrongChain: (provider, actual) =>
      telemetry.error('provider serves another chain and is not used for five minutes', {
        provider,
        chainId: actual,
        expected: chainId,
      }),
  });
}

interface CallOptions<T> {
  parse: (result: unknown, others: readonly unknown[]) => T;
  headOf?: (parsed: T) => BlockRef;
  /** Whether it is all that was asked for. If not, it is used only if no provider has more. */
  isWhole?: (parsed: T) => boolean;
  others?: readonly RpcCall[];
}

/** A call about a past block, the parser of its result, and how much gas it may take. */
interface PastQuestion {
  call: RpcCall;
  parse: (result: unknown) => unknown;
  gas: number;
}

/** A provider runs the calls of a batch one after the other: its attempt may take longer for each so much gas. */
const GAS_OF_AN_ATTEMPT = 30_000_000;
/** How long a provider of another chain is not asked: one that was put right serves again without a new process. */
const WRONG_CHAIN_MS = 300_000;
/** How far a head may be ahead of this clock, seconds. No honest one is, but clocks differ. */
const MAX_HEAD_LEAD = 60;

/**
 * C-Chain JSON-RPC with failover. Each provider must prove its chain id once, in the same batch as its first call, and
 * every head is compared with the clock. A patient client's requests are shared by all providers, each at its own pace.
 *
 * - `call`: one result, of the latest state if its age matters, and what else is asked beside it.
 * - `batch`: several results of one provider, all or none. `ask`: the same, but each may be an error.
 * - `callPast`, `header`: one result about a past block. All those of a tick travel in one batch.
 * - `heads`: the latest block of every provider, without failover.
 */
export class ChainRpc {
  readonly failover: Failover;
  readonly #options: ChainRpcOptions;
  readonly #clock: Clock;
  /** Those that have proved their chain id, and until when those of another chain are refused. */
  readonly #verified = new Set<Provider>();
  readonly #refusedUntil = new Map<Provider, number>();
  readonly #paces: ReadonlyMap<Provider, Pace>;
  readonly #headers = new CallBatcher((numbers: readonly number[]) => this.#readHeaders(numbers));
  readonly #past = new CallBatcher((questions: readonly PastQuestion[]) => this.#readPast(questions));

  constructor(urls: readonly string[], options: ChainRpcOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const waitOf = (provider: Provider) => (this.#paces.get(provider) as Pace).waitMs;
    this.failover = new Failover('rpc', urls, options.isPatient ? { ...options, waitOf } : options);
    const paced = options.isPatient ? this.failover.providers : [];
    this.#paces = new Map(paced.map((provider) => [provider, new Pace(options.clock)]));
  }

  /**
   * The parsed result of one call. A result that `parse` throws on counts as the provider's failure. With `headOf`, an
   * answer whose head is too old is used only if no provider has a fresher one. `others` are asked in the same request;
   * `parse` gets the outcome of each, a result or an error.
   */
  call<T>(call: RpcCall, { parse, headOf, isWhole = () => true, others = [] }: CallOptions<T>): Promise<T> {
    return this.failover.request(async (provider, ...limits) => {
      const [outcome, ...rest] = await this.#outcomes(provider, [call, ...others], ...limits);
      const [result] = unwrap([outcome]);
      const parsed = parsedOrFailure(result, (those) => parse(those, rest));
      const head = headOf && parsedOrFailure(parsed, (those) => this.#plausible(headOf(those)));
      if (head) this.#options.onHead(head);
      if (head && this.#isTooOld(head)) throw new LesserAnswer('lagging', parsed, head.timestamp);
      if (head && !isWhole(parsed)) throw new LesserAnswer('incomplete', parsed, head.timestamp);
      return parsed;
    });
  }

  /**
   * The results of several calls, all answered by the same provider. A result that `parse` throws on counts as the
   * provider's failure, unless it throws an {@link UpstreamFailure} itself.
   */
  batch<T>(calls: readonly RpcCall[], parse: (results: unknown[]) => T): Promise<T> {
    return this.failover.request(async (provider, ...limits) =>
      parsedOrFailure(unwrap(await this.#outcomes(provider, calls, ...limits)), parse),
    );
  }

  /** Like {@link batch}, but the calls may depend on the provider, and each may fail: its outcome is then the error. */
  ask<T>(
    callsFor: (provider: Provider) => readonly RpcCall[],
    parse: (outcomes: unknown[], provider: Provider) => T,
    only?: Provider,
  ): Promise<T> {
    return this.failover.request(
      async (provider, ...limits) => {
        const outcomes = await this.#outcomes(provider, callsFor(provider), ...limits);
        return parsedOrFailure(outcomes, (those) => parse(those, provider));
      },
      { only },
    );
  }

  /** Asks every provider for its latest block, without failover; undefined for those that do not answer in time. */
  heads(timeoutMs: number): Promise<{ name: string; latencyMs: number; head: BlockRef | undefined }[]> {
    return Promise.all(
      this.failover.providers.map(async (provider) => {
        const started = performance.now();
        const answered = this.#outcomes(provider, [headerCall('latest')], timeoutMs).then((outcomes) =>
          this.parseHead(unwrap(outcomes)[0]),
        );
        const head = await answered.catch(() => undefined);
        return { name: provider.name, latencyMs: performance.now() - started, head };
      }),
    );
  }

  /** The latest block in a header. Throws like {@link parseHeader}, and if it is of the future. */
  parseHead(header: unknown): BlockRef {
    return this.#plausible(parseHeader(header));
  }

  /** A block by its number. Those asked for in the same tick are read as one batch. */
  header(number: number): Promise<BlockRef> {
    return this.#headers.ask(number);
  }

  /**
   * The parsed result of a call about a past block, with failover like {@link call}. Those made in the same tick are
   * one batch; only what a provider does not answer is asked of the next one.
   */
  async callPast<T>(call: RpcCall, parse: (result: unknown) => T, gas: number): Promise<T> {
    const answer = await this.#past.ask({ call, parse, gas });
    if (answer instanceof Error) throw answer;
    return answer as T;
  }

  #readHeaders(numbers: readonly number[]): Promise<BlockRef[]> {
    return this.batch(numbers.map(headerCall), (headers) =>
      headers.map((header, place) => {
        const block = parseHeader(header);
        if (block.number !== numbers[place]) throw new RangeError('the header of another block');
        return block;
      }),
    );
  }

  /** The parsed result of each call, or its error. */
  async #readPast(questions: readonly PastQuestion[]): Promise<unknown[]> {
    const answers: unknown[] = [];
    let left = [...questions.keys()];
    const size = Math.max(1, questions.reduce((sum, { gas }) => sum + gas, 0) / GAS_OF_AN_ATTEMPT);
    try {
      await this.failover.request(
        async (provider, ...limits) => {
          const asked = left.map((place) => questions[place] as PastQuestion);
          const outcomes = await this.#outcomes(
            provider,
            asked.map(({ call }) => call),
            ...limits,
          );
          for (const [index, place] of left.entries())
            answers[place] = settled(outcomes[index], (asked[index] as PastQuestion).parse);
          left = left.filter((place) => answers[place] instanceof UpstreamFailure);
          if (left[0] !== undefined) throw answers[left[0]];
        },
        { size },
      );
    } catch (error) {
      for (const place of left) answers[place] = error;
    }
    return answers;
  }

  async #outcomes(
    provider: Provider,
    calls: readonly RpcCall[],
    timeoutMs: number,
    mayWait?: boolean,
  ): Promise<unknown[]> {
    const pace = this.#paces.get(provider);
    if (this.#verified.has(provider)) return sendRpc(provider, calls, timeoutMs, pace, mayWait);
    const banMs = (this.#refusedUntil.get(provider) ?? 0) - this.#clock.now();
    if (banMs > 0) throw new UpstreamFailure('wrong_chain', { penaltyMs: banMs });
    const [chainId, ...outcomes] = await sendRpc(
      provider,
      [{ method: 'eth_chainId', params: [] }, ...calls],
      timeoutMs,
      pace,
      mayWait,
    );
    this.#verify(provider, parsedOrFailure(unwrap([chainId])[0], parseQuantity));
    return outcomes;
  }

  #verify(provider: Provider, chainId: number): void {
    if (chainId === this.#options.chainId) {
      this.#verified.add(provider);
      return;
    }
    this.#refusedUntil.set(provider, this.#clock.now() + WRONG_CHAIN_MS);
    this.#options.onWrongChain(provider.name, chainId);
    throw new UpstreamFailure('wrong_chain', { penaltyMs: WRONG_CHAIN_MS });
  }

  /** The head, if its time may be true. Throws RangeError otherwise: what is read there would pass for the newest. */
  #plausible(head: BlockRef): BlockRef {
    const isAhead = head.timestamp - this.#clock.now() / 1_000 > MAX_HEAD_LEAD;
    if (isAhead && this.#options.maxHeadAgeSeconds > 0) throw new RangeError('a head ahead of the clock');
    return head;
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
