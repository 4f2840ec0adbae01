import { createServer, request } from 'node:http';
import { type LocalServer, listen } from '../devnet/listen.ts';

export type CountingProxy = LocalServer & { requests: number; queries: number };

/** A proxy in front of a chain provider or a table that adds a latency, and counts requests without the SDK's retries. */
export async function startCountingProxy(upstream: string, latencyMs = 0): Promise<CountingProxy> {
  const server = createServer((incoming, outgoing) => {
    const isRepeated = /attempt=(?!1;)/.test(String(incoming.headers['amz-sdk-request'] ?? ''));
    if (!isRepeated) proxy.requests += 1;
    if (!isRepeated && String(incoming.headers['x-amz-target']).endsWith('.Query')) proxy.queries += 1;
    // A connection of its own: a kept one may have been closed meanwhile.
    const options = { method: incoming.method, headers: incoming.headers, agent: false };
    const onward = request(upstream, options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      setTimeout(() => answer.pipe(outgoing), latencyMs);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  // `queries` are those of a DynamoDB table.
  const proxy: CountingProxy = { ...(await listen(server)), requests: 0, queries: 0 };
  return proxy;
}
