import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { LocalServer } from '../../../infra/devnet/listen.ts';
import { serveArchive } from '../../../infra/local/archive-folder.ts';
import { ExportFolder } from '../../../lib/archive/export-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ADDRESS = '0xFABB0ac9d68B0B445fB7357272Ff202C5651694a';
const LOWER = ADDRESS.toLowerCase();
const FILES = [
  ...['index.html', '404.html', 'dashboard/index.html', 'api/metrics.json', `api/accounts/${LOWER}.json`],
  ...[`address/${LOWER}.html`, `accounts/${LOWER}/calendar.ics`, 'data/pool.csv', 'link.txt'],
];
let folder: string;
let server: LocalServer;

beforeAll(async () => {
  folder = join(temporaryFolder('served'), 'out');
  const made = new ExportFolder(folder);
  await made.run('all', async (files) => {
    for (const path of FILES) files.write(path, path);
  });
  made.finish();
  mkdirSync(join(folder, '.git'));
  for (const secret of ['.env', '.git/config', 'other.txt']) writeFileSync(join(folder, secret), 'secret');
  writeFileSync(join(folder, '../outside.txt'), 'secret');
  symlinkSync('../outside.txt', join(folder, 'outside.txt'));
  server = await serveArchive(folder, '0');
});
afterAll(() => server.stop());

/** Sends the target as it is: fetch would normalize it. */
async function ask(path: string, { method = 'GET', accept = '*/*' } = {}) {
  const { hostname, port } = new URL(server.url);
  const sent = request({ hostname, port, path, method, headers: { accept } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

test.each([
  ['/', 'index.html', 'text/html; charset=utf-8'],
  ['/?fbclid=x', 'index.html', 'text/html; charset=utf-8'],
  ['/metrics', 'api/metrics.json', 'application/json'],
  ['/metrics/?utm_source=x', 'api/metrics.json', 'application/json'],
  [`/accounts/${ADDRESS}`, `api/accounts/${LOWER}.json`, 'application/json'],
  [`/accounts/${ADDRESS}/calendar.ics`, `accounts/${LOWER}/calendar.ics`, 'text/calendar; charset=utf-8'],
  [`/address/${ADDRESS}.html`, `address/${LOWER}.html`, 'text/html; charset=utf-8'],
  ['http://any.host/metrics', 'api/metrics.json', 'application/json'],
  ['/dashboard/?address=0x1', 'dashboard/index.html', 'text/html; charset=utf-8'],
  ['/data/pool.csv', 'data/pool.csv', 'text/csv; charset=utf-8'],
])('serves %s from %s', async (target, file, type) => {
  expect(await ask(target)).toMatchObject({
    status: 200,
    body: file,
    headers: { 'content-type': type, 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' },
  });
});

test.each<[target: string, status: number, method?: string]>([
  ['/.env', 404],
  ['/.git/config', 404],
  ['/other.txt', 404],
  ['/outside.txt', 404],
  ['/../outside.txt', 404],
  ['/%2e%2e/outside.txt', 404],
  ['/data', 404],
  ['/unfinished.jsonl', 404],
  [`/${'a'.repeat(5_000)}`, 404],
  ['/%00', 404],
  ['/%E0%A4%A', 400],
  ['/metrics?interval=1d', 400],
  ['//', 200],
  ['/metrics', 405, 'POST'],
  ['/nothing', 405, 'DELETE'],
  ['/metrics', 204, 'OPTIONS'],
])('answers %s with %d', async (target, status, method = 'GET') => {
  const { status: answered, headers, body } = await ask(target, { method });
  expect([answered, headers['access-control-allow-origin'], headers.vary]).toEqual([status, '*', 'Accept']);
  expect(body).not.toContain('secret');
});

test('sends browsers the page with the search for what is not there, and keeps the query of a forwarded path', async () => {
  expect(await ask('/nothing', { accept: 'text/html' })).toMatchObject({ status: 404, body: '404.html' });
  expect(await ask('/dashboard?address=0x1')).toMatchObject({
    status: 301,
    headers: { location: '/dashboard/?address=0x1' },
  });
});

test('refuses a folder that is no finished export', async () => {
  await expect(serveArchive(temporaryFolder('empty'), '0')).rejects.toThrow(/has no SHA256SUMS/);
});
