/**
 * Rows as Parquet. The same rows give the same bytes, on every machine: row groups have a fixed size, no time or version
 * is written, and pages are compressed by a library whose version is pinned, because zlib's output depends on Node's
 * version and on the processor.
 */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { gzipSync } from 'fflate';
import { type AsyncBuffer, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type Column, exactNames, type FileColumn, fileColumns, fromFile, type Row } from './column.ts';
import { type FileDigest, HashedFile } from './hashed-file.ts';
import { ArchiveError } from './manifest.ts';

const ROWS_OF_A_GROUP = 20_000;
const COMPRESSION = { level: 6, mtime: 0 } as const;
/** Names the format, and no version of the service: that would change the bytes. */
const CREATED_BY = 'staking-data-service';

export class ParquetFile {
  readonly #file: HashedFile;
  readonly #columns: readonly FileColumn[];
  readonly #cells: unknown[][];
  readonly #buffer = new ByteWriter();
  readonly #writer: ParquetWriter;

  constructor(path: string, columns: readonly Column[]) {
    this.#file = new HashedFile(path);
    this.#columns = fileColumns(columns);
    this.#cells = this.#columns.map(() => []);
    this.#writer = new ParquetWriter({
      writer: this.#buffer,
      schema: [{ name: 'schema', num_children: this.#columns.length }, ...this.#columns.map(({ element }) => element)],
      codec: 'GZIP',
      compressors: { GZIP: (page) => gzipSync(page, COMPRESSION) },
      createdBy: CREATED_BY,
    });
  }

  add(row: Row): void {
    for (const [place, { of, cell }] of this.#columns.entries()) {
      const value = row[of];
      (this.#cells[place] as unknown[]).push(value === undefined ? undefined : cell(value));
    }
    if ((this.#cells[0]?.length ?? 0) >= ROWS_OF_A_GROUP) this.#writeGroup();
  }

  close(): FileDigest {
    this.#writeGroup();
    this.#writer.finish();
    this.#flush();
    return this.#file.close();
  }

  #writeGroup(): void {
    const columnData = this.#columns.map(({ name, element }, place) => ({
      name,
      data: this.#cells[place] as unknown[],
      // Times and blocks grow slowly: only the differences are written.
      ...(element.type === 'INT64' && { encoding: 'DELTA_BINARY_PACKED' as const }),
      ...(name === 'txHash' && { encoding: 'DELTA_BYTE_ARRAY' as const }),
    }));
    if (columnData[0]?.data.length) this.#writer.write({ columnData, rowGroupSize: ROWS_OF_A_GROUP });
    for (const cells of this.#cells) cells.length = 0;
    this.#flush();
  }

  #flush(): void {
    this.#file.write(this.#buffer.getBytes());
    this.#buffer.index = 0;
  }
}

/**
 * The rows of a Parquet file, as they were before they were written. Throws an {@link ArchiveError} if it cannot be read.
 */
export async function* readParquet(path: string, columns: readonly Column[]): AsyncGenerator<Row> {
  const opened = openSync(path, 'r');
  try {
    const file = toBuffer(opened);
    const metadata = await parquetMetadataAsync(file);
    const wanted = exactNames(columns);
    let rowStart = 0;
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows);
      const options = {
        file,
        metadata,
        rowStart,
        rowEnd,
        columns: wanted,
        compressors: { GZIP: (page: Uint8Array) => gunzipSync(page) },
      };
      for (const cells of await parquetReadObjects(options)) yield fromFile(columns, cells);
      rowStart = rowEnd;
    }
  } catch (error) {
    throw new ArchiveError(`${basename(path)}: is no Parquet file of an archive`, { cause: error });
  } finally {
    closeSync(opened);
  }
}

function toBuffer(file: number): AsyncBuffer {
  const { size: byteLength } = fstatSync(file);
  return {
    byteLength,
    slice(start, end = byteLength) {
      const bytes = new Uint8Array(end - start);
      readSync(file, bytes, 0, bytes.length, start);
      return bytes.buffer;
    },
  };
}
