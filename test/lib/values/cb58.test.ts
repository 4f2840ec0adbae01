import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatNodeID, formatTxID, parseNodeID } from '../../../lib/values/cb58.ts';

const HEX = '0xf29bce5f34a74301eb0de716d5194e4a4aea5d7a';
const NODE_ID = 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5';

const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => `0x${Buffer.from(array).toString('hex')}`);

describe('node IDs', () => {
  test('are converted between hex and text', () => {
    expect(formatNodeID(HEX)).toBe(NODE_ID);
    expect(parseNodeID(NODE_ID)).toBe(HEX);
  });

  test.each([
    ['lower case', HEX],
    ['upper case', `0x${HEX.slice(2).toUpperCase()}`],
    ['mixed case, like an address', '0xF29Bce5F34a74301eB0dE716d5194E4a4aEA5d7A'],
  ])('are accepted as hex in %s', (_name, text) => {
    expect(parseNodeID(text)).toBe(HEX);
  });

  test('keep leading zero bytes', () => {
    const hex = `0x0000${HEX.slice(6)}`;
    expect(parseNodeID(formatNodeID(hex))).toBe(hex);
  });

  test('survive a round trip through their text form', () => {
    fc.assert(
      fc.property(hexOf(20), (hex) => {
        expect(parseNodeID(formatNodeID(hex))).toBe(hex);
      }),
    );
  });

  test('are rejected if any one character is mistyped', () => {
    const digits = fc.constantFrom(...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');
    fc.assert(
      fc.property(fc.integer({ min: 'NodeID-'.length, max: NODE_ID.length - 1 }), digits, (at, digit) => {
        fc.pre(NODE_ID[at] !== digit);
        expect(parseNodeID(NODE_ID.slice(0, at) + digit + NODE_ID.slice(at + 1))).toBeUndefined();
      }),
    );
  });

  test.each([
    ['an empty text', ''],
    ['the prefix alone', 'NodeID-'],
    ['no prefix', NODE_ID.slice('NodeID-'.length)],
    ['another prefix', NODE_ID.replace('NodeID', 'nodeid')],
    ['a letter that base58 does not have', NODE_ID.replace('P', 'O')],
    ['19 bytes of hex', HEX.slice(0, -2)],
    ['21 bytes of hex', `${HEX}00`],
    ['hex without 0x', HEX.slice(2)],
    ['32 bytes with a valid checksum', `NodeID-${formatTxID(`0x${'00'.repeat(32)}`)}`],
    ['19 bytes with a valid checksum', `NodeID-${formatTxID(HEX.slice(0, -2))}`],
    ['a very long text', `NodeID-${'1'.repeat(100_000)}`],
    ['text with spaces around it', ` ${NODE_ID} `],
  ])('%s is not a node ID', (_name, text) => {
    expect(parseNodeID(text)).toBeUndefined();
  });
});

test('a transaction ID of 32 zero bytes has the text form of the primary network ID', () => {
  expect(formatTxID(`0x${'00'.repeat(32)}`)).toBe('11111111111111111111111111111111LpoYY');
});
