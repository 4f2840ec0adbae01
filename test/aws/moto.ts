import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { LocalServer } from '../../infra/devnet/listen.ts';
import { freePort } from '../support/free-port.ts';

/** Starts moto's server, an AWS emulator that accepts any keys. Takes some seconds: Python loads the interfaces of all AWS services. */
export async function startMoto(): Promise<LocalServer> {
  const port = await freePort();
  // moto recognises the URLs of templates only with this host name.
  const url = `http://localhost:${port}`;
  const child = spawn('test/aws/emulator.py', ['--host', 'localhost', '--port', String(port)], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await once(child, 'spawn');
  while (!(await fetch(`${url}/moto-api/`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`moto ended with code ${child.exitCode}`);
    await wait(50);
  }
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { url, stop };
}
