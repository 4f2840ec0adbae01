import { beforeEach, describe, expect, test } from '@jest/globals';
import { parseHeader } from '../../../lib/chain/block-calls.ts';
import type { Chain } from '../../../lib/chain/chain.ts';
import type { ChainRpc } from '../../../lib/chain/rpc.ts';
import { NoState, RpcTooLarge, UpstreamFailure } from '../../../lib/chain/upstream/failures.ts';
import type { RpcCall } from '../../../lib/chain/upstream/json-rpc.ts';
import { type Blocks, type Direction, LogSearch } from '../../../lib/ledger/search.ts';
import { NETWORKS } from '../../../lib/runtime/networks.ts';
import { LogChain, STAKING, staked, timeOf } from './log-chain.ts';

/** What one request asks a provider for, and how each kind of answer is handled, block by block and without sockets. */

/** A window's first size. */
const SIZE = 500;

/**
 * A provider of a chain. `refuse` returns the error for the logs of a window, if any, and `down` that for the whole
 * request.
 */
interface Provider {
  chain: LogChain;
  refuse?: (window: Blocks) => Error | undefined;
  down?: (windows: Blocks[]) => Error | undefined;
  /** The error for any other call. */
  fail?: (method: string) => Error | undefined;
}

let chain: LogChain;
const headOf = ({ head }: LogChain) => ({ number: head, timestamp: timeOf(head) });
/** The requests, in order: the provider, the windows, the block of the registry, and the contracts. */
let asked: { provider: number; windows: string[]; registry: string; contracts: string[] }[];

beforeEach(() => {
  chain = new LogChain(100_000);
  asked = [];
});

function windowOf({ params }: RpcCall): Blocks {
  const [{ fromBlock, toBlock }] = params as [Record<string, string>];
  return { from: Number(fromBlock), to: Number(toBlock) };
}

function searchOf(...providers: Provider[]): LogSearch {
  const upstreams = providers.map((_, index) => ({ name: `provider-${index}`, url: '' }));
  const answer = (index: number, calls: readonly RpcCall[]): unknown[] => {
    const { chain, refuse, down, fail } = providers[index] as Provider;
    const [, registry, ...logs] = calls.map(({ params }) => params as [{ address: string[] }, string]);
    const windows = calls.filter(({ method }) => method === 'eth_getLogs').map(windowOf);
    asked.push({
      provider: index,
      windows: windows.map(({ from, to }) => `${from}-${to}`),
      registry: registry?.[1] ?? '',
      contracts: logs[0]?.[0].address ?? [],
    });
    const failed = down?.(windows);
    if (failed) throw failed;
    return calls.map((call) => {
      const refused = call.method === 'eth_getLogs' ? refuse?.(windowOf(call)) : fail?.(call.method);
      return refused ?? chain.answer({ id: 1, method: call.method, params: call.params as unknown[] });
    });
  };
  /** Asks one provider after the other, like the real client. */
  const ask: ChainRpc['ask'] = async (callsFor, parse) => {
    let failure: unknown;
    for (const [index, upstream] of upstreams.entries()) {
      try {
        return parse(answer(index, callsFor(upstream)), upstream);
      } catch (error) {
        if (!(error instanceof UpstreamFailure)) throw error;
        failure = error;
      }
    }
    throw failure;
  };
  const batch: ChainRpc['batch'] = async (calls, parse) =>
    parse(calls.map(({ method, params }) => chain.answer({ id: 1, method, params: params as unknown[] })));
  return new LogSearch({ network: NETWORKS.devnet, rpc: { ask, batch, parseHead: parseHeader } } as unknown as Chain);
}

/** A search that already knows all contracts: otherwise it makes the first request twice. */
async function ready(...providers: Provider[]): Promise<LogSearch> {
  const search = searchOf({ chain });
  await search.next({ from: 0, to: 0 }, 'forwards');
  const other = searchOf(...providers);
  other.learn(search.emitters);
  asked = [];
  return other;
}

const windows = () => asked.map(({ windows }) => windows);

