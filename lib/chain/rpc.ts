import { setImmediate } from 'node:timers/promises';
import { BlockLost, sourceUnavailable } from '../runtime/errors.ts';
import type { BlockRef } from '../values/block.ts';
import { BackgroundFailover, ClientFailover, type Failover, type FailoverOptions } from './upstream/failover.ts';
import {
  NoState,
  PENALTY_MS,
  parsedOrFailure,
  RpcTooLarge,
  StaleAnswer,
  UpstreamFailure,
} from './upstream/failures.ts';
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
  /** Called if this machine's clock is late, with the seconds. */
  onLateClock: (seconds: number) => void;
}

export interface RpcRequest<T> {
  calls: readonly RpcCall[];
  /** Parses the calls' outcomes: results or errors. If it throws, the provider has failed. */
  parse: (outcomes: unknown[], provider: Provider) => T;
  /** Maximum gas of the calls. */
  gas?: number;
  /** The provider that has named the block of these calls: one that lacks it itself has failed. */
  namedBy?: Provider | undefined;
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
  readonly #batch = tickBatch((requests: readonly RpcRequest<unknown>[]) => this.#sendAll(requests));
  /** Seconds by which the providers' heads were ahead of this machine's clock. */
  readonly #leads = new Map<Provider, number>();
  #lostUntil = Number.NEGATIVE_INFINITY;

  constructor(providers: readonly (string | Provider)[], options: ChainRpcOptions) {
    this.#options = options;
    this.failover = new (options.isPatient ? BackgroundFailover : ClientFailover)('rpc', providers, options);
  }

