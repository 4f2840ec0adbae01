import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** An error answered by the node itself, e.g. a revert (code 3, with the revert data). */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(method: string, error: { code: number; message: string; data?: unknown }) {
    super(`${method}: ${error.message}`);
    this.name = 'RpcError';
    this.code = error.code;
    this.data = error.data;
  }
}

export type RpcRequest = [method: string, ...params: unknown[]];

/** A JSON-RPC client of a local node. `batch` sends all requests in one HTTP request and answers in their order. */
export interface Rpc {
  send(...request: RpcRequest): Promise<unknown>;
  batch(requests: RpcRequest[]): Promise<unknown[]>;
  close(): void;
}

interface RpcReply {
  id: number;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/** One keep-alive connection, because the history is thousands of small requests one after the other. */
export function connect(url: string): Rpc {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  const headers = { 'content-type': 'application/json' };
  const post = (body: string) =>
    new Promise<string>((resolve, reject) => {
      const outgoing = request(url, { method: 'POST', agent, headers }, (answer) => text(answer).then(resolve, reject));
      outgoing.on('error', reject).end(body);
    });

  const batch = async (requests: RpcRequest[]): Promise<unknown[]> => {
    if (requests.length === 0) return [];
    const calls = requests.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const replies = JSON.parse(await post(JSON.stringify(calls))) as RpcReply[];
    const results: unknown[] = [];
    for (const reply of replies) {
      if (reply.error) throw new RpcError(requests[reply.id]?.[0] ?? 'unknown', reply.error);
      results[reply.id] = reply.result;
    }
    return results;
  };

  return {
    batch,
    send: async (...single) => (await batch([single]))[0],
    close: () => agent.destroy(),
  };
}
