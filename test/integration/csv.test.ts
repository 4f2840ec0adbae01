import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../functions/index.ts';
import { proxyEvent } from '../../infra/local/event.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { fill } from '../../lib/history/record-history.ts';
import { boundaryBefore } from '../../lib/history/series.ts';
import type { Mismatch } from '../../lib/ledger/mismatch.ts';
import { DAY } from '../../lib/values/durations.ts';
import { lambdaContext } from '../support/events.ts';
import { cover } from '../support/log-chain.ts';
import { recordAllDays, recordCycles, recordDays, recordLedger } from '../support/recorded.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { deadUrl } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';

/** CSV for spreadsheets: every list has the same entries, caching and errors as in JSON. */

const tables = tablesForAllTests();
let runtime: TestRuntime;

beforeAll(async () => {
  runtime = startOnDevnet();
  await recordLedger();
  await recordCycles();
  await recordAllDays();
});

async function get(endpoint: Endpoint, url: string, headers: Record<string, string> = {}, on = runtime) {
  const event = proxyEvent(endpoint.path, { method: 'GET', url, headers });
  const result = await createHandler(endpoint, on)(event, lambdaContext());
  const bytes = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8');
  const isGzip = result.headers?.['Content-Encoding'] === 'gzip';
  return {
    status: result.statusCode,
    headers: result.headers as Record<string, string>,
    text: (isGzip ? gunzipSync(bytes) : bytes).toString(),
  };
}

