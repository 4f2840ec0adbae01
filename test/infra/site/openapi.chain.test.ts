import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ENDPOINTS } from '../../../functions/index.ts';
import type { LocalServer } from '../../../infra/devnet/listen.ts';
import type { LocalDynamoDB } from '../../../infra/local/dynamodb.ts';
import { createRoutes, startGateway } from '../../../infra/local/gateway.ts';
import { openApiDocument } from '../../../infra/site/openapi.ts';
import { EXCHANGES } from '../../../lib/prices/exchanges.ts';
import { recordCycles, recordDays, recordLedger } from '../../support/recorded.ts';
import { startOnDevnet } from '../../support/runtime.ts';
import { startTables } from '../../support/tables.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
const document = openApiDocument() as any;

let database: LocalDynamoDB;
let server: LocalServer;

beforeAll(async () => {
  database = await startTables();
  await recordLedger();
  await recordCycles();
  await recordDays(2);
  server = await startGateway({ port: 0, routes: createRoutes(startOnDevnet()) });
});
afterAll(async () => {
  await server.stop();
  await database.stop();
});

test('the linter finds no problems in the document', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problemsIn = (source: string) => lintFromString({ source, config });
  expect(await problemsIn(JSON.stringify(document))).toEqual([]);
  const { security, ...unsafe } = document;
  expect(await problemsIn(JSON.stringify(unsafe))).not.toEqual([]);
});

test('generators of typed languages get what they need: formats of numbers, enums of constants, discriminators, plain patterns', () => {
  let patterns = 0;
  // biome-ignore lint/suspicious/noExplicitAny: a JSON Schema
  const faultsOf = (schema: any, path: string): string[] => {
    if (typeof schema !== 'object' || schema === null || /\/examples?$/.test(path)) return [];
    const { type, format, pattern, oneOf, discriminator, enum: values, const: constant } = schema;
    if (typeof pattern === 'string') patterns++;
    const faults = [
      type === 'integer' && /time(stamp)?$/i.test(path) && format !== 'int64' && 'a time is int64: 32 bits end in 2038',
      type === 'number' && format !== 'double' && 'a number is a double',
      constant !== undefined && (values?.length !== 1 || values[0] !== constant) && 'a constant has an enum of one',
      oneOf && !discriminator && 'alternatives have a discriminator',
      // Go has the patterns of models in struct tags, where a comma ends them.
      (pattern?.includes?.('\\') || (pattern?.includes?.(',') && !path.startsWith('/'))) && 'a pattern is read alike',
    ].filter(Boolean);
    return [
      ...faults.map((fault) => `${path}: ${fault}`),
      ...Object.entries(schema).flatMap(([name, inner]) => faultsOf(inner, `${path}/${name}`)),
    ];
  };
  expect([faultsOf(document.components.schemas, 'schemas'), faultsOf(document.paths, '')]).toEqual([[], []]);
  expect(patterns).toBeGreaterThan(100);
  expect(JSON.stringify(document)).not.toContain('unixtime');
});

