/** Rows of the reference's lists of fields and parameters, from the schemas of the OpenAPI document. */

import { EVENT_TYPE } from '../../lib/api/bodies/activity-body.ts';
import { END_OF_TIME } from '../../lib/values/durations.ts';
import { anchorOf } from './markdown.ts';

export interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema;
  oneOf?: Schema[];
  enum?: string[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
}

export type Schemas = Record<string, Schema>;

export interface Row {
  name: string;
  /** Markdown, like the texts. */
  type: string;
  description: string;
  values: string;
}

/** Last sentences that state a unit or format. The introduction explains each, so lists only name it. */
const UNITS: readonly [sentence: string, name: string][] = [
  ['Exact decimal string in (.+), up to \\d+ decimal places\\.', '$1'],
  ['In (.+), rounded to 12 significant digits\\.', '$1'],
  ['In percent \\(6\\.53 means 6\\.53%\\)\\.', 'percent'],
  ['In (seconds)\\.', '$1'],
  ['Unix timestamp in seconds\\.', 'time'],
  ['EIP-55 checksummed\\.', 'address'],
];
const UNIT_PATTERNS = UNITS.map(([sentence, name]) => [new RegExp(`(?:^ ?|(?<=[.:)]) )${sentence}$`), name] as const);

/** The schema itself, with the description of the place that refers to it. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = nameOf(schema);
  if (!name) return schema;
  const { $ref: _, ...own } = schema;
  return { ...schemas[name], ...own };
}

function nameOf({ $ref = '' }: Schema): string | undefined {
  return $ref.split('/').at(3);
}

/** The names of the objects that several others refer to or choose between. Each has a section of its own. */
export function sharedSchemas(schemas: Schemas, bodies: readonly Schema[]): Set<string> {
  const uses = new Map<string, number>();
  const count = (schema: Schema, weight = 1): void => {
    const name = nameOf(schema);
    if (name) {
      const before = uses.get(name) ?? 0;
      uses.set(name, before + weight);
      if (before === 0) count(schemas[name] as Schema);
    }
    for (const part of Object.values(schema.properties ?? {})) count(part);
    if (schema.items) count(schema.items);
    for (const member of schema.oneOf ?? []) count(member, 2);
  };
  for (const body of bodies) count(body);
  return new Set([...uses].filter(([name, times]) => times > 1 && schemas[name]?.properties).map(([name]) => name));
}

/**
 * The fields of an object, and of the objects in it that are not shared. Nested names are joined with a dot, as in the columns of CSV.
 * `[]` follows the name of a list, `?` that of an optional field, and `*` is any name.
 */
export function fieldRows(schema: Schema, schemas: Schemas, shared: ReadonlySet<string>, prefix = ''): Row[] {
  return Object.entries({ ...schema.properties, ...anyField(schema) }).flatMap(([property, reference]) => {
    const name = prefix + property;
    const field = resolved(reference, schemas);
    const isOptional = !schema.required?.includes(property);
    const row = rowOf(name, isOptional, typeOf(reference, schemas, shared), field, schemas);
    const inner = field.items ?? reference;
    // It is the name of the object.
    if (field.description === EVENT_TYPE) return [];
    if (shared.has(nameOf(inner) ?? '')) return [row];
    return [row, ...fieldRows(resolved(inner, schemas), schemas, shared, name + (field.items ? '[].' : '.'))];
  });
}

/** Fields of any name, unless the object itself describes them. */
function anyField({ additionalProperties: others }: Schema): Record<string, Schema> {
  return others?.description || others?.properties ? { '*': others } : {};
}

export function parameterRows(
  parameters: readonly { name: string; required: boolean; description: string; schema: Schema }[],
  schemas: Schemas,
): Row[] {
  return parameters.map(({ name, required, description, schema }) =>
    rowOf(name, !required, typeOf(schema, schemas, new Set()), { ...resolved(schema, schemas), description }, schemas),
  );
}

function rowOf(name: string, isOptional: boolean, type: string, schema: Schema, schemas: Schemas): Row {
  const { description = '' } = schema;
  const [sentence, unit = ''] = UNIT_PATTERNS.find(([sentence]) => sentence.test(description)) ?? [];
  const [found = ''] = sentence?.exec(description) ?? [];
  return {
    name: isOptional ? `${name}?` : name,
    type: sentence ? `${type} (${found.replace(sentence, unit)})` : type,
    description: description.slice(0, description.length - found.length),
    values: valuesOf(schema, schemas),
  };
}

/** The type of a value. A shared object's is a link to its section. */
function typeOf(schema: Schema, schemas: Schemas, shared: ReadonlySet<string>): string {
  const name = nameOf(schema);
  if (name && shared.has(name)) return `[${name}](#${anchorOf(`${name} object`)})`;
  const { type = 'any', items, oneOf, const: constant } = resolved(schema, schemas);
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  if (items) return `array of ${typeOf(items, schemas, shared)}`;
  if (oneOf) return `one of ${oneOf.map((member) => typeOf(member, schemas, shared)).join(', ')}`;
  return type;
}

/** The restrictions and the default that the description does not name. */
function valuesOf(schema: Schema, schemas: Schemas): string {
  const { description = '', default: initial, minimum, maximum = END_OF_TIME, items } = schema;
  const { enum: values, const: constant } = items ? resolved(items, schemas) : schema;
  const isNamed = values?.every((value) => description.includes(`\`${value}\``));
  const facts = [
    items && !resolved(items, schemas).properties && items.description,
    values && constant === undefined && !isNamed && `One of ${values.map((value) => `\`${value}\``).join(', ')}.`,
    maximum < END_OF_TIME && `${minimum} to ${maximum}.`,
    initial !== undefined && !/default/i.test(description) && `Default: \`${initial}\`.`,
  ];
  return facts.filter((fact) => fact).join(' ');
}
