import { request as httpRequest, type RequestListener } from 'node:http';
import type { LocalServer } from '../../infra/devnet/listen.ts';
import { deadUrl, startServer } from './servers.ts';

/** C-Chain providers on real sockets, each with one fault. Most of them are proxies of a good provider. */

interface RpcRequest {
  jsonrpc: '2.0';
  id: number;
  method: string;
  params: unknown[];
}

export interface RpcProvider extends LocalServer {
  /** HTTP requests received. */
  requests: RpcRequest[][];
}

type Change = (answers: unknown[], requests: RpcRequest[]) => unknown | Promise<unknown>;

/** A provider that forwards requests to `upstream` and may change the answers. */
export async function proxyTo(upstream: string, change: Change = (answers) => answers): Promise<RpcProvider> {
  const received: RpcRequest[][] = [];
  const listener: RequestListener = async (request, response) => {
    const sent = JSON.parse(await textOf(request));
    const batch: RpcRequest[] = [sent].flat();
    received.push(batch);
    const answers = await post(upstream, batch);
    const changed = await change(answers, batch);
    const body = Array.isArray(sent) || !Array.isArray(changed) ? changed : changed[0];
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  };
  return { ...(await startServer(listener)), requests: received };
}

/** A provider that answers every request with the same HTTP response. */
export async function alwaysAnswers(status: number, body: string): Promise<RpcProvider> {
  const received: RpcRequest[][] = [];
  const listener: RequestListener = async (request, response) => {
    received.push([JSON.parse(await textOf(request))].flat());
    response.writeHead(status).end(body);
  };
  return { ...(await startServer(listener)), requests: received };
}

export async function hangs(): Promise<RpcProvider> {
  const received: RpcRequest[][] = [];
  const server = await startServer(async (request) => {
    received.push([JSON.parse(await textOf(request))].flat());
  });
  return { ...server, requests: received };
}

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
  const quantity = (number: number) => `0x${number.toString(16)}`;
  return proxyTo(upstream, async (_, requests) => {
    const { head, has } = next();
    const tag = quantity(Math.min(head, newest));
    const isNamed = ({ params }: RpcRequest) => params.some((param) => param === 'latest');
    const sent = requests.map((each) => ({
      ...each,
      params: each.params.map((any) => (any === 'latest' ? tag : any)),
    }));
    const answers = await post(upstream, sent);
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
  const [head] = (await post(upstream, [{ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }])) as {
    result: string;
  }[];
  const tag = `0x${(Number(head?.result) - blocks).toString(16)}`;
  return proxyTo(upstream, async (_, requests) =>
    post(
      upstream,
      requests.map((request) => ({
        ...request,
        params: request.params.map((param) => (param === 'latest' ? tag : param)),
      })),
    ),
  );
}

/** Claims to serve another chain. */
export function servesChain(upstream: string, chainId: number): Promise<RpcProvider> {
  return proxyTo(upstream, (answers, requests) =>
    answers.map((answer, index) =>
      requests[index]?.method === 'eth_chainId'
        ? { ...(answer as object), result: `0x${chainId.toString(16)}` }
        : answer,
    ),
  );
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function post(url: string, batch: readonly RpcRequest[]): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json' } },
      async (response) => {
        resolve(JSON.parse(await textOf(response)));
      },
    );
    request.on('error', reject);
    request.end(JSON.stringify(batch));
  });
}
