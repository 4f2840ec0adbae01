import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { isRunning } from '../local/end.ts';

/** A server in a process of its own. */
export interface Server {
  process: ChildProcess;
  url: string;
}

const PATIENCE_MS = 180_000;
const PAUSE_MS = 50;

/** Resolves when a path is answered with success. Rejects if that takes minutes, or the process ends. */
export async function answered({ process, url }: Server, path: string): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  while (Date.now() < until && isRunning(process)) {
    const isAnswered = await fetch(url + path).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isAnswered) return;
    await setTimeout(PAUSE_MS);
  }
  throw new Error(`No answer to ${path} from ${process.spawnargs.join(' ')}`);
}

/** The next message of a process. Rejects if the process ends instead. */
export async function messageOf<T>(process: ChildProcess): Promise<T> {
  const [message] = await Promise.race([once(process, 'message'), once(process, 'exit').then(() => [])]);
  if (message === undefined) throw new Error(`No message from ${process.spawnargs.join(' ')}`);
  return message;
}
