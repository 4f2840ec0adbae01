import { join } from 'node:path';
import type { Row } from './column.ts';
import { CsvFile } from './csv-file.ts';
import type { ArchiveFile } from './manifest.ts';
import { ParquetFile } from './parquet-file.ts';
import type { TableSpec } from './table-spec.ts';

/** The files of one table: one per format or, if the table is split by year, one per format and year. */
export class TableFiles {
  readonly #folder: string;
  readonly #kind: TableSpec;
  readonly #open = new Map<string, TableFile>();

  constructor(folder: string, kind: TableSpec) {
    this.#folder = folder;
    this.#kind = kind;
    if (!kind.yearOf) this.#openFile(kind.name);
  }

  add(row: Row): void {
    const { name, yearOf } = this.#kind;
    this.#openFile(yearOf ? `${name}-${yearIn(row[yearOf] as number)}` : name).add(row);
  }

  close(): ArchiveFile[] {
    const files = [...this.#open].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, file]) => file.close());
    return files.map((file) => ({ kind: this.#kind.name, ...file }));
  }

  #openFile(name: string): TableFile {
    const file = this.#open.get(name) ?? new TableFile(this.#folder, name, this.#kind);
    this.#open.set(name, file);
    return file;
  }
}

/** Two files with the same rows, as Parquet and CSV: of a whole table, or of one of its years. */
class TableFile {
  readonly #name: string;
  readonly #parquet: ParquetFile;
  readonly #csv: CsvFile;
  #rows = 0;

  constructor(folder: string, name: string, { columns }: TableSpec) {
    this.#name = name;
    this.#parquet = new ParquetFile(join(folder, `${name}.parquet`), columns);
    this.#csv = new CsvFile(join(folder, `${name}.csv`), columns);
  }

  add(row: Row): void {
    this.#parquet.add(row);
    this.#csv.add(row);
    this.#rows += 1;
  }

  close() {
    return Object.entries({ parquet: this.#parquet, csv: this.#csv }).map(([format, file]) => ({
      name: `${this.#name}.${format}`,
      rows: this.#rows,
      ...file.close(),
    }));
  }
}

/** The UTC year of a time in unix seconds. */
export function yearIn(seconds: number): number {
  return new Date(seconds * 1_000).getUTCFullYear();
}
