import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Bodies } from '../../../functions/index.ts';
import { day, moment } from '../../../infra/site/pages/dashboard/format.ts';
import { seriesOf } from '../../../lib/history/history-store.ts';
import { newestBoundary } from '../../../lib/history/record-history.ts';
import { boundaryFrom } from '../../../lib/history/series.ts';
import type { BlockRef } from '../../../lib/values/block.ts';
import { DAY } from '../../../lib/values/durations.ts';
import { isoDay } from '../../../lib/values/iso-time.ts';
import { tablesForAllTests } from '../../support/tables.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Run, run } from '../run.ts';

/** The commands that end a service, as docs/operations.md has them, beside `npm start`, which `npm run export` finds without a setting. */

interface DataPackage {
  block: BlockRef;
  resources: { name: string; path: string; rows: number; schema: { fields: { name: string; type: string }[] } }[];
}

const CELLS: Record<string, RegExp> = {
  integer: /^(-?\d+)?$/,
  number: /^(-?\d+(\.\d+)?(e[-+]\d+)?)?$/,
  boolean: /^(true|false)?$/,
  datetime: /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)?$/,
  string: /^/,
};
const { DEVNET_RPC_URL: RPC_URLS, DEVNET_P_CHAIN_URL: P_CHAIN_URLS, DEVNET_DATA_API_URL: DATA_API_URL } = process.env;
/** A day of hours is enough. */
const HOURLY_START = String(Math.floor(Date.now() / 1_000) - DAY);
const stage = () => ({ ...process.env, NETWORK: 'devnet', RPC_URLS, P_CHAIN_URLS, DATA_API_URL, HOURLY_START });

const tables = tablesForAllTests();
let service: Run;
let folder: string;
let data: DataPackage;
let person: Bodies['/accounts/{address}'];

/** The commands of the list "End" that need no account, without the settings above them. */
function commandsOfTheEnd(): string[] {
  const [, end = ''] = readFileSync('docs/operations.md', 'utf8').split(/^## End$/m);
  const [, block = ''] = /^ *```sh\n(.*?)^ *```/ms.exec(end) ?? [];
  const [settings, ...commands] = block.trim().split(/\n */);
  expect(settings).toMatch(/^export NETWORK=\S+ HISTORY_TABLE=\S+ LEDGER_TABLE=\S+ RPC_URLS=/);
  return commands;
}

const read = (path: string) => readFileSync(join(folder, path), 'utf8');

beforeAll(async () => {
  const XDG_DATA_HOME = temporaryFolder('data');
  folder = join(XDG_DATA_HOME, 'archive');
  for (const name of ['package.json', 'infra', 'node_modules']) symlinkSync(resolve(name), join(XDG_DATA_HOME, name));
  service = run('infra/local/start.ts', [], { ...stage(), PORT: '0', XDG_DATA_HOME });
  await new Promise<void>((resolve, reject) => {
    service.child.stdout?.on('data', () => /History, hours: .*, complete/.test(service.output.out) && resolve());
    service.code.then(() => reject(new Error(service.output.text)));
  });
  const [, url = ''] = /Ready: (\S+)/.exec(service.output.out) ?? [];
  const { requests } = (await (await fetch(`${url}/withdrawals?status=pending`)).json()) as Bodies['/withdrawals'];
  person = (await (await fetch(`${url}/accounts/${requests[0]?.requester}`)).json()) as typeof person;
  const { AWS_ENDPOINT_URL_DYNAMODB, HISTORY_TABLE, LEDGER_TABLE, CACHE_TABLE, ...shell } = process.env;
  const type = async (command: string, env: NodeJS.ProcessEnv) =>
    (await promisify(execFile)('bash', ['-ec', command], { cwd: XDG_DATA_HOME, env: { ...env, XDG_DATA_HOME } }))
      .stdout;
  const [backfill = '', ...exportAndCheck] = commandsOfTheEnd();
  expect(await type(backfill, stage())).toMatch(/\nEverything is recorded\.\n$/);
  const exported = await type(exportAndCheck.join('\n'), shell);
  expect(exported).toMatch(/^Reading the service at http.*\nExporting devnet up to block \d+ of .*Z to /m);
  expect(exported).toMatch(/\nDone: \d+ files, \d+\.\d MB in \d+\.\d s\.\n$/);
  data = JSON.parse(read('datapackage.json'));
}, 600_000);
afterAll(async () => {
  service.child.kill('SIGINT');
  await service.code;
});

test('no file is without a hash', () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBe(read('SHA256SUMS').trimEnd().split('\n').length + 1);
});

test('each table of the data package has its columns, types and rows', () => {
  expect(data.resources.length).toBeGreaterThan(20);
  for (const { path, rows, schema } of data.resources) {
    const [header, ...lines] = read(path).split('\r\n').slice(0, -1);
    expect([path, header, lines.length]).toEqual([path, schema.fields.map(({ name }) => name).join(), rows]);
    const cells = lines.map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/));
    const wrong = schema.fields.filter(({ type }, place) =>
      cells.some((row) => row.length !== schema.fields.length || !CELLS[type]?.test(row[place] ?? '')),
    );
    expect([path, wrong]).toEqual([path, []]);
  }
});

test('histories begin with the first event, and end with the block', () => {
  const events = data.resources.filter(({ name }) => name.startsWith('events-'));
  const [first = ''] = /\d{4}-\d\d-\d\dT[\d:]+Z/.exec(read(events[0]?.path ?? '')) ?? [];
  const days = [...read('data/metrics-daily.csv').matchAll(/(\d{4}-\d\d-\d\d)T00:00:00Z/g)].map(([, date]) => date);
  expect(days[0]).toBe(isoDay(boundaryFrom(Date.parse(first) / 1_000, '1d')));
  expect(days.at(-1)).toBe(isoDay(data.block.timestamp - 1));
});

test('the page of an address has its claims with dates and numbers, and its income by year with its end', () => {
  const text = read(`address/${person.address.toLowerCase()}.html`).replace(/<[^>]+>/g, ' ');
  const claims = [...(person.availableNow ?? []), ...(person.availableLater ?? [])];
  expect(claims.filter(({ requestId }) => requestId !== undefined)).not.toEqual([]);
  for (const { title } of claims) expect(text).toContain(title);
  for (const { detail } of claims) expect(text).toContain(detail);
  expect(claims.map(({ detail }) => detail).join()).toContain(day(claims.at(-1)?.from ?? 0));
  expect(text).toMatch(/20\d\d\s+Growth of ggAVAX\s+\d/);
  expect(text).toContain(`known up to ${moment(newestBoundary(data.block))}`);
});

test('while a day is missing, it is refused without --incomplete', async () => {
  service.child.kill('SIGINT');
  await service.code;
  const timestamp = Math.floor(data.block.timestamp / DAY) * DAY - 3 * DAY;
  const Key = { series: { S: seriesOf('devnet', '1d') }, timestamp: { N: String(timestamp) } };
  await tables.client.send(new DeleteItemCommand({ TableName: 'history', Key }));
  const { code, output } = run('infra/tools/archive/export.ts', [`${folder}-2`], stage());
  expect(await code).toBe(1);
  expect(output.err).toMatch(
    /^History is incomplete: 1 of the daily points since \S+ are not recorded: .* use --incomplete\n$/,
  );
});
