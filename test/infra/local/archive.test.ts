import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { readManifest } from '../../../lib/archive/verify-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Run, run, withoutTests } from '../run.ts';

/**
 * The devnet's archive: `npm start` makes it and serves its files. Its tables can be exported, and it is served again
 * from there.
 */

// Generous, because other tests share the machine.
const WAIT_MS = 400_000;
jest.setTimeout(2 * WAIT_MS);

/** Unix seconds, one day ago. An archive requires the whole hourly history, and one day suffices instead of 90. */
const HOURLY_START = `${Math.floor(Date.now() / 1_000) - 86_400}`;

// biome-ignore lint/suspicious/noExplicitAny: a body of any endpoint
type Body = any;

const running: Run[] = [];
let folder: string;

beforeEach(() => {
  folder = temporaryFolder('own-archive');
});
afterEach(async () => {
  const ended = running.splice(0).map(({ child, code }) => {
    child.kill('SIGINT');
    return code;
  });
  await Promise.all(ended);
});

const environment = () => ({ ...withoutTests(), PORT: '0', TMPDIR: folder, HOURLY_START });

/** Starts the service, and waits until it has printed this. */
async function start(args: readonly string[], printed: RegExp) {
  const service = run('infra/local/start.ts', args, environment());
  running.push(service);
  const { child, output } = service;
  const deadline = Date.now() + WAIT_MS;
  while (!printed.test(output.text)) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error(output.text);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const url = /Ready: (\S+)/.exec(output.text)?.[1] as string;
  return { output, get: async (path: string): Promise<Body> => (await fetch(url + path)).json(), url };
}

test('is made, listed and served', async () => {
  const hourOf = (seconds: number) => Math.floor(seconds / 3_600);
  const begun = hourOf(Date.now() / 1_000);
  const live = await start([], /Archive: \d+ files/);
  const { archives } = await live.get('/archive');
  expect(archives).toMatchObject([{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }]);
  const [{ manifest: path, block }] = archives;
  const { files, history } = await live.get(path);
  // An hour that began meanwhile is recorded with the next one.
  expect(history).toEqual({ recordedFrom: expect.any(Number), missing: expect.any(Number) });
  expect(history.missing).toBeLessThanOrEqual(hourOf(block.timestamp) - begun);
  for (const { name, bytes } of files) {
    const file = await fetch(new URL(name, live.url + path));
    expect([name, file.status, (await file.arrayBuffer()).byteLength]).toEqual([name, 200, bytes]);
  }
  const part = await fetch(new URL('stakers.parquet', live.url + path), { headers: { Range: 'bytes=-4' } });
  expect([part.status, await part.text()]).toEqual([206, 'PAR1']);
});

test('can be exported with the command in docs/archive.md', async () => {
  const { output } = await start([], /Ctrl-C/);
  const printed = (name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(output.text)?.[1] as string;
  const [command = ''] = /NETWORK=[^`]*<Tables>[^`]*npm run export/.exec(readFileSync('docs/archive.md', 'utf8')) ?? [];
  const here = command
    .replace('=avalanche', '=devnet')
    .replace('<Tables>', printed('Tables'))
    .replace('<an RPC provider>', printed('Chain RPC'));
  const env = Object.fromEntries([...here.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]));
  const archive = join(folder, 'archive');
  const { code, output: said } = run('infra/tools/archive/export.ts', [archive, '--incomplete'], {
    ...environment(),
    ...env,
  });
  expect([await code, said.text]).toEqual([0, expect.stringMatching(/Done: \d+ files/)]);
  expect(said.text).not.toContain('Tables only');
  const { block, files } = readManifest(archive);
  expect(files.map(({ name }) => name)).toContain('website.sha256');
  const website = await start(['--archive', archive], /Ctrl-C/);
  expect(await website.get('/stakers')).toMatchObject({ total: 25, block });
  expect(await website.get('/stakers?limit=3')).toMatchObject({
    status: 400,
    detail: 'This is an archive: it takes no query parameters.',
  });
  expect(await website.get('/no/such/path')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  const [staker] = (await website.get('/stakers')).stakers;
  expect(await website.get(`/accounts/${staker.stakerAddr}`)).toMatchObject({ address: staker.stakerAddr, block });
  expect(await (await fetch(website.url)).text()).toContain('This is a copy');
});

test.each([
  [['--archive', '/nowhere'], '/nowhere: has no manifest.json, so it is no archive, or its export has not finished\n'],
  [['--archives', 'x'], "Unknown option '--archives': npm start -- --help lists the options\n"],
])('with %j, says in one line what is wrong', async (args, message) => {
  const { code, output } = run('infra/local/start.ts', args, environment());
  expect([await code, output.text]).toEqual([1, message]);
});
