/** Rows as CSV (RFC 4180): a header, CRLF, an empty cell for an unknown value. */

import { cellText } from '../api/http/csv.ts';
import { type Column, type FileColumn, fileColumns, type Row } from './column.ts';
import { type FileDigest, HashedFile } from './hashed-file.ts';

/** Number of lines that are kept in memory until they are written together. */
const LINES = 1_000;

export class CsvFile {
  readonly #file: HashedFile;
  readonly #columns: readonly FileColumn[];
  #lines: string[];

  constructor(path: string, columns: readonly Column[]) {
    this.#file = new HashedFile(path);
    this.#columns = fileColumns(columns);
    this.#lines = [this.#columns.map(({ name }) => name).join(',')];
  }

  add(row: Row): void {
    const cells = this.#columns.map(({ of, text }) => {
      const value = row[of];
      return value === undefined ? '' : cellText(text(value));
    });
    this.#lines.push(cells.join(','));
    if (this.#lines.length >= LINES) this.#flush();
  }

  close(): FileDigest {
    this.#flush();
    return this.#file.close();
  }

  #flush(): void {
    this.#file.write(this.#lines.map((line) => `${line}\r\n`).join(''));
    this.#lines = [];
  }
}
