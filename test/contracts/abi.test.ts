import { describe, expect, test } from '@jest/globals';
import { AbiCoder, Interface, isError } from 'ethers';
import fc from 'fast-check';
import { Abi } from '../../lib/contracts/abi.ts';

/** The coder of views against ethers'. */

const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => `0x${Buffer.from(array).toString('hex')}`);

/** Values of each type that views take or return, as ethers gives them. */
const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  uint256: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  uint24: fc.bigInt({ min: 0n, max: 2n ** 24n - 1n }),
  int256: fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n - 1n }),
  int24: fc.bigInt({ min: -(2n ** 23n), max: 2n ** 23n - 1n }),
  address: hexOf(20).map(
    (address) => AbiCoder.defaultAbiCoder().decode(['address'], `0x${'0'.repeat(24)}${address.slice(2)}`)[0],
  ),
  bytes32: hexOf(32),
  bool: fc.boolean(),
  // Text that UTF-8 can hold.
  string: fc.string({ unit: 'binary', maxLength: 80 }).map((text) => text.toWellFormed()),
  'uint256[]': fc.array(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), { maxLength: 5 }),
};
const LIST_OF_TUPLES = '(uint16 a, address b, bool c, bool)[]';
const INPUTS = ['uint256', 'uint24', 'int24', 'address', 'bytes32', 'string'];

/** A view with types and values for what it takes or returns. */
const typed = (types: readonly string[]) =>
  fc
    .array(fc.constantFrom(...types), { maxLength: 5 })
    .chain((chosen) =>
      fc.tuple(fc.constant(chosen), fc.tuple(...chosen.map((type) => VALUES[type] as fc.Arbitrary<unknown>))),
    );

const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? Array.from(value as unknown[], plain) : value;

test('calldata is the one that ethers makes', () => {
  fc.assert(
    fc.property(typed(INPUTS), ([types, values]) => {
      const signature = `function some_View1(${types.map((type, index) => `${type} name${index}`).join(', ')}) view returns (bool)`;
      expect(new Abi([signature]).encode('some_View1', values)).toBe(
        new Interface([signature]).encodeFunctionData('some_View1', values),
      );
    }),
    { numRuns: 500 },
  );
});

test('what is returned means what ethers says', () => {
  fc.assert(
    fc.property(typed(Object.keys(VALUES)), ([types, values]) => {
      fc.pre(types.length > 0);
      const signature = `function read() view returns (${types.join(', ')})`;
      const reference = new Interface([signature]);
      const returned = reference.encodeFunctionResult('read', values);
      const decoded = plain(reference.decodeFunctionResult('read', returned)) as unknown[];
      expect(new Abi([signature]).decode('read', returned)).toEqual(types.length === 1 ? decoded[0] : decoded);
    }),
    { numRuns: 1_000 },
  );
});

test('a list of tuples is a list of lists', () => {
  const signature = `function read() view returns (${LIST_OF_TUPLES})`;
  const address = '0xcA11bde05977b3631167028862bE2a173976CA11';
  const entries = [
    [20n, address, true, false],
    [65_535n, address, false, true],
  ];
  const returned = new Interface([signature]).encodeFunctionResult('read', [entries]);
  expect(new Abi([signature]).decode('read', returned)).toEqual(entries);
  expect(new Abi([signature]).decode('read', new Interface([signature]).encodeFunctionResult('read', [[]]))).toEqual(
    [],
  );
});

describe('an answer of another shape is BAD_DATA', () => {
  test.each(['uint256', 'address', 'string', 'uint256[]', LIST_OF_TUPLES])('for %s', (type) => {
    const abi = new Abi([`function read() view returns (${type})`]);
    const word = (value: number) => value.toString(16).padStart(64, '0');
    // Nothing, half a word, an offset and a length that lead beyond the end, numbers that are no lengths.
    const cut = ['0x', `0x${'0'.repeat(32)}`];
    const beyond = [`0x${word(32)}`, `0x${word(32)}${word(7)}`, `0x${word(4_096)}${word(1)}`, `0x${'f'.repeat(192)}`];
    for (const returned of type.endsWith(']') || type === 'string' ? [...cut, ...beyond] : cut) {
      expect(() => abi.decode('read', returned)).toThrow(
        expect.objectContaining({ code: 'BAD_DATA', value: returned }) as unknown as Error,
      );
    }
  });

  test('which ethers recognises', () => {
    try {
      new Abi(['function read() view returns (bool)']).decode('read', '0x');
      throw new Error('it was accepted');
    } catch (error) {
      expect(isError(error, 'BAD_DATA')).toBe(true);
    }
  });
});

test('what is no signature of a view is refused at once', () => {
  expect(() => new Abi(['function transfer(address, uint256)'])).toThrow(
    'Not the signature of a view: function transfer',
  );
});
