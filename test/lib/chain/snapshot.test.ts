import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { toBeHex } from 'ethers';
import { contractAt, ifAnswered } from '../../../lib/chain/contract.ts';
import type { ChainRpc, RpcRequest } from '../../../lib/chain/rpc.ts';
import { Snapshot } from '../../../lib/chain/snapshot.ts';
import { RpcTooLarge } from '../../../lib/chain/upstream/failures.ts';
import type { Provider } from '../../../lib/chain/upstream/provider.ts';
import { ApiError } from '../../../lib/runtime/errors.ts';
import { MULTICALL3 } from '../../../lib/runtime/networks.ts';
import { decodeCalls, encodeResults } from '../../support/contracts.ts';

/** Batches and their limits, on a simulated chain. Requests and answers are decoded and encoded by hand. */

const TO = `0x${'11'.repeat(20)}`;
const HEAD = { number: 95_044_397, timestamp: 1_789_158_328 };

interface Sent {
  tag: string;
  /** The data of its calls, without those for the block. */
  calls: string[];
  checksAge: boolean;
}

interface Call {
  method: string;
  params: [{ to: string; data: string }, string];
}

let sent: Sent[];
/** The gas of each request that may be sent together with others about past blocks. */
let past: number[];
/** The block that Multicall3 names. A number below 0 stands for an empty answer. */
let head: typeof HEAD;
/** Called with each request before it is answered: may delay it or throw. */
let onRequest: (request: Sent) => Promise<void> | void;
/** The block at which a batch with this tag is run. */
let answersAt: (tag: string) => number;

beforeEach(() => {
  sent = [];
  past = [];
  head = HEAD;
  onRequest = () => {};
  answersAt = (tag) => (tag === 'latest' ? head.number : Number(tag));
});

const data = (index: number) => toBeHex(index, 4);
const REVERTING = '0xdeadbeef';

const GET_BLOCK_NUMBER = '0x42cbb15c';
const GET_CURRENT_BLOCK_TIMESTAMP = '0x0f28c97d';

function answerOf(call: string, tag: string) {
  const number = answersAt(tag);
  if (call === GET_BLOCK_NUMBER) return { success: true, data: number < 0 ? '0x' : toBeHex(number, 32) };
  if (call === GET_CURRENT_BLOCK_TIMESTAMP) return { success: true, data: toBeHex(head.timestamp, 32) };
  return call === REVERTING ? { success: false, data: '0x08c379a0' } : { success: true, data: `${call}00` };
}

const rpc = {
  async batch({ calls, parse, gas = 0 }: RpcRequest<unknown>): Promise<unknown> {
    const [{ method, params }] = calls as unknown as [Call];
    expect([method, params[0].to]).toEqual(['eth_call', MULTICALL3]);
    const all = decodeCalls(params[0].data);
    const [number, timestamp, ...own] = all;
    expect([number, timestamp]).toEqual([GET_BLOCK_NUMBER, GET_CURRENT_BLOCK_TIMESTAMP]);
    const request = { tag: params[1], calls: own, checksAge: false };
    sent.push(request);
    if (request.tag !== 'latest') past.push(gas);
    await onRequest(request);
    const result = encodeResults(all.map((each) => answerOf(each, params[1])));
    return parse([result], { name: 'rpc-1' } as Provider);
  },
  requireFresh<T>(answer: T): T {
    (sent.at(-1) as Sent).checksAge = true;
    return answer;
  },
};

const latest = () => new Snapshot(rpc as unknown as ChainRpc);
const call = (snapshot: Snapshot, index: number, gasLimit?: number) =>
  snapshot.call({ to: TO, data: data(index), ...(gasLimit !== undefined && { gasLimit }) });
const calls = (snapshot: Snapshot, count: number, gasLimit?: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => call(snapshot, index, gasLimit)));
const sizes = () => sent.map((request) => request.calls.length);

