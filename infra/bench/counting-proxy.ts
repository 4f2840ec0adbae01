import { createServer, request } from 'node:http';
import { type LocalServer, listen } from '../devnet/listen.ts';

export interface CountingProxy extends LocalServer {
  /**
   * HTTP requests passed on since the last reset, without those that the AWS SDK retries because the machine is busy.
   */
  requests: number;
  /** Requests among them that query a DynamoDB table. */
  queries: number;
  /** Requests that got a 429. */
  refused: number;
}

/**
 * A proxy in front of a chain provider or a table that counts the requests and adds a latency. Its rate limit is
 * `perSecond` requests per second, with a burst of as many.
 */
export async function startCountingProxy(
  upstream: string,
  latencyMs = 0,
  perSecond = Number.POSITIVE_INFINITY,
): Promise<CountingProxy> {
  let [allowance, since] = [perSecond, performance.now()];
  const isAllowed = () => {
    const now = performance.now();
    if (perSecond < Number.POSITIVE_INFINITY)
      allowance = Math.min(perSecond, allowance + ((now - since) * perSecond) / 1_000);
    since = now;
    if (allowance < 1) return false;
    allowance -= 1;
    return true;
  };
  const server = createServer((incoming, outgoing) => {
    const isRepeated = /attempt=(?!1;)/.test(String(incoming.headers['amz-sdk-request'] ?? ''));
    if (!isRepeated) proxy.requests += 1;
    if (!isRepeated && String(incoming.headers['x-amz-target']).endsWith('.Query')) proxy.queries += 1;
    if (!isAllowed()) {
      proxy.refused += 1;
      incoming.resume();
      setTimeout(() => outgoing.writeHead(429).end(), latencyMs);
      return;
    }
    // A connection of its own: a kept one may have been closed meanwhile.
    const options = { method: incoming.method, headers: incoming.headers, agent: false };
    const onward = request(upstream, options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      setTimeout(() => answer.pipe(outgoing), latencyMs);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  const proxy: CountingProxy = { ...(await listen(server)), requests: 0, queries: 0, refused: 0 };
  return proxy;
}
