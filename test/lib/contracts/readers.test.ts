import { expect, test } from '@jest/globals';
import { AbiCoder, Interface } from 'ethers';
import fc from 'fast-check';
import { NOTHING_REGISTERED, type ProtocolState } from '../../../lib/chain/chain.ts';
import { MINIPOOL_MANAGER_ABI, readMinipools } from '../../../lib/contracts/minipool-manager.ts';
import { readStakers, STAKING_ABI } from '../../../lib/contracts/staking.ts';
import { NETWORKS } from '../../../lib/runtime/networks.ts';
import { runnerOf } from '../../support/contracts.ts';
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
  answer: (name: string, args: readonly unknown[]) => readonly unknown[],
): ProtocolState {
  const runner = runnerOf(({ data }) => {
    const parsed = abi.parseTransaction({ data });
    if (!parsed) throw new Error(`not a call of this contract: ${data}`);
    return abi.encodeFunctionResult(parsed.fragment, answer(parsed.name, parsed.args));
  });
  return {
    runner,
    addresses: NOTHING_REGISTERED,
    network: NETWORKS.devnet,
    block: async () => ({ number: 1, timestamp: 1 }),
    storageAt: () => Promise.reject(new Error('no storage')),
  };
}

/** The record as the contract stores it: the BLS key is the first of two byte strings, encoded into one. */
function recordOf({ blsPublicKey, ...fields }: Record<string, unknown>) {
  const signature = `0x${'5'.repeat(192)}`;
  const blsPubkeyAndSig = blsPublicKey
    ? AbiCoder.defaultAbiCoder().encode(['bytes', 'bytes'], [blsPublicKey, signature])
    : '0x';
  return { ...fields, blsPubkeyAndSig };
}

// test/functions/minipools.test.ts compares every field with the contract.
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

test.each([
  ['ends before its last byte', `0x${'0'.repeat(2 * 95)}30${'b1'.repeat(47)}`],
  ['has another length', `0x${'0'.repeat(2 * 95)}31${'b1'.repeat(49)}`],
])('a BLS key that %s is none', async (_, blsPubkeyAndSig) => {
  const record = { ...minipoolOf(0, 'staking'), blsPubkeyAndSig };
  const state = protocolOf(MANAGER, (name) => [name === 'getMinipoolCount' ? 1 : record]);
  expect((await readMinipools(state)).map(({ blsPublicKey }) => blsPublicKey)).toEqual([undefined]);
});

const staker = fc.record({
  stakerAddr: hex(20),
  avaxAssigned: wei,
  avaxStaked: wei,
  avaxValidating: wei,
  avaxValidatingHighWater: wei,
  ggpRewards: wei,
  ggpStaked: wei,
  lastRewardsCycleCompleted: time,
  rewardsStartTime: time,
  ggpLockedUntil: time,
});

test.each([0, 150, 151, 851])('%d stakers are read in pages, each with its index in the list', async (count) => {
  const some = fc.sample(staker, 3);
  const stakers = Array.from({ length: count }, (_, index) => ({ ...some[index % 3], avaxStaked: BigInt(index) }));
  const state = protocolOf(STAKING, (name, [offset, limit]) =>
    name === 'getStakerCount' ? [count] : [stakers.slice(Number(offset), Number(offset) + Number(limit))],
  );
  expect(await readStakers(state)).toEqual(stakers.map((one, index) => ({ index, ...one })));
});

test.each<[count: number, pages: [offset: number, limit: number][]]>([
  [150, [[0, 150]]],
  [
    151,
    [
      [0, 150],
      [150, 700],
    ],
  ],
  [
    1_401,
    [
      [0, 150],
      [150, 700],
      [850, 700],
    ],
  ],
])('%d stakers are read in as few pages as possible, with gas for the entries of each page', async (count, pages) => {
  const asked: unknown[] = [];
  const state = protocolOf(STAKING, (name) => (name === 'getStakerCount' ? [count] : [[]]));
  const runner = runnerOf((request) => {
    const { name, args } = STAKING.parseTransaction(request) ?? {};
    if (name === 'getStakers') asked.push([Number(args?.[0]), Number(args?.[1]), request.gasLimit]);
    return state.runner.call(request);
  });
  await readStakers({ ...state, runner });
  expect(asked).toEqual(pages.map(([offset, limit]) => [offset, limit, limit * 40_000]));
});
