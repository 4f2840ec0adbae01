import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server of this machine. */
export interface LocalServer {
  /** http://127.0.0.1:<port> */
  url: string;
  /** Cuts off the requests it never answered. */
  stop(): Promise<void>;
}

/**
 * Lets a server listen on 127.0.0.1, at a free port if it is given none. Rejects if the port is taken. Its stop has patience with
 * requests under way.
 */
export async function listen(server: Server, port = 0, patienceMs = 0): Promise<LocalServer> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      const timer = setTimeout(() => server.closeAllConnections(), patienceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}
