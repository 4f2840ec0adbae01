import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from '@jest/globals';
import { closeConnections } from '../../lib/upstream/http.ts';

interface Running {
  stop(): Promise<void>;
}

export interface TestServer extends Running {
  url: string;
}

/** For the head of a test file: what goes through the returned function is stopped after the test that started it. */
export function stoppedAfterEach(): <T extends Running>(started: T) => T {
  const running: Running[] = [];
  afterEach(async () => {
    closeConnections();
    await Promise.all(running.splice(0).map((started) => started.stop()));
  });
  return (started) => {
    running.push(started);
    return started;
  };
}

/** An HTTP server on a free port of 127.0.0.1. Stopping it cuts off the requests it never answered. */
export async function startServer(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A URL that refuses connections: its port was free a moment ago. */
export async function deadUrl(): Promise<string> {
  const server = await startServer(() => {});
  await server.stop();
  return server.url;
}
