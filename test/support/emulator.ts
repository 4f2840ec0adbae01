import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, type LocalServer, listen } from '../../infra/devnet/listen.ts';

/** An AWS emulator on this machine: moto's server, which accepts any region and any keys. */
export interface Emulator {
  url: string;
  /** The URL for DynamoDB. */
  tablesUrl: string;
  stop(): Promise<void>;
}

/** Starts `command`, moto's server. Takes some seconds, because Python loads the interfaces of all AWS services. */
export async function startEmulator(command: string): Promise<Emulator> {
  const port = await freePort();
  // moto recognises the URLs of templates only with this host name.
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

/** Forwards requests one at a time: unlike DynamoDB, moto does not check a condition and write atomically. */
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
