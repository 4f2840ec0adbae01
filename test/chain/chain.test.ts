import { beforeEach, describe, expect, test } from '@jest/globals';
import { getAddress, Interface, id, toBeHex, ZeroAddress } from 'ethers';
import type { Cache } from '../../lib/cache/cache.ts';
import { Chain } from '../../lib/chain/chain.ts';
import type { ChainRpc, parseHeader } from '../../lib/chain/rpc.ts';
import { NETWORKS } from '../../lib/networks.ts';
import { NoState } from '../../lib/upstream/failover.ts';
import { RpcRevert } from '../../lib/upstream/json-rpc.ts';

/** The protocol's registry at several blocks, on a chain that is a function: one block each ten seconds. */

const NETWORK = NETWORKS.devnet;
const HEAD = 100;
/** Before this block there was no registry, and since the second one the contracts are others. */
const REGISTERED = 10;
const REPLACED = 50;
const TARGET = toBeHex(0xabc, 20);

const NAMES = [
  ...['ClaimNodeOp', 'MinipoolManager', 'Oracle', 'ProtocolDAO', 'RewardsPool', 'Staking', 'TokenGGP', 'TokenggAVAX'],
  'Vault',
];
/** Where the contracts are at a block, by their names. */
const addressesAt = (block: number) =>
  Object.fromEntries(
    NAMES.map((name, index) => {
      if (block < REGISTERED) return [name, ZeroAddress];
      return [name, toBeHex((block < REPLACED ? 1_000 : 2_000) + index, 20)];
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

/** What was asked, in order: the block, and how many calls beside those that ask for it. */
let asked: [block: string, calls: number][];
/** The endpoint's outcomes of programs. */
let outcomes: unknown[];
let programs: Call[];
/** What the cache was asked for. */
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

/** A chain with a cache that forgets nothing. */
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
  test('has the contracts of today by their names, remembered for an hour', async () => {
    const one = chain();
    const view = await one.latest();
    expect(view.addresses).toEqual(addressesAt(HEAD));
    expect(view.network).toBe(NETWORK);
    expect(asked).toEqual([['latest', 9]]);
    await one.latest();
    expect(asked).toHaveLength(1);
    expect(cached).toEqual(Array(2).fill(['addresses', { freshSeconds: 3_600 }]));
  });

  test('reads the latest block, and names it', async () => {
    const view = await chain().latest();
    expect(await call(view, '0x01')).toBe('0x01');
    expect(await view.block()).toEqual({ number: HEAD, timestamp: 1_000 });
    expect(asked.at(-1)).toEqual(['latest', 1]);
  });

  test('of a reading asks along what the last one of its name asked later', async () => {
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
    'at block %d has the contracts of then',
    async (block) => {
      const view = await chain().at(block);
      expect(view.addresses).toEqual(addressesAt(block));
      expect(await view.block()).toEqual({ number: block, timestamp: block * 10 });
      expect(asked).toEqual([[`0x${block.toString(16)}`, 9]]);
      expect(cached).toEqual([]);
    },
  );

  test('may be guessed to have the contracts of today, which costs nothing', async () => {
    const one = chain();
    await one.latest();
    const view = await one.guessedAt(REGISTERED);
    expect(view.addresses).toEqual(addressesAt(HEAD));
    expect(asked).toHaveLength(1);
    await call(view, '0x01');
    expect(asked.slice(1)).toEqual([['0xa', 1]]);
  });
});

describe('blocks', () => {
  const head = { number: HEAD, timestamp: HEAD * 10 };

  test('the latest one is asked for, and is not to be too old', async () => {
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

  test('are found by time', async () => {
    expect(await chain().blockAt(509, head)).toEqual({ number: 50, timestamp: 500 });
    expect(await chain().blockAt(-1, head)).toBeUndefined();
    const [near] = await chain().blocksNear([509], head, 3);
    expect(near).toContain(50);
    expect(near?.length).toBeLessThanOrEqual(3);
  });
});

describe('programs', () => {
  test('run at the block of the view, without an address', async () => {
    outcomes = ['0x01', '0x02'];
    expect(await (await chain().at(REPLACED)).run(['0xaa', '0xbb'])).toEqual(['0x01', '0x02']);
    expect(programs).toEqual(['0xaa', '0xbb'].map((data) => ({ method: 'eth_call', params: [{ data }, '0x32'] })));
  });

  test('that an endpoint refuses have no answer', async () => {
    outcomes = ['0x01', new RpcRevert('0x')];
    expect(await (await chain().latest()).run(['0xaa', '0xbb'])).toBeUndefined();
  });

  test('of a block that an endpoint does not have are for the next one', async () => {
    outcomes = [new RpcRevert('0x'), new NoState()];
    const view = await chain().latest();
    await expect(view.run(['0xaa', '0xbb'])).rejects.toBe(outcomes[1]);
  });
});
