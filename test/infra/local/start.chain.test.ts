import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { listen } from '../../../infra/devnet/listen.ts';
import { startDynamoDB } from '../../../infra/local/dynamodb.ts';
import { deadUrl } from '../../support/servers.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runCommand, withoutTests } from '../run.ts';
import { allProcesses, type Process } from './processes.ts';

/** `npm start` as a user runs it: in processes of its own. */

// Generous, because other tests share the machine.
const WAIT_MS = 120_000;
jest.setTimeout(2 * WAIT_MS);

/** The addresses that `localhost` may stand for on this machine. */
const LOCALHOST = ['127.0.0.1', '::1'].filter((wanted) =>
  Object.values(networkInterfaces()).some((own) => own?.some(({ address }) => address === wanted)),
);

const running: ChildProcess[] = [];

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** Starts the service with a mark in its environment, which its child processes inherit. */
function start(env: Record<string, string>) {
  return marked(process.execPath, ['infra/local/start.ts'], env);
}

function marked(command: string, args: string[], env: Record<string, string>) {
  const mark = `STARTED_BY_TEST=${randomUUID()}`;
  const [name, value] = mark.split('=') as [string, string];
  // Killed processes leave their temporary files.
  const TMPDIR = temporaryFolder('start');
  const { child, output, code } = runCommand(command, args, { ...withoutTests(), TMPDIR, ...env, [name]: value });
  running.push(child);
  return {
    child,
    output,
    code,
    leftBehind: () => allProcesses().filter(({ environment }) => environment.includes(mark)),
  };
}

const isAnvil = ({ args: [program = ''] }: Process) => program.endsWith('/anvil');

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('waited for too long');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** An answer, however many requests a busy machine is too slow for. */
async function ask(url: string): Promise<Response> {
  const answer = await fetch(url);
  return answer.status < 503 ? answer : ask(url);
}

/** Variables that concern the network and AWS, neither of which the service needs. */
async function developersShell() {
  const proxy = await deadUrl();
  return {
    ...{ HTTP_PROXY: proxy, http_proxy: proxy, NO_PROXY: '', no_proxy: '' },
    ...{ NETWORK: '', CACHE_TABLE: '', AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'true' },
    // A home that nobody can write.
    ...{ HOME: '/dev/null', XDG_DATA_HOME: '', AWS_MAX_ATTEMPTS: 'x' },
    ...{ AWS_PROFILE: 'theirs', AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'theirs', AWS_SECRET_ACCESS_KEY: 'theirs' },
  };
}

describe('npm start', () => {
  // One start for all of these, because each builds a chain and records its history.
  test('prints its steps and a URL, and ends when its chain is killed', async () => {
    const { code, output, leftBehind } = start({ PORT: '0', ...(await developersShell()) });
    await until(() => /Ctrl-C/.test(output.out));
    expect(output.out.split('\n').length).toBeGreaterThan(8);
    const [, example = ''] = /curl (\S+)/.exec(output.out) ?? [];
    expect((await ask(example)).status).toBe(200);
    expect(output.err).toMatch(/^warning: \/dev\/null\S+ cannot be written \(ENOTDIR\): [^\n]+\n$/);
    process.kill((leftBehind().find(isAnvil) as Process).pid, 'SIGKILL');
    expect(await code).toBe(1);
    expect(output.err).toContain('The local chain has stopped. Start again.\n');
    await until(() => leftBehind().length === 0);
  });

  const FOREIGN_CHAIN = { PORT: '0', RPC_URLS: process.env.DEVNET_RPC_URL as string };

  test.each(['SIGTERM', 'SIGKILL'] as const)('ends all its processes with npm, which got %s alone', async (signal) => {
    const { child, output, leftBehind } = marked('npm', ['start'], FOREIGN_CHAIN);
    await until(() => /DynamoDB: ready/.test(output.out));
    child.kill(signal);
    await until(() => leftBehind().length === 0);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['on Ctrl-C', FOREIGN_CHAIN, /Ctrl-C/],
    ['on Ctrl-C while it starts', { PORT: '0' }, /history 20 %/],
  ])('ends all its processes %s', async (_, env, line) => {
    const { child, code, output, leftBehind } = start(env);
    await until(() => line.test(output.out));
    const { err } = output;
    child.kill('SIGINT');
    expect([await code, output.err]).toEqual([0, err]);
    await until(() => leftBehind().length === 0);
  });

  test('--help names what can be set, and starts nothing', async () => {
    const { code, output } = marked(process.execPath, ['infra/local/start.ts', '--help'], {});
    expect(await code).toBe(0);
    for (const name of ['--archive', 'PORT', 'NETWORK', 'mainnet']) expect(output.out).toContain(name);
    expect(output.out).not.toContain('Devnet');
  });

  /** Expects that the service ends with this line as its last error, and leaves nothing behind. Returns its output. */
  async function expectRefused(env: Record<string, string>, line: string | RegExp): Promise<string> {
    const { code, output, leftBehind } = start({ PORT: '0', ...env });
    expect(await code).toBe(1);
    const last = output.err.trim().split('\n').at(-1);
    expect(last).toEqual(typeof line === 'string' ? line : expect.stringMatching(line));
    await until(() => leftBehind().length === 0);
    return output.text;
  }

  test.each([
    ['a port that is not a number', { PORT: 'http' }, 'PORT: must be a port number from 0 to 65535'],
    ['an unknown network', { NETWORK: 'mars' }, 'NETWORK: must be devnet, fuji or avalanche (also named mainnet)'],
  ])('says in one line what is wrong with %s', async (_, env, line) => {
    expect((await expectRefused(env, line)).trim()).toBe(line);
  });

  test.each(LOCALHOST)('reports in one line that another program listens on the port of %s', async (address) => {
    const other = createServer().listen(0, address).unref();
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expectRefused(
      { PORT: String(port) },
      `PORT: ${port} is in use; choose another one, for example PORT=${port + 1}`,
    );
    // Also if the port was free when the chain was begun, and for an archive.
    await expect(listen(createHttpServer(), port)).rejects.toThrow('EADDRINUSE');
  });

  test('says in one line that another process records to the same folder, which an export finds', async () => {
    const XDG_DATA_HOME = temporaryFolder('data');
    const folder = join(XDG_DATA_HOME, 'staking-data-service', 'avalanche');
    const other = await startDynamoDB(folder);
    const line = `--data: ${folder} is in use by another npm start; stop that one, or name another folder`;
    const env = { NETWORK: 'mainnet', RPC_URLS: await deadUrl(), XDG_DATA_HOME };
    await expectRefused(env, line);
    await other.stop();
    const { code, output } = marked(process.execPath, ['infra/tools/archive/export.ts', join(folder, 'out')], env);
    expect([await code, output.out]).toEqual([1, `Reading ${folder}\n`]);
  });

  test('says in one line that the chain cannot be reached, without its URL, and where it keeps data', async () => {
    const XDG_DATA_HOME = temporaryFolder('data');
    const text = await expectRefused(
      { NETWORK: 'avalanche', RPC_URLS: await deadUrl(), XDG_DATA_HOME },
      /^RPC_URLS: no provider of avalanche could be read: rpc-1 could not be reached \(connection refused\)\. Check the network connection, /,
    );
    expect(text).toContain(`kept in ${join(XDG_DATA_HOME, 'staking-data-service', 'avalanche')}\n`);
    expect(text).not.toMatch(/127\.0\.0\.1:|ECONNREFUSED/);
  });
});
