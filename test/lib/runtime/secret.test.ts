import { inspect } from 'node:util';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, describe, expect, test } from '@jest/globals';
import { givingUpAfter } from '../../../lib/runtime/aws.ts';
import { createContext } from '../../../lib/runtime/context.ts';
import { createRuntime, endpointRuntime } from '../../../lib/runtime/lambda-runtime.ts';
import { testClock } from '../../support/clock.ts';
import { deadUrl, startServer, stoppedAfterEach } from '../../support/servers.ts';

/** Variables from Secrets Manager, such as RPC URLs that contain keys. A local server stands in for Secrets Manager. */

const keep = stoppedAfterEach();
const before = { ...process.env };

afterAll(() => {
  process.env = before;
});

/** Starts a Secrets Manager with one secret, whose content can be changed, and which records the requested names. */
async function startSecrets(content: string) {
  const secret = { content, asked: [] as string[] };
  const server = await startServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    secret.asked.push(JSON.parse(text).SecretId);
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.end(JSON.stringify({ Name: 'rpc', SecretString: secret.content }));
  });
  keep(server);
  Object.assign(process.env, {
    NETWORK: 'devnet',
    ...{ CACHE_TABLE: 'cache', HISTORY_TABLE: 'history', LEDGER_TABLE: 'ledger' },
    ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' },
    RPC_URLS: 'http://127.0.0.1:9',
    SECRET_ID: 'staking-data/rpc',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: server.url,
  });
  return secret;
}

const KEYED_URL = 'https://rpc.example/key123';
const rpc = JSON.stringify({ RPC_URLS: KEYED_URL });

describe('the variables in the secret', () => {
  test('are read once, and override the environment, but not the release', async () => {
    const secret = await startSecrets(JSON.stringify({ RPC_URLS: KEYED_URL, RELEASE: 'another' }));
    const runtime = createRuntime(createContext);
    const { config } = await runtime.context();
    expect([config.rpcUrls, config.ledgerTable, config.release]).toEqual([[KEYED_URL], 'ledger', 'local']);
    expect((await runtime.context()).config).toBe(config);
    expect(secret.asked).toEqual(['staking-data/rpc']);
  });

  test('are not asked for, however old the context is, where there is no secret', async () => {
    const secret = await startSecrets(rpc);
    delete process.env.SECRET_ID;
    const clock = testClock();
    const runtime = createRuntime(createContext, clock);
    const first = await runtime.context();
    expect(first.config.rpcUrls).toEqual(['http://127.0.0.1:9']);
    clock.skip(5 * 60_000);
    expect(await runtime.context()).toBe(first);
    expect(secret.asked).toEqual([]);
  });

  test.each(['{"RPC_URLS": "https://rpc.example/key123"', '["key123"]', '{"key123": 5}'])(
    'cause a 503 that shows nothing of them while the secret is %j, and are read again for the next request',
    async (broken) => {
      const secret = await startSecrets(broken);
      const runtime = createRuntime(createContext);
      const error = await runtime.context().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
      expect((error as Error).message).not.toMatch(/secret/i);
      // Nor does the log, which has the causes as well.
      expect(inspect(error)).toContain('the secret could not be read (');
      expect(inspect(error)).not.toContain('key123');
      secret.content = rpc;
      expect((await runtime.context()).config.rpcUrls).toEqual([KEYED_URL]);
    },
  );

  test('are read again every five minutes, and replace the context only if they have changed', async () => {
    const secret = await startSecrets(rpc);
    const clock = testClock();
    const runtime = createRuntime(createContext, clock);
    const first = await runtime.context();
    clock.skip(5 * 60_000 - 1);
    expect(await runtime.context()).toBe(first);
    expect(secret.asked).toHaveLength(1);
    clock.skip(1);
    expect(await runtime.context()).toBe(first);
    expect(secret.asked).toHaveLength(2);
    secret.content = JSON.stringify({ RPC_URLS: 'https://other.example' });
    expect(await runtime.context()).toBe(first);
    clock.skip(5 * 60_000);
    expect((await runtime.context()).config.rpcUrls).toEqual(['https://other.example']);
  });

  test('cause a 503 while Secrets Manager does not answer', async () => {
    await startSecrets('');
    process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = await deadUrl();
    await expect(createRuntime(createContext).context()).rejects.toMatchObject({ status: 503 });
  });
});

test('a service of AWS that does not answer is given up', async () => {
  await startSecrets(rpc);
  const hanging = await startServer(() => {});
  keep(hanging);
  const client = new SecretsManagerClient({ ...givingUpAfter(50), endpoint: hanging.url, maxAttempts: 1 });
  const asked = client.send(new GetSecretValueCommand({ SecretId: 'any' }));
  await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
  client.destroy();
});

test('the context is prepared before the first request on Lambda, and not where other programs load the handler', async () => {
  await startSecrets(rpc);
  delete process.env.SECRET_ID;
  const prepared: unknown[] = [];
  const prepare = (context: unknown) => prepared.push(context);
  await endpointRuntime(createContext, prepare).context();
  expect(prepared).toEqual([]);
  process.env.AWS_LAMBDA_RUNTIME_API = '127.0.0.1:9';
  const context = await endpointRuntime(createContext, prepare).context();
  expect(prepared).toEqual([context]);
});
