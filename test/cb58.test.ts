import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatNodeID, formatTxID, parseNodeID } from '../lib/cb58.ts';

const HEX = '0xf29bce5f34a74301eb0de716d5194e4a4aea5d7a';
const NODE_ID = 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5';

const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => `0x${Buffer.from(array).toString('hex')}`);

describe('node IDs', () => {
  test('a known node in both forms', () => {
    expect(formatNodeID(HEX)).toBe(NODE_ID);
    expect(parseNodeID(NODE_ID)).toBe(HEX);
  });

  test.each([
    ['lower case', HEX],
    ['upper case', `0x${HEX.slice(2).toUpperCase()}`],
    ['the case of an address', '0xF29Bce5F34a74301eB0dE716d5194E4a4aEA5d7A'],
  ])('hex in %s', (_name, text) => {
    expect(parseNodeID(text)).toBe(HEX);
  });

  test('leading zero bytes are kept', () => {
    const hex = `0x0000${HEX.slice(6)}`;
    expect(parseNodeID(formatNodeID(hex))).toBe(hex);
  });

  test('every node has one text form, and it reads back', () => {
    fc.assert(
      fc.property(hexOf(20), (hex) => {
        expect(parseNodeID(formatNodeID(hex))).toBe(hex);
      }),
    );
  });

  test('no digit can be mistyped unnoticed', () => {
    const digits = fc.constantFrom(...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');
    fc.assert(
      fc.property(fc.integer({ min: 'NodeID-'.length, max: NODE_ID.length - 1 }), digits, (at, digit) => {
        fc.pre(NODE_ID[at] !== digit);
        expect(parseNodeID(NODE_ID.slice(0, at) + digit + NODE_ID.slice(at + 1))).toBeUndefined();
      }),
    );
  });

  test.each([
    ['nothing', ''],
    ['the prefix alone', 'NodeID-'],
    ['no prefix', NODE_ID.slice('NodeID-'.length)],
    ['another prefix', NODE_ID.replace('NodeID', 'nodeid')],
    ['a letter that base58 does not have', NODE_ID.replace('P', 'O')],
    ['19 bytes of hex', HEX.slice(0, -2)],
    ['21 bytes of hex', `${HEX}00`],
    ['hex without 0x', HEX.slice(2)],
    ['32 bytes with a valid checksum', `NodeID-${formatTxID(`0x${'00'.repeat(32)}`)}`],
    ['19 bytes with a valid checksum', `NodeID-${formatTxID(HEX.slice(0, -2))}`],
    ['text without end', `NodeID-${'1'.repeat(100_000)}`],
    ['space around', ` ${NODE_ID} `],
  ])('%s is no node ID', (_name, text) => {
    expect(parseNodeID(text)).toBeUndefined();
  });
});

test('the id of 32 zero bytes is the one of the primary network', () => {
  expect(formatTxID(`0x${'00'.repeat(32)}`)).toBe('11111111111111111111111111111111LpoYY');
});
