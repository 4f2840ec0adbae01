import { createServer, request } from 'node:http';
import { type LocalServer, listen } from '../local/listen.ts';

export interface CountingProxy extends LocalServer {
  /** HTTP requests passed on since the last reset. */
  requests: number;
}

/** Stands in front of a chain endpoint, counts the requests and adds a latency. */
export async function startCountingProxy(upstream: string, latencyMs = 0): Promise<CountingProxy> {
  const server = createServer((incoming, outgoing) => {
    proxy.requests += 1;
    const onward = request(upstream, { method: incoming.method, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      setTimeout(() => answer.pipe(outgoing), latencyMs);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  const proxy: CountingProxy = { ...(await listen(server)), requests: 0 };
  return proxy;
}
