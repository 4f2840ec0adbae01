import { beforeEach, describe, expect, test } from '@jest/globals';
import { getAddress, Interface, id, toBeHex, ZeroAddress } from 'ethers';
import type { Cache } from '../../../lib/cache/cache.ts';
import { ADDRESSES_KEY, Chain } from '../../../lib/chain/chain.ts';
import type { ChainRpc, parseHeader } from '../../../lib/chain/rpc.ts';
import { NoState, UpstreamFailure } from '../../../lib/chain/upstream/failover.ts';
import { NETWORKS } from '../../../lib/runtime/networks.ts';

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

const AGGREGATE = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) view returns ((bool success, bytes returnData)[])',
]);
const REGISTRY = new Interface(['function getAddress(bytes32 key) view returns (address)']);

interface Call {
  method: string;
  params: [{ to?: string; data: string }, string];
}

/** What was asked for, in order: the block, and the number of calls, without those for the block itself. */
let asked: [block: string, calls: number][];
/** The outcomes that the endpoint gives to programs. */
let outcomes: unknown[];
let programs: Call[];
/** What was looked up in the cache. */
let cached: [key: string, policy: object][];

beforeEach(() => {
  asked = [];
  outcomes = [];
  programs = [];
  cached = [];
});

function answerOf(target: string, data: string, block: number): string {
  if (target === getAddress(NETWORK.multicall3)) {
    return toBeHex(data === '0x42cbb15c' ? block : block * 10, 32);
  }
  if (target !== getAddress(NETWORK.storage)) return data;
  if (block < REGISTERED) return '0x';
  const [key] = REGISTRY.decodeFunctionData('getAddress', data);
  const name = NAMES.find((each) => id(`contract.address${each}`) === key) as string;
  return REGISTRY.encodeFunctionResult('getAddress', [addressesAt(block)[name]]);
}

const rpc = {
  async call({ method, params: [{ data }, tag] }: Call, { parse }: { parse: (result: unknown) => unknown }) {
    expect(method).toBe('eth_call');
    const block = tag === 'latest' ? HEAD : Number(tag);
    const [calls] = AGGREGATE.decodeFunctionData('aggregate3', data);
    asked.push([
      tag,
      calls.filter(({ target }: { target: string }) => target !== getAddress(NETWORK.multicall3)).length,
    ]);
    const results = calls.map(({ target, callData }: { target: string; callData: string }) => [
      true,
      answerOf(target, callData, block),
    ]);
    return parse(AGGREGATE.encodeFunctionResult('aggregate3', [results]));
  },
  callPast: (call: Call, parse: (result: unknown) => unknown) => rpc.call(call, { parse }),
  header: async (number: number) => ({ number, timestamp: number * 10 }),
  async ask(callsFor: () => Call[], parse: (outcomes: unknown[]) => unknown) {
    programs.push(...callsFor());
    return parse(outcomes);
  },
};

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
  return new Chain(NETWORK, rpc as unknown as ChainRpc, cache as unknown as Cache);
}

const call = (view: { runner: { call(tx: object): Promise<string> } }, data: string) =>
  view.runner.call({ to: TARGET, data });

describe('the latest view', () => {
  test('has the current contracts by name, cached for an hour', async () => {
    const one = chain();
    const view = await one.latest();
    expect(view.addresses).toEqual(addressesAt(HEAD));
    expect(view.network).toBe(NETWORK);
    expect(asked).toEqual([['latest', 9]]);
    await one.latest();
    expect(asked).toHaveLength(1);
    expect(cached).toEqual(Array(2).fill([ADDRESSES_KEY, { freshSeconds: 3_600 }]));
  });

  test('reads the latest block, and says which one that was', async () => {
    const view = await chain().latest();
    expect(await call(view, '0x01')).toBe('0x01');
    expect(await view.block()).toEqual({ number: HEAD, timestamp: 1_000 });
    expect(asked.at(-1)).toEqual(['latest', 1]);
  });

  test('with a name prefetches the calls that the last reading of that name made later', async () => {
    const one = chain();
    const read = async (reading?: string) => {
      const view = await one.latest(reading);
      asked = [];
      await call(view, '0x01');
      await call(view, '0x02');
      return asked.map(([, calls]) => calls);
    };
    expect(await read('a')).toEqual([1, 1]);
    expect(await read('a')).toEqual([2]);
    expect(await read('b')).toEqual([1, 1]);
    expect(await read()).toEqual([1, 1]);
    expect(await read()).toEqual([1, 1]);
  });
});

describe('a view of the past', () => {
  test.each([REGISTERED - 1, REGISTERED, REPLACED - 1, REPLACED])(
    'at block %d has the contracts of that block',
    async (block) => {
      const view = await chain().at(block);
      expect(view.addresses).toEqual(addressesAt(block));
      expect(await view.block()).toEqual({ number: block, timestamp: block * 10 });
      expect(asked).toEqual([[`0x${block.toString(16)}`, 9]]);
      expect(cached).toEqual([]);
    },
  );

  test('can assume the current contracts, which costs no request', async () => {
    const one = chain();
    await one.latest();
    const view = await one.guessedAt(REGISTERED);
    expect(view.addresses).toEqual(addressesAt(HEAD));
    expect(asked).toHaveLength(1);
    await call(view, '0x01');
    expect(asked.slice(1)).toEqual([['0xa', 1]]);
  });
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
    expect(await chain().blockAt(509, head)).toEqual({ number: 50, timestamp: 500 });
    expect(await chain().blockAt(-1, head)).toBeUndefined();
    const [near] = await chain().blocksNear([509], head, 3);
    expect(near).toContain(50);
    expect(near?.length).toBeLessThanOrEqual(3);
  });
});

describe('programs', () => {
  test('run at the block of their view, as calls without an address', async () => {
    outcomes = ['0x01', '0x02'];
    expect(await (await chain().at(REPLACED)).run(['0xaa', '0xbb'])).toEqual(['0x01', '0x02']);
    expect(programs).toEqual(['0xaa', '0xbb'].map((data) => ({ method: 'eth_call', params: [{ data }, '0x32'] })));
  });

  test('that an endpoint refuses have no result', async () => {
    outcomes = ['0x01', new UpstreamFailure('reverted')];
    expect(await (await chain().latest()).run(['0xaa', '0xbb'])).toBeUndefined();
  });

  test('for a block that an endpoint lacks go to the next endpoint', async () => {
    outcomes = [new UpstreamFailure('reverted'), new NoState()];
    const view = await chain().latest();
    await expect(view.run(['0xaa', '0xbb'])).rejects.toBe(outcomes[1]);
  });
});
