import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoDB } from './dynamodb.ts';
import { ApiError } from './http/errors.ts';

/** What the tables have in common that are the only ones to know: the history and the ledger. */

/** A page takes about 20 ms; nothing else can answer, so it is waited for. */
const REQUEST_TIMEOUT_MS = 1_500;

/** A client that waits longer than the cache's. */
export function durableClient(): DynamoDBClient {
  return dynamoDB(REQUEST_TIMEOUT_MS);
}

/** What is told when such a table does not answer. */
export function tableUnavailable(detail: string, cause?: unknown): ApiError {
  return new ApiError('UPSTREAM_UNAVAILABLE', detail, { cause });
}
