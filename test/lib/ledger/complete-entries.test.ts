import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Interface, solidityPackedKeccak256, ZeroAddress } from 'ethers';
import type { Chain } from '../../../lib/chain/chain.ts';
import type { RpcRequest } from '../../../lib/chain/rpc.ts';
import type { RpcCall } from '../../../lib/chain/upstream/json-rpc.ts';
import type { Provider } from '../../../lib/chain/upstream/provider.ts';
import { completeEntries } from '../../../lib/ledger/complete-entries.ts';
import type { PartialEntry } from '../../../lib/ledger/contract-events.ts';
import { MULTICALL3, NETWORKS } from '../../../lib/runtime/networks.ts';
import { placeOf } from '../../../lib/values/block.ts';
import { WAD } from '../../../lib/values/wad.ts';

/** The fields added to events from the state of their block, as ethers encodes it. */

const STATE = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[]) returns ((bool success, bytes returnData)[])',
  'function convertToAssets(uint256 shares) view returns (uint256)',
  'function getAddress(bytes32 key) view returns (address)',
  'function getBlockNumber() view returns (uint256)',
  'function getCurrentBlockTimestamp() view returns (uint256)',
  'function getGuardian() view returns (address)',
  'function getRequestInfo(uint256 requestId) view returns ((address requester, uint256 shares, uint256 expectedAssets, uint48 requestTime, uint48 claimableTime, uint48 expirationTime, uint256 allocatedFunds))',
  'function getRewardsCycleCount() view returns (uint256)',
  'function getUint(bytes32 key) view returns (uint256)',
]);

const { storage, withdrawQueue } = NETWORKS.devnet;
const NODE = `0x${'0d'.repeat(20)}`;
const POOL = `0x${'99'.repeat(20)}`;
const ALICE = '0xA1A1a1a1A1A1A1A1A1a1a1a1a1a1A1A1a1A1a1a1';
const INDEX_OF_NODE = solidityPackedKeccak256(['string', 'address'], ['minipool.index', NODE]);
const OWNER_OF_FIFTH = solidityPackedKeccak256(['string', 'int256', 'string'], ['minipool.item', 5, '.owner']);

/** Nodes at whose end of a cycle the owner has these amounts, before that block and after it. */
const ENDS = [
  { before: { avaxNodeOpAmt: 1_000n }, after: { avaxNodeOpAmt: 1_002n } },
  { before: { avaxNodeOpAmt: 1_000n }, after: { avaxNodeOpAmt: 1_000n, avaxNodeOpRewardAmt: 3n } },
  { before: { avaxNodeOpAmt: 1_000n }, after: { avaxNodeOpAmt: 1_000n } },
  { before: { avaxNodeOpAmt: 1_000n }, after: { avaxNodeOpAmt: 1_000n, creationTime: 9n } },
  { before: { avaxNodeOpAmt: 1_000n }, after: { avaxNodeOpAmt: 1_004n, creationTime: 0n } },
  { before: { avaxNodeOpAmt: 1_000n }, after: { avaxNodeOpAmt: 0n, avaxNodeOpRewardAmt: 999n } },
].map((amounts, index) => ({ ...amounts, node: `0x${'e0'.repeat(19)}0${index}`, index: 10 + index }));

/** An amount of one of these nodes, or its index plus one. */
function amountAt(block: number, key: unknown): bigint | undefined {
  for (const { node, index, before, after } of ENDS) {
    if (key === solidityPackedKeccak256(['string', 'address'], ['minipool.index', node])) return BigInt(index + 1);
    const amounts = { creationTime: 1n, avaxNodeOpRewardAmt: 0n, ...(block === 500 ? after : before) };
    for (const [field, amount] of Object.entries(amounts))
      if (key === solidityPackedKeccak256(['string', 'int256', 'string'], ['minipool.item', index, `.${field}`]))
        return amount;
  }
  return undefined;
}

const BOB = `0x${'b0'.repeat(20)}`;
const TIME = 1_790_000_000;

/** The answer of a contract at a block. */
function answerAt(block: number, to: string, view: string, [argument]: readonly unknown[]): unknown {
  if (to === MULTICALL3 && view === 'getBlockNumber') return block;
  if (to === MULTICALL3 && view === 'getCurrentBlockTimestamp') return TIME;
  // For 3e18 shares more than the rounded rate would give.
  if (to === POOL && view === 'convertToAssets')
    return { [`${WAD}`]: WAD + BigInt(block), [`${3n * WAD}`]: 3n * WAD + 3n * BigInt(block) + 2n }[String(argument)];
  if (to === POOL && view === 'getRewardsCycleCount') return 40n;
  if (to === withdrawQueue && view === 'getRequestInfo')
    return argument === 7n ? [ALICE, 1n, 2n, 3n, 4n, 5n, 6n] : [ZeroAddress, 0n, 0n, 0n, 0n, 0n, 0n];
  // The contract stores indexes plus one.
  if (to === storage && view === 'getUint' && argument === INDEX_OF_NODE) return 6n;
  if (to === storage && view === 'getAddress' && argument === OWNER_OF_FIFTH) return ALICE;
  const amount = amountAt(block, argument);
  if (to === storage && view === 'getUint' && amount !== undefined) return amount;
  if (to === storage && (view === 'getAddress' || view === 'getGuardian')) return ALICE;
  throw new Error(`unexpected call of ${to}: ${view}(${argument})`);
}

