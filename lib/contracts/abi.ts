import { getAddress, id, makeError } from 'ethers';

/**
 * Calls of views, encoded and decoded. ethers' `Interface` does it for any ABI; that is 47 kB in every function and 20 ms in every
 * cold start. Views of this protocol take words and texts, and return words, texts, and lists of words or of tuples of words.
 * test/contracts/abi.test.ts compares with ethers.
 */

/** A view, parsed. A type that is a list names the types of an entry. */
interface View {
  selector: string;
  inputs: readonly string[];
  outputs: readonly (string | readonly string[])[];
}

const SIGNATURE = /^function (\w+)\((.*)\) view returns \((.*)\)$/;
const LIST_OF_TUPLES = /^\((.*)\)\[\]$/;
/** Bytes of an ABI word. */
export const WORD = 32;

/** Views of a contract by their names, from signatures such as `function balanceOf(address owner) view returns (uint256)`. */
export class Abi {
  readonly #signatures: ReadonlyMap<string, RegExpExecArray>;
  readonly #views = new Map<string, View>();

  constructor(signatures: readonly string[]) {
    this.#signatures = new Map(
      signatures.map((signature) => {
        const parts = SIGNATURE.exec(signature);
        if (!parts) throw new Error(`Not the signature of a view: ${signature}`);
        return [parts[1] as string, parts];
      }),
    );
  }

  /** Calldata of a view. Words may be bigints, numbers or 0x-hex. */
  encode(name: string, args: readonly unknown[] = []): string {
    const { selector, inputs } = this.#view(name);
    let tail = '';
    const heads = inputs.map((type, index) => {
      if (type !== 'string') return toWord(args[index] as bigint | number | string);
      const head = toWord(inputs.length * WORD + tail.length / 2);
      tail += encodeText(args[index] as string);
      return head;
    });
    return selector + heads.join('') + tail;
  }

  /**
   * What a view returned: its value, or all of them if it has several. Numbers are bigints, addresses have their checksum. Throws
   * ethers' BAD_DATA if the data is of another shape: there is no such view, or no contract.
   */
  decode(name: string, returned: string): unknown {
    const hex = returned.slice(2);
    try {
      const values = this.#view(name).outputs.map((type, index) => {
        if (typeof type !== 'string') return decodeList(hex, offset(hex, index * WORD), type);
        return type === 'string'
          ? decodeText(hex, offset(hex, index * WORD))
          : decodeWord(word(hex, index * WORD), type);
      });
      return values.length === 1 ? values[0] : values;
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw makeError(`${name} answered something else: ${cause.message}`, 'BAD_DATA', { value: returned });
    }
  }

  /** Parsed when it is first needed: a cold start pays for what it calls. */
  #view(name: string): View {
    let view = this.#views.get(name);
    if (!view) {
      const [, , inputs = '', outputs = ''] = this.#signatures.get(name) as RegExpExecArray;
      const types = typesOf(inputs);
      view = { selector: id(`${name}(${types})`).slice(0, 10), inputs: types, outputs: outputsOf(outputs) };
      this.#views.set(name, view);
    }
    return view;
  }
}

/** `uint256 a, address` are a `uint256` and an `address`. */
function typesOf(parameters: string): string[] {
  return parameters === '' ? [] : parameters.split(/, ?/).map((parameter) => parameter.split(' ', 1)[0] as string);
}

function outputsOf(parameters: string): View['outputs'] {
  const tuple = LIST_OF_TUPLES.exec(parameters)?.[1];
  if (tuple) return [typesOf(tuple)];
  return typesOf(parameters).map((type) => (type.endsWith('[]') ? [type.slice(0, -2)] : type));
}

function toWord(value: bigint | number | string): string {
  return BigInt.asUintN(256, BigInt(value))
    .toString(16)
    .padStart(WORD * 2, '0');
}

function encodeText(text: string): string {
  const bytes = Buffer.from(text);
  return toWord(bytes.length) + bytes.toString('hex').padEnd(Math.ceil(bytes.length / WORD) * WORD * 2, '0');
}

/** The hex digits of the word at a byte. Throws a RangeError if the data ends before. */
export function word(hex: string, at: number): string {
  const digits = hex.slice(at * 2, (at + WORD) * 2);
  if (digits.length < WORD * 2) throw new RangeError('the data is too short');
  return digits;
}

/** The word at a byte, which is an offset or a length. Throws a RangeError if it cannot be one. */
export function offset(hex: string, at: number): number {
  const value = Number.parseInt(word(hex, at), 16);
  if (!(value * 2 <= hex.length)) throw new RangeError('the data is too short');
  return value;
}

function decodeWord(digits: string, type: string): bigint | boolean | string {
  if (type === 'address') return getAddress(`0x${digits.slice(24)}`);
  if (type === 'bytes32') return `0x${digits}`;
  const value = BigInt(`0x${digits}`);
  if (type === 'bool') return value !== 0n;
  return type.startsWith('int') ? BigInt.asIntN(256, value) : value;
}

function decodeText(hex: string, at: number): string {
  const bytes = Buffer.from(hex, 'hex');
  const start = at + WORD;
  const end = start + offset(hex, at);
  if (end > bytes.length) throw new RangeError('the data is too short');
  return bytes.toString('utf8', start, end);
}

function decodeList(hex: string, at: number, types: readonly string[]): unknown[] {
  return Array.from({ length: offset(hex, at) }, (_, index) => {
    const first = at + WORD + index * types.length * WORD;
    const values = types.map((type, field) => decodeWord(word(hex, first + field * WORD), type));
    return values.length === 1 ? values[0] : values;
  });
}
