import type { RequestListener } from 'node:http';
import { type AttributeValue, BatchWriteItemCommand, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../functions/index.ts';
import { proxyEvent as proxyEventOf } from '../../infra/local/event.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import type { Item } from '../../lib/tables/attributes.ts';
import { chunked } from '../../lib/values/arrays.ts';
import { bodyFrom, lambdaContext, proxyEvent, sendTo } from '../support/events.ts';
import { recordDays, recordLedger } from '../support/recorded.ts';
import { proxyTo, type RpcProvider } from '../support/rpc-providers.ts';
import { IMPATIENT, startContainer, startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { deadUrl, startServer, stoppedAfterEach } from '../support/servers.ts';
import { tablesForEachTest } from '../support/tables.ts';

/** The API answers even if DynamoDB fails or contains corrupt items. */

const DAMAGED = 'damaged rows of a table are treated as missing';

// They also give the process its AWS credentials, which tests need that use another endpoint.
tablesForEachTest();
const keep = stoppedAfterEach();
let chain: RpcProvider;

beforeEach(async () => {
  chain = keep(await proxyTo(process.env.DEVNET_RPC_URL as string));
});

function container(): TestRuntime {
  return startContainer({ NETWORK: 'devnet', RPC_URLS: chain.url, MAX_HEAD_AGE_SECONDS: '0' }, IMPATIENT);
}

function get(runtime: TestRuntime) {
  return sendTo(ENDPOINTS['gg-avax'] as Endpoint, runtime);
}

const serve = async (listener: RequestListener) => keep(await startServer(listener)).url;

const throttle: RequestListener = (_, response) => {
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
  response.end(
    '{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"slow down"}',
  );
};

describe('when DynamoDB', () => {
  test.each<[string, () => Promise<string>]>([
    ['refuses connections', deadUrl],
    ['hangs', () => serve(() => {})],
    ['throttles', () => serve(throttle)],
    ['answers garbage', () => serve((_, response) => response.end('<html>'))],
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
    expect((await sendTo(ENDPOINTS.health as Endpoint, runtime)).body).toMatchObject({
      status: 'degraded',
      cache: { ok: false },
    });
  });
});

test('if the ledger table hangs, events up to a time get a 503 before the deadline', async () => {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = await serve(() => {});
  const handler = createHandler(ENDPOINTS.activity as Endpoint, container());
  const event = proxyEvent({ query: { to: '1789158328' } });
  expect(await handler(event, lambdaContext(8_000))).toMatchObject({ statusCode: 503 });
});

test('if all rows are damaged, every endpoint answers, and each kind of damage is logged once', async () => {
  await Promise.all([recordDays(3), recordLedger()]);
  const isRow = ({ position }: Item) => position?.S !== 'current';
  const without = (names: readonly string[]) => (row: Item) =>
    Object.fromEntries(Object.keys(row).map((name) => [name, names.includes(name) ? row[name] : { N: '1e30' }]));
  await damage('history', isRow, without(['series', 'timestamp']));
  await damage('ledger', isRow, without(['subject', 'position']));
  const runtime = startOnDevnet();
  for (const endpoint of Object.values(ENDPOINTS)) {
    const event = proxyEventOf(endpoint.path, { method: 'GET', url: endpoint.exampleRequest, headers: {} });
    const { statusCode } = await createHandler(endpoint, runtime)(event, lambdaContext());
    expect([endpoint.path, statusCode]).toEqual([endpoint.path, statusCode === 404 ? 404 : 200]);
  }
  const logged = runtime.telemetry.lines.filter(({ message }) => message === DAMAGED);
  expect(new Set(logged.map(({ fields }) => String(fields.error))).size).toBe(logged.length);
});

/** Replaces attributes of some rows of a table; returns how many there are. */
async function damage(
  table: string,
  isMeant: (row: Item) => boolean,
  change: (row: Item) => Record<string, AttributeValue | undefined>,
): Promise<number> {
  const client = new DynamoDBClient({});
  const rows: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: table }))
    rows.push(...Items.filter(isMeant));
  const puts = rows.map((row) => ({ PutRequest: { Item: JSON.parse(JSON.stringify({ ...row, ...change(row) })) } }));
  for (const batch of chunked(puts, 25))
    await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: batch } }));
  client.destroy();
  return rows.length;
}

describe('damaged rows are as if they were not there, with one warning:', () => {
  const ask = async (file: string, query: Record<string, string> = {}) => {
    const runtime = container();
    const body = await bodyFrom(ENDPOINTS[file] as Endpoint, runtime, { query });
    expect(JSON.stringify(body)).not.toContain('null');
    return { body, warnings: runtime.telemetry.lines.filter(({ message }) => message === DAMAGED) };
  };

  test.each<[string, (row: Item) => Record<string, AttributeValue | undefined>]>([
    ['of another form', () => ({ block: { S: 'x' } })],
    ['with a number beyond all blocks', () => ({ block: { N: '1e30' } })],
    ['with a list of nothing', () => ({ values: { L: [{ NULL: true }] } })],
    ['without their time', () => ({ blockTimestamp: undefined })],
    ['with a number that is none', ({ values }) => ({ values: { M: { ...values?.M, totalAssets: { S: 'NaN' } } } })],
    ['without values', () => ({ values: undefined })],
  ])('points %s', async (_, change) => {
    await recordDays(3);
    const { body } = await ask('gg-avax/history', { interval: '1d' });
    const [first, ...rest] = body.points;
    const isFirst = ({ series, timestamp }: Item) =>
      series?.S === 'devnet#1d' && Number(timestamp?.N) === Number(first.timestamp);
    expect(await damage('history', isFirst, change)).toBe(1);
    const later = await ask('gg-avax/history', { interval: '1d' });
    expect(later.body.points).toEqual(rest);
    expect(later.warnings).toEqual([expect.objectContaining({ level: 'warn' })]);
  });

  test('entries, whatever is wrong with them', async () => {
    await recordLedger({ opened: container().opened });
    const query = { type: 'ggpStaked', limit: '100' };
    const { body } = await ask('activity', query);
    const without = (fields: AttributeValue | undefined, change: object) => ({
      fields: { M: { ...fields?.M, ...change } },
    });
    const changes: ((row: Item) => Record<string, AttributeValue | undefined>)[] = [
      () => ({ type: { S: 'toString' } }),
      ({ fields }) => without(fields, { amount: undefined }),
      () => ({ block: { N: '7' } }),
      () => ({ logIndex: { N: '1e30' } }),
      ({ fields }) => without(fields, { staker: { S: '0x12' } }),
      () => ({ txHash: { N: '5' } }),
    ];
    for (const [place, change] of changes.entries()) {
      const { txHash } = body.activity[place];
      const isMeant = (row: Item) =>
        row.txHash?.S === txHash && row.subject?.S?.endsWith('#protocol#ggpStaked') === true;
      expect(await damage('ledger', isMeant, change)).toBe(1);
    }
    const rest = body.activity.slice(changes.length);
    const later = await ask('activity', query);
    expect(later.body.activity).toEqual(rest);
    expect(later.warnings).toHaveLength(1);
    // The first pages of the table have damaged rows only.
    expect((await ask('activity', { ...query, limit: '1' })).body.activity).toEqual(rest.slice(0, 1));
  });
});
