import { expect, test } from '@jest/globals';
import { lengthAt, toBytes, toWord, wordAt } from '../../../lib/chain/abi-words.ts';

/** ethers' error for data that is not what a view returns. */
const badData = expect.objectContaining({ code: 'BAD_DATA' });

const A = 'aa'.repeat(32);
const B = 'bb'.repeat(32);
const bytes = (digits: string) => toBytes(`0x${digits}`);
/** A word that ends with these digits. */
const word = (digits: string) => digits.padStart(64, '0');

test('a word can start at any byte, but not extend beyond the data', () => {
  expect(wordAt(bytes(A + B), 0)).toBe(A);
  expect(wordAt(bytes(A + B), 32)).toBe(B);
  expect(wordAt(bytes(A + B), 16)).toBe('aa'.repeat(16) + 'bb'.repeat(16));
  expect(() => wordAt(bytes(A + B), 33)).toThrow(badData);
});

test('a length cannot exceed the number of bytes there are', () => {
  // Two words are 64 bytes.
  expect(lengthAt(bytes(A + word('40')), 32)).toBe(64);
  expect(lengthAt(bytes(A + word('0')), 32)).toBe(0);
  expect(() => lengthAt(bytes(A + word('41')), 32)).toThrow(badData);
});

test('a number is encoded as a word', () => {
  expect(toWord(255)).toBe(word('ff'));
});
