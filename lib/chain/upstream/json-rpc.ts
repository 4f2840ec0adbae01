import { inspect } from 'node:util';
import type { BlockRef } from '../../values/block.ts';
import { NoState, PENALTY_MS, RpcTooLarge, Throttled, UpstreamFailure } from './failures.ts';
import { sendRequest } from './http.ts';

export type RpcCall = { method: string; params: unknown[] | Record<string, unknown> };

export type BlockTag = 'latest' | number;

export class Reverted extends UpstreamFailure {
  /** Revert data of the contract, 0x-prefixed hex; `0x` if the provider does not return it. */
  readonly data: string;

  constructor(data: string, options?: ErrorOptions) {
    super('reverted', options);
    this.data = data;
  }
}

/** Messages of providers that refuse a request for its gas, bytes or blocks: a smaller one may succeed. */
const TOO_LARGE = new RegExp(
  [
    'out of gas|gas required exceeds|exceeds? (the )?(block )?gas (limit|allowance)|response (size|is too)|too large',
    'too many blocks|blocks? range|number of requested blocks|limited to an? [\\d,]+ range|ranges over [\\d,]+ blocks',
    'range \\d+ exceeds limit|max range|returned more than|exceeds (max results|size limit)',
  ].join('|'),
  'i',
);
/** The same, for its time. The provider may also be slow with everything, so it gets a penalty. */
const TOO_SLOW = /time[d -]*out|took too long|deadline exceeded/i;
const REVERTED = /revert/i;
/** Revert data in a text: some nodes put a word before it. */
const REVERT_DATA = /0x([\da-fA-F]{2})+/;
/** No old states (three lines; dRPC and PublicNode have their own wording), or no block yet (avalanchego, anvil). */
const NO_STATE = new RegExp(
  [
    'missing trie node|historical state|state .*not available|header not found|unknown block|block not found|pruned',
    'no state to seed|state root mismatch',
    '^unknown state|^archive requests require',
    'cannot query unfinalized data|requested (to|from) block \\d+ after last accepted block|missing execution results',
    'range extends beyond current head|BlockOutOfRange',
  ].join('|'),
  'i',
);
/** Words of a rate limit. */
const RATE_LIMIT =
  /rate.?limit|request rate|too many requests|throttl|request (count|limit)|per (second|minute|day)|quota|credits/i;
/** JSON-RPC's code for a method that the provider does not offer. It may answer others, so there is no penalty. */
const NO_SUCH_METHOD = -32_601;
/** JSON-RPC codes that mean "not now, not here", unless the message names a limit or a state. */
const NOT_NOW = new Set<RpcError['code']>([429, -32_005, -32_603]);
/** Mostly a rate limit, but also one of another kind. */
const LIMIT_EXCEEDED = -32_005;

type RpcError = { code: number | 'unknown'; message: string; data: string };
type RpcAnswer = { id?: number | null; result?: unknown; error?: unknown };

/** Codes of JSON-RPC and HTTP. Each is a word in logs, so providers must not be free to invent them. */
const CODE = /^(-32\d{3}|\d{1,3})$/;
/** Maximum characters of an error's message and data that are parsed. */
const MAX_TEXT = 4_000;

/** A batch is too long: dRPC's free plan, with HTTP 500 (https://github.com/hemilabs/ui-monorepo/pull/887), and go-ethereum. */
const TOO_MANY_CALLS = /"message":\s*"batch (?:of more than (\d+)|too large)/i;

export class BatchRefused extends Error {
  /** Number of calls allowed, if the batch was too long: the provider's number, or at most half of the batch. */
  limit?: number;
}

/**
 * The outcomes of calls, results or errors; several are a batch. Throws an {@link UpstreamFailure} if there are none, and
 * {@link BatchRefused} if the provider does not take the batch.
 */
export async function sendCalls(url: string, calls: readonly RpcCall[], timeoutMs: number): Promise<unknown[]> {
  const payload = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
  if (payload.length === 1) return [parseOutcome(await post(url, payload[0], timeoutMs))];
  const answers = await post(url, payload, timeoutMs).catch((error: unknown) => {
    throw error instanceof UpstreamFailure && error.outcome === 'http_400' ? new BatchRefused() : error;
  });
  // A single answer, or an error without an id, is about the batch as a whole.
  const whole = Array.isArray(answers)
    ? answers.find((answer) => parseError(answer) && (answer.id ?? null) === null)
    : { error: parseError(answers) };
  const error = parseError(whole);
  if (whole) throw error && NOT_NOW.has(error.code) ? classify(error) : new BatchRefused();
  return calls.map((_, id) => parseOutcome((answers as (RpcAnswer | null)[]).find((answer) => answer?.id === id)));
}

