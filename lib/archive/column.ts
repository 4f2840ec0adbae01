/**
 * The columns of an archive's files. Decimals and times have a second column. An exact decimal is also written as an
 * integer in text, because few programs keep 38 digits. A time is also written in Unix seconds, because contracts have
 * times that no calendar can express.
 */

import type { SchemaElement } from 'hyparquet';
import { formatAmount } from '../values/amounts.ts';
import { isoTime, LAST_TIME } from '../values/iso-time.ts';
import type { ColumnType } from '../values/units.ts';

export interface Column {
  name: string;
  type: ColumnType;
  /** Meaning of the value, as a sentence. */
  meaning: string;
  /** Unit of a decimal, an integer or a number: AVAX, percent, seconds. */
  unit?: string | undefined;
}

export type Value = bigint | number | string | boolean | undefined;

/** A row by the names of its columns. Unknown values are missing or undefined. */
export type Row = Readonly<Record<string, Value>>;

/** A column of a file. */
export interface FileColumn extends Column {
  element: SchemaElement;
  /** Converts the value to its Parquet cell. `text` converts it to its CSV text. */
  cell: (value: NonNullable<Value>) => NonNullable<Value> | undefined;
  text: (value: NonNullable<Value>) => string;
  /** Name of the column that the value is from. */
  of: string;
}

/** Suffixes of the second column of a decimal and of a time. */
export const WEI = '_wei';
export const UNIX = '_unix';

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
const INTEGER = { type: 'INT64' } as const;
/** 16 bytes hold 38 digits. */
const DECIMAL = {
  type: 'FIXED_LEN_BYTE_ARRAY',
  type_length: 16,
  converted_type: 'DECIMAL',
  precision: 38,
  scale: 18,
} as const;
const TIME = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;

const MAX_DECIMAL = 10n ** 38n;

type Form = Pick<FileColumn, 'cell' | 'text'> & { element: Omit<SchemaElement, 'name'> };

const plain = (value: NonNullable<Value>) => value;

const CODECS: Record<ColumnType, Form> = {
  decimal: {
    element: DECIMAL,
    cell: (value) => ((value as bigint) < MAX_DECIMAL && (value as bigint) > -MAX_DECIMAL ? value : undefined),
    text: (value) => formatAmount(value as bigint),
  },
  time: {
    element: TIME,
    cell: (value) => (isInCalendar(value as number) ? BigInt(value as number) * 1_000n : undefined),
    text: (value) => (isInCalendar(value as number) ? isoTime(value as number) : ''),
  },
  integer: { element: INTEGER, cell: (value) => BigInt(value as number), text: String },
  number: { element: { type: 'DOUBLE' }, cell: plain, text: String },
  text: { element: TEXT, cell: plain, text: String },
  flag: { element: { type: 'BOOLEAN' }, cell: plain, text: String },
};

/** The columns of the files of a kind. */
export function fileColumns(columns: readonly Column[]): FileColumn[] {
  return columns.flatMap((column) => {
    const first = inFile(column, column, CODECS[column.type]);
    const { name, type, unit } = column;
    if (type === 'decimal') {
      const meaning = `\`${name}\` times 10^18, an exact integer.`;
      return [
        first,
        inFile(column, { name: name + WEI, type: 'text', meaning, unit: unit && `${unit} × 10^-18` }, WEI_FORM),
      ];
    }
    if (type === 'time') {
      const meaning = `\`${name}\` as a Unix timestamp.`;
      return [first, inFile(column, { name: name + UNIX, type: 'integer', meaning, unit: 'seconds' }, CODECS.integer)];
    }
    return [first];
  });
}

const WEI_FORM: Form = { element: TEXT, cell: String, text: String };

function inFile({ name: of }: Column, column: Column, { element, cell, text }: Form): FileColumn {
  return { ...column, of, cell, text, element: { ...element, name: column.name, repetition_type: 'OPTIONAL' } };
}

/** True if a calendar can express the time. 0 means never. */
function isInCalendar(seconds: number): boolean {
  return seconds > 0 && seconds <= LAST_TIME;
}

/** The names of the file columns with the exact values. They are enough to read the rows back. */
export function exactNames(columns: readonly Column[]): string[] {
  return columns.map(({ name, type }) => exactName(name, type));
}

/** Restores the original row from the exact columns of a file. */
export function fromFile(columns: readonly Column[], cells: Readonly<Record<string, unknown>>): Row {
  const known = columns.flatMap(({ name, type }): [string, Value][] => {
    const cell = cells[exactName(name, type)];
    return cell === undefined || cell === null ? [] : [[name, cellValue(type, cell)]];
  });
  return Object.fromEntries(known);
}

function exactName(name: string, type: ColumnType): string {
  return type === 'decimal' ? name + WEI : type === 'time' ? name + UNIX : name;
}

function cellValue(type: ColumnType, cell: unknown): Value {
  if (type === 'decimal') return BigInt(cell as string);
  return type === 'time' || type === 'integer' ? Number(cell) : (cell as Value);
}
