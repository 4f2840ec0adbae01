import { makeError } from 'ethers';

/** Bytes. */
export const WORD = 32;

export function toBytes(hex: string): Buffer {
  return Buffer.from(hex.slice('0x'.length), 'hex');
}

/** A provider's result, if it is whole bytes in 0x-hex. Throws RangeError. */
export function requireHex(result: unknown): string {
  if (typeof result !== 'string' || !/^0x([\da-fA-F]{2})*$/.test(result)) throw new RangeError('no bytes in hex');
  return result;
}

/** The hex digits of the word at an offset. Throws BAD_DATA if the data is too short. */
export function wordAt(data: Buffer, at: number): string {
  if (at + WORD > data.length) throw badData('the data is too short', data);
  return data.toString('hex', at, at + WORD);
}

/** The offset or length at an offset. Throws BAD_DATA if it exceeds the data. */
export function lengthAt(data: Buffer, at: number): number {
  const value = Number.parseInt(wordAt(data, at), 16);
  if (!(value <= data.length)) throw badData('the data is too short', data);
  return value;
}

/** ethers' error for data that does not match the return types of a view. */
export function badData(message: string, data: Buffer): Error {
  // The error's message quotes the value, and is logged.
  return makeError(message, 'BAD_DATA', { value: data.subarray(0, 2 * WORD) });
}

/** Hex digits of a number below 2^53. */
export function toWord(value: number): string {
  return value.toString(16).padStart(WORD * 2, '0');
}
