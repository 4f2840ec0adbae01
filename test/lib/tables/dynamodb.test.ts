import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { ENDPOINT_LIMITS } from '../../../lib/runtime/context.ts';
import { durableTable } from '../../../lib/tables/dynamo-table.ts';
import { dynamoDB } from '../../../lib/tables/dynamodb.ts';
import { HISTORY } from '../../../lib/tables/table-schemas.ts';
import { startServer } from '../../support/servers.ts';

const { env } = process;
let userAgents: (string | undefined)[];
let server: Awaited<ReturnType<typeof startServer>>;

beforeAll(async () => {
  userAgents = [];
  server = await startServer((request, response) => {
    userAgents.push(request.headers['user-agent']);
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{"TableNames":[]}');
  });
  process.env = {
    ...env,
    ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' },
  };
  delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
});
afterAll(async () => {
  process.env = env;
  await server.stop();
});

test.each(['AWS_ENDPOINT_URL_DYNAMODB', 'AWS_ENDPOINT_URL'])('the client uses the endpoint in %s', async (name) => {
  process.env[name] = server.url;
  const client = dynamoDB(5_000);
  expect(await client.send(new ListTablesCommand())).toMatchObject({ TableNames: [] });
  expect(userAgents.at(-1)).toMatch(/^aws-sdk-js/);
  delete process.env[name];
});

test("without an endpoint in the environment, the client uses AWS's own and the SDK's default settings", async () => {
  const { config } = dynamoDB(5_000);
  const endpoint = config.endpointProvider({
    Region: await config.region(),
    UseFIPS: await config.useFipsEndpoint(),
    UseDualStack: await config.useDualstackEndpoint(),
  });
  expect(endpoint.url.host).toBe('dynamodb.us-east-1.amazonaws.com');
  expect(await config.maxAttempts()).toBe(3);
});

test('a table that hangs is given up after its limit, and asked three times', async () => {
  let asked = 0;
  const hanging = await startServer(() => {
    asked += 1;
  });
  process.env.AWS_ENDPOINT_URL = hanging.url;
  const table = durableTable('history', HISTORY, {
    limits: { ...ENDPOINT_LIMITS, durableTableMs: 50 },
    clock: systemClock,
  });
  await expect(table.get('a', 1)).rejects.toMatchObject({ status: 503, cause: { name: 'TimeoutError' } });
  expect(asked).toBe(3);
  delete process.env.AWS_ENDPOINT_URL;
  await hanging.stop();
});
