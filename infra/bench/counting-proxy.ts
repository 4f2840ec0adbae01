import { createServer, request } from 'node:http';
import { type LocalServer, listen } from '../devnet/listen.ts';

export type CountingProxy = LocalServer & { requests: number };

/** A proxy in front of a server that adds a latency, and counts requests. */
export async function startCountingProxy(upstream: string, latencyMs = 0): Promise<CountingProxy> {
  const server = createServer((incoming, outgoing) => {
    proxy.requests += 1;
    // A connection of its own: a kept one may have been closed meanwhile.
    const options = { method: incoming.method, headers: incoming.headers, agent: false };
    const onward = request(upstream, options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      setTimeout(() => answer.pipe(outgoing), latencyMs);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  const proxy: CountingProxy = { ...(await listen(server)), requests: 0 };
  return proxy;
}
