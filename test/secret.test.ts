import { afterAll, describe, expect, test } from '@jest/globals';
import { ggAvax } from '../functions/gg-avax.ts';
import { createHandler } from '../lib/endpoint.ts';
import { createRuntime } from '../lib/runtime.ts';
import { send } from './support/events.ts';
import { deadUrl, startServer, stoppedAfterEach } from './support/servers.ts';
import { tablesForEachTest } from './support/tables.ts';

/** Endpoints with a key in their URL come from Secrets Manager: here a server that speaks its protocol. */

const keep = stoppedAfterEach();
const before = { ...process.env };

tablesForEachTest();
afterAll(async () => {
  process.env = before;
});

/** Secrets Manager with one secret, which may change; the names it was asked for. */
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

describe('the variables of the secret', () => {
  test('are read once, before the first answer, and come before the environment', async () => {
    const secret = await startSecrets(rpc());
    process.env.RPC_URLS = await deadUrl();
    const handler = createHandler(ggAvax, createRuntime());
    expect((await send(handler)).status).toBe(200);
    expect((await send(handler)).headers['X-Cache']).toBe('hit');
    expect(secret.asked).toEqual(['staking-data/rpc']);
  });

  test.each(['{"RPC_URLS": "https://rpc.example/key123"', '["key123"]', '{"RPC_URLS": 5}'])(
    'are a 503 that tells nothing while the secret is %j, and are tried again',
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

  test('are a 503 while Secrets Manager does not answer', async () => {
    await startSecrets('');
    process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = await deadUrl();
    expect((await send(createHandler(ggAvax, createRuntime()))).status).toBe(503);
  });
});
