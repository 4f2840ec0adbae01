import { describe, expect, test } from '@jest/globals';
import { AbiCoder } from 'ethers';
import fc from 'fast-check';
import { address, bytes32, int, number, StructDecoder, uint } from '../../lib/contracts/struct.ts';

const coder = AbiCoder.defaultAbiCoder();
const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((data) => `0x${Buffer.from(data).toString('hex')}`);
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });

const FIXED = new StructDecoder({ owner: address, amount: uint, time: number });
const fixed = fc.record({ owner: hex(20), amount: uint256, time: fc.nat() });

const DYNAMIC = new StructDecoder({ index: int, key: { from: (bytes) => bytes }, id: bytes32, amount: uint });
const dynamic = fc.record({
  index: fc.integer({ min: -5 }),
  key: fc.integer({ min: 0, max: 400 }).chain(hex),
  id: hex(32),
  amount: uint256,
});

describe('StructDecoder', () => {
  test('decodes structs of words, and lists of them, as ethers encodes them', () => {
    fc.assert(
      fc.property(fixed, fc.array(fixed, { maxLength: 5 }), (one, list) => {
        const types = '(address,uint256,uint256)';
        expect(FIXED.one(coder.encode([types], [Object.values(one)]))).toEqual(one);
        expect(FIXED.list(coder.encode([`${types}[]`], [list.map((item) => Object.values(item))]))).toEqual(list);
      }),
    );
  });

  test('decodes structs with a byte string, and lists of them, as ethers encodes them', () => {
    fc.assert(
      fc.property(dynamic, fc.array(dynamic, { maxLength: 5 }), (one, list) => {
        const types = '(int256,bytes,bytes32,uint256)';
        expect(DYNAMIC.one(coder.encode([types], [Object.values(one)]))).toEqual(one);
        expect(DYNAMIC.list(coder.encode([`${types}[]`], [list.map((item) => Object.values(item))]))).toEqual(list);
      }),
    );
  });

  test('converts a byte string with the given function', () => {
    const measured = new StructDecoder({ length: { from: (bytes) => `${bytes.length / 2 - 1} bytes` }, amount: uint });
    const [empty, three] = ['0x', '0x123456'].map((bytes) => coder.encode(['(bytes,uint256)'], [[bytes, 7]]));
    expect(measured.one(String(empty))).toEqual({ length: '0 bytes', amount: 7n });
    expect(measured.one(String(three))).toEqual({ length: '3 bytes', amount: 7n });
  });

  test('rejects a struct with one field more or less, instead of returning garbage', () => {
    const shorter = coder.encode(['(int256,bytes,bytes32)'], [[1, '0x1234', `0x${'11'.repeat(32)}`]]);
    const longer = coder.encode(
      ['(int256,bytes,bytes32,uint256,uint256)'],
      [[1, '0x12', `0x${'11'.repeat(32)}`, 1, 2]],
    );
    expect(() => DYNAMIC.one(shorter)).toThrow(expect.objectContaining({ code: 'BAD_DATA' }));
    expect(() => DYNAMIC.one(longer)).toThrow(expect.objectContaining({ code: 'BAD_DATA' }));
  });

  test('rejects a list of structs with one field more or less', () => {
    for (const fields of ['(address,uint256)', '(address,uint256,uint256,uint256)'])
      for (const length of [1, 2, 3, 4]) {
        const values = Array.from({ length }, () =>
          [`0x${'11'.repeat(20)}`, 2, 3, 4].slice(0, fields.split(',').length),
        );
        const list = coder.encode([`${fields}[]`], [values]);
        expect(() => FIXED.list(list)).toThrow(expect.objectContaining({ code: 'BAD_DATA' }));
      }
  });

  test('rejects data that is not a struct', () => {
    expect(() => FIXED.one('0x')).toThrow(expect.objectContaining({ code: 'BAD_DATA' }));
    expect(() => FIXED.list('0x')).toThrow(expect.objectContaining({ code: 'BAD_DATA' }));
    expect(() => FIXED.list(coder.encode(['uint256', 'uint256'], [32, 4]))).toThrow(
      expect.objectContaining({ code: 'BAD_DATA' }),
    );
  });
});
