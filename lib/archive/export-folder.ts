import { createHash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

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
  rows?: number;
}

interface Step {
  step: string;
  files: ExportedFile[];
  /** For later steps. */
  value?: unknown;
}

/** Filled step by step (a table, a person); an export that is killed at any time goes on with the first unfinished step. */
export class ExportFolder {
  readonly path: string;
  readonly #steps: Map<string, Step>;

  /** Throws an {@link ArchiveError} if the folder holds anything but an unfinished export. */
  constructor(path: string) {
    this.path = path;
    mkdirSync(path, { recursive: true });
    const names = readdirSync(path);
    if (names.includes(SUMS)) throw new ArchiveError(`${path}: holds a finished export; choose another folder`);
    if (names.length > 0 && !names.includes(UNFINISHED))
      throw new ArchiveError(`${path}: is not empty; choose another folder`);
    // The last line may be cut off.
    const lines = existsSync(this.#unfinished) ? readFileSync(this.#unfinished, 'utf8').split('\n').slice(0, -1) : [];
    writeFileSync(this.#unfinished, lines.map((line) => `${line}\n`).join(''));
    this.#steps = new Map(lines.map((line) => JSON.parse(line) as Step).map((step) => [step.step, step]));
  }

  get #unfinished(): string {
    return join(this.path, UNFINISHED);
  }

  get files(): ExportedFile[] {
    return [...this.#steps.values()].flatMap(({ files }) => files);
  }

  isDone(step: string): boolean {
    return this.#steps.has(step);
  }

  /** Runs a step, unless it is finished. Returns the value that it returned, then or now: JSON. A step that throws leaves no file. */
  async run<Value>(step: string, write: (files: StepFiles) => Promise<Value>): Promise<Value> {
    const done = this.#steps.get(step);
    if (done) return done.value as Value;
    const files = new StepFiles(this.path);
    const value = await write(files).catch((error: unknown) => {
      for (const { path } of files.close()) rmSync(join(this.path, path));
      throw error;
    });
    const line = { step, files: files.close(), value };
    appendFileSync(this.#unfinished, `${JSON.stringify(line)}\n`);
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
  readonly #open = new Map<string, GrowingFile>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Appends to a file, which is new in this step. `rows`: the rows of a table in `text`. */
  write(path: string, text: string, rows?: number): void {
    const file = this.#open.get(path) ?? new GrowingFile(join(this.#folder, path));
    this.#open.set(path, file);
    file.write(text, rows);
  }

  has(path: string): boolean {
    return this.#open.has(path);
  }

  close(): ExportedFile[] {
    return [...this.#open].map(([path, file]) => ({ path, ...file.close() }));
  }
}

class GrowingFile {
  readonly #file: number;
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #rows: number | undefined;

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.#file = openSync(path, 'w');
  }

  write(text: string, rows?: number): void {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    if (rows !== undefined) this.#rows = (this.#rows ?? 0) + rows;
  }

  close(): Omit<ExportedFile, 'path'> {
    closeSync(this.#file);
    const rows = this.#rows;
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex'), ...(rows !== undefined && { rows }) };
  }
}
