import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppConfigDataClient } from '@aws-sdk/client-appconfigdata';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { AppConfigFlags } from '../../../lib/flags/app-config.ts';
import { DEFAULT_FLAGS } from '../../../lib/flags/defaults.ts';
import { parseFlags } from '../../../lib/flags/document.ts';
import { flagsDataset } from '../../../lib/flags/flags-dataset.ts';
import { testClock } from '../../support/clock.ts';
import { startContainer } from '../../support/runtime.ts';
import { deadUrl, startServer, stoppedAfterEach } from '../../support/servers.ts';

/** The dataset behind `/flags`, with a server that speaks AppConfig's protocol. It needs no chain and no table. */

const SOURCE = 'staking/production/flags';
const DOCUMENT = {
  text: JSON.stringify({ withdrawQueue: { enabled: true, limit: 5 }, windDown: { enabled: false } }),
  label: 'v7',
};

const keep = stoppedAfterEach();

/** 2026-11-21T14:13:20.999Z. */
const NOW = 1_795_270_400_999;
const setTime = (ms: number) => jest.spyOn(Date, 'now').mockReturnValue(ms);
afterEach(() => {
  jest.restoreAllMocks();
});
beforeAll(() => {
  Object.assign(process.env, { AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });
});

/** AppConfig's data plane: sessions, tokens that are valid for one poll, and an empty answer when nothing is new. */
async function startAppConfig(document: { text: string; label?: string }) {
  const deployed = { ...document, status: 200 };
  const sessions: unknown[] = [];
  const tokens = new Map<string, string | undefined>();
  const issue = (seen?: string) => {
    const token = randomUUID();
    tokens.set(token, seen);
    return token;
  };
  const server = await startServer(async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (deployed.status !== 200) return response.writeHead(deployed.status).end('{}');
    if (pathname === '/configurationsessions') {
      let text = '';
      for await (const chunk of request) text += chunk;
      sessions.push(JSON.parse(text));
      return response
        .writeHead(201, { 'content-type': 'application/json' })
        .end(JSON.stringify({ InitialConfigurationToken: issue() }));
    }
    const token = searchParams.get('configuration_token') ?? '';
    if (!tokens.has(token)) return response.writeHead(400).end('{"__type":"BadRequestException"}');
    const seen = tokens.get(token);
    tokens.delete(token);
    const isNew = seen !== deployed.text;
    return response
      .writeHead(200, {
        'content-type': 'application/json',
        'next-poll-configuration-token': issue(deployed.text),
        'next-poll-interval-in-seconds': '30',
        ...(isNew && deployed.label && { 'version-label': deployed.label }),
      })
      .end(isNew ? deployed.text : '');
  });
  process.env.AWS_ENDPOINT_URL_APPCONFIGDATA = server.url;
  return { ...keep(server), deployed, sessions };
}

const container = (env: Record<string, string> = {}) =>
  startContainer({ NETWORK: 'devnet', CACHE_TABLE: 'cache', HISTORY_TABLE: 'history', LEDGER_TABLE: 'ledger', ...env });
const withAppConfig = () => container({ FLAGS_SOURCE: SOURCE });
const warning = expect.objectContaining({
  level: 'warn',
  message: 'flags are not available, keeping the last good ones',
  fields: { error: expect.any(Error) },
});

test('containers share the flags under a fixed name, fresh for 60 s', () => {
  expect(flagsDataset).toMatchObject({ name: 'flags', version: 1, freshSeconds: 60 });
});

test('without AppConfig, the flags are those of the checked-in document, and the environment is the network', async () => {
  const { opened, telemetry } = container();
  expect(await flagsDataset.read(opened)).toEqual({ environment: 'devnet', ...DEFAULT_FLAGS });
  expect(DEFAULT_FLAGS.version).toBe('default');
  expect(telemetry.lines).toEqual([]);
});

test('the checked-in document is one that AppConfig would accept', () => {
  expect(parseFlags(JSON.stringify(DEFAULT_FLAGS.flags))).toEqual(DEFAULT_FLAGS.flags);
});

