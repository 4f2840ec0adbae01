/** Graceful shutdown of `npm start` and of the processes that it starts. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Interval in ms of the check that the parent still runs: no signal reports its end. */
const PARENT_MS = 500;
/** Time limit of stopping, in ms. Parts that still run then end with this process. */
const STOP_MS = 5_000;

/**
 * Calls `stop` and ends this process on a signal, or when the parent process has ended for any reason. The returned
 * function prints a fault, if there is one, and ends the process too. Further requests change nothing: npm passes on the
 * SIGINT that a terminal sends to all processes.
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