function answerCall({ params }: RpcCall): string {
  const [{ data }, block] = params as [{ data: string }, string];
  const [calls] = STATE.decodeFunctionData('aggregate3', data);
  const results = calls.map(({ target, callData }: { target: string; callData: string }) => {
    const { name, args } = STATE.parseTransaction({ data: callData }) ?? {};
    const to = [MULTICALL3, storage, withdrawQueue].find((address) => address === target) ?? target.toLowerCase();
    return [true, STATE.encodeFunctionResult(String(name), [answerAt(Number(block), to, String(name), args ?? [])])];
  });
  return STATE.encodeFunctionResult('aggregate3', [results]);
}

/** The number of reads under way, and the highest it has been. */
let reading = 0;
let mostAtOnce = 0;
/** Answers after a while, so that other reads can start meanwhile. */
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
    batch: ({ calls, parse }: RpcRequest<unknown>) => answered(parse(calls.map(answerCall), {} as Provider)),
    header: (number: number) => answered({ number, timestamp: TIME + number }),
  },
} as unknown as Chain;

const draft = (type: PartialEntry['type'], emitter: string, fields: PartialEntry['fields']): PartialEntry => ({
  ...{ type, emitter, fields, block: 500, logIndex: 0, timestamp: TIME, txHash: '0x01' },
});

/** Entries in different places, completed. */
async function complete(drafts: readonly PartialEntry[]): Promise<PartialEntry[]> {
  const placed = drafts.map((one, logIndex) => ({ ...one, logIndex }));
  const completed = await completeEntries(chain, placed);
  return placed.map((one) => completed.get(placeOf(one)) as PartialEntry);
}

test.each<[string, PartialEntry, object]>([
  [
    'the rate and the value of a transfer',
    draft('ggAvaxTransferred', POOL, { shares: 3n * WAD }),
    { rate: WAD + 500n, assets: 3n * WAD + 1_502n },
  ],
  ['the number of a cycle', draft('rewardsCycleStarted', POOL, {}), { number: 40 }],
  [
    'the requester of a fulfilled request',
    draft('unstakeFulfilled', withdrawQueue, { requestId: 7 }),
    { requester: ALICE.toLowerCase() },
  ],
  ['no requester of a request that no longer exists', draft('unstakeFulfilled', withdrawQueue, { requestId: 8 }), {}],
  ['the owner of a new node', draft('minipoolCreated', storage, { nodeID: NODE }), { owner: ALICE.toLowerCase() }],
  ['the owner of a slashed node', draft('ggpSlashed', storage, { nodeID: NODE }), { owner: ALICE.toLowerCase() }],
  ['nothing about other events', draft('priceUpdated', storage, { price: 5n }), {}],
])('%s is read from the state of the block', async (_, one, added) => {
  expect(await complete([one])).toEqual([{ ...one, fields: { ...one.fields, ...added } }]);
});

test.each<[string, number, bigint | undefined]>([
  ['was compounded', 0, 2n],
  ['can be withdrawn', 1, 3n],
  ['is zero', 2, 0n],
  ['was paid out by a relaunch in the same block, and is unknown', 3, undefined],
  ['was compounded by a manager that clears the creation time', 4, 4n],
  ['was withdrawn with the principal in the same block, and is unknown', 5, undefined],
])("an owner's reward from a cycle that %s", async (_, index, rewardAVAX) => {
  const ended = { nodeID: ENDS[index]?.node, status: 3 };
  const launched = { ...ended, status: 1 };
  const drafts = [ended, launched].map((fields) => draft('minipoolStatusChanged', storage, fields));
  const entries = await complete(drafts);
  expect(entries).toMatchObject([
    { fields: { ...ended, owner: ALICE.toLowerCase() } },
    { fields: { ...launched, owner: ALICE.toLowerCase() } },
  ]);
  expect(entries.map(({ fields }) => 'rewardAVAX' in fields && fields.rewardAVAX)).toEqual([rewardAVAX, false]);
});

test('the requester comes from the request event if the same block has fulfilled it and removed it from the state', async () => {
  const [, fulfilled] = await complete([
    draft('unstakeRequested', withdrawQueue, { requestId: 8, requester: BOB }),
    draft('unstakeFulfilled', withdrawQueue, { requestId: 8, assets: 5n }),
    draft('unstakeRequested', withdrawQueue, { requestId: 9, requester: ALICE }),
  ]);
  expect(fulfilled).toMatchObject({ fields: { requestId: 8, requester: BOB, assets: 5n } });
});

test('at most 120 blocks are read at the same time', async () => {
  const drafts = Array.from({ length: 250 }, (_, block) => ({
    ...draft('ggAvaxTransferred', POOL, { shares: 3n * WAD }),
    block,
  }));
  mostAtOnce = 0;
  const entries = await complete(drafts);
  expect(mostAtOnce).toBe(120);
  expect(entries).toHaveLength(250);
  for (const { block, ...entry } of entries) expect(entry).toMatchObject({ fields: { rate: WAD + BigInt(block) } });
});
