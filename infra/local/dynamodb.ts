import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { CreateTableCommand, DynamoDBClient, type KeySchemaElement } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { TABLES } from '../tables.ts';

/** An embedded DynamoDB engine with the stack's tables. */
export interface LocalDynamoDB {
  /** Variables that point the AWS SDK and the service at it. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts dynalite in this process, in memory, on a free port of 127.0.0.1. */
export async function startDynamoDB(): Promise<LocalDynamoDB> {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await createTables(endpoint);
  return {
    env: {
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_REGION: 'local',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      CACHE_TABLE: 'cache',
      HISTORY_TABLE: 'history',
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function createTables(endpoint: string): Promise<void> {
  const client = new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  for (const [name, table] of Object.entries(TABLES)) {
    const keys: KeySchemaElement[] = [{ AttributeName: table.partitionKey, KeyType: 'HASH' }];
    if ('sortKey' in table) keys.push({ AttributeName: table.sortKey, KeyType: 'RANGE' });
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: keys,
        AttributeDefinitions: keys.map(({ AttributeName, KeyType }) => ({
          AttributeName,
          AttributeType: KeyType === 'HASH' ? 'S' : 'N',
        })),
      }),
    );
  }
  client.destroy();
}
