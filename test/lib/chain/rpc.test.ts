import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { toQuantity } from 'ethers';
import { ChainRpc } from '../../../lib/chain/rpc.ts';
import { NoState } from '../../../lib/chain/upstream/failures.ts';
import { parseHeader, requireResult, toTag } from '../../../lib/chain/upstream/json-rpc.ts';
import { type TestClock, testClock } from '../../support/clock.ts';
import { startServer, stoppedAfterEach } from '../../support/servers.ts';

const CHAIN_ID = 43_114;
const keep = stoppedAfterEach();

let clock: TestClock;
let attempts: string[];
let heads: number[];

beforeEach(() => {
  clock = testClock();
  attempts = [];
  heads = [];
});

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

type Results = Record<string, (params: unknown[]) => unknown>;

const HEADER = { number: '0x64', timestamp: toQuantity(1_790_000_000) };

/** A provider that answers these methods, and records the calls of each HTTP request as `method(parameters)`. */
async function provider(results: Results = {}) {
  const known: Results = {
    eth_chainId: () => toQuantity(CHAIN_ID),
    eth_getBlockByNumber: () => HEADER,
    ...results,
  };
  const asked: string[][] = [];
  const server = await startServer(async (request, response) => {
    const sent = JSON.parse(await text(request)) as Call | Call[];
    const calls = [sent].flat();
    asked.push(calls.map(({ method, params }) => `${method}(${params})`));
    const answers = await Promise.all(
      calls.map(async ({ id, method, params }) => ({ id, result: await (known[method] as Results[string])(params) })),
    );
    response.end(JSON.stringify(Array.isArray(sent) ? answers : answers[0]));
  });
  return { ...keep(server), asked };
}

function rpcOf(urls: string[], maxHeadAgeSeconds = 300): ChainRpc {
  return new ChainRpc(urls, {
    chainId: CHAIN_ID,
    maxHeadAgeSeconds,
    // Sockets are real, and their speed is not under test.
    attemptMs: 60_000,
    budgetMs: 180_000,
    onAttempt: ({ provider: name, outcome, reason }) =>
      attempts.push(`${name} ${outcome}${reason ? `: ${reason}` : ''}`),
    onLateClock: (seconds) => attempts.push(`late by ${seconds} s`),
    onHead: ({ timestamp }) => heads.push(clock.now() / 1_000 - timestamp),
    clock,
  });
}

const gasPrice = { method: 'eth_gasPrice', params: [] };
const readPrice = (rpc: ChainRpc) => rpc.batch({ calls: [gasPrice], parse: ([price]) => String(requireResult(price)) });

describe('the chain ID', () => {
  test('is checked once, in the HTTP request of the first call', async () => {
    const one = await provider({ eth_gasPrice: () => '0x1' });
    const rpc = rpcOf([one.url]);
    expect(await readPrice(rpc)).toBe('0x1');
    expect(await readPrice(rpc)).toBe('0x1');
    expect(one.asked).toEqual([['eth_chainId()', 'eth_gasPrice()'], ['eth_gasPrice()']]);
  });

  test('of another chain makes a provider the last choice for five minutes, and says so', async () => {
    const wrong = await provider({ eth_chainId: () => toQuantity(43_113), eth_gasPrice: () => '0xbad' });
    const right = await provider({ eth_gasPrice: () => '0x1' });
    const rpc = rpcOf([wrong.url, right.url]);
    for (const later of [0, 31_000, 268_999]) {
      clock.skip(later);
      expect(await readPrice(rpc)).toBe('0x1');
    }
    expect(attempts).toEqual(['rpc-1 wrong_chain: chain 43113 instead of 43114', 'rpc-2 ok', 'rpc-2 ok', 'rpc-2 ok']);
  });

  test.each(['0x1', '', '43114', 43_114, {}])(
    '%j from the only provider is asked for again with the next call',
    async (id) => {
      let broken = true;
      const one = await provider({ eth_chainId: () => (broken ? id : '0xa86a'), eth_gasPrice: () => '0x1' });
      const rpc = rpcOf([one.url]);
      await expect(readPrice(rpc)).rejects.toMatchObject({ status: 503 });
      broken = false;
      clock.skip(1_000);
      expect(await readPrice(rpc)).toBe('0x1');
    },
  );
});

