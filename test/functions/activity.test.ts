import { beforeAll, describe, expect, test } from '@jest/globals';
import { id, parseEther } from 'ethers';
import { activity } from '../../functions/activity.ts';
import { ggAvaxAddress } from '../../functions/gg-avax/address.ts';
import { ggAvaxAddressActivity } from '../../functions/gg-avax/address-activity.ts';
import { holders } from '../../functions/holders.ts';
import { minipoolsNodeIDActivity } from '../../functions/minipools/node-id-activity.ts';
import { minipools } from '../../functions/minipools.ts';
import { rewardsCycles } from '../../functions/rewards/cycles.ts';
import { stakersAddressActivity } from '../../functions/stakers/address-activity.ts';
import { DEVNET_ADDRESSES } from '../../infra/devnet/addresses.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { TYPES } from '../../lib/ledger/events/entry-types.ts';
import { subjectOf } from '../../lib/ledger/ledger-entry.ts';
import { positionOf } from '../../lib/ledger/rows.ts';
import { formatAmount } from '../../lib/values/amounts.ts';
import { parseNodeID } from '../../lib/values/cb58.ts';
import { type Body, sendTo } from '../support/events.ts';
import { cover } from '../support/log-chain.ts';
import { recordLedger } from '../support/recorded.ts';
import { startOnDevnet, startWith, type TestRuntime } from '../support/runtime.ts';
import { openLedger, tablesForAllTests } from '../support/tables.ts';
import { chainForAllTests } from './devnet.ts';

/** The ledger's endpoints, compared with the logs and states of the chain. */

type Query = Record<string, string>;

tablesForAllTests();
const chain = chainForAllTests();
let runtime: TestRuntime;
let head: number;
/** Coverage of the whole ledger. */
let coverage: Body;
/** All entries, the newest first. */
let all: Body[];

beforeAll(async () => {
  await recordLedger();
  runtime = startOnDevnet();
  const { number, timestamp } = await chain.block('latest');
  head = number;
  coverage = { fromBlock: 1, toBlock: head, toTimestamp: timestamp, sources: 2, complete: true };
  all = await everyPage(activity, {}, '1000');
});

const get = (endpoint: Endpoint, query: Query = {}, params: Query = {}, on = runtime) =>
  sendTo(endpoint, on, { query, params });

/** The entries of all pages with this limit. */
async function everyPage(endpoint: Endpoint, query: Query, limit: string, params: Query = {}): Promise<Body[]> {
  const entries: Body[] = [];
  for (let cursor: Query = {}; ; ) {
    const { status, body } = await get(endpoint, { ...query, limit, ...cursor }, params);
    expect([status, body.coverage]).toEqual([200, coverage]);
    expect(body.activity.length).toBeLessThanOrEqual(Number(limit));
    entries.push(...body.activity);
    if (!body.nextCursor) return entries;
    cursor = { cursor: body.nextCursor };
  }
}

/** Returns the positions of an event's logs, newest first: of `contract`, or of all contracts including former ones. */
async function logsOf(event: string, contract?: string): Promise<Body[]> {
  const address = contract && (await chain.registered(contract));
  const filter = { address, topics: [id(event)], fromBlock: '0x0', toBlock: 'latest' };
  const logs = (await chain.rpc.send('eth_getLogs', filter)) as Query[];
  return logs.map((log) => [Number(log.blockNumber), Number(log.logIndex), log.transactionHash]).reverse();
}

const placesOf = (entries: readonly Body[]) =>
  entries.map(({ blockNumber, logIndex, txHash }) => [blockNumber, logIndex, txHash]);

