import { createServer, type RequestListener } from 'node:http';
import { afterEach } from '@jest/globals';
import { type LocalServer, listen } from '../../infra/local/listen.ts';
import { closeConnections } from '../../lib/upstream/http.ts';

interface Running {
  stop(): Promise<void>;
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

/** An HTTP server on a free port of 127.0.0.1. */
export function startServer(listener: RequestListener): Promise<LocalServer> {
  return listen(createServer(listener));
}

/** A URL that refuses connections: its port was free a moment ago. */
export async function deadUrl(): Promise<string> {
  const server = await startServer(() => {});
  await server.stop();
  return server.url;
}
