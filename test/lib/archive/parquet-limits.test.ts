import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Column } from '../../../lib/archive/column.ts';
import { readParquet } from '../../../lib/archive/parquet-file.ts';
import { requireModestGroup } from '../../../lib/archive/parquet-limits.ts';

/** Parquet files of strangers, which promise more than they hold, or hold more than they promise. */

const COLUMNS: readonly Column[] = [{ name: 'type', type: 'text', meaning: '' }];
const TEXT = { name: 'type', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' } as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parquet-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A file with one column of these values, in one group. */
function write(
  data: unknown[],
  element: SchemaElement = TEXT,
  compress = (page: Uint8Array) => gzipSync(page),
): string {
  const writer = new ByteWriter();
  const schema = [{ name: 'schema', num_children: 1 }, element];
  const file = new ParquetWriter({ writer, schema, codec: 'GZIP', compressors: { GZIP: compress } });
  file.write({ columnData: [{ name: element.name, data }], rowGroupSize: data.length });
  file.finish();
  const path = join(folder, 'some.parquet');
  writeFileSync(path, writer.getBytes());
  return path;
}

async function read(path: string) {
  const rows = [];
  for await (const row of readParquet(path, COLUMNS)) rows.push(row);
  return rows;
}

/** The error that reading a file ends with, and its cause. */
async function refusal(path: string): Promise<[string, string]> {
  const error: Error = await read(path).then(
    () => new Error('it was read'),
    (thrown) => thrown,
  );
  return [error.message, (error.cause as Error)?.message];
}

const REFUSED = 'some.parquet: is no Parquet file of an archive';

test('a file is read', async () => {
  expect(await read(write(['a', 'b']))).toEqual([{ type: 'a' }, { type: 'b' }]);
});

test('a page that is larger than its header promised is not decompressed further', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  expect(await refusal(write(['a', 'b'], TEXT, () => bomb))).toEqual([
    REFUSED,
    expect.stringMatching(/^Cannot create a Buffer larger than \d{1,3} bytes$/),
  ]);
});

test('a group with more rows than those of an archive', async () => {
  const path = write(Array.from({ length: 20_001 }, (_, row) => `${row}`));
  expect(await refusal(path)).toEqual([REFUSED, '20001 rows in a group']);
});

test('a column of another type', async () => {
  const json = { ...TEXT, converted_type: 'JSON' } as const;
  expect(await refusal(write([{ a: 1 }], json))).toEqual([REFUSED, 'type is BYTE_ARRAY JSON']);
});

test.each(['', 'PAR1', 'PAR1\xff\xff\xff\xffPAR1', 'x'.repeat(1_000)])(
  'what is no Parquet file: %j',
  async (content) => {
    const path = join(folder, 'some.parquet');
    writeFileSync(path, content, 'latin1');
    expect((await refusal(path))[0]).toBe(REFUSED);
  },
);

/** A number as Thrift's compact protocol writes it. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let left = BigInt(value) * (value < 0 ? -2n : 2n) - (value < 0 ? 1n : 0n);
  for (; left > 127n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  return [...bytes, Number(left)];
}

/** The header of a page that holds nothing. */
function page({ bytes = 10, compressed = 0, values = 1 }): number[] {
  return [0x15, 0, 0x15, ...varint(bytes), 0x15, ...varint(compressed), 0x2c, 0x15, ...varint(values), 0, 0];
}

/** What is said of a group of one column with these pages. */
async function judge(content: number[], size = content.length): Promise<unknown> {
  const bytes = new Uint8Array(content);
  const file = { byteLength: bytes.length, slice: (from: number, to?: number) => bytes.slice(from, to).buffer };
  const column = { path_in_schema: ['type'], data_page_offset: 0n, total_compressed_size: BigInt(size) };
  const group = { num_rows: 1n, columns: [{ meta_data: column }] } as unknown as RowGroup;
  return requireModestGroup(file, group, new Set(['type'])).then(
    () => 'accepted',
    ({ message }) => message,
  );
}

test.each([
  ['modest pages', page({}), 'accepted'],
  ['more values than rows of any group', page({ values: 2 ** 31 - 1 }), '2147483647 values in a page'],
  ['a huge page', page({ bytes: 256_000_001 }), 'too large when decompressed'],
  [
    'many large pages',
    Array(3)
      .fill(page({ bytes: 100_000_000 }))
      .flat(),
    'too large when decompressed',
  ],
  ['a page that leads back', page({ compressed: -20 }), 'a page of no size'],
])('a group with %s', async (_, pages, said) => {
  expect(await judge(pages)).toBe(said);
});

test('a column that reaches beyond the file', async () => {
  expect(await judge(page({}), 1_000)).toBe('a column outside of the file');
});