/** A provider may send anything, so parts of another type or range are replaced. */
function parseError(answer: unknown): RpcError | undefined {
  const { error } = (answer ?? {}) as RpcAnswer;
  if (!error) return undefined;
  const { code, message, data } = error as Record<string, unknown>;
  // Not JSON: what is nested too deeply could not be written.
  const toText = (any: unknown) => (typeof any === 'string' ? any : inspect(any ?? '')).slice(0, MAX_TEXT);
  const isCode = typeof code === 'number' && CODE.test(String(code));
  return { code: isCode ? code : 'unknown', message: toText(message), data: toText(data) };
}

function parseOutcome(answer: unknown): unknown {
  const { result } = (answer ?? {}) as RpcAnswer;
  const error = parseError(answer);
  if (error) return classify(error);
  if (result === undefined) return new UpstreamFailure('incomplete');
  // A block, or the receipt of a transaction, that the provider does not have: no other result of these calls can be null.
  return result === null ? new NoState() : result;
}

async function post(url: string, json: unknown, timeoutMs: number): Promise<unknown> {
  const { status, headers, text } = await sendRequest({ url, json, timeoutMs });
  const tooMany = Array.isArray(json) && TOO_MANY_CALLS.exec(text);
  if (tooMany) throw Object.assign(new BatchRefused(), { limit: Number(tooMany[1] ?? Math.floor(json.length / 2)) });
  if (status === 413) throw new RpcTooLarge();
  // In seconds. Providers that send a date are rare, and get the same backoff as those that send no header.
  if (status === 429) throw new Throttled('http_429', Number(headers['retry-after']) * 1_000 || undefined);
  if (status >= 500) throw new UpstreamFailure(`http_${status}`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new UpstreamFailure(status === 200 ? 'not_json' : `http_${status}`);
  }
  // Some nodes send a JSON-RPC error with a 4xx status; the error is more specific than the status, unless that is about a key.
  const { code = 'unknown' } = parseError(body) ?? {};
  if (status === 401 || status === 403 || (status !== 200 && code === 'unknown'))
    throw new UpstreamFailure(`http_${status}`);
  return body;
}

/** The failure that an error means. Its text says more than its code: -32005 is a rate limit, or a range that is too long. */
function classify({ code, message, data }: RpcError): Error {
  // Some gateways quote the URL they were called at, key included.
  const cause = new Error(message.replace(/\b\w+:\/\/\S+/g, '<url>').slice(0, 200));
  const text = `${message} ${data}`;
  if (NO_STATE.test(text)) return new NoState({ cause });
  if (code === 3 || REVERTED.test(text)) return new Reverted(REVERT_DATA.exec(data)?.[0] ?? '0x', { cause });
  if (TOO_LARGE.test(text)) return new RpcTooLarge({ cause });
  if (TOO_SLOW.test(text)) return new RpcTooLarge({ cause, penaltyMs: PENALTY_MS });
  const isRateLimit = RATE_LIMIT.test(text) || code === 429;
  if (isRateLimit || code === LIMIT_EXCEEDED) return new Throttled(`rpc_${code}`, undefined, isRateLimit);
  if (code === NO_SUCH_METHOD) return new UpstreamFailure('no_method', { cause, penaltyMs: 0 });
  return new UpstreamFailure(`rpc_${code}`, { cause });
}

/** `toTag(255)` is `"0xff"`. */
export function toTag(block: BlockTag): string {
  return block === 'latest' ? block : `0x${block.toString(16)}`;
}

export function headerCall(block: BlockTag): RpcCall {
  return { method: 'eth_getBlockByNumber', params: [toTag(block), false] };
}

/** The block that the result of a {@link headerCall} describes. Throws if it is not a header. */
export function parseHeader(header: unknown): BlockRef {
  const { number, timestamp } = header as { number: unknown; timestamp: unknown };
  return { number: parseQuantity(number), timestamp: parseQuantity(timestamp) };
}

/** The block with this number that a header describes. Throws if it is not a header, or that of another block. */
export function parseNumberedHeader(number: number, header: unknown): BlockRef {
  const block = parseHeader(header);
  if (block.number !== number) throw new RangeError('the header of another block');
  return block;
}

/** The number in a JSON-RPC quantity such as `0xff`. Throws RangeError for anything else, or above 2^53. */
export function parseQuantity(text: unknown): number {
  const value = typeof text === 'string' && /^0x[\da-fA-F]+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new RangeError('no quantity');
  return value;
}

/** The result of a call. Throws its outcome if that is an error. */
export function requireResult(outcome: unknown): unknown {
  if (outcome instanceof Error) throw outcome;
  return outcome;
}
