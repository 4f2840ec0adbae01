import { hash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { WEBSITE } from '../../lib/archive/bundle.ts';
import { HashedFile } from '../../lib/archive/hashed-file.ts';
import type { ArchiveFile } from '../../lib/archive/manifest.ts';

const UNFINISHED = `${WEBSITE}.unfinished`;

/**
 * The files of a website, written unit by unit (a person, a node). The hashes of a unit's files are appended to one file once all of
 * them are written, so an interrupted export goes on with the next unit.
 */
export class SiteFiles {
  readonly #folder: string;
  readonly #done: Set<string>;

  constructor(folder: string) {
    this.#folder = folder;
    const written = existsSync(this.#unfinished) ? readFileSync(this.#unfinished, 'utf8') : '';
    this.#done = new Set(written.split('\n').flatMap((line) => (line.startsWith('# ') ? line.slice(2) : [])));
  }

  get #unfinished(): string {
    return join(this.#folder, UNFINISHED);
  }

  isDone(unit: string): boolean {
    return this.#done.has(unit);
  }

  begin(name: string) {
    const lines: string[] = [];
    return {
      write: (path: string, text: string) => {
        const file = join(this.#folder, path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
        lines.push(`${hash('sha256', text)}  ${path}\n`);
      },
      end: () => appendFileSync(this.#unfinished, `${lines.join('')}# ${name}\n`),
    };
  }

  /** Ends the file with the hashes, which `sha256sum --check` reads. */
  close(): ArchiveFile {
    const lines = readFileSync(this.#unfinished, 'utf8')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'));
    // A unit that was interrupted at its end is there twice.
    const sorted = [...new Set(lines)].sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1));
    const file = new HashedFile(this.#unfinished);
    for (const line of sorted) file.write(`${line}\n`);
    const digest = file.close();
    renameSync(this.#unfinished, join(this.#folder, WEBSITE));
    return { name: WEBSITE, ...digest };
  }
}
