import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

/** A program in a process of its own, as a user runs it. */
export interface Run {
  child: ChildProcess;
  /** The output so far: of each stream, and of both together. */
  output: { out: string; err: string; text: string };
  /** Resolves to the exit code once all output has been read; to null if a signal ended the program. */
  code: Promise<number | null>;
}

type Env = Record<string, string | undefined>;

/** Runs a program of this project under this Node. */
export function run(program: string, args: readonly string[] = [], env: Env = process.env): Run {
  return runCommand(process.execPath, [program, ...args], env);
}

export function runCommand(command: string, args: readonly string[], env: Env): Run {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { out: '', err: '', text: '' };
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const) {
    stream.on('data', (data) => {
      output[name] += data;
      output.text += data;
    });
  }
  return { child, output, code: once(child, 'close').then(([code]) => code) };
}

/** Resolves once the output matches. Throws if the program ends before. */
export async function untilPrinted({ child, output }: Run, pattern: RegExp): Promise<void> {
  while (!pattern.test(output.text)) {
    if (child.exitCode !== null) throw new Error(`it ended: ${output.text.slice(-2_000)}`);
    await setTimeout(100);
  }
}

/** The environment without the chain and the tables of the other tests, for a program that starts its own. */
export function withoutTests(): Env {
  const { NODE_OPTIONS, ...env } = process.env;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(AWS|DEVNET|CACHE|HISTORY|LEDGER)_/.test(name)));
}
