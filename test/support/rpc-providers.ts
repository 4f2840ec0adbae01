import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { LocalServer } from '../../infra/devnet/listen.ts';
import { deadUrl, startServer } from './servers.ts';

/** C-Chain providers on real sockets, each with one fault. Most of them are proxies of a good provider. */

export interface RpcRequest {
  jsonrpc: '2.0';
  id: number;
  method: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever a client sends
  params: any[];
}

export interface RpcProvider extends LocalServer {
  /** HTTP requests received. */
  requests: RpcRequest[][];
}

type Change = (answers: unknown[], requests: RpcRequest[]) => unknown | Promise<unknown>;

/** A provider that receives requests, alone or in batches, and answers as it is told. */
export async function receives(
  answer: (response: ServerResponse, batch: RpcRequest[], isBatch: boolean) => unknown,
): Promise<RpcProvider> {
  const requests: RpcRequest[][] = [];
  const server = await startServer(async (request, response) => {
    const sent = (await json(request)) as RpcRequest | RpcRequest[];
    requests.push([sent].flat());
    await answer(response, [sent].flat(), Array.isArray(sent));
  });
  return { ...server, requests };
}

/** A provider that forwards requests to `upstream` and may change the answers. */
export function proxyTo(upstream: string, change: Change = (answers) => answers): Promise<RpcProvider> {
  return receives(async (response, batch, isBatch) => {
    const changed = await change(await post(upstream, batch), batch);
    const body = isBatch || !Array.isArray(changed) ? changed : changed[0];
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
}

/** A provider that answers every request with the same HTTP response. */
export function alwaysAnswers(status: number, body: string): Promise<RpcProvider> {
  return receives((response) => response.writeHead(status).end(body));
}

export const hangs = () => receives(() => {});

export async function refuses(): Promise<RpcProvider> {
  return { url: await deadUrl(), requests: [], stop: async () => {} };
}

/** Answers HTTP 200 with a JSON-RPC error. */
export function answersRpcError(upstream: string, code: number, message: string): Promise<RpcProvider> {
  return proxyTo(upstream, (_, requests) =>
    requests.map(({ id }) => ({ jsonrpc: '2.0', id, error: { code, message } })),
  );
}

/** Answers each call but that for its chain with these fields instead of the right result. */
export function answersWith(upstream: string, fieldsFor: (result: string) => object): Promise<RpcProvider> {
  return proxyTo(upstream, (answers, requests) =>
    answers.map((good, index) => {
      const { id, method } = requests[index] as RpcRequest;
      const { result } = good as { result: string };
      return method === 'eth_chainId' ? good : { jsonrpc: '2.0', id, ...fieldsFor(result) };
    }),
  );
}

/** Has no states before a block. */
export function forgets(upstream: string, before: number): Promise<RpcProvider> {
  return proxyTo(upstream, (answers, requests) =>
    requests.map(({ id, params }, index) =>
      typeof params[1] === 'string' && Number(params[1]) < before
        ? { jsonrpc: '2.0', id, error: { code: -32_000, message: 'missing trie node 0a1b (path ) <nil>' } }
        : answers[index],
    ),
  );
}

/** Answers only the first half of each batch, and a single call not at all. */
export function answersHalfABatch(upstream: string): Promise<RpcProvider> {
  return proxyTo(upstream, (answers) => answers.slice(0, Math.floor(answers.length / 2)));
}

/** A node behind a provider's address: the latest block that it names, and whether it has the state of a block. */
export interface NodeState {
  head: number;
  has(block: number): boolean;
}

/** Passes each request on to the `next` node of `upstream`, whose own latest block is `newest`. */
export function balances(upstream: string, newest: number, next: () => NodeState): Promise<RpcProvider> {
  const word = (number: number) => number.toString(16).padStart(64, '0');
  return proxyTo(upstream, async (_, requests) => {
    const { head, has } = next();
    const tag = quantity(Math.min(head, newest));
    const isNamed = ({ params }: RpcRequest) => params.some((param) => param === 'latest');
    const answers = await post(upstream, atBlock(requests, tag));
    return answers.map((answer, place) => {
      const request = requests[place] as RpcRequest;
      const { id, method, params } = request;
      const block = Number(params[method === 'eth_getBlockByNumber' ? 0 : 1]);
      if (!isNamed(request) && block >= 0 && !has(block))
        return { id, error: { code: -32_000, message: 'header not found' } };
      const named = JSON.stringify(answer)
        .replace(word(Number(tag)), word(head))
        .replace(`"${tag}"`, `"${quantity(head)}"`);
      return isNamed(request) ? JSON.parse(named) : answer;
    });
  });
}

/** Serves the state of this many blocks ago as the latest. */
export async function lagsBehind(upstream: string, blocks: number): Promise<RpcProvider> {
  const [head] = await post(upstream, [{ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }]);
  const tag = quantity(Number((head as { result: string }).result) - blocks);
  return proxyTo(upstream, (_, requests) => post(upstream, atBlock(requests, tag)));
}

/** Claims to serve another chain. */
export function servesChain(upstream: string, chainId: number): Promise<RpcProvider> {
  return proxyTo(upstream, (answers, requests) =>
    answers.map((answer, index) =>
      requests[index]?.method === 'eth_chainId' ? { ...(answer as object), result: quantity(chainId) } : answer,
    ),
  );
}

const quantity = (number: number) => `0x${number.toString(16)}`;

/** The requests with this block instead of the latest one. */
function atBlock(requests: readonly RpcRequest[], tag: string): RpcRequest[] {
  return requests.map((request) => ({
    ...request,
    params: request.params.map((any) => (any === 'latest' ? tag : any)),
  }));
}

async function post(url: string, batch: readonly RpcRequest[]): Promise<unknown[]> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(batch) })).json() as Promise<unknown[]>;
}
