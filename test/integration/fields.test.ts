import { beforeAll, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../functions/index.ts';
import { openApiDocument } from '../../infra/site/openapi.ts';
import { requestsOf, visitStates } from '../support/states.ts';
import { tablesForAllTests } from '../support/tables.ts';

/** Every field that the OpenAPI document describes is in some answer. */

/** Fields that no state shows, by `<schema>.<field>`, with the reason. Where a state can show one, add the state instead. */
const UNSEEN: Record<string, string> = {};

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, and bodies of any shape
type Json = any;

const tables = tablesForAllTests();
const { paths, components }: Json = openApiDocument();
/** The documented fields, and those of them that answers have, by the name of their schema. */
const documented = fields();
const seen = fields();

function fields(): Map<string, Set<string>> {
  return new Map(Object.keys(components.schemas).map((name) => [name, new Set()]));
}

/** Adds the fields of a schema, or only those that a value of it has, to those of the named schema that it is part of. */
function collect(found: typeof seen, name: string, schema: Json, value?: Json, at = ''): void {
  const reference = schema.$ref ?? schema.discriminator?.mapping[value?.[schema.discriminator.propertyName]];
  if (reference && value !== undefined) collectNamed(found, reference, value);
  if (schema.items) for (const item of value ?? [undefined]) collect(found, name, schema.items, item, at);
  for (const [property, inner] of Object.entries(schema.properties ?? {})) {
    if (value && value[property] === undefined) continue;
    found.get(name)?.add(at + property);
    collect(found, name, inner, value?.[property], `${at}${property}.`);
  }
}

function collectNamed(found: typeof seen, reference: string, value: Json): void {
  const name = reference.split('/').at(-1) as string;
  collect(found, name, components.schemas[name], value);
}

beforeAll(() =>
  visitStates(tables, async ({ url, entities }) => {
    for (const endpoint of Object.values(ENDPOINTS)) {
      const { schema } = paths[endpoint.path].get.responses[200].content['application/json'];
      for (const request of requestsOf(endpoint, entities)) {
        const response = await fetch(url + request);
        if (!/json/.test(response.headers.get('content-type') ?? '')) continue;
        const body = await response.json();
        if (response.ok) collect(seen, endpoint.path, schema, body);
        else collectNamed(seen, 'Problem', body);
      }
    }
  }),
);

test.each(Object.entries<Json>(components.schemas))(
  'every field of %s is in some answer, or in UNSEEN with the reason',
  (name, schema) => {
    collect(documented, name, schema);
    const unseen = [...(documented.get(name) ?? [])].filter((field) => !seen.get(name)?.has(field));
    const excused = Object.keys(UNSEEN).filter((field) => field.startsWith(`${name}.`));
    expect(unseen.map((field) => `${name}.${field}`)).toEqual(excused);
  },
);
