/** Lists and other bodies of endpoints, at the archive's block. Columns and their meaning are from the endpoint's schema. */

import { parseUnits } from 'ethers';
import * as z from 'zod/mini';
import type { Endpoint } from '../../api/definition.ts';
import { listFields } from '../../api/http/csv.ts';
import { TOKEN_DECIMALS } from '../../values/amounts.ts';
import type { Column, Row, Value } from '../column.ts';
import type { TableSpec } from '../table-spec.ts';

/** The kind of an endpoint's list. */
export function listSpec(name: string, endpoint: Endpoint): TableSpec {
  return {
    name,
    meaning: `${endpoint.summary}, at the block of this archive, as \`GET ${endpoint.path}\` answered. ${endpoint.description}`,
    columns: fieldsIn(endpoint).map(({ name, schema }): Column => ({ name, ...columnOf(schema) })),
  };
}

/** The rows of an endpoint's body. */
export function listRows(endpoint: Endpoint, body: unknown): Row[] {
  const entries = rowsOf(endpoint) ? ((body as Record<string, unknown[]>)[rowsOf(endpoint) as string] ?? []) : [body];
  const fields = fieldsIn(endpoint).map((field) => ({ ...field, type: columnOf(field.schema).type }));
  return entries.map((entry) =>
    Object.fromEntries(fields.map(({ name, type, valueIn }) => [name, toValue(type, valueIn(entry))])),
  );
}

/** The name of the body's list. */
const rowsOf = ({ formats }: Endpoint) => formats.csv?.rows;

function fieldsIn(endpoint: Endpoint) {
  const { response } = endpoint;
  const rows = rowsOf(endpoint);
  return listFields(rows ? response().shape[rows].def.element : response());
}

/** The column of a field. Its type and unit are in the schema's metadata. */
function columnOf(schema: z.core.$ZodType): Pick<Column, 'type' | 'meaning' | 'unit'> {
  const { description = '', unit, column = 'text' } = z.globalRegistry.get(schema) ?? {};
  return { type: column as Column['type'], meaning: description, unit: unit as string | undefined };
}

function toValue(type: Column['type'], value: unknown): Value {
  if (value === undefined) return undefined;
  if (type === 'decimal') return parseUnits(value as string, TOKEN_DECIMALS);
  return Array.isArray(value) ? value.join(';') : (value as Value);
}
