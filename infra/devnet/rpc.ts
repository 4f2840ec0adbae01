import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

export type RpcRequest = [method: string, ...params: unknown[]];

export type Rpc = ReturnType<typeof connect>;

/** A JSON-RPC client of a local node. One keep-alive connection: the history is thousands of small requests one after the other. */
export function connect(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  const headers = { 'content-type': 'application/json' };
  const post = (body: string) =>
    new Promise<string>((resolve, reject) => {
      const outgoing = request(url, { method: 'POST', agent, headers }, (answer) => text(answer).then(resolve, reject));
      outgoing.on('error', reject).end(body);
    });

  /** Sends all requests in one HTTP request. The results are in their order. */
  const batch = async (requests: RpcRequest[]): Promise<unknown[]> => {
    if (requests.length === 0) return [];
    const calls = requests.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const replies: { id: number; result?: unknown; error?: { message: string } }[] = JSON.parse(
      await post(JSON.stringify(calls)),
    );
    const results: unknown[] = [];
    for (const { id, result, error } of replies) {
      if (error) throw new Error(`${requests[id]?.[0]}: ${error.message}`);
      results[id] = result;
    }
    return results;
  };

  return {
    batch,
    send: async (...single: RpcRequest) => (await batch([single]))[0],
    close: () => agent.destroy(),
  };
}
