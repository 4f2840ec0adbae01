import { setImmediate } from 'node:timers/promises';
import { sourceUnavailable } from '../runtime/errors.ts';
import type { BlockRef } from '../values/block.ts';
import { BackgroundFailover, ClientFailover, type Failover, type FailoverOptions } from './upstream/failover.ts';
import { parsedOrFailure, RpcTooLarge, StaleAnswer, UpstreamFailure } from './upstream/failures.ts';
import {
  headerCall,
  parseHeader,
  parseNumberedHeader,
  parseQuantity,
  type RpcCall,
  requireResult,
} from './upstream/json-rpc.ts';
import type { Provider } from './upstream/provider.ts';

interface ChainRpcOptions extends FailoverOptions {
  /** True for recorders: wait out rate limits, and let clients' requests go first. */
  isPatient?: boolean;
  chainId: number;
  /** A provider with an older head is the last choice; 0 means that heads are not compared with the clock. */
  maxHeadAgeSeconds: number;
  onHead: (head: BlockRef) => void;
}

interface PastQuestion {
  call: RpcCall;
  parse: (outcome: unknown) => unknown;
  /** Maximum gas of the call. */
  gas: number;
}

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
  /** Providers that have returned the right chain id. */
  readonly #verified = new Set<Provider>();
  readonly #askPast = tickBatch((questions: readonly PastQuestion[]) => this.#readPast(questions));

  constructor(providers: readonly (string | Provider)[], options: ChainRpcOptions) {
    this.#options = options;
    this.failover = new (options.isPatient ? BackgroundFailover : ClientFailover)('rpc', providers, options);
  }

  only(provider: Provider): ChainRpc {
    return new ChainRpc([provider], this.#options);
  }

  /** The parsed result of one call. An answer whose head is too old is used only if no provider has a fresher one. */
  call<T>(call: RpcCall, parse: (result: unknown) => T, headOf?: (parsed: T) => BlockRef): Promise<T> {
    return this.ask([call], ([outcome]) => {
      const parsed = parse(requireResult(outcome));
      if (!headOf) return parsed;
      const head = this.#plausible(headOf(parsed));
      this.#options.onHead(head);
      const { maxHeadAgeSeconds, clock } = this.#options;
      const isTooOld = maxHeadAgeSeconds > 0 && clock.now() / 1_000 - head.timestamp > maxHeadAgeSeconds;
      if (isTooOld) throw new StaleAnswer(parsed, head.timestamp);
      return parsed;
    });
  }

  /** The parsed outcomes of several calls: results or errors. */
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
          .then(([outcome]) => this.parseHead(requireResult(outcome)))
          .catch(() => undefined);
        return { name: provider.name, latencyMs: performance.now() - started, head };
      }),
    );
  }

  /** The latest block in a header. Throws like {@link parseHeader}, and if the block's time is in the future. */
  parseHead(header: unknown): BlockRef {
    return this.#plausible(parseHeader(header));
  }

  /** A block by its number. */
  header(number: number): Promise<BlockRef> {
    return this.callPast(headerCall(number), (header) => parseNumberedHeader(number, header), 0);
  }

  /** The parsed result of a call about a past block. All calls of a tick are one batch; those that fail go on alone. */
  callPast<T>(call: RpcCall, parse: (result: unknown) => T, gas: number): Promise<T> {
    return this.settlePast(call, (outcome) => parse(requireResult(outcome)), gas);
  }

  /** Like {@link callPast}, but `parse` gets the outcome: a result or an error. */
  async settlePast<T>(call: RpcCall, parse: (outcome: unknown) => T, gas: number): Promise<T> {
    return (await this.#askPast({ call, parse, gas }))() as T;
  }

  /** Returns for each question a function that returns its parsed answer, or throws. */
  async #readPast(questions: readonly PastQuestion[]): Promise<(() => unknown)[]> {
    const values = new Map<PastQuestion, unknown>();
    const errors = new Map<PastQuestion, unknown>();
    const open = () => questions.filter((question) => !values.has(question));
    const size = Math.max(1, questions.reduce((sum, { gas }) => sum + gas, 0) / GAS_OF_AN_ATTEMPT);
    const readOpen = async (provider: Provider, timeoutMs: number) => {
      const asked = open();
      const calls = asked.map(({ call }) => call);
      const outcomes = await this.#outcomes(provider, calls, timeoutMs);
      for (const [place, question] of asked.entries()) {
        // Another provider may have answered meanwhile.
        if (values.has(question)) continue;
        try {
          values.set(question, parsedOrFailure(outcomes[place], question.parse));
        } catch (error) {
          errors.set(question, error);
        }
      }
      const left = open().map((question) => errors.get(question));
      const error = left.find((each) => each instanceof RpcTooLarge && each.mayDivide) ?? left[0];
      if (error) throw error;
    };
    const failure: unknown = await this.failover.request(readOpen, size).catch((error) => error);
    return questions.map((question) => () => {
      if (values.has(question)) return values.get(question);
      const own = errors.get(question);
      // The request may have ended with another call's size.
      const isOthers = failure instanceof RpcTooLarge && own !== undefined && !(own instanceof RpcTooLarge);
      throw isOthers ? sourceUnavailable({ cause: own }) : failure;
    });
  }

  async #outcomes(provider: Provider, calls: readonly RpcCall[], timeoutMs: number): Promise<unknown[]> {
    const isVerified = this.#verified.has(provider);
    const sent = isVerified ? calls : [{ method: 'eth_chainId', params: [] }, ...calls];
    const outcomes = await provider.send(sent, timeoutMs, this.#options.isPatient);
    if (isVerified) return outcomes;
    const actual = parsedOrFailure(requireResult(outcomes.shift()), parseQuantity);
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
    const isAhead = head.timestamp - this.#options.clock.now() / 1_000 > MAX_HEAD_LEAD;
    if (isAhead && this.#options.maxHeadAgeSeconds > 0) throw new RangeError('a head ahead of the clock');
    return head;
  }
}

/**
 * Returns a function that collects the questions of one tick, which `answerAll` answers together, in their order. It
 * resolves to the answer of its question, or rejects with the error of `answerAll`.
 */
export function tickBatch<Question, Answer>(answerAll: (questions: Question[]) => Promise<readonly Answer[]>) {
  let questions: Question[] = [];
  let answers: Promise<readonly Answer[]> | undefined;
  return async (question: Question): Promise<Answer> => {
    answers ??= setImmediate().then(() => {
      const asked = questions;
      questions = [];
      answers = undefined;
      return answerAll(asked);
    });
    const place = questions.push(question) - 1;
    return (await answers)[place] as Answer;
  };
}
