import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppConfigDataClient } from '@aws-sdk/client-appconfigdata';
import { afterAll, describe, expect, test } from '@jest/globals';
import { flagsKey } from '../../functions/flags/key.ts';
import { flags } from '../../functions/flags.ts';
import { createHandler } from '../../lib/endpoint.ts';
import { AppConfigFlags } from '../../lib/flags/app-config.ts';
import { DEFAULT_FLAGS } from '../../lib/flags/defaults.ts';
import { parseFlags } from '../../lib/flags/document.ts';
import { flagsDataset } from '../../lib/flags/flags.ts';
import { send } from '../support/events.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { deadUrl, startServer, stoppedAfterEach } from '../support/servers.ts';
import { tablesForEachTest } from '../support/tables.ts';

const SOURCE = 'staking/production/flags';

const keep = stoppedAfterEach();

tablesForEachTest();
afterAll(async () => {
  delete process.env.AWS_ENDPOINT_URL_APPCONFIGDATA;
});

/** AppConfig's data plane: sessions, tokens that are good for one poll, and an empty answer when nothing is new. */
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

const withAppConfig = () => startOnDevnet({ FLAGS_SOURCE: SOURCE });
const get = (runtime: TestRuntime) => send(createHandler(flags, runtime));
const one = (runtime: TestRuntime, key: string) => send(createHandler(flagsKey, runtime), { params: { key } });

const DOCUMENT = {
  text: JSON.stringify({ withdrawQueue: { enabled: true, limit: 5 }, windDown: { enabled: false } }),
  label: 'v7',
};

describe('without AppConfig', () => {
  test('the checked-in document answers, and it is one that AppConfig would take', async () => {
    const { status, body } = await get(startOnDevnet());
    expect(status).toBe(200);
    expect(body).toEqual({ environment: 'devnet', ...DEFAULT_FLAGS });
    expect(parseFlags(JSON.stringify(DEFAULT_FLAGS.flags))).toEqual(DEFAULT_FLAGS.flags);
  });

  test('one flag stands alone, with its attributes beside it', async () => {
    const { body } = await one(startOnDevnet(), 'windDown');
    const { version, updatedAt } = DEFAULT_FLAGS;
    expect(body).toEqual({
      key: 'windDown',
      ...DEFAULT_FLAGS.flags.windDown,
      environment: 'devnet',
      version,
      updatedAt,
    });
  });

  test.each([
    ['noSuchFlag', 404, 'FLAG_NOT_FOUND'],
    ['constructor', 404, 'FLAG_NOT_FOUND'],
    ['1st', 400, 'INVALID_REQUEST'],
    ['a'.repeat(65), 400, 'INVALID_REQUEST'],
  ])('%s is a %d', async (key, status, code) => {
    expect(await one(startOnDevnet(), key)).toMatchObject({ status, body: { code } });
  });
});

describe('with AppConfig', () => {
  test('what is deployed there answers, by its label', async () => {
    const { sessions } = await startAppConfig(DOCUMENT);
    const { body } = await get(withAppConfig());
    expect(body).toMatchObject({ environment: 'production', version: 'v7', flags: JSON.parse(DOCUMENT.text) });
    expect(Math.abs(body.updatedAt - Date.now() / 1_000)).toBeLessThan(5);
    expect(sessions).toEqual([
      {
        ApplicationIdentifier: 'staking',
        EnvironmentIdentifier: 'production',
        ConfigurationProfileIdentifier: 'flags',
        RequiredMinimumPollIntervalInSeconds: 30,
      },
    ]);
  });

  test('a version without a label is told from others by its content', async () => {
    await startAppConfig({ text: DOCUMENT.text });
    expect((await get(withAppConfig())).body.version).toMatch(/^[0-9a-f]{12}$/);
  });

  test('before it ever answered, the checked-in document stands in', async () => {
    process.env.AWS_ENDPOINT_URL_APPCONFIGDATA = await deadUrl();
    const runtime = withAppConfig();
    expect((await get(runtime)).body).toEqual({ environment: 'production', ...DEFAULT_FLAGS });
    expect(runtime.telemetry.lines).toContainEqual(expect.objectContaining({ level: 'warn' }));
  });

  test.each<[string, (deployed: { text: string; status: number }) => void]>([
    ['is broken JSON', (deployed) => Object.assign(deployed, { text: '{"withdrawQueue":' })],
    ['is no flag document', (deployed) => Object.assign(deployed, { text: '{"withdrawQueue":"on"}' })],
    ['cannot be read', (deployed) => Object.assign(deployed, { status: 500 })],
  ])('when the next version %s, the last good one stays, for other containers too', async (_, change) => {
    const { deployed } = await startAppConfig(DOCUMENT);
    const first = withAppConfig();
    const good = await flagsDataset.read(first.opened);
    change(deployed);
    const second = withAppConfig();
    expect(await flagsDataset.read(second.opened, good)).toEqual(good);
    expect(second.telemetry.lines).toContainEqual(expect.objectContaining({ level: 'warn' }));
  });
});

describe('a session', () => {
  test('is polled as often as AppConfig allows, goes on after a failure, and takes a new version', async () => {
    const { deployed, sessions } = await startAppConfig(DOCUMENT);
    let now = 0;
    const source = new AppConfigFlags(new AppConfigDataClient({ maxAttempts: 1 }), SOURCE, () => now);
    expect((await source.latest()).version).toBe('v7');

    Object.assign(deployed, { text: '{"windDown":{"enabled":true}}', label: 'v8' });
    now += 29_000;
    expect((await source.latest()).version).toBe('v7');
    now += 1_000;
    expect(await source.latest()).toEqual({ version: 'v8', flags: { windDown: { enabled: true } } });

    now += 30_000;
    expect((await source.latest()).version).toBe('v8');
    deployed.status = 500;
    now += 30_000;
    await expect(source.latest()).rejects.toThrow();
    expect(source.lastGood?.version).toBe('v8');
    deployed.status = 200;
    now += 30_000;
    expect((await source.latest()).version).toBe('v8');
    expect(sessions).toHaveLength(2);
  });
});