describe('the activity of the protocol', () => {
  test('has entries of every type, in order and without duplicates', async () => {
    expect(new Set(all.map(({ type }) => type))).toEqual(new Set(TYPES));
    const places = all.map(({ blockNumber, logIndex }) => blockNumber * 10_000 + logIndex);
    expect(places).toEqual([...new Set(places)].sort((a, b) => b - a));
    const { body, headers } = await get(activity);
    expect(activity.response().parse({ ...body }).activity).toEqual(all.slice(0, 100));
    expect(headers['X-Block-Number']).toBe(String(head));
  });

  test.each([
    ['ggpStaked', 'GGPStaked(address,uint256)'],
    ['ggpWithdrawn', 'GGPWithdrawn(address,uint256)'],
    ['ggpRewardsClaimed', 'GGPRewardsClaimed(address,uint256)'],
    ['ggpSlashed', 'GGPSlashed(address,uint256)'],
    ['minipoolCreated,minipoolStatusChanged', 'MinipoolStatusChanged(address,uint8)'],
    ['minipoolLaunched', 'MinipoolLaunched(address,bytes32,uint256)'],
    ['rewardsCycleStarted', 'NewRewardsCycleStarted(uint256)'],
    ['ggAvaxDeposited', 'Deposit(address,address,uint256,uint256)'],
    ['ggAvaxWithdrawn', 'Withdraw(address,address,address,uint256,uint256)'],
    ['rewardsStreamed', 'NewRewardsCycle(uint256,uint256)'],
    ['unstakeRequested', 'UnstakeRequested(uint256,address,uint256,uint256,uint48)'],
    ['unstakeFulfilled', 'RequestFulfilled(bytes32,uint256,uint256)'],
    ['unstakeClaimed', 'UnstakeClaimed(uint256,address,uint256)'],
    ['unstakeCancelled', 'RequestCancelled(uint256,address,uint256)'],
    ['unstakeReturned', 'ExpiredSharesReturned(uint256,address,uint256)'],
    ['priceUpdated', 'GGPPriceUpdated(uint256,uint256)'],
    ['contractUpgraded', 'Upgraded(address)'],
    ['upgradeQueued', 'TransactionQueued(address,bytes32)'],
    ['upgradeExecuted', 'TransactionExecuted(address,bytes32)'],
    ['upgradeAborted', 'TransactionAborted(address,bytes32)'],
  ])('filtered by type %s has one entry for each log of %s', async (type, event) => {
    // The contract that averages prices for the oracle emits the same event.
    // Other vaults of ERC-4626 have the same events.
    const emitter = { priceUpdated: 'Oracle', ggAvaxDeposited: 'TokenggAVAX', ggAvaxWithdrawn: 'TokenggAVAX' }[type];
    const logs = await logsOf(event, emitter);
    expect(logs.length).toBeGreaterThan(0);
    expect(placesOf(await everyPage(activity, { type }, '25'))).toEqual(logs);
    expect(placesOf(all.filter((entry) => type.split(',').includes(entry.type)))).toEqual(logs);
  });

  test('has an end of every withdrawal request, unless the queue says that it is open', async () => {
    const queue = (method: string) => chain.readAt(DEVNET_ADDRESSES.WithdrawQueue, method);
    const sets = await Promise.all([queue('getAllPendingRequests'), queue('getAllFulfilledRequests')]);
    const idsOf = (...types: string[]) =>
      all.filter(({ type }) => types.includes(type)).map(({ requestId }): number => requestId);
    const ended = idsOf('unstakeClaimed', 'unstakeCancelled', 'unstakeReturned');
    const open = idsOf('unstakeRequested').filter((id) => !ended.includes(id));
    const listed = sets.flatMap(([ids]) => (ids as bigint[]).map(Number));
    expect(open.toSorted((a, b) => a - b)).toEqual(listed.toSorted((a, b) => a - b));
    expect(ended.length).toBeGreaterThan(4);
  });

  test("has transfers with the contract's rate and value of the shares at their block", async () => {
    const transfers = all.filter(({ type }) => type === 'ggAvaxTransferred');
    expect(transfers.length).toBeGreaterThan(100);
    for (const { blockNumber: block, shares, avaxPerGgAvax, assets } of transfers) {
      const worth = (of: bigint) => chain.read('TokenggAVAX', 'convertToAssets', [of], block) as Promise<bigint>;
      const said = await Promise.all([parseEther('1'), parseEther(shares)].map(worth));
      expect([block, avaxPerGgAvax, assets]).toEqual([block, ...said.map((wei) => formatAmount(wei))]);
    }
  });
});

test.each<[Query, RegExp]>([
  [{ cursor: '000000000001-000000' }, /^must be the nextCursor .* to begin anew, leave it out$/],
  [{ after: '000000000001-000000', order: 'asc' }, /^must be the lastCursor .* to begin anew, send from instead$/],
])('%j of a release whose cursors had no time is a 400 that says how to begin anew', async (query, message) => {
  const { status, body } = await get(activity, query);
  expect([status, body.errors]).toEqual([
    400,
    [{ parameter: Object.keys(query)[0], message: expect.stringMatching(message) }],
  ]);
});

const isOfStaker = (entry: Body, address: string) =>
  entry.staker === address || (entry.owner === address && 'nodeID' in entry);

function isOfHolder({ type, owner, from, to, donor, requester, shares }: Body, address: string): boolean {
  // A transfer of nothing is an entry of the protocol only.
  if (type === 'ggAvaxTransferred' && shares === '0') return false;
  const isTheirs = [from, to, donor, requester].includes(address);
  return isTheirs || (owner === address && ['ggAvaxDeposited', 'ggAvaxWithdrawn'].includes(type));
}

