import { afterAll, describe, expect, test } from '@jest/globals';
import { ggAvax } from '../../functions/gg-avax.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { createRuntime } from '../../lib/runtime/lambda-runtime.ts';
import { testClock } from '../support/clock.ts';
import { send } from '../support/events.ts';
import { deadUrl, startServer, stoppedAfterEach } from '../support/servers.ts';
import { tablesForEachTest } from '../support/tables.ts';

/** Variables from Secrets Manager, such as RPC URLs that contain keys. A local server stands in for Secrets Manager. */

const keep = stoppedAfterEach();
const before = { ...process.env };

tablesForEachTest();
afterAll(async () => {
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
    MAX_HEAD_AGE_SECONDS: '0',
    SECRET_ID: 'staking-data/rpc',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: server.url,
  });
  return secret;
}

const rpc = () => JSON.stringify({ RPC_URLS: process.env.DEVNET_RPC_URL });

describe('the variables in the secret', () => {
  test('are read once, before the first answer, and override the environment', async () => {
    const secret = await startSecrets(rpc());
    process.env.RPC_URLS = await deadUrl();
    const handler = createHandler(ggAvax, createRuntime());
    expect((await send(handler)).status).toBe(200);
    expect((await send(handler)).headers['X-Cache']).toBe('hit');
    expect(secret.asked).toEqual(['staking-data/rpc']);
  });

  test.each(['{"RPC_URLS": "https://rpc.example/key123"', '["key123"]', '{"RPC_URLS": 5}'])(
    'cause a 503 without details while the secret is %j, and are read again for the next request',
    async (broken) => {
      const secret = await startSecrets(broken);
      const handler = createHandler(ggAvax, createRuntime());
      const { status, headers, body } = await send(handler);
      expect(status).toBe(503);
      expect(headers['Retry-After']).toBe('5');
      expect(JSON.stringify(body)).not.toMatch(/key123|secret/i);
      secret.content = rpc();
      expect((await send(handler)).status).toBe(200);
    },
  );

  test('are read again every five minutes, and replace the context only if they have changed', async () => {
    const secret = await startSecrets(rpc());
    const clock = testClock();
    const runtime = createRuntime(undefined, clock);
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

  test('keep their values while the secret is invalid', async () => {
    const secret = await startSecrets(rpc());
    const clock = testClock();
    const runtime = createRuntime(undefined, clock);
    const first = await runtime.context();
    secret.content = '["key123"]';
    clock.skip(5 * 60_000);
    expect(await runtime.context()).toBe(first);
    // An invalid secret is not read again for every request.
    expect(await runtime.context()).toBe(first);
    expect(secret.asked).toHaveLength(2);
    secret.content = JSON.stringify({ RPC_URLS: 'https://other.example' });
    clock.skip(5 * 60_000);
    expect((await runtime.context()).config.rpcUrls).toEqual(['https://other.example']);
  });

  test('cause a 503 while Secrets Manager does not answer', async () => {
    await startSecrets('');
    process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = await deadUrl();
    expect((await send(createHandler(ggAvax, createRuntime()))).status).toBe(503);
  });
});