/** Parses RFC 4180, independently of the code that writes it. */
function parse(csv: string): string[][] {
  expect(csv.endsWith('\r\n')).toBe(true);
  const cells = [...csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)];
  expect(cells.map(([whole]) => whole).join('')).toBe(csv);
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of cells) {
    rows.at(-1)?.push(quoted === undefined ? (plain as string) : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

const MOST_CHARACTERS = 32_000;

/** The value in an entry that a column's name refers to, as text. */
function at(entry: unknown, path: string): string {
  const value = path.split('.').reduce((object, name) => (object as Record<string, unknown>)?.[name], entry);
  return Array.isArray(value) ? value.join(';') : String(value ?? '');
}

/** Endpoints that return JSON unless CSV is requested. Their CSV has one row per entry. */
const LISTS = Object.values(ENDPOINTS).filter(
  ({ path, formats }) => Object.keys(formats)[0] === 'json' && formats.csv && path !== '/accounts',
);

test('all endpoints with a limit, lists and histories alike, have CSV', () => {
  const limited = Object.values(ENDPOINTS).filter(({ input }) => 'limit' in input.shape);
  expect(limited.length).toBeGreaterThan(15);
  expect(LISTS.map(({ path }) => path)).toEqual(expect.arrayContaining(limited.map(({ path }) => path)));
});

describe.each(LISTS.map((endpoint) => [endpoint.path, endpoint] as const))('%s', (_, endpoint) => {
  const [path = '', query] = endpoint.exampleRequest.split('?');
  const csvUrl = `${path}?${query ? `${query}&` : ''}format=csv`;

  test('has the entries of the JSON answer, field by field', async () => {
    const json = await get(endpoint, endpoint.exampleRequest);
    const body = JSON.parse(json.text);
    const entries = body[endpoint.formats.csv?.rows as string];
    expect(entries.length).toBeGreaterThan(0);
    // In JSON, it is stated once for each source of income.
    const textOf = (entry: { source?: string }, name: string) =>
      name === 'knownUntil' ? at(body.coverage, `${entry.source}.toTimestamp`) : at(entry, name);
    const [header = [], ...rows] = parse((await get(endpoint, csvUrl)).text);
    expect(rows).toHaveLength(entries.length);
    expect(new Set(header).size).toBe(header.length);
    // A spreadsheet cuts off what has more than 32,767 characters.
    expect(Math.max(...[header, ...rows].flat().map((cell) => cell.length))).toBeLessThan(MOST_CHARACTERS);
    const plain = header.filter((name) => !name.endsWith('.iso'));
    for (const [index, row] of rows.entries()) {
      const cells = Object.fromEntries(header.map((name, column) => [name, row[column]]));
      for (const name of plain) expect([name, cells[name]]).toEqual([name, textOf(entries[index], name)]);
      for (const name of header.filter((candidate) => candidate.endsWith('.iso'))) {
        const seconds = Number(cells[name.replace(/\.iso$/, '')]);
        expect(Date.parse(cells[name] || '1970-01-01') / 1_000).toBe(seconds);
      }
      // Every field of the entry has a column.
      const hasColumn = (name: string) => plain.some((column) => column === name || column.startsWith(`${name}.`));
      expect(Object.keys(entries[index]).filter((name) => !hasColumn(name))).toEqual([]);
    }
  });
});

test('a file without limit is whole, which one that is saved could not say otherwise', async () => {
  const endpoint = ENDPOINTS.activity as Endpoint;
  const page = JSON.parse((await get(endpoint, '/activity')).text);
  let { activity, nextCursor } = JSON.parse((await get(endpoint, '/activity?limit=1000')).text);
  expect([page.activity.length, activity.length]).toEqual([100, 1_000]);
  while (nextCursor) {
    const next = JSON.parse((await get(endpoint, `/activity?limit=1000&cursor=${nextCursor}`)).text);
    activity = [...activity, ...next.activity];
    nextCursor = next.nextCursor;
  }
  const file = await get(endpoint, '/activity?format=csv');
  expect(parse(file.text)).toHaveLength(activity.length + 1);
  expect(file.headers).not.toHaveProperty('Link');
  const limited = await get(endpoint, '/activity?format=csv&limit=100');
  expect([parse(limited.text).length, limited.headers.Link]).toEqual([101, expect.stringContaining('rel="next"')]);
});

test('the file name describes the content', async () => {
  const names = await Promise.all(
    ['stakers', 'prices/dex-history', 'withdrawals/address'].map(async (file) => {
      const endpoint = ENDPOINTS[file] as Endpoint;
      const url = `${endpoint.exampleRequest.split('?')[0]}?format=csv`;
      return (await get(endpoint, url)).headers['Content-Disposition'];
    }),
  );
  expect(names).toEqual([
    'attachment; filename="stakers.csv"',
    'attachment; filename="prices-tj-history.csv"',
    'attachment; filename="withdrawals-0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc.csv"',
  ]);
});

test('a response without a list is JSON whatever is preferred, and refuses the parameter', async () => {
  const { headers } = await get(ENDPOINTS.prices as Endpoint, '/prices', { accept: 'text/csv' });
  expect(headers).toMatchObject({ 'Content-Type': 'application/json', Vary: 'Accept-Encoding' });
  expect((await get(ENDPOINTS.prices as Endpoint, '/prices?format=csv')).status).toBe(400);
});

test('what rows cannot show is refused: that validators lack their minipools', async () => {
  const on = startOnDevnet({ RPC_URLS: await deadUrl(), CACHE_TABLE: 'no-cache' });
  const endpoint = ENDPOINTS.validators as Endpoint;
  expect((await get(endpoint, '/validators', {}, on)).status).toBe(200);
  const { status, text } = await get(endpoint, '/validators', { accept: 'text/csv' }, on);
  expect([status, JSON.parse(text).detail]).toEqual([503, expect.stringContaining('Try again later')]);
});

/** These have to be the last tests, because they renew the tables. */
describe('no file is made while its sources are not complete:', () => {
  const [staker, holder] = ['0xFABB0ac9d68B0B445fB7357272Ff202C5651694a', '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'];
  const incomes = [`/accounts/${holder}/income?`, `/accounts/income?address=${staker},${holder}&`];
  const OF_HOLDER = [
    ...incomes.flatMap((url) => ['csv', 'koinly', 'rotki'].map((format) => `${url}format=${format}`)),
    `/ggAvax/${holder}/rewards?format=csv`,
  ];
  const OF_EVENTS = [
    ...['/activity', '/rewards/cycles', '/holders', `/stakers/${staker}/activity`, `/ggAvax/${holder}/activity`],
    `/rewards/${staker}/cycles`,
  ].map((path) => `${path}?format=csv`);
  const ALL = [...OF_HOLDER, ...OF_EVENTS];
  const [EARLY, LATE] = ['limit=9&from=0&to=1700000000', 'limit=9&from=9999999999'];
  const historiesOf = (...ranges: string[]) =>
    ['/prices/history', '/metrics/history', '/ggAvax/history'].flatMap((path) =>
      ranges.map((range) => `${path}?format=csv&${range}`),
    );
  const endpointOf = (url: string) =>
    Object.values(ENDPOINTS).find(({ path }) =>
      new RegExp(`^${path.replace(/\{\w+\}/g, '(0x|NodeID)[^/?]+')}\\?`).test(url),
    ) as Endpoint;
  const statusOf = async (url: string, on: TestRuntime) => {
    const { status, text } = await get(endpointOf(url), url, {}, on);
    return [url, status, status === 200 ? '' : JSON.parse(text).code];
  };
  const change = (on: TestRuntime, state: object) =>
    on.opened.ledger.progress.update(0, (known) => ({ ...known, ...state }));
  const doubt = (on: TestRuntime, mismatch: Mismatch) =>
    on.opened.ledger.progress.updateDoubts(0, (doubts) => ({ ...doubts, mismatches: [mismatch] }));
  const whole = async () => {
    await recordLedger();
    await recordAllDays();
    await recordCycles();
  };
  const mismatch = { contract: 'TokenggAVAX', view: 'balanceOf', ledger: '1', chain: '2', block: 1 };
  const ofHolder = { ...mismatch, key: holder.toLowerCase(), address: holder.toLowerCase() };
  const dispute = { fromBlock: 1, toBlock: 1, providers: ['rpc-1', 'rpc-2'], reason: 'they disagree' };
  const WAYS: [name: string, files: string[], reach: (on: TestRuntime) => Promise<unknown>][] = [
    [
      'earlier events are not indexed',
      ALL,
      async ({ opened }) => {
        const { number, timestamp } = await opened.chain.head();
        await cover(opened.ledger, number, number, timestamp);
      },
    ],
    ['nothing is indexed', ALL, recordAllDays],
    ['no day is recorded', OF_HOLDER, recordLedger],
    ['days are recorded from a later one on', OF_HOLDER, () => recordLedger().then(() => recordDays(5))],
    ['cycles that are over are not recorded', [`/rewards/${staker}/cycles?format=csv`], recordLedger],
    ['too few providers answer', ALL, (on) => whole().then(() => change(on, { waitingSince: 1 }))],
    ['blocks are disputed', ALL, (on) => whole().then(() => change(on, { disputed: dispute }))],
    ['the events of the holder differ from the contracts', OF_HOLDER, (on) => whole().then(() => doubt(on, ofHolder))],
    ['the range has no recorded point', historiesOf(EARLY, LATE), whole],
    [
      'the range lacks a day, or its first page has none',
      historiesOf('', 'limit=9'),
      async ({ opened }) => {
        const head = await opened.chain.head();
        const today = boundaryBefore(head.timestamp, '1d');
        await fill(opened, head, [today - 2 * DAY, today], { mayGoOn: () => true });
      },
    ],
  ];

  test.each(WAYS)('%s', async (_, files, reach) => {
    await tables.renew();
    const on = startOnDevnet({ CACHE_TABLE: 'no-cache' });
    await reach(on);
    const found = await Promise.all(files.map((url) => statusOf(url, on)));
    expect(found).toEqual(files.map((url) => [url, 409, 'NOT_KNOWN_YET']));
  });

  test('except those of a range that is known', async () => {
    await tables.renew();
    const on = startOnDevnet({ CACHE_TABLE: 'no-cache' });
    await recordLedger();
    await recordDays(5);
    const { timestamp } = await on.opened.chain.head();
    await change(on, { waitingSince: 1 });
    await doubt(on, { ...ofHolder, key: staker.toLowerCase(), address: staker.toLowerCase() });
    const range = `&from=${timestamp - 3 * 86_400}&to=${timestamp - 2 * 86_400}`;
    const known = [...OF_HOLDER.filter((url) => !url.includes(staker)), OF_EVENTS[0]].map((url) => `${url}${range}`);
    const found = await Promise.all(known.map((url) => statusOf(url, on)));
    expect(found).toEqual(known.map((url) => [url, 200, '']));
  });
});
