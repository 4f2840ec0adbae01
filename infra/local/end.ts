/** Graceful shutdown of `npm start` and of the processes that it starts. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** How often is looked whether the parent is still there: no signal tells of its end. */
const PARENT_MS = 500;
/** How long stopping may take. What still runs then ends with this process. */
const STOP_MS = 5_000;

/**
 * Stops what was started and ends this process when a signal asks for it, or when the process that started this one has ended, for
 * whatever reason. The returned function ends it because of a fault, which it prints. Further requests change nothing: npm passes on the
 * SIGINT that a terminal sends to all.
 */
export function endsOnRequest(stop: () => Promise<void>): (fault?: string) => Promise<void> {
  let isEnding = false;
  const end = async (fault?: string) => {
    if (isEnding) return;
    isEnding = true;
    const code = fault === undefined ? 0 : 1;
    if (fault !== undefined) console.error(fault);
    setTimeout(() => process.exit(code), STOP_MS);
    // After a fault, not everything can be stopped.
    await stop().finally(() => process.exit(code));
  };
  for (const signal of SIGNALS) process.on(signal, () => end());
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || end(), PARENT_MS).unref();
  return end;
}

/** Ends a process and waits until it has ended, if it has not. */
export async function endProcess(process: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (!isRunning(process)) return;
  process.kill(signal);
  await once(process, 'exit');
}

export function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}
