import { type Clock, systemClock } from '../runtime/clock.ts';
import type { Context } from '../runtime/context.ts';
import { sourceUnavailable } from '../runtime/errors.ts';
import type { BlockRef } from '../values/block.ts';
import { headerCall, parseHeader, parseNumberedHeader, parseQuantity } from './block-calls.ts';
import { TickBatch } from './tick-batch.ts';
import { type Failover, type FailoverOptions, reportAttempt } from './upstream/candidates.ts';
import { BackgroundFailover, ClientFailover } from './upstream/failover.ts';
import { RpcTooLarge, StaleAnswer, UpstreamFailure } from './upstream/failures.ts';
import type { RpcCall } from './upstream/json-rpc.ts';
import type { Provider } from './upstream/provider.ts';

interface ChainRpcOptions extends FailoverOptions {
  /** True for recorders: wait out rate limits, and let clients' requests go first. */
  isPatient?: boolean;
  chainId: number;
  /** A provider with an older head is the last choice; 0 means that heads are not compared with the clock. */
  maxHeadAgeSeconds: number;
  onHead: (head: BlockRef) => void;
}

/** `providers` are those of another client of this process, which share limits. */
export function createRpc({ config, telemetry, clock, limits }: Context, providers?: readonly Provider[]): ChainRpc {
  return new ChainRpc(providers ?? config.rpcUrls, {
    chainId: config.network.chainId,
    maxHeadAgeSeconds: config.maxHeadAgeSeconds,
    ...limits.rpc,
    clock,
    onAttempt: reportAttempt(telemetry, clock),
    onHead: ({ timestamp }) => telemetry.record('HeadAge', clock.now() / 1_000 - timestamp),
  });
}

interface CallOptions<T> {
  parse: (result: unknown, others: readonly unknown[]) => T;
  headOf?: (parsed: T) => BlockRef;
  /** An incomplete answer is used only if no provider has a complete one. */
  isComplete?: (parsed: T) => boolean;
  /** Calls in the same request. `parse` gets the outcome of each, a result or an error. */
  others?: readonly RpcCall[];
}

/** A call about a past block. */
interface PastQuestion {
  call: RpcCall;
  parse: (outcome: unknown) => unknown;
  /** Maximum gas of the call. */
  gas: number;
}

type PastAnswer = { value: unknown } | { error: unknown };

/** Gas per time limit of an attempt: a provider runs the calls of a batch in sequence. */
const GAS_OF_AN_ATTEMPT = 30_000_000;
/** Time in ms for which a provider of another chain is asked last. It may also have garbled a single answer. */
const WRONG_CHAIN_MS = 300_000;
/** Maximum time in seconds by which a head may be ahead of this clock. No honest head is ahead, but clocks differ. */
const MAX_HEAD_LEAD = 60;

/**
 * C-Chain JSON-RPC with failover. Each provider must return the right chain id once, and every head is compared with the
 * clock. A result that a parser throws on counts as the provider's failure.
 */
export class ChainRpc {
  readonly failover: Failover;
  readonly #options: ChainRpcOptions;
  readonly #clock: Clock;
  /** Providers that have returned the right chain id. */
  readonly #verified = new Set<Provider>();
  readonly #headers = new TickBatch((numbers: readonly number[]) => this.#readHeaders(numbers));
  readonly #past = new TickBatch((questions: readonly PastQuestion[]) => this.#readPast(questions));

  constructor(providers: readonly (string | Provider)[], options: ChainRpcOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.failover = new (options.isPatient ? BackgroundFailover : ClientFailover)('rpc', providers, options);
  }

