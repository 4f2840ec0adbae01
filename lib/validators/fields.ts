/**
 * The fields of validators. A detail that is missing or of an unknown form is undefined, and the validator still counts.
 * Plain functions, not schemas: a cold container reads thousands of fields before any code is optimized.
 */

import { UpstreamFailure } from '../chain/upstream/failures.ts';
import { SUPPLY_CAP_NAVAX } from '../rewards/validation-reward.ts';
import { NODE_ID } from '../values/cb58.ts';
import { END_OF_TIME } from '../values/durations.ts';
import type { Validator } from './validator.ts';

const UINT64 = /^\d{1,20}$/;
/** Limits that no validator reaches. Without them an index could send megabytes, and clients would get them. */
const MAX_TEXT = 200;
const MAX_ADDRESSES = 64;
const UP_TO_999 = /^\d{1,3}(\.\d+)?$/;

export type Fields = Readonly<Record<string, unknown>>;

type Reader<T> = (field: unknown) => T | undefined;

function textReader<T>(read: (text: string) => T | undefined): Reader<T> {
  return (field) => (typeof field === 'string' ? read(field) : undefined);
}

/** An amount in nAVAX: a uint64 in decimal text, at most the supply cap. */
export const nAVAX = textReader((digits) => {
  const amount = UINT64.test(digits) ? BigInt(digits) : undefined;
  return amount !== undefined && amount <= SUPPLY_CAP_NAVAX ? amount : undefined;
});

/** A count or a time: a uint64 in decimal text that is far below 2^53. */
export const countText = textReader((digits) => (UINT64.test(digits) ? count(Number(digits)) : undefined));

/** A JSON number that is not negative and passes `is`. `1e999` is a JSON number that is not finite. */
function numberReader(is: (field: unknown) => boolean): Reader<number> {
  return (field) => (typeof field === 'number' && field >= 0 && is(field) ? field : undefined);
}

export const count = numberReader(Number.isSafeInteger);

export const percent = numberReader((field) => Number(field) <= 100);

export const percentText = textReader((digits) => (UP_TO_999.test(digits) ? percent(Number(digits)) : undefined));

/** A `NodeID-…`. The checksum is not checked: it protects people who type the ID. */
export const nodeID = textReader((id) => (NODE_ID.test(id) ? id : undefined));

/** A text that is not empty, and no longer than a version, key, hash or address. */
export const someText = textReader((any) => (any.length > 0 && any.length <= MAX_TEXT ? any : undefined));

/** P-Chain addresses; the index sometimes omits the chain's prefix. */
export const pChainAddresses: Reader<string[]> = (field) => {
  const addresses = Array.isArray(field) && field.length <= MAX_ADDRESSES ? field.map(someText) : [undefined];
  if (addresses.includes(undefined)) return undefined;
  return (addresses as string[]).map((address) => (address.startsWith('P-') ? address : `P-${address}`));
};

/** Anything that is no object counts as an empty one. */
export function part(field: unknown): Fields {
  return typeof field === 'object' && field !== null ? (field as Fields) : {};
}

/** Reads a required field. Throws an {@link UpstreamFailure} with the field's name if it is unreadable. */
export function essential<T>(record: Fields, name: string, read: Reader<T>): T {
  const value = read(record[name]);
  if (value === undefined) throw malformed(`a validator's ${name}`, record[name]);
  return value;
}

/** All validators of an answer. Throws an {@link UpstreamFailure} if the list is missing, or a validator is impossible. */
export function validatorsIn(answer: unknown, toValidator: (record: Fields) => Validator): Validator[] {
  const { validators } = part(answer);
  if (!Array.isArray(validators)) throw malformed('validators', validators);
  return validators.map((record) => {
    const validator = toValidator(part(record));
    const { startTime, endTime } = validator;
    if (!(startTime < endTime && endTime <= END_OF_TIME)) throw malformed("a validator's times", [startTime, endTime]);
    return validator;
  });
}

/** `held` is written to the log. */
export function malformed(name: string, held: unknown): UpstreamFailure {
  const text = JSON.stringify(held)?.slice(0, MAX_TEXT);
  return new UpstreamFailure('malformed', { cause: new Error(`${name}: ${text}`) });
}
