import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolder } from '../runtime/create-folder.ts';

/** The hashes of all other files, as `sha256sum --check` reads them. It is written last: a folder without it is not finished. */
export const SUMS = 'SHA256SUMS';
/** Progress of an unfinished export, a line of JSON for each step. */
const UNFINISHED = 'unfinished.jsonl';

/** An export or a folder that cannot be used. The message says what to do. */
export class ArchiveError extends Error {}

export interface ExportedFile {
  path: string;
  bytes: number;
  sha256: string;
  rows?: number | undefined;
}

interface Step {
  step: string;
  files: ExportedFile[];
  value?: unknown;
}

/** Filled step by step (a table, a person); an export that is killed at any time goes on with the first unfinished step. */
export class ExportFolder {
  readonly path: string;
  readonly #unfinished: string;
  readonly #steps: Map<string, Step>;

  /** Throws an {@link ArchiveError} if the folder holds anything but an unfinished export. */
  constructor(path: string) {
    this.path = path;
    this.#unfinished = join(path, UNFINISHED);
    createFolder(path);
    const names = readdirSync(path);
    if (names.includes(SUMS)) throw new ArchiveError(`${path}: holds a finished export; choose another folder`);
    if (names[0] && !names.includes(UNFINISHED)) throw new ArchiveError(`${path}: is not empty; choose another folder`);
    // The last line may be cut off.
    const lines = names.length > 0 ? readFileSync(this.#unfinished, 'utf8').split('\n').slice(0, -1) : [];
    if (lines.length > 0) writeFileSync(this.#unfinished, lines.map((line) => `${line}\n`).join(''));
    this.#steps = new Map(lines.map((line) => JSON.parse(line) as Step).map((step) => [step.step, step]));
  }

  get files(): ExportedFile[] {
    return [...this.#steps.values()].flatMap(({ files }) => files);
  }

  /** Runs a step, unless it is finished. Returns the value that it returned, then or now: JSON. A step that throws leaves no file. */
  async run<Value>(step: string, write: (files: StepFiles) => Promise<Value>): Promise<Value> {
    const done = this.#steps.get(step);
    if (done) return done.value as Value;
    const files = new StepFiles(this.path);
    const value = await write(files).catch((error: unknown) => {
      for (const { path } of files.list()) rmSync(join(this.path, path));
      throw error;
    });
    const line = { step, files: files.list(), value };
    writeFileSync(this.#unfinished, `${JSON.stringify(line)}\n`, { flag: 'a' });
    this.#steps.set(step, line);
    return value;
  }

  /** Writes the hashes, and ends the export. Returns the whole number of files and bytes. */
  finish(): { files: number; bytes: number } {
    const files = this.files.sort((a, b) => (a.path < b.path ? -1 : 1));
    const sums = files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
    writeFileSync(join(this.path, `${SUMS}.new`), sums);
    renameSync(join(this.path, `${SUMS}.new`), join(this.path, SUMS));
    rmSync(this.#unfinished);
    return { files: files.length + 1, bytes: files.reduce((sum, { bytes }) => sum + bytes, Buffer.byteLength(sums)) };
  }
}

export class StepFiles {
  readonly #folder: string;
  readonly #rows = new Map<string, number | undefined>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Appends to a file, which is new in this step. `rows`: the rows of a table in `text`. */
  write(path: string, text: string, rows?: number): void {
    const place = join(this.#folder, path);
    if (!this.has(path)) mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text, { flag: this.has(path) ? 'a' : 'w' });
    this.#rows.set(path, rows === undefined ? undefined : (this.#rows.get(path) ?? 0) + rows);
  }

  has(path: string): boolean {
    return this.#rows.has(path);
  }

  list(): ExportedFile[] {
    return [...this.#rows].map(([path, rows]) => {
      const content = readFileSync(join(this.#folder, path));
      return { path, bytes: content.length, rows, sha256: hash('sha256', content, 'hex') };
    });
  }
}
