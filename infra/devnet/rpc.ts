import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';

export type RpcRequest = [method: string, ...params: unknown[]];

export type Rpc = ReturnType<typeof connect>;

/** A JSON-RPC client of a local node. One connection suffices for the history: thousands of requests, one after the other. */
export function connect(url: string, maxSockets = 1) {
  const agent = new Agent({ keepAlive: true, maxSockets });

  const headers = { 'content-type': 'application/json' };
  /** The answer to a request or a batch that is sent as it is. */
  const post = (body: unknown) =>
    new Promise<unknown>((resolve, reject) => {
      const outgoing = request(url, { method: 'POST', agent, headers }, (answer) => json(answer).then(resolve, reject));
      outgoing.on('error', reject).end(JSON.stringify(body));
    });

  /** Sends all requests in one HTTP request. The results are in their order. */
  const batch = async (requests: RpcRequest[]): Promise<unknown[]> => {
    if (requests.length === 0) return [];
    const calls = requests.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const replies = (await post(calls)) as { id: number; result?: unknown; error?: { message: string } }[];
    const results: unknown[] = [];
    for (const { id, result, error } of replies) {
      if (error) throw new Error(`${requests[id]?.[0]}: ${error.message}`);
      results[id] = result;
    }
    return results;
  };

  return {
    post,
    batch,
    send: async (...single: RpcRequest) => (await batch([single]))[0],
    close: () => agent.destroy(),
  };
}
