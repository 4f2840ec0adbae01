import { request as httpRequest, type RequestListener } from 'node:http';
import { deadUrl, startServer, type TestServer } from './servers.ts';

/** C-Chain endpoints, each good or bad in one way, on real sockets. A bad one stands in front of a good one. */

interface RpcRequest {
  id: number;
  method: string;
  params: unknown[];
}

export interface RpcEndpoint extends TestServer {
  /** HTTP requests received. */
  requests: RpcRequest[][];
}

type Change = (answers: unknown[], requests: RpcRequest[]) => unknown;

/** An endpoint that passes requests on to `upstream` and may change the answers. */
export async function proxyTo(upstream: string, change: Change = (answers) => answers): Promise<RpcEndpoint> {
  const received: RpcRequest[][] = [];
  const listener: RequestListener = async (request, response) => {
    const sent = JSON.parse(await textOf(request));
    const batch: RpcRequest[] = [sent].flat();
    received.push(batch);
    const answers = await post(upstream, batch);
    const changed = change(answers, batch);
    const body = Array.isArray(sent) || !Array.isArray(changed) ? changed : changed[0];
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  };
  return { ...(await startServer(listener)), requests: received };
}

/** An endpoint that answers everything with the same HTTP response, without looking at it. */
export async function alwaysAnswers(status: number, body: string): Promise<RpcEndpoint> {
  const received: RpcRequest[][] = [];
  const listener: RequestListener = async (request, response) => {
    received.push([JSON.parse(await textOf(request))].flat());
    response.writeHead(status).end(body);
  };
  return { ...(await startServer(listener)), requests: received };
}

export async function hangs(): Promise<RpcEndpoint> {
  const received: RpcRequest[][] = [];
  const server = await startServer(async (request) => {
    received.push([JSON.parse(await textOf(request))].flat());
  });
  return { ...server, requests: received };
}

export async function refuses(): Promise<RpcEndpoint> {
  return { url: await deadUrl(), requests: [], stop: async () => {} };
}

/** Answers HTTP 200 with a JSON-RPC error. */
export function answersRpcError(upstream: string, code: number, message: string): Promise<RpcEndpoint> {
  return proxyTo(upstream, (_, requests) =>
    requests.map(({ id }) => ({ jsonrpc: '2.0', id, error: { code, message } })),
  );
}

/** Answers the first half of each batch, and nothing of a single call. */
export function answersHalfABatch(upstream: string): Promise<RpcEndpoint> {
  return proxyTo(upstream, (answers) => answers.slice(0, Math.floor(answers.length / 2)));
}

/** Claims to serve another chain. */
export function servesChain(upstream: string, chainId: number): Promise<RpcEndpoint> {
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

function post(url: string, batch: RpcRequest[]): Promise<unknown[]> {
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
