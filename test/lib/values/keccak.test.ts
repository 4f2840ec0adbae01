import { expect, test } from '@jest/globals';
import { id, keccak256 } from 'ethers';
import '../../../lib/values/keccak.ts';

test('a hash is right the first time, when it is remembered, and when it has been forgotten', () => {
  const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
  const signature = 'Transfer(address,address,uint256)';
  for (const _ of [1, 2]) expect(id(signature)).toBe(transfer);
  const inputs = Array.from({ length: 1_200 }, (_, index) => Buffer.alloc(index % 70, index));
  // The way back begins with those that are still remembered.
  for (const input of [...inputs, ...inputs.toReversed()])
    expect(keccak256(input)).toBe(`0x${Buffer.from(keccak256._(input)).toString('hex')}`);
  expect(id(signature)).toBe(transfer);
});