describe('a head', () => {
  const aged = (seconds: number) =>
    provider({ eth_getBlockByNumber: () => ({ ...HEADER, timestamp: toQuantity(clock.now() / 1_000 - seconds) }) });

  test.each([
    [300, 300, 'rpc-1 ok'],
    [301, 300, 'rpc-1 lagging'],
    [1, 1, 'rpc-1 ok'],
    [2, 1, 'rpc-1 lagging'],
    [1_000_000, 0, 'rpc-1 ok'],
    [-60, 300, 'rpc-1 ok'],
    [-100, 0, 'rpc-1 ok'],
  ])('%d s old, where %d are allowed, is reported as %s', async (seconds, allowed, outcome) => {
    const rpc = rpcOf([(await aged(seconds)).url, (await aged(0)).url], allowed);
    await rpc.head();
    expect(attempts[0]).toBe(outcome);
    // The head of the second provider, too, if it received a request.
    expect(heads).toEqual([seconds, 0].slice(0, attempts.length));
  });

  test('that is the freshest of stale ones is used if there is no other', async () => {
    const down = await provider({ eth_getBlockByNumber: () => '0x' });
    const rpc = rpcOf([(await aged(500)).url, (await aged(400)).url, (await aged(600)).url, down.url]);
    expect(await rpc.head()).toMatchObject({ timestamp: clock.now() / 1_000 - 400 });
    expect(attempts).toEqual(['rpc-1 lagging', 'rpc-2 lagging', 'rpc-3 lagging', 'rpc-4 malformed']);
  });

  test('of block 0 is malformed', async () => {
    const genesis = await provider({ eth_getBlockByNumber: () => ({ ...HEADER, number: '0x0' }) });
    const rpc = rpcOf([genesis.url, (await aged(0)).url]);
    expect(await rpc.head()).toMatchObject({ number: 100 });
    expect(attempts).toEqual(['rpc-1 malformed', 'rpc-2 ok']);
  });

  test('more than a minute ahead of the clock is malformed, wherever it is read', async () => {
    const rpc = rpcOf([(await aged(-61)).url, (await aged(0)).url]);
    expect(await rpc.head()).toMatchObject({ timestamp: clock.now() / 1_000 });
    expect(attempts).toEqual(['rpc-1 malformed', 'rpc-2 ok']);
    expect((await rpc.heads(60_000)).map(({ head }) => head?.number)).toEqual([undefined, 100]);
    expect(heads).toEqual([0]);
  });

  test.each([
    ['all providers are ahead of it alike', [-500, -510], [510, 'rpc-1 malformed', 'late by 500 s', 'rpc-2 ok']],
    ['the only provider is ahead of it', [-500], [500, 'late by 500 s', 'rpc-1 ok']],
    ['one is much more ahead than the others', [-9_000, -500], [500, 'rpc-1 malformed', 'late by 500 s', 'rpc-2 ok']],
  ])("is used if this machine's clock is late: %s", async (_, ages, [lead, ...expected]) => {
    const rpc = rpcOf(await Promise.all(ages.map(async (seconds) => (await aged(seconds)).url)));
    expect(await rpc.head()).toMatchObject({ timestamp: clock.now() / 1_000 + Number(lead) });
    expect(attempts).toEqual(expected);
  });

  test('is read from every provider, in a time limit', async () => {
    const slow = await provider({ eth_getBlockByNumber: () => wait(5_000, HEADER, { ref: false }) });
    const wrong = await provider({ eth_chainId: () => '0x1' });
    const found = await rpcOf([(await aged(9_000)).url, slow.url, wrong.url]).heads(1_000);
    expect(found.map(({ name, head }) => [name, head?.number])).toEqual([
      ['rpc-1', 100],
      ['rpc-2', undefined],
      ['rpc-3', undefined],
    ]);
    expect(attempts).toEqual([]);
  });
});

test('a result that is an error is a failure of the provider, unless the caller asks for the outcome of each call', async () => {
  const one = await provider({ eth_gasPrice: () => null, eth_blockNumber: () => '0x2' });
  const two = await provider({ eth_gasPrice: () => '0x1', eth_blockNumber: () => '0x3' });
  const calls = [{ method: 'eth_blockNumber', params: [] }, gasPrice];
  expect(await readPrice(rpcOf([one.url, two.url]))).toBe('0x1');
  const parse = (those: unknown[], { name }: { name: string }) => [name, ...those];
  const outcomes = await rpcOf([one.url, two.url]).send({ calls, parse });
  expect(outcomes).toEqual(['rpc-1', '0x2', expect.any(NoState)]);
});

