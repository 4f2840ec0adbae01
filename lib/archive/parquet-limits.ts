/** What a Parquet file may ask of whoever reads it: it may be somebody else's, and a few bytes can promise any number of values. */

import { gunzipSync } from 'node:zlib';
import type { AsyncBuffer, ColumnMetaData, FileMetaData, PageHeader, RowGroup } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { type Column, exactNames, fileColumns } from './column.ts';

export const ROWS_OF_A_GROUP = 20_000;
/** The decompressed pages of the columns of a group that are read. Those of an archive have a few million. */
const BYTES_OF_A_GROUP = 256_000_000;

/** Throws if one of these columns is of another type than it is written with. An older file may lack some. */
export function requireTypes({ schema }: FileMetaData, columns: readonly Column[]): void {
  const types = new Map(schema.map(({ name, type, converted_type }) => [name, `${type} ${converted_type}`]));
  const exact = new Set(exactNames(columns));
  for (const { name, element } of fileColumns(columns)) {
    const type = exact.has(name) ? types.get(name) : undefined;
    if (type !== undefined && type !== `${element.type} ${element.converted_type}`)
      throw new Error(`${name} is ${type}`);
  }
}

/** Throws if a group has more rows, or its pages more values or bytes, than those of any archive. */
export async function requireModestGroup(file: AsyncBuffer, group: RowGroup, columns: ReadonlySet<string>) {
  if (group.num_rows > ROWS_OF_A_GROUP) throw new Error(`${group.num_rows} rows in a group`);
  let bytes = 0;
  for (const { meta_data: column } of group.columns) {
    if (!column || !columns.has(column.path_in_schema.join('.'))) continue;
    for (const page of await readPageHeaders(file, column)) {
      const { num_values = 0 } = page.data_page_header ?? page.data_page_header_v2 ?? page.dictionary_page_header ?? {};
      if (num_values > ROWS_OF_A_GROUP) throw new Error(`${num_values} values in a page`);
      bytes += page.uncompressed_page_size;
      if (!(bytes <= BYTES_OF_A_GROUP)) throw new Error('too large when decompressed');
    }
  }
}

/** The headers of a column's pages in a group. */
async function readPageHeaders(file: AsyncBuffer, column: ColumnMetaData): Promise<PageHeader[]> {
  const start = Number(column.dictionary_page_offset ?? column.data_page_offset);
  const size = Number(column.total_compressed_size);
  if (!(start >= 0 && size >= 0 && start + size <= file.byteLength)) throw new Error('a column outside of the file');
  const reader = { view: new DataView(await file.slice(start, start + size)), offset: 0 };
  const pages: PageHeader[] = [];
  while (reader.offset < size) {
    const page = parquetHeader(reader);
    if (!(page.compressed_page_size >= 0)) throw new Error('a page of no size');
    pages.push(page);
    reader.offset += page.compressed_page_size;
  }
  return pages;
}

/** A page, decompressed to the size that its header promised. Throws if there is more. */
export function gunzipPage(page: Uint8Array, size: number): Uint8Array {
  return gunzipSync(page, { maxOutputLength: Math.max(1, size) });
}
