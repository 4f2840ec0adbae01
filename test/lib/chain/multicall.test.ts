import { describe, expect, test } from '@jest/globals';
import { AbiCoder, Interface } from 'ethers';
import fc from 'fast-check';
import {
  decodeAggregate3,
  encodeAggregate3,
  GET_BLOCK_NUMBER,
  GET_CURRENT_BLOCK_TIMESTAMP,
} from '../../../lib/chain/snapshot.ts';

const ABI = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[]) returns ((bool success, bytes returnData)[])',
  'function getBlockNumber() view returns (uint256)',
  'function getCurrentBlockTimestamp() view returns (uint256)',
]);

const hex = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(toHex);
const bytes = fc.uint8Array({ maxLength: 100 }).map(toHex);

function toHex(data: Uint8Array): string {
  return `0x${Buffer.from(data).toString('hex')}`;
}

test('the calls for the block are encoded as ethers encodes them', () => {
  expect(GET_BLOCK_NUMBER).toBe(ABI.encodeFunctionData('getBlockNumber'));
  expect(GET_CURRENT_BLOCK_TIMESTAMP).toBe(ABI.encodeFunctionData('getCurrentBlockTimestamp'));
});

describe("Multicall3's aggregate3", () => {
  test('is encoded as ethers encodes it', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ to: hex(20), data: bytes }), { maxLength: 8 }), (calls) => {
        const expected = ABI.encodeFunctionData('aggregate3', [calls.map(({ to, data }) => [to, true, data])]);
        expect(encodeAggregate3(calls)).toBe(expected);
      }),
    );
  });

  test('is decoded from what ethers encodes', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ success: fc.boolean(), data: bytes }), { maxLength: 8 }), (results) => {
        const returned = ABI.encodeFunctionResult('aggregate3', [results.map(({ success, data }) => [success, data])]);
        expect(decodeAggregate3(returned, results.length)).toEqual(results);
      }),
    );
  });

  test('rejects answers that are cut off, empty or of another length', () => {
    const returned = ABI.encodeFunctionResult('aggregate3', [['0x1234', '0x'].map((data) => [data !== '0x', data])]);
    for (const count of [1, 3]) expect(() => decodeAggregate3(returned, count)).toThrow(RangeError);
    expect(() => decodeAggregate3('0x', 2)).toThrow(RangeError);
    expect(() => decodeAggregate3(AbiCoder.defaultAbiCoder().encode(['uint256'], [32]), 1)).toThrow(RangeError);
    expect(() => decodeAggregate3(returned.slice(0, -128), 2)).toThrow(RangeError);
  });
});
