/** Lists as CSV (RFC 4180). The columns are the fields in the schema of an entry, so they do not depend on the entries. */

import * as z from 'zod/mini';
import { isoTime } from '../../values/iso-time.ts';

export const CSV = 'text/csv';

interface Field {
  /** Name of the field. A field of an object has the name of the object and a dot before its own. */
  name: string;
  schema: z.core.$ZodType;
  valueIn: (entry: unknown) => unknown;
}

/** The entries of a list, each as a row, below a row with the names of the fields. `list` is the schema of the list. */
export function toCSV(list: z.ZodMiniArray, entries: readonly unknown[]): string {
  const columns = listFields(list.def.element).flatMap(toColumns);
  const rows = entries.map((entry) => columns.map(({ valueIn }) => valueIn(entry)));
  return [columns.map(({ name }) => name), ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

export function listFields(schema: z.core.$ZodType, name = '', valueIn: Field['valueIn'] = (entry) => entry): Field[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional') return listFields(def.innerType, name, valueIn);
  if (def.type === 'union') {
    const fields = def.options.flatMap((option) => listFields(option, name, valueIn));
    return [...new Map(fields.map((field) => [field.name, field])).values()];
  }
  if (def.type === 'object') {
    return Object.entries(def.shape).flatMap(([field, inner]) =>
      listFields(
        inner,
        name ? `${name}.${field}` : field,
        (entry) => (valueIn(entry) as Record<string, unknown> | undefined)?.[field],
      ),
    );
  }
  return [{ name, schema, valueIn }];
}

/** The columns of a field; a time has a second one, in ISO 8601, without 0, which means never. */
function toColumns(field: Field): Omit<Field, 'schema'>[] {
  const { name, schema, valueIn } = field;
  if (z.globalRegistry.get(schema)?.column !== 'time') return [field];
  const toISO = (seconds: unknown) => (seconds ? isoTime(Number(seconds)) : undefined);
  return [field, { name: `${name}.iso`, valueIn: (entry) => toISO(valueIn(entry)) }];
}

/** A value as a cell: several of them, or several named ones, are separated by semicolons. */
export function cellText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return quoted(String(value ?? ''));
  const parts = Array.isArray(value) ? value : Object.entries(value).map(([name, part]) => `${name}: ${part}`);
  return quoted(parts.join(';'));
}

/** Characters that make a spreadsheet run a cell as a formula, among them the full-width forms of `=+-@`. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * A cell, quoted if necessary. A semicolon is quoted, too: it separates cells where a comma is the decimal sign. An
 * apostrophe keeps spreadsheets from running a text as a formula; numbers get none.
 */
function quoted(text: string): string {
  const safe = FORMULA.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
