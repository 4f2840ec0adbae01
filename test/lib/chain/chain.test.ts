import { beforeEach, describe, expect, test } from '@jest/globals';
import { getAddress, Interface, id, toBeHex, ZeroAddress } from 'ethers';
import type { Cache } from '../../../lib/cache/cache.ts';
import type { parseHeader } from '../../../lib/chain/block-calls.ts';
import { Chain } from '../../../lib/chain/chain.ts';
import type { ChainRpc } from '../../../lib/chain/rpc.ts';
import { NETWORKS } from '../../../lib/runtime/networks.ts';
import { multicallRpc } from './multicall-rpc.ts';

/** The protocol's registry at several blocks, on a simulated chain with one block every ten seconds. */

const NETWORK = NETWORKS.devnet;
const HEAD = 100;
/** The first block with a registry. From `REPLACED` on, it lists other contracts. */
const REGISTERED = 10;
const REPLACED = 50;
const TARGET = toBeHex(0xabc, 20);

const NAMES = [
  ...['ClaimNodeOp', 'MinipoolManager', 'Oracle', 'ProtocolDAO', 'RewardsPool', 'Staking', 'TokenGGP', 'TokenggAVAX'],
  'Vault',
];
/** The addresses of the contracts at a block, by name. */
const addressesAt = (block: number) =>
  Object.fromEntries(
    NAMES.map((name, index) => {
      if (block < REGISTERED) return [name, ZeroAddress];
      return [name, getAddress(toBeHex((block < REPLACED ? 1_000 : 2_000) + index, 20))];
    }),
  );

const REGISTRY = new Interface(['function getAddress(bytes32 key) view returns (address)']);

/** The requests in order: the block, and the number of calls without those for the block itself. */
let asked: [block: string, calls: number][];
/** The lookups in the cache. */
let cached: [key: string, policy: object][];

beforeEach(() => {
  asked = [];
  cached = [];
});

const GUARDIAN = id('getGuardian()').slice(0, 10);

function answerOf(target: string, data: string, block: number): string {
  if (target === getAddress(NETWORK.multicall3)) {
    return toBeHex(data === '0x42cbb15c' ? block : block * 10, 32);
  }
  if (target !== getAddress(NETWORK.storage)) return data;
  if (block < REGISTERED) return '0x';
  if (data === GUARDIAN) return toBeHex(1, 32);
  const [key] = REGISTRY.decodeFunctionData('getAddress', data);
  const name = NAMES.find((each) => id(`contract.address${each}`) === key) as string;
  return REGISTRY.encodeFunctionResult('getAddress', [addressesAt(block)[name]]);
}

const rpc = Object.assign(
  multicallRpc(
    ({ target, callData }, tag) => [true, answerOf(target, callData, tag === 'latest' ? HEAD : Number(tag))],
    (calls, tag) => {
      const own = calls.filter(
        ({ target, callData }) => target !== getAddress(NETWORK.multicall3) && callData !== GUARDIAN,
      );
      asked.push([tag, own.length]);
    },
  ),
  { header: async (number: number) => ({ number, timestamp: number * 10 }) },
);

/** A chain with a cache in which nothing expires. */
function chain(): Chain {
  let kept: unknown;
  const cache = {
    async value(key: string, policy: object, load: () => Promise<unknown>) {
      cached.push([key, policy]);
      kept ??= await load();
      return { value: kept };
    },
  };
  return new Chain(NETWORK, rpc, cache as unknown as Cache);
}

const call = (state: { runner: { call(tx: object): Promise<string> } }, data: string) =>
  state.runner.call({ to: TARGET, data });

describe('the latest state', () => {
  test('has the current contracts by name, cached for an hour', async () => {
    const one = chain();
    const state = await one.latest();
    expect(state.addresses).toEqual(addressesAt(HEAD));
    expect(state.network).toBe(NETWORK);
    expect(asked).toEqual([['latest', 9]]);
    await one.latest();
    expect(asked).toHaveLength(1);
    expect(cached).toEqual(Array(2).fill(['addresses', { freshSeconds: 3_600, shared: true }]));
  });

  test('reads the latest block, and says which one that was', async () => {
    const state = await chain().latest();
    expect(await call(state, '0x01')).toBe('0x01');
    expect(await state.block()).toEqual({ number: HEAD, timestamp: 1_000 });
    expect(asked.at(-1)).toEqual(['latest', 1]);
  });
});

describe('a past state', () => {
  test.each([REGISTERED - 1, REGISTERED, REPLACED - 1, REPLACED])(
    'at block %d has the contracts of that block',
    async (block) => {
      const state = await chain().at(block);
      expect(state.addresses).toEqual(addressesAt(block));
      expect(await state.block()).toEqual({ number: block, timestamp: block * 10 });
      expect(asked).toEqual([[`0x${block.toString(16)}`, 9]]);
      expect(cached).toEqual([]);
    },
  );
});

describe('a block', () => {
  const head = { number: HEAD, timestamp: HEAD * 10 };

  test('that is the latest one is read, and checked for its age', async () => {
    const requests: unknown[] = [];
    const header = { number: '0x64', timestamp: '0x3e8' };
    const asking = {
      async call(request: object, { parse, headOf }: { parse: typeof parseHeader; headOf: (block: object) => object }) {
        requests.push(request);
        const parsed = parse(header);
        expect(headOf(parsed)).toBe(parsed);
        return parsed;
      },
    };
    const one = new Chain(NETWORK, asking as unknown as ChainRpc, {} as Cache);
    expect(await one.head()).toEqual({ number: 100, timestamp: 1_000 });
    expect(requests).toEqual([{ method: 'eth_getBlockByNumber', params: ['latest', false] }]);
  });

  test('is found by its time', async () => {
    expect(await chain().blocksAt([509, -1], head)).toEqual([{ number: 50, timestamp: 500 }, undefined]);
  });
});
