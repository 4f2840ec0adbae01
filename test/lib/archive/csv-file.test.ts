import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { type Column, fromFile, type Row } from '../../../lib/archive/column.ts';
import { CsvFile } from '../../../lib/archive/csv-file.ts';
import type { ColumnType } from '../../../lib/values/units.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('csv');
});

const column = (type: ColumnType): Column => ({ name: type, type, meaning: '' });
const COLUMNS = (['decimal', 'time', 'integer', 'number', 'text', 'flag'] as const).map(column);

function written(columns: readonly Column[], rows: readonly Row[]) {
  const path = join(folder, 'rows.csv');
  const file = new CsvFile(path, columns);
  for (const row of rows) file.add(row);
  const digest = file.close();
  const content = readFileSync(path, 'utf8');
  expect(digest).toEqual({
    bytes: Buffer.byteLength(content),
    sha256: createHash('sha256').update(content).digest('hex'),
  });
  return content;
}

test('a value is a cell, an exact decimal and a time are two, and what is unknown is an empty one', () => {
  const rows = [
    {
      decimal: -1_500_000_000_000_000_001n,
      time: 1_700_000_000,
      integer: 2 ** 53,
      number: 1e-7,
      text: 'a,"b"',
      flag: false,
    },
    { time: 0, text: '' },
  ];
  expect(written(COLUMNS, rows).split('\r\n')).toEqual([
    'decimal,decimal_wei,time,time_unix,integer,number,text,flag',
    '-1.500000000000000001,-1500000000000000001,2023-11-14T22:13:20Z,1700000000,9007199254740992,1e-7,"a,""b""",false',
    ',,,0,,,,',
    '',
  ]);
});

test('rows are written as they come, however many', () => {
  const rows = Array.from({ length: 2_500 }, (_, integer) => ({ integer }));
  const lines = ['integer', ...rows.map(({ integer }) => String(integer))];
  expect(written([column('integer')], rows)).toBe(lines.map((line) => `${line}\r\n`).join(''));
});

test('a row is read back from the columns that are exact', () => {
  const cells = {
    decimal: 1.5,
    decimal_wei: '1500000000000000001',
    time_unix: 7n,
    integer: 8n,
    number: 0.5,
    text: null,
  };
  expect(fromFile(COLUMNS, cells)).toEqual({ decimal: 1_500_000_000_000_000_001n, time: 7, integer: 8, number: 0.5 });
});
