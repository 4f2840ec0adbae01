import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ENDPOINTS } from '../../functions/index.ts';
import { type Run, run, untilPrinted } from '../infra/run.ts';
import { freePort } from '../support/free-port.ts';

/** `npm run sam`, with Docker and SAM CLI: the functions in `cdk.out`, in containers, with the devnet. */

let before: string;
let sam: Run;
let url: string;

/** Docker's running containers, and the networks that `npm run sam` has created. */
function dockerState(): string {
  const docker = (...args: string[]) => execFileSync('docker', args, { encoding: 'utf8' });
  return docker('ps', '--quiet') + docker('network', 'ls', '--quiet', '--filter', 'name=staking-data-sam');
}

beforeAll(async () => {
  before = dockerState();
  const port = await freePort();
  url = `http://localhost:${port}`;
  sam = run('infra/emulators/sam/sam.ts', ['--port', String(port)], { ...process.env, SAM_SKIP_PULL_IMAGE: '1' });
  await untilPrinted(sam, /Running on/);
});
afterAll(() => {
  sam.child.kill('SIGKILL');
});

test.each(Object.entries(ENDPOINTS))('%s responds with what its schema describes', async (_, endpoint) => {
  const response = await fetch(url + endpoint.exampleRequest);
  expect(response.status).toBe(200);
  expect(endpoint.response().safeParse(await response.json()).error).toBeUndefined();
});

test('an invalid parameter is a 400 that names it, an unknown flag a 404, another method a 405', async () => {
  const bad = await fetch(`${url}/rewards/byStake?ggpStaked=x&avaxStaked=1`);
  expect(bad.status).toBe(400);
  expect(await bad.json()).toMatchObject({ code: 'INVALID_REQUEST', detail: expect.stringMatching(/^ggpStaked /) });
  expect((await fetch(`${url}/flags/nothing`)).status).toBe(404);
  expect((await fetch(`${url}/prices`, { method: 'POST' })).status).toBe(405);
});

test('a second request is a hit', async () => {
  await fetch(`${url}/supply/ggp/total`);
  expect((await fetch(`${url}/supply/ggp/total`)).headers.get('x-cache')).toBe('hit');
});

test('Ctrl-C leaves no container and no network', async () => {
  sam.child.kill('SIGINT');
  expect(await sam.code).toBe(0);
  expect(dockerState()).toBe(before);
});
