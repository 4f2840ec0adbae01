import { createServer, request } from 'node:http';
import { type LocalServer, listen } from '../local/listen.ts';

export interface CountingProxy extends LocalServer {
  /**
   * HTTP requests passed on since the last reset, without those that the AWS SDK retries because the machine is busy.
   */
  requests: number;
  /** Those of them that query a DynamoDB table. */
  queries: number;
}

/** A proxy in front of a chain provider or a table that counts the requests and adds a latency. */
export async function startCountingProxy(upstream: string, latencyMs = 0): Promise<CountingProxy> {
  const server = createServer((incoming, outgoing) => {
    const isRepeated = /attempt=(?!1;)/.test(String(incoming.headers['amz-sdk-request'] ?? ''));
    if (!isRepeated) proxy.requests += 1;
    if (!isRepeated && String(incoming.headers['x-amz-target']).endsWith('.Query')) proxy.queries += 1;
    const onward = request(upstream, { method: incoming.method, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      setTimeout(() => answer.pipe(outgoing), latencyMs);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  const proxy: CountingProxy = { ...(await listen(server)), requests: 0, queries: 0 };
  return proxy;
}