describe.each(Object.entries(ENDPOINTS))('%s', (_, endpoint) => {
  const operation = document.paths[endpoint.path].get;

  test('documents its parameters, and which ones are required', () => {
    // biome-ignore lint/suspicious/noExplicitAny: a parameter object
    const documented = operation.parameters.map(({ name, required }: any) => [name, required]);
    const accepted = Object.entries(endpoint.input.shape).map(([name, schema]) => [
      name,
      // biome-ignore lint/suspicious/noExplicitAny: a schema of any kind
      !(schema as any).safeParse(undefined).success,
    ]);
    expect(documented).toEqual(accepted);
  });

  test('answers every format with a documented type, or with a documented 409', async () => {
    for (const [name, { contentType, write, page }] of Object.entries(endpoint.formats)) {
      if (page) continue;
      const url = new URL(server.url + endpoint.exampleRequest);
      if (write) url.searchParams.set('format', name);
      const { status, headers } = await fetch(url, { headers: { Accept: contentType } });
      const documented = operation.responses[status];
      const { content } = documented?.$ref
        ? document.components.responses[documented.$ref.split('/').at(-1)]
        : documented;
      expect([name, status]).toEqual([name, write && status === 409 ? 409 : 200]);
      const types = Object.keys(content).map((type) => type.replace(/;.*/, ''));
      expect([name, types]).toEqual([name, expect.arrayContaining([headers.get('Content-Type')?.replace(/;.*/, '')])]);
    }
  });

  test('describes every parameter and every field', () => {
    const undescribed: string[] = [];
    // biome-ignore lint/suspicious/noExplicitAny: a JSON Schema
    const walk = (schema: any, path: string) => {
      for (const [name, property] of Object.entries<Record<string, unknown>>(schema.properties ?? {})) {
        if (!property.description && !property.properties && !property.$ref) undescribed.push(`${path}.${name}`);
        walk(property, `${path}.${name}`);
      }
      for (const inner of [schema.items ?? [], schema.oneOf ?? []].flat()) walk(inner, `${path}[]`);
      const name = schema.$ref?.split('/').at(-1);
      if (name) walk(document.components.schemas[name], name);
    };
    walk(operation.responses[200].content['application/json'].schema, 'body');
    // biome-ignore lint/suspicious/noExplicitAny: a parameter object
    const parameters = operation.parameters.filter(({ description }: any) => !description);
    expect([...undescribed, ...parameters]).toEqual([]);
  });
});

test('descriptions name endpoints that exist', () => {
  const named = JSON.stringify(document).matchAll(/`(\/[^`?]+)[^`]*`/g);
  const patterns = Object.keys(document.paths).map((path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`));
  const wrong = Array.from(named, ([, path = '']) => path).filter((path) => !patterns.some((one) => one.test(path)));
  expect(wrong).toEqual(['/supply']);
});

/** True if the document's schema of a parameter accepts a value, or one element of a list. */
// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema
function accepts(schema: any, value: unknown): boolean {
  const { $ref, ...own } = schema.items && !Array.isArray(value) ? schema.items : schema;
  const { components } = document;
  return new Ajv2020({ strict: false, validateFormats: false }).validate({ ...own, $ref, components }, value);
}

interface Parameter {
  name: string;
  example?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: a JSON Schema
  schema: any;
}

// Clients such as openapi-core check each request by the document before they send it.
describe('a client that checks its requests by the document', () => {
  test('can send the examples of all parameters', () => {
    const parameters = Object.values<{ get: { parameters: Parameter[] } }>(document.paths)
      .flatMap(({ get }) => get.parameters)
      .filter(({ example }) => example !== undefined);
    expect(parameters.length).toBeGreaterThan(20);
    expect(parameters.filter(({ schema, example }) => !accepts(schema, example))).toEqual([]);
  });

  test.each(EXCHANGES.flatMap(({ code, aliases }) => [code, ...aliases]))(
    'can ask for the exchange %s',
    async (word) => {
      const [{ schema }] = document.paths['/prices/{dex}'].get.parameters;
      expect(accepts(schema, word)).toBe(true);
      expect((await fetch(`${server.url}/prices/${word}/history`)).status).toBe(200);
    },
  );
});

test('the example of a 400 is what the service responds with', async () => {
  const response = await fetch(`${server.url}/stakers?limit=x`);
  const { requestId: _, ...problem } = (await response.json()) as Record<string, unknown>;
  const { examples } = document.components.responses.InvalidRequest.content['application/problem+json'];
  expect(examples.INVALID_REQUEST.value).toEqual({ ...problem, requestId: expect.any(String) });
});

test('the schemas of events are mapped by their type', () => {
  const { oneOf, discriminator } = document.components.schemas.Activity.properties.activity.items;
  const { mapping, propertyName } = discriminator;
  expect(propertyName).toBe('type');
  expect(Object.keys(mapping)).toEqual(document.components.schemas.ActivityType.enum);
  expect(Object.values(mapping)).toEqual(oneOf.map(({ $ref }: { $ref: string }) => $ref));
});
