import { lengthAt, WORD, wordAt } from '../chain/words.ts';

/**
 * Decoding of ABI structs made of words and byte strings. ethers' coder is general and takes 112 ms for 300 minipools (2026-11); a
 * network has thousands, and slicing their words out of the hex text takes a hundredth of that.
 */

/** `number` is a uint256 that holds a time, a duration, a count or a code: far below 2^53. */
type WordType = 'uint' | 'number' | 'int' | 'address' | 'bytes32';

/** A function is a byte string (0x-hex) that something is made of. */
type FieldType = WordType | 'bytes' | ((bytes: string) => string | undefined);

type Value<Type extends FieldType> = Type extends 'uint'
  ? bigint
  : Type extends 'number' | 'int'
    ? number
    : Type extends (bytes: string) => infer Made
      ? Made
      : string;

type StructOf<Fields extends Record<string, FieldType>> = { [Name in keyof Fields]: Value<Fields[Name]> };

/** Reads structs whose fields come in the given order. Addresses come out in lower case. */
export class StructDecoder<Fields extends Record<string, FieldType>> {
  readonly #fields: [string, FieldType][];
  readonly #dynamic: boolean;
  readonly #size: number;

  constructor(fields: Fields) {
    this.#fields = Object.entries(fields);
    this.#dynamic = this.#fields.some(([, type]) => type === 'bytes' || typeof type === 'function');
    this.#size = this.#fields.length * WORD;
  }

  /** The struct that a function returned. Throws a RangeError if the data is of another shape. */
  one(data: string): StructOf<Fields> {
    const hex = data.slice(2);
    return this.#struct(hex, this.#dynamic ? lengthAt(hex, 0) : 0);
  }

  /** The array of structs that a function returned. Throws a RangeError if the data is of another shape. */
  list(data: string): StructOf<Fields>[] {
    const hex = data.slice(2);
    const array = lengthAt(hex, 0);
    const first = array + WORD;
    return Array.from({ length: lengthAt(hex, array) }, (_, index) =>
      this.#struct(hex, first + (this.#dynamic ? lengthAt(hex, first + index * WORD) : index * this.#size)),
    );
  }

  #struct(hex: string, start: number): StructOf<Fields> {
    if (!((start + this.#size) * 2 <= hex.length)) throw new RangeError('the data is shorter than the struct');
    const struct: Record<string, bigint | number | string | undefined> = {};
    let at = start;
    for (const [name, type] of this.#fields) {
      if (typeof type === 'function') struct[name] = type(this.#bytes(hex, start, at));
      else struct[name] = type === 'bytes' ? this.#bytes(hex, start, at) : decodeWord(wordAt(hex, at), type);
      at += WORD;
    }
    return struct as StructOf<Fields>;
  }

  /** The first byte string lies right behind the struct's words: anywhere else, the struct has other fields than ours. */
  #bytes(hex: string, start: number, at: number): string {
    if (lengthAt(hex, at) !== this.#size) throw new RangeError('the struct has another number of fields');
    const length = lengthAt(hex, start + this.#size);
    const from = (start + this.#size + WORD) * 2;
    return `0x${hex.slice(from, from + length * 2)}`;
  }
}

function decodeWord(text: string, type: WordType): bigint | number | string {
  if (type === 'address') return `0x${text.slice(24)}`;
  if (type === 'bytes32') return `0x${text}`;
  if (type === 'number') return Number.parseInt(text, 16);
  const value = BigInt(`0x${text}`);
  return type === 'int' ? Number(BigInt.asIntN(256, value)) : value;
}
