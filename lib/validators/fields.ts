import * as z from 'zod/mini';
import { NODE_ID } from '../cb58.ts';
import { UpstreamFailure } from '../upstream/failover.ts';

/** Schemas of what the Data API and the P-Chain answer about validators. Unknown keys are ignored. */

const UINT64 = /^\d{1,20}$/;
/** Limits that no validator reaches. Without them an index could send megabytes, which would go out to clients. */
const MAX_TEXT = 200;
const MAX_ADDRESSES = 64;
const UP_TO_999 = /^\d{1,3}(\.\d+)?$/;

/** Makes a value of what a field holds; undefined if that is missing or of an unknown form. */
type Reader<T> = (field: unknown) => T | undefined;

function textReader<T>(read: (text: string) => T | undefined): Reader<T> {
  return (field) => (typeof field === 'string' ? read(field) : undefined);
}

/** An amount in nAVAX: a uint64 in decimal text. */
export const nAVAX = textReader((digits) => (UINT64.test(digits) ? BigInt(digits) : undefined));

/** A count or a time: a uint64 in decimal text that is far below 2^53. */
export const countText = textReader((digits) => (UINT64.test(digits) ? Number(digits) : undefined));

/** A JSON number that is not negative. `1e999` is one that is not finite. */
function numberReader(is: (field: unknown) => boolean): Reader<number> {
  return (field) => (typeof field === 'number' && field >= 0 && is(field) ? field : undefined);
}

/** A count or a time as a JSON number. */
export const count = numberReader(Number.isSafeInteger);

/** A percentage as a JSON number. */
export const percent = numberReader(Number.isFinite);

/** A percentage in decimal text, with few digits: too many would overflow to Infinity, which JSON writes as null. */
export const percentText = textReader((digits) => (UP_TO_999.test(digits) ? Number(digits) : undefined));

/** Its checksum is for people who type it. */
export const nodeID = textReader((id) => (NODE_ID.test(id) ? id : undefined));

/** A text that is not empty, and no longer than a version, key, hash or address. */
export const someText = textReader((any) => (any.length > 0 && any.length <= MAX_TEXT ? any : undefined));

/** P-Chain addresses; the index sometimes omits the chain's prefix. */
export const pChainAddresses: Reader<string[]> = (field) => {
  const addresses = Array.isArray(field) && field.length <= MAX_ADDRESSES ? field.map(someText) : [undefined];
  if (addresses.includes(undefined)) return undefined;
  return (addresses as string[]).map((address) => (address.startsWith('P-') ? address : `P-${address}`));
};

/**
 * A field without which the whole answer is refused. Like {@link detail}, a single step: an index has thousands of
 * fields, which a cold container reads before any of zod's code is optimized.
 */
export function essential<T>(read: Reader<T>) {
  return z.transform((field: unknown, { issues }): T => {
    const value = read(field);
    if (value === undefined) issues.push({ code: 'custom', message: 'Invalid input', input: field });
    return value as T;
  });
}

/** A detail. If it is missing, empty, null or of an unknown form it is undefined, and the validator still counts. */
export function detail<T>(read: Reader<T>) {
  return z.optional(z.transform(read));
}

/** A part that holds several details, as a whole. */
export function details<T extends z.ZodMiniType>(schema: T) {
  return z.catch(z.optional(schema), undefined);
}

/** Parses an answer. Throws an {@link UpstreamFailure} that names the first bad field. */
export function understood<T extends z.ZodMiniType>(schema: T, answer: unknown): z.output<T> {
  const { success, data, error } = schema.safeParse(answer);
  if (success) return data;
  const [issue] = error.issues;
  throw new UpstreamFailure('malformed', { cause: new Error(`${issue?.path.join('.')}: ${issue?.message}`) });
}
