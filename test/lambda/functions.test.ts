import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ENDPOINTS } from '../../functions/index.ts';
import { startCountingProxy } from '../../infra/bench/counting-proxy.ts';
import { builtFunctions } from '../../infra/emulators/lambda/assets.ts';
import { type Lambda, startLambda } from '../../infra/emulators/lambda/runtime.ts';
import { type LocalDynamoDB, startDynamoDB } from '../../infra/local/dynamodb.ts';
import { lambdaContext, proxyEvent } from '../../infra/local/event.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { newestBoundary } from '../../lib/history/record-history.ts';
import { hangs } from '../support/rpc-providers.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { startTables } from '../support/tables.ts';

/**
 * Every function that `cdk synth` has built gives the same answers, under AWS's runtime client, as the handlers here.
 * Each side has tables of its own, so that neither serves what the other has read.
 */

const FUNCTIONS = builtFunctions();
const RECORDER = 'Records the points of the history endpoints';

const keep = stoppedAfterEach();
let ours: LocalDynamoDB;
let theirs: LocalDynamoDB;

beforeAll(async () => {
  ours = await startTables();
  theirs = await startDynamoDB();
});
afterAll(async () => {
  await ours.stop();
  await theirs.stop();
});

const ONE_PROVIDER = { RPC_URLS: process.env.DEVNET_RPC_URL as string };
/** The environment variables that the stack sets, with the devnet as the network. */
const environment = (change: Record<string, string> = {}) => ({
  POWERTOOLS_SERVICE_NAME: 'staking-data-dev',
  NETWORK: 'devnet',
  ...ONE_PROVIDER,
  P_CHAIN_URLS: process.env.DEVNET_P_CHAIN_URL as string,
  DATA_API_URL: process.env.DEVNET_DATA_API_URL as string,
  MAX_HEAD_AGE_SECONDS: '0',
  ...theirs.env,
  ...change,
});

const functionOf = (description: string) => {
  const found = FUNCTIONS.find((candidate) => candidate.description === description);
  if (!found) throw new Error(`cdk.out has no function "${description}": run npm run synth`);
  return found;
};

/** A response without the parts that may differ between two moments. */
function lasting({ statusCode, headers, body, isBase64Encoded }: APIGatewayProxyResult) {
  const {
    Age: _,
    ETag: tag,
    'Cache-Control': cacheControl,
    'Server-Timing': __,
    'X-Request-Id': id,
    'X-Cache': cache,
    'Cache-Status': status,
    // The length of a body with durations varies.
    'Content-Length': _length,
    ...rest
  } = headers as Record<string, string>;
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const text = rest['Content-Encoding'] === 'gzip' ? gunzipSync(bytes).toString() : bytes.toString();
  const present = {
    tag: Boolean(tag),
    cache: Boolean(cache && status),
    id: Boolean(id),
    encoded: Boolean(isBase64Encoded),
  };
  return {
    statusCode,
    headers: rest,
    cacheControl: cacheControl?.replace(/max-age=\d+/, ''),
    text: settled(text),
    present,
  };
}

/** A body without times, durations and request IDs. */
function settled(text: string): string {
  return text
    .replace(/"requestId":"[^"]*"/, '')
    .replace(/"(asOf|latencyMs|ageSeconds|headAgeSeconds)":[\d.]+/g, '"$1":0');
}

interface Case {
  name: string;
  method?: string;
  url: string;
  headers?: Record<string, string>;
}

function casesOf({ path, input, exampleRequest: url }: Endpoint): Case[] {
  const [first] = Object.keys(input.shape);
  const wrong = path.includes('{') ? path.replace(/\{\w+\}/, '%E0%A4%A') : `${path}?${first}=%20&${first}=2`;
  return [
    { name: 'its example', url },
    { name: 'its example, compressed', url, headers: { 'Accept-Encoding': 'gzip' } },
    { name: 'HEAD', method: 'HEAD', url },
    { name: 'a preflight', method: 'OPTIONS', url, headers: { Origin: 'https://example.org' } },
    { name: 'POST', method: 'POST', url },
    ...(first ? [{ name: 'bad input', url: wrong }] : []),
  ];
}

