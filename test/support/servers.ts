import { createServer, type RequestListener } from 'node:http';
import { afterEach } from '@jest/globals';
import { type LocalServer, listen } from '../../infra/devnet/listen.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';

/** Call it at the top of a test file. Whatever is passed to the returned function is stopped after the current test. */
export function stoppedAfterEach(): <T extends Pick<LocalServer, 'stop'>>(started: T) => T {
  const running: Pick<LocalServer, 'stop'>[] = [];
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

/** A URL that refuses connections: its port was in use a moment ago, and is now free. */
export async function deadUrl(): Promise<string> {
  const server = await startServer(() => {});
  await server.stop();
  return server.url;
}