describe.each([
  { who: 'staker', endpoint: stakersAddressActivity, people: ['ada', 'hugo', 'mona'], moreThan: 5, isOf: isOfStaker },
  { who: 'holder', endpoint: ggAvaxAddressActivity, people: ['alba', 'bruno'], moreThan: 0, isOf: isOfHolder },
] as const)('the activity of a $who', ({ endpoint, people, moreThan, isOf }) => {
  test.each(people)('(%s) has every entry that names them, on pages of any size', async (name) => {
    const address = chain.people[name];
    const expected = all.filter((entry) => isOf(entry, address));
    expect(expected.length).toBeGreaterThan(moreThan);
    for (const limit of ['3', '1000']) {
      expect(await everyPage(endpoint, {}, limit, { address: address.toLowerCase() })).toEqual(expected);
    }
  });

  test('without any activity is an empty list', async () => {
    const { status, body } = await get(endpoint, {}, { address: `0x${'12'.repeat(20)}` });
    const lastCursor = positionOf({ block: head, timestamp: coverage.toTimestamp, logIndex: 999_999 });
    expect([status, body]).toEqual([200, { activity: [], coverage, lastCursor }]);
  });
});

test('the activity of a node is that under all its owners, for both forms of its ID', async () => {
  const nodes = new Set<string>(all.flatMap(({ nodeID }) => nodeID ?? []));
  const ownersOf = (nodeID: string) => all.flatMap((entry) => (entry.nodeID === nodeID ? (entry.owner ?? []) : []));
  const shared = [...nodes].filter((nodeID) => new Set(ownersOf(nodeID)).size > 1);
  for (const nodeID of [...shared, ...nodes].slice(0, 5)) {
    const expected = all.filter((entry) => entry.nodeID === nodeID);
    for (const form of [nodeID, parseNodeID(nodeID)])
      expect(await everyPage(minipoolsNodeIDActivity, {}, '1000', { nodeID: String(form) })).toEqual(expected);
  }
});

test('a doubt marks every answer about its own key, and no other', async () => {
  const { ada, alba, hugo, mona } = chain.people;
  const { nodeID } = all.find((entry) => entry.owner === ada && entry.nodeID) as Body;
  const figure = { view: 'view', ledger: '1', block: 1 };
  const { progress } = runtime.opened.ledger;
  const own = (address: string) => ({ key: address.toLowerCase(), address: address.toLowerCase() });
  const known = [
    { ...figure, contract: 'TokenggAVAX', ...own(alba), chain: '2' },
    { ...figure, contract: 'MinipoolManager', ...own(ada), key: parseNodeID(nodeID) as string, chain: '2' },
    { ...figure, contract: 'Staking', ...own(hugo) },
  ];
  const refused = [{ cycle: 1, staker: mona.toLowerCase() }];
  const ask = (endpoint: Endpoint, params: Query) =>
    get(endpoint, {}, params, startOnDevnet({ CACHE_TABLE: 'no-cache' }));
  const asked: [string, Endpoint, Query][] = [
    ...Object.entries({ ada, alba, hugo, mona }).flatMap(([name, address]): [string, Endpoint, Query][] => [
      [`${name}, staker`, stakersAddressActivity, { address }],
      [`${name}, holder`, ggAvaxAddressActivity, { address }],
      [`${name}, position`, ggAvaxAddress, { address }],
    ]),
    ['node', minipoolsNodeIDActivity, { nodeID }],
    ['all', activity, {}],
  ];
  const marked = async () => {
    const bodies = await Promise.all(asked.map(async ([name, ...of]) => [name, (await ask(...of)).body] as const));
    return bodies.flatMap(([name, { reasons = {} }]) => (Object.values(reasons).includes('MISMATCH') ? name : []));
  };
  expect(await marked()).toEqual([]);
  await progress.updateDoubts(0, (doubts) => ({ ...doubts, mismatches: known, refused }));
  expect(await marked()).toEqual(['ada, staker', 'alba, holder', 'alba, position', 'mona, staker', 'node']);
  const { body } = await ask(holders, {});
  const doubted = body.holders.filter(({ reasons }: Body) => reasons?.ggAvax === 'MISMATCH');
  expect(doubted.map(({ address }: Body) => address)).toEqual([alba]);
  // What does not fit the row may be about anybody.
  const many = Array.from({ length: 301 }, () => ({ ...figure, contract: 'Vault', chain: '2' }));
  await progress.updateDoubts(0, (doubts) => ({ ...doubts, mismatches: many }));
  expect(await marked()).toEqual(asked.map(([name]) => name).filter((name) => name !== 'all'));
  await progress.updateDoubts(0, () => ({ mismatches: [], refused: [] }));
});

