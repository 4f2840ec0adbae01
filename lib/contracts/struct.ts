/**
 * Decodes ABI structs made of words and byte strings. ethers' coder is general and takes 112 ms for 300 minipools
 * (2026-11); a network has thousands, and slicing their words out of the bytes takes a fiftieth of that.
 */

import { badData, lengthAt, toAddress, WORD, wordAt } from '../chain/abi-words.ts';

/** Decodes a value from the hex digits of an ABI word. */
type Word<Value> = (digits: string) => Value;

interface Bytes<Value> {
  /** Decodes a value from the byte string's 0x-hex. */
  from: (bytes: string) => Value;
}

type Field = Word<unknown> | Bytes<unknown>;

type StructOf<Fields extends Record<string, Field>> = {
  [Name in keyof Fields]: Fields[Name] extends Word<infer Value> | Bytes<infer Value> ? Value : never;
};

export const uint = (digits: string) => BigInt(`0x${digits}`);
/** A uint256 that holds a time, a duration, a count or a code: far below 2^53. */
export const number = (digits: string) => Number.parseInt(digits, 16);
/** An int256 with such a value. */
export const int = (digits: string) => Number(BigInt.asIntN(256, uint(digits)));
export const address = toAddress;
export const bytes32 = (digits: string) => `0x${digits}`;

/** Decodes structs whose fields come in the given order. At most one field may be a byte string. */
export class StructDecoder<Fields extends Record<string, Field>> {
  readonly #fields: [string, Field][];
  /** The place of the byte string among the fields; -1 if there is none. */
  readonly #bytesPlace: number;
  readonly #size: number;

  constructor(fields: Fields) {
    this.#fields = Object.entries(fields);
    this.#bytesPlace = this.#fields.findIndex(([, field]) => typeof field !== 'function');
    this.#size = this.#fields.length * WORD;
  }

  /** The struct that a function returned. Throws BAD_DATA if the data is of another shape. */
  one(data: Buffer): StructOf<Fields> {
    if (this.#endOf(data) !== data.length) throw anotherStruct(data);
    return this.#fieldsAt(data, this.#isDynamic ? lengthAt(data, 0) : 0);
  }

  /** The array of structs that a function returned. Throws BAD_DATA if the data is of another shape. */
  list(data: Buffer): StructOf<Fields>[] {
    const array = lengthAt(data, 0);
    const first = array + WORD;
    const length = lengthAt(data, array);
    // Nothing follows structs of ABI words: if data does, the structs have more fields than ours.
    if (!this.#isDynamic && data.length !== first + length * this.#size) throw anotherStruct(data);
    return Array.from({ length }, (_, index) => {
      const start = first + (this.#isDynamic ? lengthAt(data, first + index * WORD) : index * this.#size);
      return this.#fieldsAt(data, start);
    });
  }

  get #isDynamic(): boolean {
    return this.#bytesPlace >= 0;
  }

  /** End of the struct in data that a function returned, in bytes. The data of a dynamic struct begins with an offset. */
  #endOf(data: Buffer): number {
    if (!this.#isDynamic) return this.#size;
    const { end } = this.#bytesOf(data, lengthAt(data, 0));
    return Math.ceil(end / WORD) * WORD;
  }

  #fieldsAt(data: Buffer, start: number): StructOf<Fields> {
    const struct: Record<string, unknown> = {};
    for (const [place, [name, field]] of this.#fields.entries()) {
      struct[name] =
        typeof field === 'function' ? field(wordAt(data, start + place * WORD)) : field.from(this.#hexOf(data, start));
    }
    return struct as StructOf<Fields>;
  }

  #hexOf(data: Buffer, start: number): string {
    const { from, end } = this.#bytesOf(data, start);
    return `0x${data.toString('hex', from, end)}`;
  }

  /** Range of the byte string. It has to follow the struct's words: elsewhere, the struct has other fields than ours. */
  #bytesOf(data: Buffer, start: number): { from: number; end: number } {
    if (lengthAt(data, start + this.#bytesPlace * WORD) !== this.#size) throw anotherStruct(data);
    const from = start + this.#size + WORD;
    const end = from + lengthAt(data, start + this.#size);
    if (end > data.length) throw anotherStruct(data);
    return { from, end };
  }
}

function anotherStruct(data: Buffer): Error {
  return badData('the struct has another number of fields', data);
}
