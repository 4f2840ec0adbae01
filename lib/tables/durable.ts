/** For the tables that are the only source of their data: history and ledger. */

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ApiError } from '../runtime/errors.ts';
import { dynamoDB } from './dynamodb.ts';

/** A page takes about 20 ms, but it is worth waiting for, because nothing else can answer. */
const REQUEST_TIMEOUT_MS = 1_500;

/** A client that waits longer than the cache's. */
export function durableClient(): DynamoDBClient {
  return dynamoDB(REQUEST_TIMEOUT_MS);
}

/** The error when such a table does not answer. */
export function tableUnavailable(detail: string, cause?: unknown): ApiError {
  return new ApiError('UPSTREAM_UNAVAILABLE', detail, { cause });
}
