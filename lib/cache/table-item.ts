/** A cache entry as an item of the table, and back. */

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { ERROR_STATUS, type ErrorCode } from '../runtime/errors.ts';
import { isIntact } from '../values/encoding.ts';
import type { CacheEntry } from './cache-entry.ts';

export type Item = Record<string, AttributeValue>;

/** DynamoDB's TTL is in seconds. */
export function toSeconds(ms: number): AttributeValue {
  return { N: String(Math.ceil(ms / 1_000)) };
}

/** The attributes of an entry, without its body. */
export function toItem(key: string, entry: CacheEntry): Item {
  const { gzip, contentType, etag, storedAt, freshUntil, staleUntil, maxAge, block, next, status, notFound } = entry;
  return {
    pk: { S: key },
    gzip: { BOOL: gzip },
    contentType: { S: contentType },
    etag: { S: etag },
    storedAt: { N: String(storedAt) },
    freshUntil: { N: String(freshUntil) },
    maxAge: { N: String(maxAge) },
    staleUntil: { N: String(staleUntil) },
    expiresAt: toSeconds(staleUntil),
    ...(block && { block: { N: String(block.number) }, blockTimestamp: { N: String(block.timestamp) } }),
    ...(next && { next: { S: next } }),
    ...(status && { status: { N: String(status) } }),
    ...(notFound && { notFound: { S: notFound } }),
  };
}

/** The entry of an item, or undefined if an attribute is missing, of the wrong type or damaged. */
export function toEntry(item: Item): CacheEntry | undefined {
  const number = (name: string) => Number(item[name]?.N);
  const entry = {
    body: item.body?.B,
    gzip: item.gzip?.BOOL,
    contentType: item.contentType?.S,
    etag: item.etag?.S,
    storedAt: number('storedAt'),
    freshUntil: number('freshUntil'),
    maxAge: number('maxAge'),
    staleUntil: number('staleUntil'),
    leaseUntil: item.leaseUntil && number('leaseUntil'),
    block: item.block && { number: number('block'), timestamp: number('blockTimestamp') },
    next: item.next?.S,
    status: item.status && number('status'),
    notFound: item.notFound?.S as ErrorCode | undefined,
  };
  const times = [
    entry.storedAt,
    entry.freshUntil,
    entry.staleUntil,
    entry.maxAge,
    entry.status ?? 0,
    entry.block?.number ?? 0,
    entry.block?.timestamp ?? 0,
  ];
  const whole =
    entry.body && entry.gzip !== undefined && entry.contentType && entry.etag && times.every(Number.isSafeInteger);
  if (!whole || (entry.notFound && !Object.hasOwn(ERROR_STATUS, entry.notFound))) return undefined;
  return isIntact(entry as CacheEntry) ? (entry as CacheEntry) : undefined;
}
