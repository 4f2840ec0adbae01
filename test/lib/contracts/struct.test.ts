import { describe, expect, test } from '@jest/globals';
import { AbiCoder } from 'ethers';
import fc from 'fast-check';
import { toBytes } from '../../../lib/chain/abi-words.ts';
import { address, bytes32, int, number, StructDecoder, uint } from '../../../lib/contracts/struct.ts';

const BAD_DATA = expect.objectContaining({ code: 'BAD_DATA' });

const encode = (types: readonly string[], values: readonly unknown[]) =>
  toBytes(AbiCoder.defaultAbiCoder().encode(types, values));
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
        expect(FIXED.one(encode([types], [Object.values(one)]))).toEqual(one);
        expect(FIXED.list(encode([`${types}[]`], [list.map((item) => Object.values(item))]))).toEqual(list);
      }),
    );
  });

  test('decodes structs with a byte string, and lists of them, as ethers encodes them', () => {
    fc.assert(
      fc.property(dynamic, fc.array(dynamic, { maxLength: 5 }), (one, list) => {
        const types = '(int256,bytes,bytes32,uint256)';
        expect(DYNAMIC.one(encode([types], [Object.values(one)]))).toEqual(one);
        expect(DYNAMIC.list(encode([`${types}[]`], [list.map((item) => Object.values(item))]))).toEqual(list);
      }),
    );
  });

  test('rejects what follows a struct, and a byte string that is cut off', () => {
    const whole = encode(['(int256,bytes,bytes32,uint256)'], [[1, '0x1234', `0x${'11'.repeat(32)}`, 2]]);
    const cut = whole.subarray(0, -32);
    for (const wrong of [Buffer.concat([whole, whole]), Buffer.concat([whole, Buffer.alloc(32)]), cut]) {
      expect(() => DYNAMIC.one(wrong)).toThrow(BAD_DATA);
    }
    const words = encode(['(address,uint256,uint256)'], [[`0x${'11'.repeat(20)}`, 2, 3]]);
    expect(() => FIXED.one(Buffer.concat([words, words]))).toThrow(BAD_DATA);
  });

  test('rejects a struct with one field more or less, instead of returning garbage', () => {
    const shorter = encode(['(int256,bytes,bytes32)'], [[1, '0x1234', `0x${'11'.repeat(32)}`]]);
    const longer = encode(['(int256,bytes,bytes32,uint256,uint256)'], [[1, '0x12', `0x${'11'.repeat(32)}`, 1, 2]]);
    expect(() => DYNAMIC.one(shorter)).toThrow(BAD_DATA);
    expect(() => DYNAMIC.one(longer)).toThrow(BAD_DATA);
  });

  test('rejects a list of structs with one field more or less', () => {
    for (const fields of ['(address,uint256)', '(address,uint256,uint256,uint256)'])
      for (const length of [1, 2, 3, 4]) {
        const values = Array.from({ length }, () =>
          [`0x${'11'.repeat(20)}`, 2, 3, 4].slice(0, fields.split(',').length),
        );
        const list = encode([`${fields}[]`], [values]);
        expect(() => FIXED.list(list)).toThrow(BAD_DATA);
      }
  });
});
