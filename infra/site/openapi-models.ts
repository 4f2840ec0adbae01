/** JSON Schemas for the OpenAPI document. Named ones become components, which generated clients turn into types. */

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';

export type Json = Record<string, unknown>;

const REFERENCE = '#/components/schemas/';

/** The named schemas of a document, collected while it is generated. */
export type Models = Record<string, Json>;

/**
 * The JSON Schema of data as it is sent. Objects allow additional properties, because fields may be added. A schema
 * with a title is moved to `models` and replaced by a reference that keeps its description. Throws if two different
 * schemas have the same title.
 */
export function schemaOf(schema: z.ZodMiniType, models: Models): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', override }) as Json;
  return hoisted(json, models) as Json;
}

/**
 * The form of a schema that OpenAPI and the generators of clients expect. OpenAPI has a keyword for the property that distinguishes
 * the members of a union, and none for a unit or a column. Generators for Go and Rust ignore `const`. Times need 64 bits, and Go
 * would read numbers without a format with 7 digits.
 */
function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Json }): void {
  const { def } = zodSchema._zod;
  if (jsonSchema.column === 'time') jsonSchema.format = 'int64';
  delete jsonSchema.column;
  delete jsonSchema.unit;
  if ('discriminator' in def) jsonSchema.discriminator = { propertyName: def.discriminator };
  if (jsonSchema.const !== undefined) jsonSchema.enum = [jsonSchema.const];
  if (jsonSchema.type === 'number') jsonSchema.format = 'double';
  if (typeof jsonSchema.pattern === 'string') jsonSchema.pattern = portable(jsonSchema.pattern);
}

/** A pattern without backslashes, which generators copy wrongly into strings of their languages. */
function portable(pattern: string): string {
  return pattern
    .replace(/\\d/g, '[0-9]')
    .replace(/\\w/g, '[0-9A-Za-z_]')
    .replace(/\\(\W)/g, '[$1]');
}

function hoisted(value: unknown, models: Models): unknown {
  if (Array.isArray(value)) return value.map((item) => hoisted(item, models));
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hoisted(inner, models)]));
  if (schema.discriminator) return discriminated(schema as unknown as Union, models);
  const name = schema.title;
  if (typeof name !== 'string') return schema;
  const { title: _, about, description, ...model } = schema;
  const meaning = about ?? description;
  const known = models[name] ?? { ...(meaning !== undefined && { description: meaning }), ...model };
  const { description: __, ...same } = known;
  if (!isDeepStrictEqual(same, model)) throw new Error(`two schemas are named ${name}`);
  models[name] = known;
  return { $ref: `${REFERENCE}${name}`, ...(description !== undefined && { description }) };
}

interface Union {
  oneOf: { $ref: string }[];
  discriminator: { propertyName: string };
}

/** Many code generators choose a member by the mapping only, and ignore the constants in the members' schemas. */
function discriminated({ oneOf, discriminator: { propertyName }, ...rest }: Union, models: Models): Json {
  const mapping = oneOf.map(({ $ref }) => {
    const { properties } = models[$ref.slice(REFERENCE.length)] as { properties: Record<string, { const: string }> };
    return [properties[propertyName]?.const, $ref];
  });
  return { ...rest, oneOf, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
}
