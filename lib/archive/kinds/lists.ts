/** Lists and other bodies of endpoints, at the archive's block. Columns and their meaning are from the endpoint's schema. */

import { parseUnits } from 'ethers';
import * as z from 'zod/mini';
import type { Endpoint } from '../../api/definition.ts';
import { fieldsOf } from '../../api/http/csv.ts';
import { decimal } from '../../api/schemas.ts';
import { TOKEN_DECIMALS } from '../../values/amounts.ts';
import type { Column, Row, Value } from '../column.ts';
import type { TableSpec } from '../table-spec.ts';

/** The kind of an endpoint's list. */
export function listSpec(name: string, endpoint: Endpoint): TableSpec {
  return {
    name,
    meaning: `${endpoint.summary}, at the block of this archive, as \`GET ${endpoint.path}\` answered. ${endpoint.description}`,
    columns: fieldsIn(endpoint).map(({ name, schema }): Column => ({ name, type: typeOf(schema), ...wordsOf(schema) })),
  };
}

/** The rows of an endpoint's body. */
export function listRows(endpoint: Endpoint, body: unknown): Row[] {
  const entries = rowsOf(endpoint) ? ((body as Record<string, unknown[]>)[rowsOf(endpoint) as string] ?? []) : [body];
  const fields = fieldsIn(endpoint).map((field) => ({ ...field, type: typeOf(field.schema) }));
  return entries.map((entry) =>
    Object.fromEntries(fields.map(({ name, type, valueIn }) => [name, toValue(type, valueIn(entry))])),
  );
}

/** The name of the body's list. */
const rowsOf = ({ formats }: Endpoint) => formats.csv?.rows;

function fieldsIn(endpoint: Endpoint) {
  const { response } = endpoint;
  const rows = rowsOf(endpoint);
  return fieldsOf(rows ? response().shape[rows].def.element : response());
}

/** The pattern of schemas for a text that is an exact decimal. */
const DECIMAL = patternOf(decimal(''));

function typeOf(schema: z.core.$ZodType): Column['type'] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (z.globalRegistry.get(schema)?.format === 'unixtime') return 'time';
  if (def.type === 'boolean') return 'flag';
  if (def.type === 'number') return 'format' in def || def.checks?.some(isInteger) ? 'integer' : 'number';
  return patternOf(schema) === DECIMAL ? 'decimal' : 'text';
}

function isInteger(check: z.core.$ZodCheck): boolean {
  return 'format' in check._zod.def && check._zod.def.format === 'safeint';
}

function patternOf(schema: z.core.$ZodType): string | undefined {
  const { pattern } = (z.toJSONSchema(schema) as { pattern?: string }) ?? {};
  return pattern;
}

function wordsOf(schema: z.core.$ZodType): Pick<Column, 'meaning' | 'unit'> {
  const { description = '', unit } = z.globalRegistry.get(schema) ?? {};
  return { meaning: description, unit: unit as string | undefined };
}

function toValue(type: Column['type'], value: unknown): Value {
  if (value === undefined) return undefined;
  if (type === 'decimal') return parseUnits(value as string, TOKEN_DECIMALS);
  return Array.isArray(value) ? value.join(';') : (value as Value);
}
