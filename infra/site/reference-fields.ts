/** Tables of fields in the reference, from the schemas of the OpenAPI document. */

import { type Html, html, inline } from './html.ts';

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

interface Row {
  name: string;
  type: Html;
  description: string;
  isOptional: boolean;
}

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

/**
 * The names of the objects that have a table of their own, because several others refer to them, or choose between them. All others
 * are described where they are used.
 */
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

/** A table of an object's fields, with those of the objects in it. `scope` begins their anchors. */
export function fieldTable(schema: Schema, scope: string, schemas: Schemas, shared: ReadonlySet<string>): Html {
  return table('Field', scope, rowsOf(schema, '', schemas, shared));
}

/** Names in objects are joined with a dot, as in the columns of CSV; `[]` follows the name of a list, and `*` is any other name. */
function rowsOf(schema: Schema, prefix: string, schemas: Schemas, shared: ReadonlySet<string>): Row[] {
  const others = schema.additionalProperties && Object.keys(schema.additionalProperties).length > 0;
  const fields = { ...schema.properties, ...(others && { '*': schema.additionalProperties as Schema }) };
  return Object.entries(fields).flatMap(([property, reference]) => {
    const field = resolved(reference, schemas);
    const name = prefix + property;
    const row = {
      name,
      type: typeOf(reference, schemas, shared),
      description: describe(field, schemas),
      isOptional: !schema.required?.includes(property),
    };
    const inner = field.items ?? reference;
    if (shared.has(nameOf(inner) ?? '')) return [row];
    return [row, ...rowsOf(resolved(inner, schemas), name + (field.items ? '[].' : '.'), schemas, shared)];
  });
}

/** A table of parameters. */
export function parameterTable(
  parameters: readonly { name: string; required: boolean; description: string; schema: Schema }[],
  scope: string,
  schemas: Schemas,
): Html {
  const rows = parameters.map(({ name, required, description, schema }) => ({
    name,
    type: typeOf(schema, schemas, new Set()),
    description: describe({ ...resolved(schema, schemas), description }, schemas),
    isOptional: !required,
  }));
  return table('Parameter', `${scope}?`, rows);
}

function table(kind: string, scope: string, rows: readonly Row[]): Html {
  return html`<table class="fields">
<thead><tr><th scope="col">${kind}</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.map((row) => tableRow(`${scope}${kind === 'Field' ? ':' : ''}${row.name}`, row))}</tbody>
</table>`;
}

function tableRow(id: string, { name, type, description, isOptional }: Row): Html {
  const optional = isOptional ? html` <small>optional</small>` : '';
  return html`<tr id="${id}"><th scope="row"><a href="#${id}">${breakable(name)}</a></th><td>${type}${optional}</td><td>${inline(description)}</td></tr>
`;
}

/** A name that breaks between the names of objects, never within one. */
function breakable(name: string): Html[] {
  return name.split(/(?<=\.)/).map((part, index) => html`${index > 0 ? html`<wbr>` : ''}${part}`);
}

/** The type of a value; that of a shared object is a link to its table. */
function typeOf(schema: Schema, schemas: Schemas, shared: ReadonlySet<string>): Html {
  const name = nameOf(schema);
  if (name && shared.has(name)) return html`<a href="#${name}">${name}</a>`;
  const { type, items, oneOf, const: constant } = resolved(schema, schemas);
  if (constant !== undefined) return html`<code>${JSON.stringify(constant)}</code>`;
  if (items) return html`array of ${typeOf(items, schemas, shared)}`;
  if (oneOf)
    return html`one of ${oneOf.map((member, index) => html`${index > 0 ? ', ' : ''}${typeOf(member, schemas, shared)}`)}`;
  return html`${type ?? 'any'}`;
}

/** The description, with what the schema says of the values. */
function describe(schema: Schema, schemas: Schemas): string {
  const { description = '', default: initial, minimum, maximum = Number.MAX_SAFE_INTEGER } = schema;
  const item = schema.items && resolved(schema.items, schemas);
  const { enum: values } = item ?? schema;
  const named = values?.every((value) => description.includes(`\`${value}\``));
  const facts = [
    item && !item.properties && item.description,
    values && !named && `One of ${values.map((value) => `\`${value}\``).join(', ')}.`,
    maximum < Number.MAX_SAFE_INTEGER && `${minimum} to ${maximum}.`,
    initial !== undefined && !/default/i.test(description) && `Default: \`${initial}\`.`,
  ];
  return [description, ...facts.filter((fact) => fact)].join(' ').trim();
}
