import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { reservePort } from '../../infra/local/devnet/anvil.ts';

/** An AWS that runs here: moto's server, with any region and any keys. */
export interface Emulator {
  url: string;
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
  return {
    url,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
