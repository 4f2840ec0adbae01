import { addressOf, badData, lengthAt, WORD, wordAt } from '../chain/words.ts';

/**
 * Decodes ABI structs made of words and byte strings. ethers' coder is general and takes 112 ms for 300 minipools
 * (2026-11); a network has thousands, and slicing their words out of the hex text takes a hundredth of that.
 */

/** Makes a value from the hex digits of a word. */
type Word<Value> = (digits: string) => Value;

/** A field that is a byte string. */
interface Bytes<Value> {
  /** Makes a value from its 0x-hex. */
  from: (bytes: string) => Value;
}

type Field = Word<unknown> | Bytes<unknown>;

type StructOf<Fields extends Record<string, Field>> = {
  [Name in keyof Fields]: Fields[Name] extends Word<infer Value> | Bytes<infer Value> ? Value : never;
};

export const uint = (digits: string) => BigInt(`0x${digits}`);
/** A uint256 that holds a time, a duration, a count or a code: far below 2^53. */
export const number = (digits: string) => Number.parseInt(digits, 16);
/** An int256 that is one of those. */
export const int = (digits: string) => Number(BigInt.asIntN(256, uint(digits)));
export const address = addressOf;
export const bytes32 = (digits: string) => `0x${digits}`;

/** Reads structs whose fields come in the given order. */
export class StructDecoder<Fields extends Record<string, Field>> {
  readonly #fields: [string, Field][];
  readonly #dynamic: boolean;
  readonly #size: number;

  constructor(fields: Fields) {
    this.#fields = Object.entries(fields);
    this.#dynamic = this.#fields.some(([, field]) => typeof field !== 'function');
    this.#size = this.#fields.length * WORD;
  }

  /** The struct that a function returned. Throws ethers' BAD_DATA if the data is of another shape. */
  one(data: string): StructOf<Fields> {
    const hex = data.slice(2);
    return this.#struct(hex, this.#dynamic ? lengthAt(hex, 0) : 0);
  }

  /** The array of structs that a function returned. Throws ethers' BAD_DATA if the data is of another shape. */
  list(data: string): StructOf<Fields>[] {
    const hex = data.slice(2);
    const array = lengthAt(hex, 0);
    const first = array + WORD;
    const length = lengthAt(hex, array);
    // Nothing follows structs of words: if something does, they have more fields than ours.
    if (!this.#dynamic && hex.length !== (first + length * this.#size) * 2) throw anotherStruct();
    return Array.from({ length }, (_, index) =>
      this.#struct(hex, first + (this.#dynamic ? lengthAt(hex, first + index * WORD) : index * this.#size)),
    );
  }

  #struct(hex: string, start: number): StructOf<Fields> {
    const struct: Record<string, unknown> = {};
    let at = start;
    for (const [name, field] of this.#fields) {
      struct[name] = typeof field === 'function' ? field(wordAt(hex, at)) : field.from(this.#bytes(hex, start, at));
      at += WORD;
    }
    return struct as StructOf<Fields>;
  }

  /**
   * The first byte string lies right after the struct's words: anywhere else, the struct has other fields than ours.
   */
  #bytes(hex: string, start: number, at: number): string {
    if (lengthAt(hex, at) !== this.#size) throw anotherStruct();
    const length = lengthAt(hex, start + this.#size);
    const from = (start + this.#size + WORD) * 2;
    return `0x${hex.slice(from, from + length * 2)}`;
  }
}

function anotherStruct(): Error {
  return badData('the struct has another number of fields');
}
