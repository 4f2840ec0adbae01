import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Interface, solidityPackedKeccak256, ZeroAddress } from 'ethers';
import type { Chain } from '../../lib/chain/chain.ts';
import { Details } from '../../lib/ledger/details.ts';
import type { Draft } from '../../lib/ledger/events.ts';
import { NETWORKS } from '../../lib/networks.ts';
import { WAD } from '../../lib/rewards/wad.ts';
import type { RpcCall } from '../../lib/upstream/json-rpc.ts';

/** What the state of a block says of its events, as ethers encodes it. */

const STATE = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[]) returns ((bool success, bytes returnData)[])',
  'function convertToAssets(uint256 shares) view returns (uint256)',
  'function getAddress(bytes32 key) view returns (address)',
  'function getBlockNumber() view returns (uint256)',
  'function getCurrentBlockTimestamp() view returns (uint256)',
  'function getRequestInfo(uint256 requestId) view returns ((address requester, uint256 shares, uint256 expectedAssets, uint48 requestTime, uint48 claimableTime, uint48 expirationTime, uint256 allocatedFunds))',
  'function getRewardsCycleCount() view returns (uint256)',
  'function getUint(bytes32 key) view returns (uint256)',
]);

const { multicall3, storage, withdrawQueue } = NETWORKS.devnet;
const NODE = `0x${'0d'.repeat(20)}`;
const POOL = `0x${'99'.repeat(20)}`;
const ALICE = '0xA1A1a1a1A1A1A1A1A1a1a1a1a1a1A1A1a1A1a1a1';
const INDEX_OF_NODE = solidityPackedKeccak256(['string', 'address'], ['minipool.index', NODE]);
const OWNER_OF_FIFTH = solidityPackedKeccak256(['string', 'int256', 'string'], ['minipool.item', 5, '.owner']);

const BOB = `0x${'b0'.repeat(20)}`;
const INDEXES_OF_STAKER = [BOB, NODE].map((staker) =>
  solidityPackedKeccak256(['string', 'address'], ['staker.index', staker]),
);
const REWARDS_OF_THIRD = solidityPackedKeccak256(['string', 'int256', 'string'], ['staker.item', 3, '.ggpRewards']);
const TIME = 1_790_000_000;

/** What a contract answers at a block, by its name and arguments. */
function answerAt(block: number, to: string, view: string, [argument]: readonly unknown[]): unknown {
  if (to === multicall3 && view === 'getBlockNumber') return block;
  if (to === multicall3 && view === 'getCurrentBlockTimestamp') return TIME;
  // More than the rate says of 3e18 shares, which is rounded.
  if (to === POOL && view === 'convertToAssets')
    return { [`${WAD}`]: WAD + BigInt(block), [`${3n * WAD}`]: 3n * WAD + 3n * BigInt(block) + 2n }[String(argument)];
  if (to === POOL && view === 'getRewardsCycleCount') return 40n;
  if (to === withdrawQueue && view === 'getRequestInfo')
    return argument === 7n ? [ALICE, 1n, 2n, 3n, 4n, 5n, 6n] : [ZeroAddress, 0n, 0n, 0n, 0n, 0n, 0n];
  // Indexes are stored plus one.
  if (to === storage && view === 'getUint' && argument === INDEX_OF_NODE) return 6n;
  if (to === storage && view === 'getAddress' && argument === OWNER_OF_FIFTH) return ALICE;
  if (to === storage && view === 'getUint' && INDEXES_OF_STAKER.includes(String(argument))) return 4n;
  // Before the block of the claim.
  if (to === storage && view === 'getUint' && argument === REWARDS_OF_THIRD && block === 499) return 9n;
  throw new Error(`nobody should ask ${to} for ${view}(${argument})`);
}

function answerCall({ params }: RpcCall): string {
  const [{ data }, block] = params as [{ data: string }, string];
  const [calls] = STATE.decodeFunctionData('aggregate3', data);
  const results = calls.map(({ target, callData }: { target: string; callData: string }) => {
    const { name, args } = STATE.parseTransaction({ data: callData }) ?? {};
    const to = [multicall3, storage, withdrawQueue].find((address) => address === target) ?? target.toLowerCase();
    return [true, STATE.encodeFunctionResult(String(name), [answerAt(Number(block), to, String(name), args ?? [])])];
  });
  return STATE.encodeFunctionResult('aggregate3', [results]);
}

/** The reads that are under way, and how many there were at once. */
let reading = 0;
let mostAtOnce = 0;
/** An endpoint takes a while: till then others may be asked. */
async function answered<T>(answer: T): Promise<T> {
  reading += 1;
  mostAtOnce = Math.max(mostAtOnce, reading);
  await setImmediate();
  reading -= 1;
  return answer;
}

