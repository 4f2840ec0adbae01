import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { reservePort } from '../../infra/local/devnet/anvil.ts';
import { type LocalServer, listen } from '../../infra/local/listen.ts';

/** An AWS that runs here: moto's server, with any region and any keys. */
export interface Emulator {
  url: string;
  /** The same for DynamoDB. */
  tablesUrl: string;
  stop(): Promise<void>;
}

/** Starts `command`, moto's server. It takes some seconds: Python loads all of AWS's interfaces. */
export async function startEmulator(command: string): Promise<Emulator> {
  const port = await reservePort(0);
  // Addresses of templates are understood with this name only.
  const url = `http://localhost:${port}`;
  const child = spawn(command, ['--host', 'localhost', '--port', String(port)], {
    env: { ...process.env, MOTO_ALLOW_NONEXISTENT_REGION: 'true' },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await once(child, 'spawn');
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${command} ended with code ${child.exitCode}`);
    const answer = await fetch(`${url}/moto-api/`).catch(() => undefined);
    if (answer?.ok) break;
    await wait(50);
  }
  const queue = await startQueue(url);
  return {
    url,
    tablesUrl: queue.url,
    async stop() {
      await queue.stop();
      child.kill();
      await ended;
    },
  };
}

/** Passes requests on one after the other: DynamoDB decides a condition and writes in one step, moto's threads do not. */
function startQueue(upstream: string): Promise<LocalServer> {
  let last: Promise<unknown> = Promise.resolve();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { 'content-type': type = '', 'x-amz-target': target = '', authorization = '' } = request.headers;
    const headers = { 'content-type': type, 'x-amz-target': String(target), authorization };
    const answered = last.then(async () => {
      const answer = await fetch(upstream, { method: 'POST', headers, body });
      return { status: answer.status, text: await answer.text() };
    });
    last = answered.catch(() => {});
    const { status, text } = await answered;
    response.writeHead(status, { 'content-type': type }).end(text);
  });
  return listen(server);
}
