import { readdirSync, readFileSync } from 'node:fs';

export interface Process {
  pid: number;
  args: string[];
  /** NAME=value */
  environment: string[];
}

/** The processes of this machine, read from Linux's /proc: not every machine has `ps`. */
export function allProcesses(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
      try {
        const args = read('cmdline').split('\0');
        return [{ pid: Number(pid), args, environment: read('environ').split('\0') }];
      } catch {
        // It has ended in the meantime, or is another user's.
        return [];
      }
    });
}
