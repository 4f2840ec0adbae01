import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CountingProxy {
  url: string;
  /** HTTP requests passed on since the last reset. */
  requests: number;
  stop(): void;
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: CountingProxy = {
    url: `http://127.0.0.1:${port}`,
    requests: 0,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return proxy;
}
