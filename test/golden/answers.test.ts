import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { id } from 'ethers';
import { ENDPOINTS } from '../../functions/index.ts';
import { type AvalancheApi, startAvalancheApi } from '../../infra/devnet/avalanche-api.ts';
import { type Devnet, startDevnet } from '../../infra/devnet/devnet.ts';
import { openApiDocument } from '../../infra/site/openapi.ts';
import { dumpState } from '../support/devnet.setup.ts';
import { type Reached, requestsOf, visitStates } from '../support/states.ts';
import { tablesForAllTests } from '../support/tables.ts';

/**
 * Golden test, `npm run golden`: each response is byte for byte the same as at another commit. If the file
 * `GOLDEN_FILE` does not exist, it is written; otherwise responses are compared with it. Chain, clock and requests
 * are the same every time.
 */

const FILE = process.env.GOLDEN_FILE as string;
/** 2026-11-20, some minutes after a full hour. */
const NOW = 1_795_134_900;
/** Number of varied requests to each endpoint in each state. */
const VARIED = 2;
/** Headers that differ from response to response. */
const VOLATILE_HEADERS = ['date', 'x-request-id', 'server-timing', 'connection', 'keep-alive'];

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
type Json = any;

const tables = tablesForAllTests();
const answers: Record<string, string> = {};
let devnet: Devnet;
let api: AvalancheApi;

beforeAll(async () => {
  jest.spyOn(Date, 'now').mockReturnValue(NOW * 1_000);
  // The time for which a body is fresh is random.
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  devnet = await startDevnet({ live: false, now: NOW });
  api = await startAvalancheApi(devnet);
  Object.assign(process.env, {
    DEVNET_RPC_URL: devnet.url,
    DEVNET_STATE: await dumpState(devnet.url),
    DEVNET_P_CHAIN_URL: api.pChainUrl,
    DEVNET_DATA_API_URL: api.dataApiUrl,
  });
  const document = openApiDocument();
  // Without examples, because these are responses.
  answers['openapi.json'] = JSON.stringify(document, (key, value) => (key === 'example' ? undefined : value));
  await visitStates(tables, (state) => askAll(state, document.paths));
}, 3_600_000);
afterAll(async () => {
  await api.stop();
  await devnet.stop();
});

async function askAll(state: Reached, paths: Json): Promise<void> {
  for (const endpoint of Object.values(ENDPOINTS)) {
    const parameters = paths[endpoint.path].get.parameters;
    for (const request of [...requestsOf(endpoint, state.entities), ...varied(endpoint.path, parameters, state)])
      await ask(state, request);
  }
}

async function ask({ name, url }: Reached, request: string): Promise<void> {
  const response = await fetch(url + request);
  const headers = [...response.headers].filter(([header]) => !VOLATILE_HEADERS.includes(header));
  // The duration of a check, and the request ID. The ETag and the length follow from the body.
  const body = (await response.text())
    .replace(/"latencyMs":[\d.]+/g, '"latencyMs":0')
    .replace(/"requestId":"[^"]*"/, '"requestId":""');
  const shown = headers.filter(([header]) => !body.includes('latencyMs') || !/etag|content-length/.test(header));
  answers[`${request}, while ${name}`] = `${response.status}\n${JSON.stringify(shown)}\n${body}`;
}

/** Returns requests with parameters drawn from their schemas in the document. */
function varied(path: string, parameters: Json[], { entities }: Reached): string[] {
  return Array.from({ length: parameters.length === 0 ? 0 : VARIED }, (_, index) => {
    const draw = drawFor(`${path} ${index}`);
    const query: string[] = [];
    const filled = parameters.reduce((filled: string, parameter: Json) => {
      const known = entities[parameter.name] ?? [];
      const values = known.length > 0 ? known : valuesOf(parameter);
      const value = encodeURIComponent(values[draw(values.length)] ?? 'none');
      if (parameter.in === 'path') return filled.replace(`{${parameter.name}}`, value);
      if (parameter.required || draw(3) === 0) query.push(`${parameter.name}=${value}`);
      return filled;
    }, path);
    return query.length > 0 ? `${filled}?${query.join('&')}` : filled;
  });
}

/** Returns some values of a parameter. For most parameters, the last value is invalid. */
function valuesOf({ name, example, schema }: Json): string[] {
  const components: Json = openApiDocument().components.schemas;
  const { enum: words, type, minimum = 0, maximum } = schema.$ref ? components[schema.$ref.split('/').at(-1)] : schema;
  const times = [0, 1, 7, 30, 400].map((days) => String(NOW - days * 86_400));
  if (words) return words;
  if (schema.items?.$ref) return components[schema.items.$ref.split('/').at(-1)].enum;
  if (schema.items?.enum) return schema.items.enum;
  if (schema.format === 'int64') return times;
  if (type === 'boolean') return ['true', 'false'];
  if (type === 'integer' || type === 'number') return [`${minimum}`, '1', '2', '7', '50', `${maximum}`];
  if (name === 'cursor' || name === 'after') return ['1-1', `${times[3]}-000000000100-000001`, times[3] as string];
  return [String(example ?? '1'), '0', '1000.5', 'none'];
}

/** Returns a function for random integers from 0 up to a limit, the same for the same seed. */
function drawFor(seed: string): (limit: number) => number {
  let count = 0;
  return (limit) => Number(BigInt(id(`${seed} ${count++}`)) % BigInt(limit));
}

test('answers are what they were', () => {
  if (!existsSync(FILE)) writeFileSync(FILE, JSON.stringify(answers, undefined, 1));
  const before: typeof answers = JSON.parse(readFileSync(FILE, 'utf8'));
  const requests = [...new Set([...Object.keys(before), ...Object.keys(answers)])];
  const changed = requests.filter((request) => before[request] !== answers[request]);
  const shown = changed.slice(0, 10).map((request) => difference(request, before[request], answers[request]));
  expect({ changed: changed.length, shown }).toEqual({ changed: 0, shown: [] });
});

/** Returns the first position at which two texts differ, with the surrounding text. */
function difference(request: string, before = '(nothing)', after = '(nothing)') {
  const at = [...before].findIndex((character, index) => character !== after[index]);
  const around = (text: string) => text.slice(Math.max(0, at - 100), at + 200);
  return { request, before: around(before), after: around(after) };
}
