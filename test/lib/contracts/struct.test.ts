import { describe, expect, test } from '@jest/globals';
import { AbiCoder, Interface } from 'ethers';
import fc from 'fast-check';
import { toBytes } from '../../../lib/chain/abi-words.ts';
import { decodeMinipool, MINIPOOL_MANAGER_ABI } from '../../../lib/contracts/minipool-manager.ts';
import { address, decodeStruct, decodeStructs, int, number, uint } from '../../../lib/contracts/struct.ts';

const BAD_DATA = expect.objectContaining({ code: 'BAD_DATA' });

const encode = (types: readonly string[], values: readonly unknown[]) =>
  toBytes(AbiCoder.defaultAbiCoder().encode(types, values));
const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((data) => `0x${Buffer.from(data).toString('hex')}`);
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });

const FIELDS = { owner: address, amount: uint, time: number, index: int };
const TYPES = '(address,uint256,uint256,int256)';
const struct = fc.record({ owner: hex(20), amount: uint256, time: fc.nat(), index: fc.integer({ min: -5 }) });

describe('structs of words', () => {
  test('are decoded as ethers encodes them, alone and in lists', () => {
    fc.assert(
      fc.property(struct, fc.array(struct, { maxLength: 5 }), (one, list) => {
        expect(decodeStruct(FIELDS, encode([TYPES], [Object.values(one)]))).toEqual(one);
        expect(decodeStructs(FIELDS, encode([`${TYPES}[]`], [list.map((item) => Object.values(item))]))).toEqual(list);
      }),
    );
  });

  test('are rejected with one field more or less, instead of returning garbage', () => {
    const values = [`0x${'11'.repeat(20)}`, 2, 3, 4, 5];
    for (const types of ['(address,uint256,uint256)', '(address,uint256,uint256,int256,uint256)']) {
      const one = values.slice(0, types.split(',').length);
      expect(() => decodeStruct(FIELDS, encode([types], [one]))).toThrow(BAD_DATA);
      for (const length of [1, 2, 3, 4]) {
        const list = encode([`${types}[]`], [Array.from({ length }, () => one)]);
        expect(() => decodeStructs(FIELDS, list)).toThrow(BAD_DATA);
      }
    }
  });
});

describe('decodeMinipool()', () => {
  const { outputs } = new Interface(MINIPOOL_MANAGER_ABI).getFunction('getMinipool') ?? { outputs: [] };
  const [type] = outputs;
  const names = type?.components?.map(({ name }) => name) ?? [];
  const blsKey = `0x${'ab'.repeat(48)}`;
  const toValue = (name: string, place: number, bytes: string) => {
    if (name === 'blsPubkeyAndSig') return bytes;
    const length = { address: 20, bytes32: 32 }[type?.components?.[place]?.type ?? ''];
    return length ? `0x${String(place + 10).repeat(length)}` : BigInt(place + 1);
  };
  const encoded = (bytes: string) =>
    toBytes(AbiCoder.defaultAbiCoder().encode(outputs, [names.map((name, place) => toValue(name, place, bytes))]));
  const pubkeyAndSig = AbiCoder.defaultAbiCoder().encode(['bytes', 'bytes'], [blsKey, `0x${'cd'.repeat(96)}`]);

  test.each([
    ['is missing', '0x'],
    ['is no byte strings', '0x1234'],
    ['has offsets and lengths beyond its end', `0x${'ff'.repeat(96)}`],
    ['has an absurd length', `0x${'ff'.repeat(200)}`],
    ['ends before its last byte', `0x${'0'.repeat(2 * 95)}30${'b1'.repeat(47)}`],
    ['has another length', `0x${'0'.repeat(2 * 95)}31${'b1'.repeat(49)}`],
  ])('finds no key in bytes whose key %s', (_, bytes) => {
    expect(decodeMinipool(encoded(bytes)).blsPublicKey).toBeUndefined();
  });

  test('rejects what follows the struct, a byte string that is cut off, and other numbers of fields', () => {
    const whole = encoded(pubkeyAndSig);
    const first = whole.subarray(0, 32);
    const [longer, shorter] = [Buffer.concat([whole, Buffer.alloc(32)]), whole.subarray(0, -32)];
    const lessFields = Buffer.concat([first, whole.subarray(64)]);
    for (const wrong of [longer, shorter, lessFields, Buffer.concat([whole, whole])])
      expect(() => decodeMinipool(wrong)).toThrow(BAD_DATA);
  });
});
