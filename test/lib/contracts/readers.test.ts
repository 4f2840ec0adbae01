import { expect, test } from '@jest/globals';
import { AbiCoder, Interface } from 'ethers';
import fc from 'fast-check';
import type { ProtocolState } from '../../../lib/chain/chain.ts';
import { MINIPOOL_MANAGER_ABI, readMinipools } from '../../../lib/contracts/minipool-manager.ts';
import { readStakers, STAKING_ABI } from '../../../lib/contracts/staking.ts';
import * as contracts from '../../support/contracts.ts';
import { minipoolOf } from '../validators/known-minipools.ts';

/** The decoders of lists of structs, compared with what ethers encodes by the contracts' signatures. */

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((data) => `0x${Buffer.from(data).toString('hex')}`);
const wei = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const time = fc.nat();

const MANAGER = new Interface(MINIPOOL_MANAGER_ABI);
const STAKING = new Interface(STAKING_ABI);

/** A protocol in which `answer` answers calls, by the function's name and arguments. */
function protocolOf(
  abi: Interface,
  answer: (name: string, args: readonly unknown[], gasLimit?: number) => readonly unknown[],
): ProtocolState {
  const runner = contracts.runnerOf(({ data, gasLimit }) => {
    const parsed = abi.parseTransaction({ data });
    if (!parsed) throw new Error(`not a call of this contract: ${data}`);
    return abi.encodeFunctionResult(parsed.fragment, answer(parsed.name, parsed.args, gasLimit));
  });
  return { ...contracts.protocolOf({}), runner };
}

/** The record as the contract stores it: the BLS key is the first of two byte strings, encoded into one. */
function recordOf({ blsPublicKey, ...fields }: Record<string, unknown>) {
  const signature = `0x${'5'.repeat(192)}`;
  const blsPubkeyAndSig = blsPublicKey
    ? AbiCoder.defaultAbiCoder().encode(['bytes', 'bytes'], [blsPublicKey, signature])
    : '0x';
  return { ...fields, blsPubkeyAndSig };
}

// test/functions/stakers-minipools.test.ts compares every field with the contract.
test.each([0, 150, 151])('%d minipools are read by index', async (count) => {
  const minipoolAt = (index: number) => ({
    ...minipoolOf(index, 'staking'),
    blsPublicKey: index % 2 ? `0x${'b1'.repeat(48)}` : undefined,
  });
  // The reader asks for some before it knows their count.
  const state = protocolOf(MANAGER, (name, [index]) => [
    name === 'getMinipoolCount' ? count : recordOf(minipoolAt(Number(index))),
  ]);
  expect(await readMinipools(state)).toEqual(Array.from({ length: count }, (_, index) => minipoolAt(index)));
});

const staker = fc.record({
  ...{ stakerAddr: hex(20), avaxAssigned: wei, avaxStaked: wei, avaxValidating: wei, avaxValidatingHighWater: wei },
  ...{ ggpRewards: wei, ggpStaked: wei },
  ...{ lastRewardsCycleCompleted: time, rewardsStartTime: time, ggpLockedUntil: time },
});

test.each([
  [0, [0]],
  [150, [0]],
  [151, [0, 150]],
  [851, [0, 150, 850]],
  [1_401, [0, 150, 850]],
])('%d stakers are read in few pages, from %j on, with gas for the entries of each page', async (count, offsets) => {
  const some = fc.sample(staker, 3);
  const stakers = Array.from({ length: count }, (_, index) => ({ ...some[index % 3], avaxStaked: BigInt(index) }));
  const asked: unknown[] = [];
  const state = protocolOf(STAKING, (name, args, gasLimit) => {
    if (name === 'getStakerCount') return [count];
    const [offset, limit] = args.map(Number) as [number, number];
    asked.push([offset, limit, gasLimit]);
    return [stakers.slice(offset, offset + limit)];
  });
  // Each with its index in the list.
  expect(await readStakers(state)).toEqual(stakers.map((one, index) => ({ index, ...one })));
  expect(asked).toEqual(offsets.map((offset) => (offset ? [offset, 700, 28_000_000] : [0, 150, 6_000_000])));
});
