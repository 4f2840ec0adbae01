import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { ServedArchives } from '../../../infra/local/archive-files.ts';
import { startGateway } from '../../../infra/local/gateway.ts';
import { startOwnArchive } from '../../../infra/local/own-archive.ts';
import { terminalTelemetry } from '../../../infra/local/terminal-telemetry.ts';
import type { Archive } from '../../../lib/archive/read-table.ts';
import type { Config } from '../../../lib/runtime/config.ts';
import { stoppedAfterEach } from '../../support/servers.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The files of an archive's folder that the local gateway serves. No request for a file ends the service. */

const stopped = stoppedAfterEach();
const BIG = 20_000_000;
let folder: string;
let url: string;

const manifest = { files: ['some.csv', 'empty.csv', 'big.csv', 'gone.csv'].map((name) => ({ name })) };

beforeEach(async () => {
  folder = temporaryFolder('archive-files');
  writeFileSync(join(folder, 'manifest.json'), '{}');
  writeFileSync(join(folder, 'some.csv'), '0123456789');
  writeFileSync(join(folder, 'empty.csv'), '');
  writeFileSync(join(folder, 'big.csv'), '');
  truncateSync(join(folder, 'big.csv'), BIG);
  writeFileSync(join(folder, '.secret'), 'secret');
  writeFileSync(join(folder, 'private.csv'), 'secret');
  url = await start(new Map([['2026-11-25', { folder, manifest } as Archive]]));
});
afterEach(() => {
  jest.restoreAllMocks();
});

test("the devnet's own one is stopped at once, also while it waits for the recorder", async () => {
  const never = new Promise<void>(() => {});
  const own = startOwnArchive({} as Config, terminalTelemetry, never, () => {}, new Map());
  expect(await Promise.race([own.stop(), sleep(1_000, 'late', { ref: false })])).toBeUndefined();
});

/** A gateway that returns 404 for other paths. */
async function start(archives: ServedArchives): Promise<string> {
  const answer = async () => ({ statusCode: 404, body: 'nothing' });
  const gateway = stopped(await startGateway({ port: 0, routes: [{ template: '/', answer }], archives }));
  return `${gateway.url}/archive/2026-11-25`;
}

async function ask(name: string, init?: RequestInit) {
  const response = await fetch(`${url}/${name}`, init);
  return { status: response.status, body: await response.text(), headers: response.headers };
}

test('files that the manifest names, and the manifest', async () => {
  expect(await ask('manifest.json')).toMatchObject({ status: 200, body: '{}' });
  const { status, body, headers } = await ask('some.csv');
  expect([status, body, headers.get('Content-Type')]).toEqual([200, '0123456789', 'text/csv; charset=utf-8']);
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(await ask('empty.csv')).toMatchObject({ status: 200, body: '' });
  const head = await ask('big.csv', { method: 'HEAD' });
  expect([head.status, head.headers.get('Content-Length')]).toEqual([200, `${BIG}`]);
});

test.each([
  ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
  ['bytes=8-', 206, '89', 'bytes 8-9/10'],
  ['bytes=-3', 206, '789', 'bytes 7-9/10'],
  ['bytes=9-99', 206, '9', 'bytes 9-9/10'],
  ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
  ['bytes=10-', 416, '', 'bytes */10'],
  ['bytes=-0', 416, '', 'bytes */10'],
  ['bytes=4-2', 200, '0123456789', null],
  ['bytes=-', 200, '0123456789', null],
  ['bytes=0-1,4-5', 200, '0123456789', null],
])('the range %s', async (Range, status, body, contentRange) => {
  const answer = await ask('some.csv', { headers: { Range } });
  expect([answer.status, answer.body, answer.headers.get('Content-Range')]).toEqual([status, body, contentRange]);
});

test.each(['.secret', 'private.csv', 'x'.repeat(300), 'manifest.json.', '.', '..%2f..%2fpackage.json'])(
  'nothing else in or around the folder: %s',
  async (name) => {
    expect(await ask(name)).toMatchObject({ status: 404, body: 'nothing' });
  },
);

test.each(['gone.csv'])('a file that cannot be read, such as %s, is a 500', async (name) => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
  const answer = await ask(name);
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([500, 'INTERNAL']);
  expect(answer.body).not.toContain(folder);
  expect(printed).toHaveBeenCalledTimes(1);
  expect(await ask('some.csv')).toMatchObject({ status: 200 });
});

test('whatever a listener throws is a 500', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
  const broken = {
    get: () => {
      throw new TypeError('x is undefined');
    },
  };
  url = await start(broken as unknown as ServedArchives);
  expect(await ask('some.csv')).toMatchObject({ status: 500 });
  expect(printed).toHaveBeenCalledTimes(1);
});

test('a download that is broken off leaves no open file behind, and is no error', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
  const openFiles = () => readdirSync('/dev/fd').length;
  await ask('some.csv');
  const before = openFiles();
  const abort = () =>
    new Promise<void>((resolve) => {
      const request = get(`${url}/big.csv`, (response) => {
        response.once('data', () => response.destroy());
        response.once('close', resolve);
      });
      request.on('error', () => {});
    });
  for (let count = 0; count < 50; count++) await abort();
  // Before the answer begins.
  const leave = () =>
    new Promise<void>((resolve) => {
      const request = get(`${url}/big.csv`);
      request.on('finish', () => setImmediate(() => request.destroy()));
      request.on('error', () => {});
      request.on('close', resolve);
    });
  for (let count = 0; count < 50; count++) await leave();
  const deadline = Date.now() + 60_000;
  while (openFiles() > before + 5 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(openFiles()).toBeLessThanOrEqual(before + 5);
  expect(printed).not.toHaveBeenCalled();
});
