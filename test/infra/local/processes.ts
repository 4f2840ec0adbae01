import { readdirSync, readFileSync } from 'node:fs';

export interface Process {
  pid: number;
  ppid: number;
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
        const ppid = Number(/^PPid:\s*(\d+)$/m.exec(read('status'))?.[1]);
        const args = read('cmdline').split('\0');
        return [{ pid: Number(pid), ppid, args, environment: read('environ').split('\0') }];
      } catch {
        // It has ended in the meantime, or is another user's.
        return [];
      }
    });
}