describe('one request', () => {
  test.each<[Direction, Blocks, string[], string]>([
    ['forwards', { from: 10, to: 10 }, ['10-10'], 'latest'],
    ['forwards', { from: 10, to: 509 }, ['10-509'], 'latest'],
    ['forwards', { from: 10, to: 510 }, ['10-509', '510-510'], 'latest'],
    ['backwards', { from: 10, to: 10 }, ['10-10'], '0xa'],
    ['backwards', { from: 10, to: 509 }, ['10-509'], '0xa'],
    ['backwards', { from: 10, to: 510 }, ['11-510', '10-10'], '0xa'],
  ])(
    '%s for %j has the windows %j, and asks for the registry at their far end (%s)',
    async (direction, blocks, expected, at) => {
      const found = await (await ready({ chain })).next(blocks, direction);
      expect(asked).toMatchObject([{ windows: expected, registry: at }]);
      expect(found).toEqual({ ...blocks, drafts: [], logs: [], head: headOf(chain) });
    },
  );

  test.each<[Direction, string, string, Blocks]>([
    ['forwards', '1000-1499', '4500-4999', { from: 1_000, to: 4_999 }],
    ['backwards', '4501-5000', '1001-1500', { from: 1_001, to: 5_000 }],
  ])('%s has at most eight windows, next to each other', async (direction, first, last, blocks) => {
    chain.emitted = [999, 1_000, 1_001, 3_000, 4_999, 5_000, 5_001].map((block) => staked(block, block));
    const { drafts, logs, ...found } = await (await ready({ chain })).next({ from: 1_000, to: 5_000 }, direction);
    const [request] = asked;
    expect(request?.windows).toHaveLength(8);
    expect([request?.windows[0], request?.windows[7]]).toEqual([first, last]);
    expect(request?.registry).toBe(`0x${(direction === 'forwards' ? 4_999 : 1_001).toString(16)}`);
    expect(found).toEqual({ ...blocks, head: headOf(chain) });
    expect(logs).toHaveLength(drafts.length);
    const expected = chain.emitted
      .map(({ block }) => block)
      .filter((block) => blocks.from <= block && block <= blocks.to);
    expect(drafts.map(({ block }) => block).sort((a, b) => a - b)).toEqual(expected);
  });

  test('has larger windows after full ones were answered, not after a short one', async () => {
    const search = await ready({ chain });
    for (const to of [10_099, 10_499, 19_999]) await search.next({ from: 10_000, to }, 'forwards');
    expect(windows().map(([first]) => first)).toEqual(['10000-10099', '10000-10499', '10000-10524']);
  });
});

describe('a provider', () => {
  test.each([
    [1_499, { from: 0, to: 1_499 }],
    [1_500, { from: 0, to: 1_500 }],
    [700, { from: 0, to: 700 }],
    [0, { from: 0, to: 0 }],
  ])('whose head is block %i is believed up to that block', async (head, blocks) => {
    chain.head = head;
    expect(await (await ready({ chain })).next({ from: 0, to: 9_999 }, 'forwards')).toMatchObject({
      ...blocks,
      head: headOf(chain),
    });
    expect(asked).toHaveLength(1);
  });

  test.each<[Direction, number]>([
    ['forwards', 999],
    ['backwards', 1_999],
  ])('that lacks the first block of a request %s is skipped for the next one', async (direction, head) => {
    const search = await ready({ chain: new LogChain(head) }, { chain });
    expect(await search.next({ from: 1_000, to: 2_000 }, direction)).toMatchObject({ from: 1_000, to: 2_000 });
    expect(asked.map(({ provider }) => provider)).toEqual([0, 1]);
  });

  test('that lacks the first block, and is the only one, is an error that says so', async () => {
    const search = await ready({ chain: new LogChain(999) });
    await expect(search.next({ from: 1_000, to: 2_000 }, 'forwards')).rejects.toThrow(NoState);
  });

  test.each([1_000, 2_000])('whose head is block %i is asked for block 1000 alone', async (head) => {
    const search = await ready({ chain: new LogChain(head) });
    expect(await search.next({ from: 1_000, to: 1_000 }, 'backwards')).toMatchObject({ from: 1_000, to: 1_000 });
  });

  test.each(['eth_getBlockByNumber', 'eth_call'])(
    'that does not answer %s is skipped for the next one',
    async (method) => {
      const fail = (failed: string) => (failed === method ? new UpstreamFailure('http_500') : undefined);
      const search = await ready({ chain, fail }, { chain });
      await search.next({ from: 0, to: 99 }, 'forwards');
      expect(asked.map(({ provider }) => provider)).toEqual([0, 1]);
    },
  );

  test('that fails the first window is skipped for the next one, and after a later one only the windows before count', async () => {
    const notAt = (block: number) => ({
      chain,
      refuse: ({ from }: Blocks) => (from === block ? new UpstreamFailure('http_500') : undefined),
    });
    const first = await ready(notAt(0), { chain });
    expect(await first.next({ from: 0, to: 999 }, 'forwards')).toMatchObject({ from: 0, to: 999 });
    expect(asked.map(({ provider }) => provider)).toEqual([0, 1]);
    const later = await ready(notAt(1_000), { chain });
    expect(await later.next({ from: 0, to: 1_999 }, 'forwards')).toMatchObject({ from: 0, to: 999 });
    expect(asked.map(({ provider }) => provider)).toEqual([0]);
  });
});

