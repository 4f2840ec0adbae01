import { setImmediate } from 'node:timers/promises';
import { type Endpoint, EndpointFailure, Failover, type FailoverOptions, LaggingAnswer } from '../upstream/failover.ts';
import { type RpcCall, sendRpc } from '../upstream/json-rpc.ts';

/** A block, as every chain-derived answer names it. */
export interface BlockRef {
  number: number;
  /** Unix seconds. */
  timestamp: number;
}

interface ChainRpcOptions extends FailoverOptions {
  chainId: number;
  /** A head older than this makes its endpoint the last choice; 0 means never. */
  maxHeadAgeSeconds: number;
  /** Called when an endpoint turns out to serve another chain. */
  onWrongChain: (endpoint: string, chainId: number) => void;
}

/** The block that a header of `eth_getBlockByNumber` describes. Throws if it is none. */
export function parseHeader(header: unknown): BlockRef {
  const { number, timestamp } = header as { number: string; timestamp: string };
  const block = { number: Number(number), timestamp: Number(timestamp) };
  if (!Number.isSafeInteger(block.number) || !Number.isSafeInteger(block.timestamp)) throw new RangeError('no header');
  return block;
}

/** JSON-RPC's text form of a number: `toQuantity(255)` is `"0xff"`. */
export function toQuantity(value: number): string {
  return `0x${value.toString(16)}`;
}

/** An endpoint of the wrong chain stays refused for as long as this process lives, far beyond any penalty. */
const FOR_GOOD_MS = 365 * 86_400_000;

/** C-Chain JSON-RPC with failover. Each endpoint has to prove its chain id once, in the same HTTP request as its first call. */
export class ChainRpc {
  readonly failover: Failover;
  readonly #options: ChainRpcOptions;
  /** Endpoints that proved their chain id (true) or have another one (false). */
  readonly #verified = new Map<Endpoint, boolean>();
  /** Blocks whose headers go out at the end of this tick, and what will have come. */
  #wanted: number[] = [];
  #headers: Promise<BlockRef[]> | undefined;

  constructor(urls: readonly string[], options: ChainRpcOptions) {
    this.#options = options;
    this.failover = new Failover('rpc', urls, options);
  }

  /**
   * The parsed result of one call. A result that `parse` throws on counts as the endpoint's failure. With `headOf`, an answer
   * whose head is too old is used only if no endpoint has a fresher one.
   */
  call<T>(
    call: RpcCall,
    { parse, headOf }: { parse: (result: unknown) => T; headOf?: (parsed: T) => BlockRef },
  ): Promise<T> {
    return this.failover.request(async (endpoint, timeoutMs) => {
      const [result] = await this.#send(endpoint, [call], timeoutMs);
      const parsed = parsedOrFailure(result, parse);
      const head = headOf && parsedOrFailure(parsed, headOf);
      if (head && this.#isTooOld(head)) throw new LaggingAnswer(parsed, head.timestamp);
      return parsed;
    });
  }

  /** Asks every endpoint by itself for its latest block, without failover: undefined where one does not answer in time. */
  heads(timeoutMs: number): Promise<{ name: string; latencyMs: number; head: BlockRef | undefined }[]> {
    const getHead = { method: 'eth_getBlockByNumber', params: ['latest', false] };
    return Promise.all(
      this.failover.endpoints.map(async (endpoint) => {
        const started = performance.now();
        const answered = this.#send(endpoint, [getHead], timeoutMs).then(([header]) => parseHeader(header));
        const head = await answered.catch(() => undefined);
        return { name: endpoint.name, latencyMs: performance.now() - started, head };
      }),
    );
  }

  /** A block by its number. Those asked for in the same tick are one HTTP request. */
  async header(number: number): Promise<BlockRef> {
    this.#headers ??= setImmediate().then(() => {
      const numbers = this.#wanted;
      this.#wanted = [];
      this.#headers = undefined;
      return this.#readHeaders(numbers);
    });
    const place = this.#wanted.push(number) - 1;
    return (await this.#headers)[place] as BlockRef;
  }

  /** All of them are answered by the same endpoint. */
  #readHeaders(numbers: readonly number[]): Promise<BlockRef[]> {
    const calls = numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [toQuantity(number), false] }));
    return this.failover.request(async (endpoint, timeoutMs) => {
      const headers = await this.#send(endpoint, calls, timeoutMs);
      return headers.map((header) => parsedOrFailure(header, parseHeader));
    });
  }

  async #send(endpoint: Endpoint, calls: readonly RpcCall[], timeoutMs: number): Promise<unknown[]> {
    const verified = this.#verified.get(endpoint);
    if (verified) return unwrap(await sendRpc(endpoint, calls, timeoutMs));
    if (verified === false) throw new EndpointFailure('wrong_chain', { penaltyMs: FOR_GOOD_MS });
    const [chainId, ...outcomes] = await sendRpc(
      endpoint,
      [{ method: 'eth_chainId', params: [] }, ...calls],
      timeoutMs,
    );
    this.#verify(endpoint, Number(unwrap([chainId])[0]));
    return unwrap(outcomes);
  }

  #verify(endpoint: Endpoint, chainId: number): void {
    const right = chainId === this.#options.chainId;
    this.#verified.set(endpoint, right);
    if (right) return;
    this.#options.onWrongChain(endpoint.name, chainId);
    throw new EndpointFailure('wrong_chain', { penaltyMs: FOR_GOOD_MS });
  }

  #isTooOld({ timestamp }: BlockRef): boolean {
    const { maxHeadAgeSeconds } = this.#options;
    return maxHeadAgeSeconds > 0 && Date.now() / 1000 - timestamp > maxHeadAgeSeconds;
  }
}

function parsedOrFailure<R, T>(result: R, parse: (result: R) => T): T {
  try {
    return parse(result);
  } catch (cause) {
    throw new EndpointFailure('malformed', { cause });
  }
}

/** The results, unless one of the outcomes is an error: then that. */
function unwrap(outcomes: unknown[]): unknown[] {
  const error = outcomes.find((outcome) => outcome instanceof Error);
  if (error) throw error;
  return outcomes;
}
