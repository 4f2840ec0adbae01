import { DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../functions/index.ts';
import type { LocalServer } from '../../infra/local/listen.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { lambdaContext, proxyEvent, send } from '../support/events.ts';
import { proxyTo, type RpcProvider } from '../support/rpc-providers.ts';
import { IMPATIENT, startContainer, type TestRuntime } from '../support/runtime.ts';
import { deadUrl, startServer } from '../support/servers.ts';
import { startTables } from '../support/tables.ts';

/** The API answers even if DynamoDB fails or contains corrupt items. */

const KEY = '2#devnet#/ggAvax#{}';

let chain: RpcProvider;
const open: { stop(): Promise<void> }[] = [];

beforeEach(async () => {
  chain = await proxyTo(process.env.DEVNET_RPC_URL as string);
  // The tables also give the process its AWS credentials, which tests need that use another endpoint.
  open.push(chain, await startTables());
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((part) => part.stop()));
});

function container(): TestRuntime {
  return startContainer({ NETWORK: 'devnet', RPC_URLS: chain.url, MAX_HEAD_AGE_SECONDS: '0' }, IMPATIENT);
}

function get(runtime: TestRuntime) {
  return send(createHandler(ENDPOINTS['gg-avax'] as Endpoint, runtime));
}

async function started(server: Promise<LocalServer>): Promise<string> {
  const { url, stop } = await server;
  open.push({ stop });
  return url;
}

const throttles = () =>
  startServer((_, response) => {
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(
      '{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"slow down"}',
    );
  });

describe('when DynamoDB', () => {
  test.each<[string, () => Promise<string>]>([
    ['refuses connections', deadUrl],
    ['hangs', () => started(startServer(() => {}))],
    ['throttles', () => started(throttles())],
    ['answers garbage', () => started(startServer((_, response) => response.end('<html>')))],
  ])('%s, a container reads the source once, serves from memory, and warns once', async (_, start) => {
    process.env.AWS_ENDPOINT_URL_DYNAMODB = await start();
    const runtime = container();
    expect((await get(runtime)).status).toBe(200);
    const asked = chain.requests.length;
    for (let request = 0; request < 5; request++) {
      const { status, headers } = await get(runtime);
      expect(status).toBe(200);
      expect(headers['X-Cache']).toBe('hit');
    }
    expect(chain.requests.length).toBe(asked);
    const warnings = runtime.telemetry.lines.filter(({ message }) => message === 'cache table failed');
    expect(warnings).toHaveLength(1);
    expect(runtime.telemetry.counts).toContain('TableError');
    // CacheError is for requests that could not be answered.
    expect(runtime.telemetry.counts).not.toContain('CacheError');
    expect((await send(createHandler(ENDPOINTS.health as Endpoint, runtime))).body).toMatchObject({
      status: 'degraded',
      cache: { ok: false },
    });
  });
});

test('if the history table hangs, figures that the chain has as well are still there', async () => {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = await started(startServer(() => {}));
  const { body } = await send(createHandler(ENDPOINTS.metrics as Endpoint, container()));
  expect(body).toMatchObject({ ggavax_apy: expect.any(Number), total_assets: expect.any(Number) });
});

test('if the ledger table hangs, events up to a time get a 503 before the deadline', async () => {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = await started(startServer(() => {}));
  const handler = createHandler(ENDPOINTS.activity as Endpoint, container());
  const event = proxyEvent({ query: { to: '1789158328' } });
  expect(await handler(event, lambdaContext(8_000))).toMatchObject({ statusCode: 503 });
});

describe('an item in the table that', () => {
  const future = String(Date.now() + 3_600_000);
  test.each<[string, Record<string, { S: string } | { N: string } | { B: Uint8Array } | { BOOL: boolean }>]>([
    ['is from another program', { body: { S: 'hello' } }],
    [
      'lacks its times',
      { body: { B: Buffer.from('{}') }, gzip: { BOOL: false }, contentType: { S: 'a/b' }, etag: { S: 'x' } },
    ],
    [
      'has times that are not numbers',
      { body: { B: Buffer.from('{}') }, storedAt: { S: 'now' }, freshUntil: { N: future }, staleUntil: { N: future } },
    ],
  ])('%s is a miss with a warning, and is replaced', async (_, attributes) => {
    const client = new DynamoDBClient({});
    await client.send(new PutItemCommand({ TableName: 'cache', Item: { pk: { S: KEY }, ...attributes } }));
    client.destroy();
    await expectMissThenHit();
  });

  test('was damaged is a miss with a warning, and is replaced', async () => {
    await get(container());
    const client = new DynamoDBClient({});
    await client.send(
      new UpdateItemCommand({
        TableName: 'cache',
        Key: { pk: { S: KEY } },
        UpdateExpression: 'SET body = :body',
        ExpressionAttributeValues: { ':body': { B: Buffer.from('{"totalAssets":"1"}') } },
      }),
    );
    client.destroy();
    await expectMissThenHit();
  });

  async function expectMissThenHit() {
    const runtime = container();
    const { status, headers, body } = await get(runtime);
    expect(status).toBe(200);
    expect(headers['X-Cache']).toBe('miss');
    expect(body.symbol).toBe('stAVAX');
    expect(runtime.telemetry.lines.map(({ message }) => message)).toContain('cache item is corrupt, treated as a miss');
    expect((await get(container())).headers['X-Cache']).toBe('hit');
  }
});
