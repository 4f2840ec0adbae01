import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type LocalServer, listen } from '../devnet/listen.ts';

interface Call {
  id: number;
  method: string;
  // biome-ignore lint/suspicious/noExplicitAny: parameters of JSON-RPC, which differ by method
  params: any[];
}

/** A provider's limits of one request. */
interface Limits {
  mostCalls?: number;
  mostBytes?: number;
}

interface RpcServer extends LocalServer {
  /** Requests so far. */
  requests(): number;
}

/** Starts a JSON-RPC server. `answer` gives the `result` or the `error` of a call. */
export async function startRpcServer(
  answer: (method: Call['method'], params: Call['params']) => object | Promise<object>,
  { mostCalls = Number.POSITIVE_INFINITY, mostBytes = Number.POSITIVE_INFINITY }: Limits = {},
): Promise<RpcServer> {
  const answerOne = async ({ id, method, params }: Call) => ({ jsonrpc: '2.0', id, ...(await answer(method, params)) });
  let requests = 0;
  const server = createServer(async (request, response) => {
    requests += 1;
    const body = await buffer(request);
    if (body.length > mostBytes) return response.writeHead(413).end();
    const asked: Call | Call[] = JSON.parse(body.toString());
    if (Array.isArray(asked) && asked.length > mostCalls) return response.writeHead(400).end();
    const answered = Array.isArray(asked) ? await Promise.all(asked.map(answerOne)) : await answerOne(asked);
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(answered));
  });
  return { ...(await listen(server)), requests: () => requests };
}