describe('a range that is too large', () => {
  const above = (blocks: number, words = '') => ({
    chain,
    refuse: ({ from, to }: Blocks) =>
      to - from + 1 > blocks ? new RpcTooLarge({ cause: new Error(words) }) : undefined,
  });

  test('in the first window is asked for again in halves', async () => {
    const search = await ready(above(130));
    expect(await search.next({ from: 0, to: SIZE - 1 }, 'forwards')).toMatchObject({ from: 0, to: SIZE - 1 });
    expect(windows().map(([first]) => first)).toEqual(['0-499', '0-249', '0-124']);
  });

  test('is asked for again in windows of the size that the refusal names', async () => {
    const search = await ready(above(77, 'limited to a 77 range'));
    expect(await search.next({ from: 0, to: 99 }, 'forwards')).toMatchObject({ from: 0, to: 99 });
    expect(windows()).toEqual([['0-99'], ['0-76', '77-99']]);
  });

  test('in a later window ends the result before it, and the next request has smaller windows', async () => {
    const search = await ready({
      chain,
      refuse: ({ from, to }) => (from < 1_200 && 1_200 <= to && to - from > 300 ? new RpcTooLarge() : undefined),
    });
    expect(await search.next({ from: 0, to: 9_999 }, 'forwards')).toMatchObject({ from: 0, to: 999 });
    expect(asked).toHaveLength(1);
    expect(await search.next({ from: 1_000, to: 9_999 }, 'forwards')).toMatchObject({ from: 1_000 });
    expect(windows()[1]?.[0]).toBe('1000-1249');
  });

  test('of a single block is asked of the next provider', async () => {
    const search = await ready(above(0), { chain });
    expect(await search.next({ from: 7, to: 7 }, 'forwards')).toMatchObject({ from: 7, to: 7 });
    expect(asked.map(({ provider }) => provider)).toEqual([0, 1]);
    const alone = await ready(above(0));
    await expect(alone.next({ from: 7, to: 7 }, 'forwards')).rejects.toMatchObject({ outcome: 'too_large' });
  });

  test('for HTTP is asked for again in halves, and given up at a single block', async () => {
    const search = await ready({ chain, down: () => new RpcTooLarge() });
    await expect(search.next({ from: 0, to: 7 }, 'forwards')).rejects.toThrow(RpcTooLarge);
    expect(windows().map(([first]) => first)).toEqual(['0-7', '0-3', '0-1', '0-0']);
  });

  test('for one provider does not affect another', async () => {
    let isDown = false;
    const down = () => (isDown ? new UpstreamFailure('timeout') : undefined);
    const search = await ready({ ...above(100), down }, { chain });
    await search.next({ from: 0, to: 999 }, 'forwards');
    isDown = true;
    asked = [];
    await search.next({ from: 0, to: 999 }, 'forwards');
    expect(asked.map(({ provider, windows: [first] }) => [provider, first])).toEqual([
      [0, '0-61'],
      [1, '0-499'],
    ]);
  });
});

test('a request that no provider answers has smaller windows the next time', async () => {
  let isDown = true;
  const search = await ready({ chain, down: () => (isDown ? new UpstreamFailure('timeout') : undefined) });
  await expect(search.next({ from: 0, to: 999 }, 'forwards')).rejects.toMatchObject({ outcome: 'timeout' });
  isDown = false;
  await search.next({ from: 0, to: 999 }, 'forwards');
  expect(windows().map(([first]) => first)).toEqual(['0-499', '0-249']);
});

test('a contract that is new in the registry is included by repeating the request', async () => {
  const search = searchOf({ chain });
  expect([...search.emitters.keys()]).not.toContain(STAKING);
  chain.emitted = [staked(5, 1)];
  const { drafts } = await search.next({ from: 0, to: 10 }, 'forwards');
  expect(drafts).toHaveLength(1);
  expect(asked).toHaveLength(2);
  expect(asked[0]?.contracts).not.toContain(STAKING);
  expect(asked[1]?.contracts).toContain(STAKING);
  expect(search.emitters.get(STAKING)).toBe('Staking');
});
