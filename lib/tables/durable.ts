/** For the tables that are the only source of their data: history and ledger. */

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Limits } from '../runtime/context.ts';
import { DynamoTable } from './dynamo-table.ts';
import { dynamoDB } from './dynamodb.ts';
import type { TableForm } from './forms.ts';

/** A client that waits longer than the cache's. */
export function durableClient({ durableTableMs }: Limits): DynamoDBClient {
  return dynamoDB(durableTableMs);
}

/** A table of this name, with such a client. */
export function durableTable(name: string, form: TableForm, limits: Limits): DynamoTable {
  return new DynamoTable(durableClient(limits), name, form);
}