test("the owner's rewards are in the ends of cycles, and add up to what the minipool's record says", async () => {
  const isEnd = ({ type, status }: Body) => type === 'minipoolStatusChanged' && status === 'withdrawable';
  expect(all.filter(({ rewardAVAX }) => rewardAVAX !== undefined)).toEqual(all.filter(isEnd));
  const { status, body } = await get(minipools);
  expect(status).toBe(200);
  let earning = 0;
  for (const { nodeID, creationTime, avaxNodeOpLifetimeRewardAmt } of body.minipools) {
    const ends = all.filter((entry) => isEnd(entry) && entry.nodeID === nodeID && entry.timestamp >= creationTime);
    const sum = ends.reduce((total, { rewardAVAX }) => total + parseEther(rewardAVAX), 0n);
    expect([nodeID, formatAmount(sum)]).toEqual([nodeID, avaxNodeOpLifetimeRewardAmt]);
    if (sum !== 0n) earning += 1;
  }
  expect(earning).toBeGreaterThan(20);
});

test('the rewards cycles are all past ones, each with the values of the contract at its block', async () => {
  const at = async (block: number, view: string, args: unknown[] = []) =>
    (await chain.read('RewardsPool', view, args, block)) as bigint;
  const { status, body } = await get(rewardsCycles);
  expect(status).toBe(200);
  expect(body.cycles.map(({ blockNumber, txHash }: Body) => [blockNumber, txHash])).toEqual(
    (await logsOf('NewRewardsCycleStarted(uint256)')).map(([block, , txHash]) => [block, txHash]),
  );
  expect(body.cycles.length).toBeGreaterThan(1);
  for (const { blockNumber: block, number, startTime, totalAmt, distribution } of body.cycles) {
    expect(number).toBe(Number(await at(block, 'getRewardsCycleCount')));
    expect(totalAmt).toBe(formatAmount(await at(block, 'getRewardsCycleTotalAmt')));
    expect(startTime).toBe((await chain.block(block)).timestamp);
    for (const name of ['ClaimNodeOp', 'ClaimProtocolDAO', 'MultisigManager'])
      expect(distribution[name]).toBe(formatAmount(await at(block, 'getClaimingContractDistribution', [name])));
  }
  const [{ blockNumber: block, timestamp }] = all;
  expect([body.coverage, body.block]).toEqual([coverage, { number: block, timestamp }]);
});

describe('a ledger that does not reach back to the first block', () => {
  let container: TestRuntime;
  let from: number;

  beforeAll(async () => {
    const { opened } = runtime;
    from = all[Math.floor(all.length / 2)].blockNumber;
    const whole = await opened.ledger.all(subjectOf.protocol);
    const part = openLedger({ name: 'fuji', firstBlock: 1 });
    await part.write(whole.entries.filter(({ block }) => block >= from - 100));
    await cover(part, from, whole.coverage.toBlock, whole.coverage.toTimestamp);
    container = onNetwork('fuji');
  });

  test('says so, and shows nothing from before its coverage', async () => {
    const { body } = await get(activity, { limit: '1000', type: 'minipoolLaunched' }, {}, container);
    const part = { fromBlock: from, toBlock: head, toTimestamp: expect.any(Number), sources: 2, complete: false };
    expect(body.coverage).toEqual(part);
    expect(body.activity).toEqual(
      all.filter(({ blockNumber, type }) => blockNumber >= from && type === 'minipoolLaunched'),
    );
    const cycles = (await get(rewardsCycles, {}, {}, container)).body;
    expect(cycles.coverage).toEqual(part);
    const started = all.filter(({ blockNumber, type }) => blockNumber >= from && type === 'rewardsCycleStarted');
    expect(cycles.cycles.length).toBe(started.length);
  });

  test('because nothing is recorded yet is a 409', async () => {
    for (const endpoint of [activity, rewardsCycles]) {
      const { status, body } = await get(endpoint, {}, {}, onNetwork('avalanche'));
      expect([status, body.code]).toEqual([409, 'NOT_KNOWN_YET']);
    }
  });

  /** A new container that reads the ledger under another network's name. */
  function onNetwork(name: 'avalanche' | 'fuji'): TestRuntime {
    const { config } = startOnDevnet().opened;
    return startWith({ ...config, network: { ...config.network, name } });
  }
});