describe('with AppConfig', () => {
  test('the flags are those that are deployed there, with their label as the version', async () => {
    const { sessions } = await startAppConfig(DOCUMENT);
    setTime(NOW);
    expect(await flagsDataset.read(withAppConfig().opened)).toEqual({
      environment: 'production',
      version: 'v7',
      updatedAt: 1_795_270_400,
      flags: JSON.parse(DOCUMENT.text),
    });
    expect(sessions).toEqual([
      {
        ApplicationIdentifier: 'staking',
        EnvironmentIdentifier: 'production',
        ConfigurationProfileIdentifier: 'flags',
        RequiredMinimumPollIntervalInSeconds: 30,
      },
    ]);
  });

  test('a version is dated from when any container first saw it', async () => {
    await startAppConfig(DOCUMENT);
    setTime(NOW);
    const seen = { environment: 'production', flags: {}, updatedAt: 1_790_000_000 };
    const known = await flagsDataset.read(withAppConfig().opened, { ...seen, version: 'v7' });
    expect(known).toMatchObject({ version: 'v7', flags: JSON.parse(DOCUMENT.text), updatedAt: 1_790_000_000 });
    const other = await flagsDataset.read(withAppConfig().opened, { ...seen, version: 'v6' });
    expect(other).toMatchObject({ version: 'v7', updatedAt: 1_795_270_400 });
  });

  test('a document without a label has a hash of its content as its version', async () => {
    await startAppConfig({ text: DOCUMENT.text });
    expect((await flagsDataset.read(withAppConfig().opened)).version).toMatch(/^[0-9a-f]{12}$/);
  });

  test('that has never answered, the checked-in document is used', async () => {
    process.env.AWS_ENDPOINT_URL_APPCONFIGDATA = await deadUrl();
    const { opened, telemetry } = withAppConfig();
    expect(await flagsDataset.read(opened)).toEqual({ environment: 'production', ...DEFAULT_FLAGS });
    expect(telemetry.lines).toEqual([warning]);
  });

  test.each<[string, (deployed: { text: string; status: number }) => void]>([
    ['is broken JSON', (deployed) => Object.assign(deployed, { text: '{"withdrawQueue":' })],
    ['is not a flag document', (deployed) => Object.assign(deployed, { text: '{"withdrawQueue":"on"}' })],
    ['cannot be read', (deployed) => Object.assign(deployed, { status: 500 })],
  ])('if the next version %s, the last good one stays, for other containers too', async (_, change) => {
    const { deployed } = await startAppConfig(DOCUMENT);
    const good = await flagsDataset.read(withAppConfig().opened);
    change(deployed);
    const second = withAppConfig();
    expect(await flagsDataset.read(second.opened, good)).toEqual(good);
    expect(second.telemetry.lines).toEqual([warning]);
  });

  test("if the last good one is no longer cached, the container's own stays", async () => {
    const { deployed } = await startAppConfig(DOCUMENT);
    const { opened } = withAppConfig();
    setTime(NOW);
    await flagsDataset.read(opened);
    deployed.status = 500;
    setTime(NOW + 60_000);
    expect(await flagsDataset.read(opened)).toMatchObject({ version: 'v7', flags: JSON.parse(DOCUMENT.text) });
  });
});

describe('a session', () => {
  test('is polled as often as AppConfig allows, adopts a new version, and recovers from a failure', async () => {
    const { deployed, sessions } = await startAppConfig(DOCUMENT);
    const clock = testClock();
    const source = new AppConfigFlags(new AppConfigDataClient({ maxAttempts: 1 }), SOURCE, clock);
    expect((await source.latest()).version).toBe('v7');

    Object.assign(deployed, { text: '{"windDown":{"enabled":true}}', label: 'v8' });
    clock.skip(29_000);
    expect((await source.latest()).version).toBe('v7');
    clock.skip(1_000);
    expect(await source.latest()).toEqual({ version: 'v8', flags: { windDown: { enabled: true } } });

    clock.skip(30_000);
    expect((await source.latest()).version).toBe('v8');
    deployed.status = 500;
    clock.skip(30_000);
    await expect(source.latest()).rejects.toThrow();
    expect(source.lastGood?.version).toBe('v8');
    deployed.status = 200;
    clock.skip(30_000);
    expect((await source.latest()).version).toBe('v8');
    expect(sessions).toHaveLength(2);
  });
});
