/** Tables of an export: CSV (RFC 4180) with the columns of the API's own CSV, whose types, units and meanings are in its schemas. */

import * as z from 'zod/mini';
import { listFields, toCSV } from '../api/http/csv.ts';
import type { ColumnType } from '../values/units.ts';
import type { StepFiles } from './export-folder.ts';

export interface Table {
  /** Name of its file without `.csv`, or the beginning of it. */
  name: string;
  meaning: string;
  row: z.core.$ZodType;
  /** True if each year (UTC) of `timestamp` has a file of its own. */
  byYear?: boolean;
}

/** Types of Table Schema (https://datapackage.org/standard/table-schema/) by those of ours with another name. A `number` is a decimal of any length. */
const TYPES: Record<string, string> = { decimal: 'number', time: 'integer', text: 'string', flag: 'boolean' };

/** The columns of a table. A `unit` is AVAX, percent, seconds. */
export function tableFields({ row }: Pick<Table, 'row'>) {
  const { def } = (row as z.core.$ZodTypes)._zod;
  const uses = Map.groupBy((def.type === 'union' ? def.options : [row]).flatMap(fieldsOf), ({ name }) => name);
  return [...uses.values()].flatMap((same) => {
    const [{ name, column }] = same as [Use];
    const unit = describe(same, ({ unit }) => unit);
    const description = describe(same, ({ meaning }) => meaning) ?? '';
    const field = { name, type: TYPES[column] ?? column, description, ...(unit !== undefined && { unit }) };
    const iso = { name: `${name}.iso`, type: 'datetime', description: `\`${name}\` in ISO 8601 (UTC).` };
    return column === 'time' ? [field, iso] : [field];
  });
}

/** A field of one kind of row. Rows of several kinds are told apart by `type`. */
type Use = { name: string; column: ColumnType; meaning: string; unit?: string | undefined; kind: string };

function fieldsOf(row: z.core.$ZodType): Use[] {
  const { def } = (row as z.ZodMiniObject<{ type?: z.ZodMiniLiteral }>)._zod;
  const kind = String(def.shape.type?._zod.def.values?.[0] ?? '');
  return listFields(row).map(({ name, schema }) => {
    const { description = '', unit, column = 'text' } = z.globalRegistry.get(schema) ?? {};
    return { name, kind, meaning: description, unit, column } as Use;
  });
}

/** The different values of the uses of a field; if there are several, each with the kinds of rows that have it. */
function describe(uses: readonly Use[], value: (use: Use) => string | undefined): string | undefined {
  const groups = [...Map.groupBy(uses, value)].filter(([text]) => text);
  if (groups.length < 2) return groups[0]?.[0];
  return groups.map(([text, own]) => `${text} (${own.map(({ kind }) => kind).join(', ')})`).join('; ');
}

export function tablePath({ name }: Pick<Table, 'name'>, year?: number): string {
  return `data/${[name, year].filter((part) => part !== undefined).join('-')}.csv`;
}

/** Appends rows, bodies of the API, to the files of a table. */
export function writeRows(files: StepFiles, table: Table, rows: readonly object[]): void {
  const list = z.array(table.row as z.ZodMiniType);
  const yearOf = (row: object) => new Date((row as { timestamp: number }).timestamp * 1_000).getUTCFullYear();
  const groups = table.byYear ? Map.groupBy(rows, yearOf) : new Map([[undefined, rows]]);
  for (const [year, own] of groups) {
    const path = tablePath(table, year);
    const text = toCSV(list, own);
    files.write(path, files.has(path) ? text.slice(text.indexOf('\r\n') + 2) : text, own.length);
  }
}
