/** For the tables that are the only source of their data: history and ledger. */

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoTable } from './dynamo-table.ts';
import { dynamoDB } from './dynamodb.ts';
import type { TableForm } from './forms.ts';

/** A page takes about 20 ms, but it is worth waiting for, because nothing else can answer. */
const REQUEST_TIMEOUT_MS = 1_500;

/** A client that waits longer than the cache's. */
export function durableClient(): DynamoDBClient {
  return dynamoDB(REQUEST_TIMEOUT_MS);
}

/** A table of this name, with such a client. */
export function durableTable(name: string, form: TableForm): DynamoTable {
  return new DynamoTable(durableClient(), name, form);
}
