import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A program that this process has started and that never outlives it. */
export type Program = ReturnType<typeof startProgram>;

/**
 * Runs the program under a shell with a watch on a pipe that this process holds. When the pipe closes, for any reason (stop,
 * exit, crash, SIGKILL), the watch ends the program, after two seconds by force: no exit handler could promise that. And the shell
 * ends with the program.
 */
const WATCHDOG = [
  'exec 3<&0',
  '"$@" 3<&- & program=$!',
  '{ cat <&3; kill -TERM $program; sleep 2; kill -KILL $program; } > /dev/null 2>&1 & watch=$!',
  'wait $program',
  'kill $watch 2> /dev/null',
].join('\n');

/** Starts the program at `path`; `env` is added to this process's environment. Its output is not shown. */
export function startProgram(path: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn('/bin/sh', ['-c', WATCHDOG, 'sh', path, ...args], {
    // Its own process group: Ctrl-C in the terminal only reaches us, and the program ends after us.
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', resolve).once('error', (error) => {
      complaint = error.message;
      resolve();
    });
  });
  const lines = createInterface({ input: child.stdout });
  return {
    /** The match of the first printed line that matches, or undefined if it ends before printing one. */
    printed: (pattern: RegExp) =>
      new Promise<RegExpExecArray | undefined>((resolve) => {
        lines.once('close', () => resolve(undefined));
        lines.on('line', (line) => {
          const found = pattern.exec(line);
          if (found) resolve(found);
        });
      }),
    async stop() {
      child.stdin.end();
      await ended;
    },
    ended,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    /** The first line of its standard error; empty without one. */
    complaint: () => complaint.split('\n', 1)[0] ?? '',
  };
}
