import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The next message of a process. Rejects if the process ends instead. */
export async function messageOf<T>(process: ChildProcess): Promise<T> {
  const [message] = await Promise.race([once(process, 'message'), once(process, 'exit').then(() => [])]);
  if (message === undefined) throw new Error(`No message from ${process.spawnargs.join(' ')}`);
  return message;
}