describe.each(Object.entries(ENDPOINTS))('%s', (_, endpoint) => {
  let lambda: Lambda;

  beforeAll(async () => {
    lambda = await startLambda({ folder: functionOf(endpoint.summary).folder, env: environment() });
  });
  afterAll(() => lambda.stop());

  test.each(casesOf(endpoint))('answers $name like the handler here', async ({ method = 'GET', url, headers = {} }) => {
    const event: APIGatewayProxyEvent = proxyEvent(endpoint.path, { method, url, headers });
    // For a request without headers, API Gateway sends null.
    if (Object.keys(headers).length === 0) event.headers = null as unknown as APIGatewayProxyEvent['headers'];
    const built = (await lambda.invoke(event)) as APIGatewayProxyResult;
    const local = await createHandler(endpoint, startOnDevnet(ONE_PROVIDER))(event, lambdaContext());
    expect(lasting(built)).toEqual(lasting(local));
  });
});

test.each(['gg-avax', 'metrics', 'minipools'])(
  'the function of %s reads addresses from the table while it starts, and then what its first answer needs, in a request each',
  async (file) => {
    const { summary, path, exampleRequest } = ENDPOINTS[file] as Endpoint;
    const example = proxyEvent(path, { method: 'GET', url: exampleRequest, headers: {} });
    const { folder } = functionOf(summary);
    const before = keep(await startLambda({ folder, env: environment() }));
    expect(await before.invoke(example)).toMatchObject({ statusCode: 200 });

    const table = keep(await startCountingProxy(theirs.env.AWS_ENDPOINT_URL_DYNAMODB as string));
    const lambda = keep(await startLambda({ folder, env: environment({ AWS_ENDPOINT_URL_DYNAMODB: table.url }) }));
    for (let tries = 0; tries < 100 && table.requests < 1; tries++) await wait(50);
    expect(table.requests).toBe(1);
    expect(await lambda.invoke(example)).toMatchObject({ statusCode: 200 });
    expect(table.requests).toBe(2);
  },
);

test('the recorder fills the history table', async () => {
  const chain = startOnDevnet().opened.chain;
  const newest = newestBoundary(await chain.head());
  const env = environment({ HISTORY_START: String(newest - 5 * 3_600), AWS_LAMBDA_LOG_LEVEL: 'ERROR' });
  const lambda = keep(await startLambda({ folder: functionOf(RECORDER).folder, env }));
  // If an hour has ended since the devnet was started, it is too late for validators.
  const run = lambda.invoke({ 'detail-type': 'Scheduled Event', detail: {} }, 300_000);
  await run.catch(({ message }: Error) => expect(message).toBe(`the validators at ${newest} could not be recorded`));
  const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  process.env.AWS_ENDPOINT_URL_DYNAMODB = theirs.env.AWS_ENDPOINT_URL_DYNAMODB;
  const recorded = await startOnDevnet().opened.history.timestamps('1h', newest - 5 * 3_600, newest);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
  expect(recorded).toHaveLength(6);
});

const metrics = () => functionOf((ENDPOINTS.metrics as Endpoint).summary).folder;
const event = () => proxyEvent('/metrics', { method: 'GET', url: '/metrics', headers: {} });

test('a function that runs out of time responds with a 504 and CORS headers', async () => {
  const source = keep(await hangs());
  const lambda = keep(
    await startLambda({ folder: metrics(), env: environment({ RPC_URLS: source.url, CACHE_TABLE: 'fresh' }) }),
  );
  const { statusCode, headers, body } = (await lambda.invoke(event(), 1_500)) as APIGatewayProxyResult;
  expect(statusCode).toBe(504);
  expect(headers).toMatchObject({ 'Access-Control-Allow-Origin': '*' });
  expect(JSON.parse(body).code).toBe('DEADLINE_EXCEEDED');
});

test('a function with an invalid environment responds with a 500 without details, and logs where in the source it failed', async () => {
  const lambda = keep(await startLambda({ folder: metrics(), env: environment({ RPC_URLS: 'my-secret-endpoint' }) }));
  const { statusCode, body } = (await lambda.invoke(event())) as APIGatewayProxyResult;
  expect(statusCode).toBe(500);
  expect(body).not.toMatch(/secret|RPC_URLS/);
  const { message, error } = JSON.parse(lambda.errors());
  expect(message).toBe('unexpected error');
  expect(error.message).toMatch(/^RPC_URLS: must be/);
  expect(error.stack).toMatch(/lib\/runtime\/config\.ts:\d+:\d+/);
});