describe('calls', () => {
  test('in the same tick are one request, which also asks for the block, and each gets its own answer', async () => {
    const snapshot = latest();
    expect(await calls(snapshot, 3)).toEqual([0, 1, 2].map((index) => `${data(index)}00`));
    expect(sent).toEqual([{ tag: 'latest', calls: [0, 1, 2].map(data), checksAge: true }]);
    expect(await snapshot.block()).toEqual(HEAD);
    expect(sent).toHaveLength(1);
  });

  test("of ethers' contracts, and for the block, are one request, too", async () => {
    const snapshot = latest();
    const ABI = ['function f() view returns (bytes4)', 'function g() view returns (bytes4)'] as const;
    const contracts = [1, 2].map((place) => contractAt(toBeHex(place, 20), ABI, snapshot));
    const calls = contracts.flatMap((contract) => [contract.f(), contract.g()]);
    const [block] = await Promise.all([snapshot.block(), ...calls.map((each) => ifAnswered(each))]);
    expect(block).toEqual(HEAD);
    expect(sizes()).toEqual([4]);
  });

  test('in a later tick are pinned to the block of the first batch', async () => {
    const snapshot = latest();
    await call(snapshot, 0);
    await call(snapshot, 1);
    expect(sent[1]).toEqual({ tag: '0x5aa432d', calls: [data(1)], checksAge: false });
    expect(past).toEqual([100_000]);
  });

  test('are made once, unless many others come between', async () => {
    const snapshot = latest();
    for (const count of [1, 1, 10_001, 1]) await calls(snapshot, count);
    expect([sizes()[0], sizes().at(-1), sent.filter((request) => request.calls.includes(data(0))).length]).toEqual([
      1, 1, 2,
    ]);
  });

  test('made before the first batch is answered wait for its block', async () => {
    const snapshot = latest();
    const { promise, resolve } = Promise.withResolvers<void>();
    onRequest = () => promise;
    const first = call(snapshot, 0);
    await setImmediate();
    const second = call(snapshot, 1);
    for (let tick = 0; tick < 3; tick++) await setImmediate();
    expect(sent).toHaveLength(1);
    resolve();
    await Promise.all([first, second]);
    expect(sent[1]?.tag).toBe('0x5aa432d');
  });
});

describe('a batch', () => {
  test.each([
    [300, [300]],
    [301, [300, 1]],
    [601, [300, 300, 1]],
  ])('of %d cheap calls is split into %j', async (count, expected) => {
    await calls(latest(), count, 1);
    expect(sizes()).toEqual(expected);
  });

  test.each([
    [30_000_000 / 4, 4, [4]],
    [30_000_000 / 4 + 1, 4, [3, 1]],
    [30_000_000, 2, [1, 1]],
    [30_000_001, 2, [1, 1]],
    [85_000, 353, [300, 53]],
    [100_001, 300, [299, 1]],
  ])('of calls with %d gas each, %d of them, is split into %j', async (gas, count, expected) => {
    await calls(latest(), count, gas);
    expect(sizes()).toEqual(expected);
  });
});

test.each([
  [1, 1, true],
  [-1, 1, false],
])('a block with the number %d and the timestamp %d is accepted: %s', async (number, timestamp, isBlock) => {
  head = { number, timestamp };
  const block = latest().block();
  if (isBlock) expect(await block).toEqual(head);
  else await expect(block).rejects.toThrow(RangeError);
});

test("a later batch that was read at another block is the provider's failure", async () => {
  const snapshot = latest();
  await call(snapshot, 0);
  answersAt = () => HEAD.number + 1;
  await expect(call(snapshot, 1)).rejects.toThrow(RangeError);
});

describe('a failure', () => {
  test('of one call on chain rejects only its own promise, with the revert data', async () => {
    const snapshot = latest();
    const outcomes = await Promise.allSettled([call(snapshot, 0), snapshot.call({ to: TO, data: REVERTING })]);
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: `${data(0)}00` },
      {
        status: 'rejected',
        reason: expect.objectContaining({
          code: 'CALL_EXCEPTION',
          data: '0x08c379a0',
          transaction: { to: TO, data: REVERTING },
        }),
      },
    ]);
  });

  test('of the request rejects all calls of the batch, and the block', async () => {
    onRequest = () => {
      throw new ApiError('UPSTREAM_UNAVAILABLE', 'down');
    };
    const snapshot = latest();
    const outcomes = await Promise.allSettled([call(snapshot, 0), call(snapshot, 1), snapshot.block()]);
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual(
      Array(3).fill('UPSTREAM_UNAVAILABLE'),
    );
  });

  test('because a batch is too large is repeated in halves, all at one block', async () => {
    const most = (limit: number) => (request: Sent) => {
      if (request.calls.length > limit) throw new RpcTooLarge();
    };
    onRequest = most(2);
    const snapshot = latest();
    expect(await calls(snapshot, 7, 1)).toEqual([0, 1, 2, 3, 4, 5, 6].map((index) => `${data(index)}00`));
    expect(new Set(sent.filter(({ calls: own }) => own.length <= 2).map(({ tag }) => tag))).toEqual(
      new Set(['latest', '0x5aa432d']),
    );
    expect(sent.filter(({ tag }) => tag === 'latest').map(({ calls: own }) => own.length)).toEqual([7, 4, 2]);
  });
});
