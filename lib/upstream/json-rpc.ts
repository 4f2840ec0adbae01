import { type Endpoint, EndpointFailure } from './failover.ts';
import { sendRequest } from './http.ts';

/** One JSON-RPC call. */
export interface RpcCall {
  method: string;
  params: unknown[] | Record<string, unknown>;
}

/** The endpoint understood the call and the chain refused it (a revert): the same everywhere, so never retried elsewhere. */
export class RpcRevert extends Error {
  /** ABI-encoded revert data, `0x` when there is none. */
  readonly data: string;

  constructor(data: string) {
    super('execution reverted');
    this.name = 'RpcRevert';
    this.data = data;
  }
}

/** The call needs more gas, blocks or bytes than the endpoint allows. The cure is to ask for less at a time. */
export class RpcTooLarge extends Error {
  constructor(options?: ErrorOptions) {
    super('request too large for the endpoint', options);
    this.name = 'RpcTooLarge';
  }
}

const TOO_LARGE =
  /out of gas|gas required exceeds|exceeds? (the )?(block )?gas (limit|allowance)|response (size|is too large)|too large|too many blocks|block range|query returned more than/i;
const REVERTED = /revert/i;
/** An endpoint that keeps no old states, or is a block behind, is still good for other calls: no penalty. */
const NO_STATE =
  /missing trie node|historical state|state .*not available|header not found|unknown block|block not found|pruned/i;
/** JSON-RPC's code for a method that an endpoint does not offer, which says nothing about the others: no penalty either. */
const NO_SUCH_METHOD = -32_601;
/** JSON-RPC codes that mean "not now, not here", whatever the text beside them says. */
const THROTTLED = new Set([429, -32005, -32603]);

interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/**
 * Sends the calls as one HTTP request (a JSON-RPC batch when there are several) and returns, in order, each one's result or
 * the error it stands for: {@link RpcRevert} and {@link RpcTooLarge} for what would be the same everywhere,
 * {@link EndpointFailure} for what another endpoint may do better. Throws the latter if there was no answer at all.
 */
export async function sendRpc(endpoint: Endpoint, calls: readonly RpcCall[], timeoutMs: number): Promise<unknown[]> {
  const payload = calls.map((call, index) => ({ jsonrpc: '2.0', id: index, ...call }));
  const answers = await post(endpoint, payload.length === 1 ? payload[0] : payload, timeoutMs);
  if (!Array.isArray(answers))
    return calls.map((_, index) => outcomeOf(index === 0 || isError(answers) ? answers : undefined));
  return calls.map((_, index) => outcomeOf(answers.find((answer) => answer?.id === index)));
}

interface RpcAnswer {
  id: number;
  result?: unknown;
  error?: RpcError;
}

function isError(answer: unknown): boolean {
  return Boolean((answer as RpcAnswer | null)?.error);
}

function outcomeOf(answer: unknown): unknown {
  const { error, result } = (answer ?? {}) as Partial<RpcAnswer>;
  if (error) return classify(error);
  return result === undefined ? new EndpointFailure('incomplete') : result;
}

async function post(endpoint: Endpoint, json: unknown, timeoutMs: number): Promise<unknown> {
  const { status, text } = await sendRequest({ url: endpoint.url, json, timeoutMs });
  if (status === 413) throw new RpcTooLarge();
  if (status === 429 || status >= 500) throw new EndpointFailure(`http_${status}`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new EndpointFailure(status === 200 ? 'not_json' : `http_${status}`);
  }
  // Some nodes send a JSON-RPC error with a 4xx status: the error says more than the status.
  if (status !== 200 && !isError(body)) throw new EndpointFailure(`http_${status}`);
  return body;
}

function classify({ code, message, data }: RpcError): Error {
  const text = withoutUrls(String(message)).slice(0, 200);
  if (THROTTLED.has(code)) return new EndpointFailure(`rpc_${code}`);
  if (code === 3 || REVERTED.test(text)) return new RpcRevert(typeof data === 'string' ? data : '0x');
  if (TOO_LARGE.test(text)) return new RpcTooLarge({ cause: new Error(text) });
  const cause = new Error(text);
  if (code === NO_SUCH_METHOD) return new EndpointFailure('no_method', { cause, penaltyMs: 0 });
  return NO_STATE.test(text)
    ? new EndpointFailure('no_state', { cause, penaltyMs: 0 })
    : new EndpointFailure(`rpc_${code}`, { cause });
}

/** Some gateways quote the address they were called at, key included. */
function withoutUrls(text: string): string {
  return text.replace(/\b\w+:\/\/\S+/g, '<url>');
}