const chain = {
  network: NETWORKS.devnet,
  rpc: {
    callPast: (call: RpcCall, parse: (result: unknown) => unknown) => answered(parse(answerCall(call))),
    header: (number: number) => answered({ number, timestamp: TIME + number }),
  },
} as unknown as Chain;

const draft = (type: Draft['type'], emitter: string, fields: Draft['fields']): Draft => ({
  ...{ type, emitter, fields, block: 500, logIndex: 1, timestamp: TIME, txHash: '0x01' },
});

test.each<[string, Draft, object]>([
  [
    'the rate and the worth of a transfer',
    draft('ggAvaxTransferred', POOL, { shares: 3n * WAD }),
    { rate: WAD + 500n, assets: 3n * WAD + 1_502n },
  ],
  ['the number of a cycle', draft('rewardsCycleStarted', POOL, {}), { number: 40 }],
  ['who asked', draft('unstakeFulfilled', withdrawQueue, { requestId: 7 }), { requester: ALICE.toLowerCase() }],
  ['nobody, of a request that is gone', draft('unstakeFulfilled', withdrawQueue, { requestId: 8 }), {}],
  ['the owner of a new node', draft('minipoolCreated', storage, { nodeID: NODE }), { owner: ALICE.toLowerCase() }],
  [
    'the owner of a launched node',
    draft('minipoolLaunched', storage, { nodeID: NODE }),
    { owner: ALICE.toLowerCase() },
  ],
  [
    'the owner of a node that has changed',
    draft('minipoolStatusChanged', storage, { nodeID: NODE }),
    { owner: ALICE.toLowerCase() },
  ],
  ['the owner of a slashed node', draft('ggpSlashed', storage, { nodeID: NODE }), { owner: ALICE.toLowerCase() }],
  [
    'that all was paid out',
    draft('ggpRewardsClaimed', POOL, { staker: BOB, amount: 9n, restaked: 5n }),
    { restaked: 0n },
  ],
  ['that some was not', draft('ggpRewardsClaimed', POOL, { staker: BOB, amount: 4n, restaked: 5n }), {}],
  [
    'nothing of a claim without a stake',
    draft('ggpRewardsClaimed', POOL, { staker: ALICE, amount: 9n, restaked: 0n }),
    {},
  ],
  ['nothing else', draft('priceUpdated', storage, { price: 5n }), {}],
])('%s is read from the state of the block', async (_, one, told) => {
  const { block, logIndex, timestamp, txHash, type, fields } = one;
  expect(await new Details(chain).complete([one])).toEqual([
    { block, logIndex, timestamp, txHash, type, ...fields, ...told },
  ]);
});

test('a node and a staker of the same address are two records', async () => {
  const [created, claimed] = await new Details(chain).complete([
    draft('minipoolCreated', storage, { nodeID: NODE }),
    draft('ggpRewardsClaimed', POOL, { staker: NODE, amount: 9n, restaked: 5n }),
  ]);
  expect(created).toMatchObject({ owner: ALICE.toLowerCase() });
  expect(claimed).toMatchObject({ restaked: 0n });
});

test('who asked is told by the request itself where its block has fulfilled it: it is gone from the state', async () => {
  const [, fulfilled] = await new Details(chain).complete([
    draft('unstakeRequested', withdrawQueue, { requestId: 8, requester: BOB }),
    draft('unstakeFulfilled', withdrawQueue, { requestId: 8, assets: 5n }),
    draft('unstakeRequested', withdrawQueue, { requestId: 9, requester: ALICE }),
  ]);
  expect(fulfilled).toMatchObject({ requestId: 8, requester: BOB, assets: 5n });
});

test('times are those of the headers where logs do not tell', async () => {
  const one = draft('priceUpdated', storage, { price: 5n });
  const silent = [501, 502].map((block) => ({ ...one, block, timestamp: undefined }));
  expect((await new Details(chain).complete([one, ...silent])).map(({ timestamp }) => timestamp)).toEqual([
    TIME,
    TIME + 501,
    TIME + 502,
  ]);
});

test('an endpoint is asked for 120 blocks at once, however many there are', async () => {
  const drafts = Array.from({ length: 250 }, (_, block) => ({
    ...draft('ggAvaxTransferred', POOL, { shares: 3n * WAD }),
    ...{ block, timestamp: undefined },
  }));
  mostAtOnce = 0;
  const entries = await new Details(chain).complete(drafts);
  expect(mostAtOnce).toBe(120);
  expect(entries).toHaveLength(250);
  for (const { block, ...entry } of entries)
    expect(entry).toMatchObject({ timestamp: TIME + block, rate: WAD + BigInt(block) });
});