  only(provider: Provider): ChainRpc {
    return new ChainRpc([provider], this.#options);
  }

  /** True for a while after a block was lost: providers, or the nodes behind one address, have different heads. */
  get hasLostBlock(): boolean {
    return this.#options.clock.now() < this.#lostUntil;
  }

  /** The parsed answer to some calls. All requests of a tick are one batch. Those that fail go on alone. */
  batch<T>(request: RpcRequest<T>): Promise<T> {
    return this.#batch(request) as Promise<T>;
  }

  /** Like {@link batch}, but alone. */
  send<T>(request: RpcRequest<T>): Promise<T> {
    return this.#sendAll([request])[0] as Promise<T>;
  }

  /** A block by its number. */
  header(number: number): Promise<BlockRef> {
    return this.batch({
      calls: [headerCall(number)],
      parse: ([header]) => parseNumberedHeader(number, requireResult(header)),
    });
  }

  head(): Promise<BlockRef> {
    return this.batch({
      calls: [headerCall('latest')],
      parse: ([header], provider) => {
        const head = parseHeader(requireResult(header));
        return this.requireFresh(head, head, provider);
      },
    });
  }

  /** The answer that was read at a head. For `parse`: one whose head is too old is used only if no provider has a fresher one. */
  requireFresh<T>(answer: T, head: BlockRef, provider: Provider): T {
    const { lead } = this.#plausible(head, provider);
    const { maxHeadAgeSeconds, onHead } = this.#options;
    onHead(head);
    if (maxHeadAgeSeconds > 0 && -lead > maxHeadAgeSeconds) throw new StaleAnswer(answer, head.timestamp);
    return answer;
  }

  /** Asks every provider for its latest block, without failover; undefined for those that do not answer in time. */
  async heads(timeoutMs: number): Promise<{ name: string; latencyMs: number; head: BlockRef | undefined }[]> {
    const read = this.failover.providers.map(async (provider) => {
      const started = performance.now();
      const [header] = await this.#outcomes(provider, [headerCall('latest')], timeoutMs).catch(() => []);
      const latencyMs = performance.now() - started;
      const check = () => {
        try {
          return this.#plausible(parseHeader(header), provider).head;
        } catch {
          return undefined;
        }
      };
      // A late clock is detected once all providers have answered.
      check();
      return { name: provider.name, latencyMs, check };
    });
    return (await Promise.all(read)).map(({ check, ...provider }) => ({ ...provider, head: check() }));
  }

  /** The parsed answers to some requests, each as soon as a provider has it. */
  #sendAll(requests: readonly RpcRequest<unknown>[]): Promise<unknown>[] {
    const pending = requests.map((request) => ({ request, error: undefined as unknown, ...Promise.withResolvers() }));
    const open = new Set(pending);
    const sendOpen = async (provider: Provider, timeoutMs: number) => {
      const sent = [...open];
      const calls = sent.flatMap(({ request }) => request.calls);
      const outcomes = await this.#outcomes(provider, calls, timeoutMs);
      const failures: unknown[] = [];
      for (const item of sent) {
        const { request } = item;
        const answers = outcomes.splice(0, request.calls.length);
        // Another provider may have answered meanwhile.
        if (!open.has(item)) continue;
        try {
          item.resolve(parsedOrFailure(answers, (results) => request.parse(results, provider)));
          open.delete(item);
        } catch (error) {
          const isOwnBlock = error instanceof NoState && request.namedBy === provider;
          const failure = isOwnBlock ? new NoState({ cause: error, penaltyMs: PENALTY_MS }) : error;
          failures.push(failure);
          // An answer that is stale is better than none, and a fresher one better.
          const least = item.error instanceof StaleAnswer ? item.error.headTime : Number.NEGATIVE_INFINITY;
          if (failure instanceof StaleAnswer ? failure.headTime > least : least < 0) item.error = failure;
        }
      }
      const error = failures.find((each) => each instanceof RpcTooLarge && each.mayDivide) ?? failures[0];
      if (error) throw error;
    };
    const gas = requests.reduce((sum, request) => sum + (request.gas ?? 0), 0);
    this.failover.request(sendOpen, Math.max(1, gas / GAS_OF_AN_ATTEMPT)).catch((failure: unknown) => {
      for (const { request, error, resolve, reject } of open) {
        const isLost = request.namedBy !== undefined && error instanceof NoState;
        if (isLost) this.#lostUntil = this.#options.clock.now() + PENALTY_MS;
        // The batch may have ended with another call's size.
        const isOthers = failure instanceof RpcTooLarge && error !== undefined && !(error instanceof RpcTooLarge);
        if (error instanceof StaleAnswer) resolve(error.answer);
        else if (isLost) reject(new BlockLost(failure));
        else reject(isOthers ? sourceUnavailable({ cause: error }) : failure);
      }
    });
    return pending.map(({ promise }) => promise);
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

  /** A head, and the seconds by which it is ahead. Throws RangeError if it is too far: its values would count as the newest. */
  #plausible(head: BlockRef, provider: Provider) {
    if (head.number === 0 || head.timestamp === 0) throw new RangeError('the genesis block as head');
    const { clock, maxHeadAgeSeconds, onLateClock } = this.#options;
    const lead = head.timestamp - clock.unix() / 1_000;
    if (maxHeadAgeSeconds === 0) return { head, lead };
    this.#leads.set(provider, lead);
    // If all providers are ahead, it is this machine's clock that is late.
    const least = Math.min(...this.failover.providers.map((each) => this.#leads.get(each) ?? 0));
    const late = least > MAX_HEAD_LEAD ? least : 0;
    if (late > 0) onLateClock(Math.round(late));
    if (lead - late > MAX_HEAD_LEAD) throw new RangeError('a head ahead of the clock');
    return { head, lead: lead - late };
  }
}

/** Returns a function that collects the questions of one tick, which `answerAll` answers together, in their order. */
export function tickBatch<Question, Answer>(answerAll: (questions: readonly Question[]) => readonly Promise<Answer>[]) {
  let questions: Question[] = [];
  let answers: Promise<readonly Promise<Answer>[]> | undefined;
  return async (question: Question): Promise<Answer> => {
    answers ??= setImmediate().then(() => {
      const asked = questions;
      questions = [];
      answers = undefined;
      return answerAll(asked);
    });
    const place = questions.push(question) - 1;
    return (await answers)[place] as Promise<Answer>;
  };
}
