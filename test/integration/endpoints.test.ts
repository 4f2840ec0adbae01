import { beforeAll, describe, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../functions/index.ts';
import { proxyEvent } from '../../infra/local/event.ts';
import EXAMPLES from '../../infra/site/examples.json' with { type: 'json' };
import { openApiDocument } from '../../infra/site/openapi.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { systemClock } from '../../lib/runtime/clock.ts';
import { lambdaContext } from '../support/events.ts';
import { recordAllDays, recordCycles, recordLedger } from '../support/recorded.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { headerFaults } from './headers.ts';

/** Rules that hold for every endpoint. */

const document = openApiDocument();
tablesForAllTests();
let runtime: TestRuntime;

beforeAll(async () => {
  runtime = startOnDevnet();
  // So that no example response is empty.
  await recordLedger();
  await recordAllDays();
  await recordCycles();
});

/** Answers with as many entries as were asked for, calendars, and income, of which a part would look like all. */
const UNPAGED = new Set<string>([
  '/accounts',
  '/prices/at',
  '/accounts/calendar.ics',
  '/accounts/{address}/calendar.ics',
  '/accounts/income',
  '/accounts/{address}/income',
]);

describe.each(Object.entries(ENDPOINTS))('%s', (_, endpoint: Endpoint) => {
  const get = async (container = runtime, url: string = endpoint.exampleRequest) => {
    const event = proxyEvent(endpoint.path, { method: 'GET', url, headers: {} });
    return createHandler(endpoint, container)(event, lambdaContext());
  };

  test('has an example that matches its schema', () => {
    const example = (EXAMPLES as Record<string, unknown>)[endpoint.path];
    expect(endpoint.response().parse(example)).toEqual(example);
  });

  test('responds with the fields of its schema and the headers that the OpenAPI document promises, and no others', async () => {
    const { statusCode: status, headers = {}, body } = await get();
    expect(status).toBe(200);
    const answer = JSON.parse(body);
    expect(endpoint.response().parse(answer)).toEqual(answer);
    const sent = { status, headers: new Headers(headers as Record<string, string>), body: answer };
    expect(headerFaults(document, endpoint.path, sent)).toEqual([]);
    const promised = document.paths[endpoint.path]?.get.responses[200].headers ?? {};
    expect('X-Block-Number' in headers).toBe('X-Block-Number' in promised);
  });

  // The stack lets a function read the tables that its endpoint declares, and no others.
  test('needs no table that it does not declare', async () => {
    const { reads = [] } = endpoint;
    // Flags are a row of the history's table.
    const tables = { LEDGER_TABLE: ['ledger'], HISTORY_TABLE: ['history', 'flags'] };
    const undeclared = Object.entries(tables).filter(
      ([, kept]) => !kept.some((name) => (reads as readonly string[]).includes(name)),
    );
    const env = Object.fromEntries(undeclared.map(([variable]) => [variable, 'undeclared']));
    const other = startOnDevnet({ ...env, CACHE_TABLE: 'no-cache' });
    expect((await get(other)).statusCode).toBe(200);
    const lines = other.telemetry.lines.map(({ message, fields }) => `${message}: ${fields?.error}`);
    expect(lines.filter((line) => /ledger|history|recorded/i.test(line))).toEqual([]);
  });

  test('answers while the clock of the machine goes back by a day, and with a late one from the start', async () => {
    let back = 0;
    const clock = { ...systemClock, unix: () => Date.now() - back };
    const start = () => startOnDevnet({ CACHE_TABLE: 'no-cache', MAX_HEAD_AGE_SECONDS: '7200' }, undefined, { clock });
    const on = start();
    const sent = [await get(on)];
    back = 86_400_000;
    sent.push(await get(on), await get(start()));
    expect(sent.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  });

  if (!endpoint.shared) {
    test('is made from data in the tables, so another container makes no upstream request', async () => {
      await get();
      const other = startOnDevnet();
      expect((await get(other)).statusCode).toBe(200);
      expect(other.telemetry.attempts).toEqual([]);
    });
  }

  const rows = endpoint.formats.csv?.rows;
  if (rows && !UNPAGED.has(endpoint.path)) {
    const path = endpoint.exampleRequest.replace(/\?.*/, '');
    const listed = async (query: string) => JSON.parse((await get(runtime, `${path}?${query}`)).body);

    test('is paged like every list: by limit and cursor, up to the page without nextCursor', async () => {
      const whole = (await listed('limit=1000'))[rows];
      expect(whole.length).toBeGreaterThan(1);
      const limit = Math.ceil(whole.length / 3);
      let body = await listed(`limit=${limit}`);
      const entries = body[rows];
      while (body.nextCursor !== undefined && entries.length < whole.length) {
        expect(body[rows]).toHaveLength(limit);
        body = await listed(`limit=${limit}&cursor=${body.nextCursor}`);
        entries.push(...body[rows]);
      }
      expect(entries.slice(0, whole.length)).toEqual(whole);
    });

    test('has no rows, but all totals, with a limit of 0', async () => {
      const [whole, empty] = [await listed('limit=1000'), await listed('limit=0')];
      expect([empty[rows], empty.nextCursor]).toEqual([[], undefined]);
      for (const name of ['total', 'totals', 'counts', 'coverage', 'recordedFrom', 'totalStake'])
        expect([name, empty[name]]).toEqual([name, whole[name]]);
    });
  }

  if ('from' in endpoint.input.shape) {
    test('accepts a range of one second, and rejects one that ends before it starts', async () => {
      const { pathname, searchParams } = new URL(endpoint.exampleRequest, 'http://localhost');
      const address = searchParams.get('address');
      const path = `${pathname}?${address ? `address=${address}&` : ''}`;
      // Neither time is a boundary of days or hours.
      const between = (from: number, to: number) => get(runtime, `${path}from=${from}&to=${to}`);
      expect((await between(1_789_000_001, 1_789_000_001)).statusCode).toBe(200);
      const { statusCode, body } = await between(1_789_000_002, 1_789_000_001);
      expect([statusCode, JSON.parse(body).errors]).toEqual([
        400,
        [{ parameter: 'from', message: 'must not be after to (1789000001)' }],
      ]);
      const wrong = await get(runtime, `${path}from=1789000002&to=1789000001&limit=x`);
      const parameters = JSON.parse(wrong.body).errors.map(({ parameter }: { parameter: string }) => parameter);
      expect(parameters.sort()).toEqual(['from', 'limit']);
    });
  }

  test('declares every parameter in its path', () => {
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(endpoint.input.shape)).toEqual(expect.arrayContaining(inPath));
  });
});
