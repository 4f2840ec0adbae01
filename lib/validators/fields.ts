import * as z from 'zod/mini';
import { parseNodeID } from '../cb58.ts';
import { UpstreamFailure } from '../upstream/failover.ts';

/** Schemas of what the Data API and the P-Chain answer about validators. Unknown keys are ignored. */

const UINT64 = /^\d{1,20}$/;
/** Limits that no validator reaches. Without them an index could send megabytes, which would go out to clients. */
const MAX_TEXT = 200;
const MAX_ADDRESSES = 64;
const UP_TO_999 = /^\d{1,3}(\.\d+)?$/;

/**
 * A text of which `read` makes a value; undefined is a fault. A single step, where a pipe of checks takes four: an index
 * has thousands of fields, which a cold container reads before any of zod's code is optimized.
 */
function text<T>(read: (text: string) => T | undefined) {
  return z.transform((value: unknown, { issues }): T => {
    const meant = typeof value === 'string' ? read(value) : undefined;
    if (meant === undefined) issues.push({ code: 'custom', message: 'Invalid input', input: value });
    return meant as T;
  });
}

/** An amount in nAVAX: a uint64 in decimal text. */
export const nAVAX = text((digits) => (UINT64.test(digits) ? BigInt(digits) : undefined));

/** A count or a time: a uint64 in decimal text that is far below 2^53. */
export const countText = text((digits) => (UINT64.test(digits) ? Number(digits) : undefined));

/** A percentage in decimal text, with few digits: too many would overflow to Infinity, which JSON writes as null. */
export const percentText = text((digits) => (UP_TO_999.test(digits) ? Number(digits) : undefined));

export const nodeID = text((id) => (id.startsWith('NodeID-') && parseNodeID(id) ? id : undefined));

/** A text that is not empty, and no longer than a version, key, hash or address. */
export const someText = text((any) => (any.length > 0 && any.length <= MAX_TEXT ? any : undefined));

/** P-Chain addresses; the index sometimes omits the chain's prefix. */
export const pChainAddresses = z.pipe(
  z.array(someText).check(z.maxLength(MAX_ADDRESSES)),
  z.transform((addresses) => addresses.map((address) => (address.startsWith('P-') ? address : `P-${address}`))),
);

/** A detail. If it is missing, empty, null or of an unknown form it is undefined, and the validator still counts. */
export function detail<T extends z.ZodMiniType>(schema: T) {
  return z.catch(z.optional(schema), undefined);
}

/** Parses an answer. Throws an {@link UpstreamFailure} that names the first bad field. */
export function understood<T extends z.ZodMiniType>(schema: T, answer: unknown): z.output<T> {
  const { success, data, error } = schema.safeParse(answer);
  if (success) return data;
  const [issue] = error.issues;
  throw new UpstreamFailure('malformed', { cause: new Error(`${issue?.path.join('.')}: ${issue?.message}`) });
}
