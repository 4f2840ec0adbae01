import { beforeAll, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../../functions/index.ts';
import { openApiDocument } from '../../../infra/site/openapi.ts';
import { requestsOf, stepsThroughStates } from '../../support/states.ts';
import { tablesForAllTests } from '../../support/tables.ts';

/** Every field of the OpenAPI document is in at least one response. */

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, and bodies of any shape
type Json = any;

const tables = tablesForAllTests();
const { paths, components }: Json = openApiDocument();
/** The documented fields, and the documented fields found in responses, by the name of their schema. */
const documented = fields();
const seen = fields();
// The devnet has no block explorer.
seen.get('Deadline')?.add('url');

function fields(): Map<string, Set<string>> {
  return new Map(Object.keys(components.schemas).map((name) => [name, new Set()]));
}

/** Adds the fields of a schema to the fields of its named schema `name`. With `value`, only the fields that it has. */
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

const steps = stepsThroughStates(tables, async ({ url, entities }) => {
  for (const endpoint of Object.values(ENDPOINTS)) {
    const { schema } = paths[endpoint.path].get.responses[200].content['application/json'];
    const visits = requestsOf(endpoint, entities).map(async (request) => {
      const response = await fetch(url + request);
      const text = await response.text();
      if (!/json/.test(response.headers.get('content-type') ?? '')) return;
      const body = JSON.parse(text);
      if (response.ok) collect(seen, endpoint.path, schema, body);
      else collectNamed(seen, 'Problem', body);
    });
    // At once, because they mostly wait for the chain.
    await Promise.all(visits);
  }
});
for (const step of steps) beforeAll(step);

test.each(Object.entries<Json>(components.schemas))('every field of %s is in some answer', (name, schema) => {
  collect(documented, name, schema);
  // If a state can show a missing field, add that state.
  expect([...(documented.get(name) ?? [])].filter((field) => !seen.get(name)?.has(field))).toEqual([]);
});
