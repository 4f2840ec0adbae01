/**
 * Decodes ABI structs made of words. ethers' coder is general and takes 112 ms for 300 minipools (2026-11); a network has
 * thousands, and slicing their words out of the bytes takes a fiftieth of that.
 */

import { badData, lengthAt, WORD, wordAt } from '../chain/abi-words.ts';

/** The fields of a struct in its order. Each is decoded from the hex digits of its word. */
type Fields = Record<string, (digits: string) => unknown>;

type StructOf<Of extends Fields> = { [Name in keyof Of]: ReturnType<Of[Name]> };

export const uint = (digits: string) => BigInt(`0x${digits}`);
/** A uint256 that holds a time, a duration, a count or a code: far below 2^53. */
export const number = (digits: string) => Number.parseInt(digits, 16);
/** An int256 with such a value. */
export const int = (digits: string) => Number(BigInt.asIntN(256, uint(digits)));
/** In lower case: a checksum costs a hash, and is rarely needed. */
export const address = (digits: string) => `0x${digits.slice(-40)}`;
export const bytes32 = (digits: string) => `0x${digits}`;

export function structAt<Of extends Fields>(fields: Of, data: Buffer, start: number): StructOf<Of> {
  const entries = Object.entries(fields).map(([name, field], place) => [
    name,
    field(wordAt(data, start + place * WORD)),
  ]);
  return Object.fromEntries(entries) as StructOf<Of>;
}

/** The struct that a function returned. Throws BAD_DATA if the data has another size. */
export function decodeStruct<Of extends Fields>(fields: Of, data: Buffer): StructOf<Of> {
  if (data.length !== sizeOf(fields)) throw anotherStruct(data);
  return structAt(fields, data, 0);
}

/** The array of structs that a function returned. Throws BAD_DATA if the data has another size. */
export function decodeStructs<Of extends Fields>(fields: Of, data: Buffer): StructOf<Of>[] {
  const array = lengthAt(data, 0);
  const length = lengthAt(data, array);
  const first = array + WORD;
  const size = sizeOf(fields);
  if (data.length !== first + length * size) throw anotherStruct(data);
  return Array.from({ length }, (_, index) => structAt(fields, data, first + index * size));
}

export function sizeOf(fields: Fields): number {
  return Object.keys(fields).length * WORD;
}

export function anotherStruct(data: Buffer): Error {
  return badData('the struct has another number of fields', data);
}