  only(provider: Provider): ChainRpc {
    return new ChainRpc([provider], this.#options);
  }

  /** The parsed result of one call. An answer whose head is too old is used only if no provider has a fresher one. */
  call<T>(call: RpcCall, { parse, headOf, isComplete = () => true, others = [] }: CallOptions<T>): Promise<T> {
    return this.ask([call, ...others], ([outcome, ...rest]) => {
      const parsed = parse(unwrap([outcome])[0], rest);
      const head = headOf && this.#plausible(headOf(parsed));
      if (head) this.#options.onHead(head);
      if (head && this.#isTooOld(head)) throw new StaleAnswer('lagging', parsed, head.timestamp);
      if (head && !isComplete(parsed)) throw new StaleAnswer('incomplete', parsed, head.timestamp);
      return parsed;
    });
  }

  batch<T>(calls: readonly RpcCall[], parse: (results: unknown[]) => T): Promise<T> {
    return this.ask(calls, (outcomes) => parse(unwrap(outcomes)));
  }

  /** Like {@link batch}, but the outcome of each call may be an error. */
  ask<T>(calls: readonly RpcCall[], parse: (outcomes: unknown[], provider: Provider) => T): Promise<T> {
    return this.failover.request(async (provider, timeoutMs) =>
      parsedOrFailure(await this.#outcomes(provider, calls, timeoutMs), (outcomes) => parse(outcomes, provider)),
    );
  }

  /** Asks every provider for its latest block, without failover; undefined for those that do not answer in time. */
  heads(timeoutMs: number): Promise<{ name: string; latencyMs: number; head: BlockRef | undefined }[]> {
    return Promise.all(
      this.failover.providers.map(async (provider) => {
        const started = performance.now();
        const head = await this.#outcomes(provider, [headerCall('latest')], timeoutMs)
          .then((outcomes) => this.parseHead(unwrap(outcomes)[0]))
          .catch(() => undefined);
        return { name: provider.name, latencyMs: performance.now() - started, head };
      }),
    );
  }

  /** The latest block in a header. Throws like {@link parseHeader}, and if the block's time is in the future. */
  parseHead(header: unknown): BlockRef {
    return this.#plausible(parseHeader(header));
  }

  /** A block by its number. Blocks that are requested in the same tick are read as one batch. */
  header(number: number): Promise<BlockRef> {
    return this.#headers.ask(number);
  }

  /** The parsed result of a call about a past block. All calls of a tick are one batch; those that fail go on alone. */
  callPast<T>(call: RpcCall, parse: (result: unknown) => T, gas: number): Promise<T> {
    return this.settlePast(call, (outcome) => parse(unwrap([outcome])[0]), gas);
  }

  /** Like {@link callPast}, but `parse` gets the outcome: a result or an error. */
  async settlePast<T>(call: RpcCall, parse: (outcome: unknown) => T, gas: number): Promise<T> {
    const answer = await this.#past.ask({ call, parse, gas });
    if ('error' in answer) throw answer.error;
    return answer.value as T;
  }

  #readHeaders(numbers: readonly number[]): Promise<BlockRef[]> {
    return this.batch(numbers.map(headerCall), (headers) =>
      headers.map((header, place) => parseNumberedHeader(numbers[place] as number, header)),
    );
  }

  async #readPast(questions: readonly PastQuestion[]): Promise<PastAnswer[]> {
    const answers: PastAnswer[] = [];
    const open = () => [...questions.keys()].filter((place) => !answers[place] || 'error' in answers[place]);
    const size = Math.max(1, questions.reduce((sum, { gas }) => sum + gas, 0) / GAS_OF_AN_ATTEMPT);
    const readOpen = async (provider: Provider, timeoutMs: number) => {
      const asked = open().map((place) => ({ place, ...(questions[place] as PastQuestion) }));
      const calls = asked.map(({ call }) => call);
      const outcomes = await this.#outcomes(provider, calls, timeoutMs);
      // Another provider may have answered meanwhile.
      const stillOpen = new Set(open());
      for (const [index, { place, parse }] of asked.entries())
        if (stillOpen.has(place)) answers[place] = toAnswer(outcomes[index], parse);
      const errors = open().map((place) => errorIn(answers[place]));
      const error = errors.find((each) => each instanceof RpcTooLarge && each.mayDivide) ?? errors[0];
      if (error) throw error;
    };
    try {
      await this.failover.request(readOpen, size);
    } catch (error) {
      for (const place of open()) {
        const own = errorIn(answers[place]);
        // The request may have ended with another call's size.
        const isOthers = error instanceof RpcTooLarge && own !== undefined && !(own instanceof RpcTooLarge);
        answers[place] = { error: isOthers ? sourceUnavailable({ cause: own }) : error };
      }
    }
    return answers;
  }

  async #outcomes(provider: Provider, calls: readonly RpcCall[], timeoutMs: number): Promise<unknown[]> {
    const options = { timeoutMs, isBackground: this.#options.isPatient };
    if (this.#verified.has(provider)) return provider.send(calls, options);
    const [chainId, ...outcomes] = await provider.send([{ method: 'eth_chainId', params: [] }, ...calls], options);
    const actual = parsedOrFailure(unwrap([chainId])[0], parseQuantity);
    if (actual !== this.#options.chainId) {
      const cause = new Error(`chain ${actual} instead of ${this.#options.chainId}`);
      throw new UpstreamFailure('wrong_chain', { penaltyMs: WRONG_CHAIN_MS, cause });
    }
    this.#verified.add(provider);
    return outcomes;
  }

  /** The head, if it is plausible. Throws RangeError otherwise: values read at it would count as the newest. */
  #plausible(head: BlockRef): BlockRef {
    if (head.number === 0 || head.timestamp === 0) throw new RangeError('the genesis block as head');
    const isAhead = head.timestamp - this.#clock.now() / 1_000 > MAX_HEAD_LEAD;
    if (isAhead && this.#options.maxHeadAgeSeconds > 0) throw new RangeError('a head ahead of the clock');
    return head;
  }

  #isTooOld({ timestamp }: BlockRef): boolean {
    const { maxHeadAgeSeconds } = this.#options;
    return maxHeadAgeSeconds > 0 && this.#clock.now() / 1_000 - timestamp > maxHeadAgeSeconds;
  }
}

function toAnswer(outcome: unknown, parse: PastQuestion['parse']): PastAnswer {
  try {
    return { value: parsedOrFailure(outcome, parse) };
  } catch (error) {
    return { error };
  }
}

function errorIn(answer: PastAnswer | undefined): unknown {
  return answer && 'error' in answer ? answer.error : undefined;
}

function parsedOrFailure<R, T>(result: R, parse: (result: R) => T): T {
  try {
    return parse(result);
  } catch (cause) {
    throw cause instanceof UpstreamFailure ? cause : new UpstreamFailure('malformed', { cause });
  }
}

/** The results. Throws the first error among the outcomes. */
function unwrap(outcomes: unknown[]): unknown[] {
  const error = outcomes.find((outcome) => outcome instanceof Error);
  if (error) throw error;
  return outcomes;
}