describe('calls about the past', () => {
  const balanceAt = (block: number) => ({ method: 'eth_getBalance', params: [toQuantity(block)] });
  /** Has the state of blocks from `oldest` on. The balance at a block is the block's number. */
  const archive = (oldest: number) =>
    provider({ eth_getBalance: ([block]) => (Number(block) < oldest ? null : block) });
  const read = (rpc: ChainRpc, block: number, parse: (balance: unknown) => number = Number) =>
    rpc.batch({ calls: [balanceAt(block)], parse: ([balance]) => parse(requireResult(balance)), gas: 100_000 });
  const readAll = (rpc: ChainRpc, blocks: number[]) => Promise.allSettled(blocks.map((block) => read(rpc, block)));

  test('go to the next provider if one lacks the state or answers nonsense, and only those do', async () => {
    const [one, two, three] = [await archive(7), await archive(5), await archive(0)];
    const rpc = rpcOf([one.url, two.url, three.url]);
    const parse = (balance: unknown) => {
      if (balance === '0x9') throw new RangeError('nonsense');
      return Number(balance);
    };
    const settled = Promise.allSettled([4, 6, 8, 9].map((block) => read(rpc, block, parse)));
    // Those without a state are asked again: after real time for the sockets, and the clock's time for the pause.
    for (const asked of [3, 4]) {
      while (attempts.length < asked) await wait(5);
      await clock.advance(250);
    }
    expect(await settled).toMatchObject([
      { value: 4 },
      { value: 6 },
      { value: 8 },
      { status: 'rejected', reason: { code: 'UPSTREAM_UNAVAILABLE' } },
    ]);
    expect([one, two, three].map(({ asked }) => asked.map((calls) => calls.slice(1)))).toEqual([
      [['eth_getBalance(0x4)', 'eth_getBalance(0x6)', 'eth_getBalance(0x8)', 'eth_getBalance(0x9)'], []],
      [['eth_getBalance(0x4)', 'eth_getBalance(0x6)', 'eth_getBalance(0x9)'], []],
      [['eth_getBalance(0x4)', 'eth_getBalance(0x9)']],
    ]);
    expect(attempts.slice(2)).toEqual(['rpc-3 malformed', 'rpc-1 malformed', 'rpc-2 malformed']);
  });

  test('that are too large together are divided, and a call that is refused fails alone', async () => {
    const asked: number[] = [];
    const one = keep(
      await startServer(async (request, response) => {
        const sent = JSON.parse(await text(request)) as Call | Call[];
        if (Array.isArray(sent) && sent.length > 2) return response.writeHead(413).end();
        const calls = [sent].flat();
        asked.push(calls.length);
        const answers = calls.map(({ id, method, params }) =>
          method === 'eth_getBalance' && params[0] === '0x3'
            ? { id, error: { code: 3, message: 'execution reverted', data: '0x' } }
            : { id, result: method === 'eth_chainId' ? toQuantity(CHAIN_ID) : params[0] },
        );
        return response.end(JSON.stringify(Array.isArray(sent) ? answers : answers[0]));
      }),
    );
    const outcomes = await readAll(rpcOf([one.url]), [7, 3]);
    expect(outcomes).toMatchObject([{ value: 7 }, { status: 'rejected', reason: { code: 'UPSTREAM_UNAVAILABLE' } }]);
    // The first batch has three calls, with the chain ID. Half of it is one.
    expect(asked).toEqual([1, 1, 1]);
  });
});

describe('a quantity', () => {
  test.each([
    [0, '0x0'],
    [255, '0xff'],
    [95_044_397, '0x5aa432d'],
  ])('%d is %s', (value, quantity) => {
    expect(toTag(value)).toBe(quantity);
    expect(parseHeader({ number: quantity, timestamp: '0x1' })).toEqual({ number: value, timestamp: 1 });
  });

  test.each([
    ...[null, {}, { number: '0x1' }, { number: '0x1', timestamp: null }],
    ...['', ' 0x1', '0X1', '1', ['0x1'], 1].map((number) => ({ number, timestamp: '0x1' })),
  ])('%j is not a header', (header) => {
    expect(() => parseHeader(header)).toThrow();
  });
});
