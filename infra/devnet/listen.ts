import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const NO_SUCH_ADDRESS = new Set<string | undefined>(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

export interface LocalServer {
  /** http://127.0.0.1:<port> */
  url: string;
  /** Aborts the requests that are still unanswered. */
  stop(): Promise<void>;
}

/**
 * Makes a server listen on 127.0.0.1, on a free port unless one is given. Rejects if the port is taken. A stop waits a
 * while for pending requests.
 */
export async function listen(server: Server, port = 0, patienceMs = 0): Promise<LocalServer> {
  if (port > 0) await requireFreePort(port);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      // The DynamoDB engine calls back later than it emits `close`: when its files are closed, too.
      const closed = new Promise((resolve) => server.close(resolve));
      const timer = setTimeout(() => server.closeAllConnections(), patienceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

/**
 * Rejects with EADDRINUSE if a program listens on this port at an address of `localhost`, IPv6 included: clients try that
 * address first, and would talk to the other program.
 */
export async function requireFreePort(port: number): Promise<void> {
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer().listen(port, host);
    try {
      await once(server, 'listening');
    } catch (error) {
      // A machine without IPv6.
      if (!NO_SUCH_ADDRESS.has((error as NodeJS.ErrnoException).code)) throw error;
      continue;
    }
    await new Promise((closed) => server.close(closed));
  }
}
