import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { encodeBytes32String, Interface, type LogDescription, parseEther, toQuantity, ZeroAddress } from 'ethers';
import { ggAvaxAddress } from '../../functions/gg-avax/address.ts';
import { ggAvaxAddressRewards } from '../../functions/gg-avax/address-rewards.ts';
import { pricesDex } from '../../functions/prices/dex.ts';
import { prices } from '../../functions/prices.ts';
import { DEVNET_ADDRESSES } from '../../infra/devnet/addresses.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { fill } from '../../lib/history/record-history.ts';
import { subjectOf } from '../../lib/ledger/ledger-entry.ts';
import { EXCHANGES } from '../../lib/prices/exchanges.ts';
import { NETWORKS } from '../../lib/runtime/networks.ts';
import { formatAmount } from '../../lib/values/amounts.ts';
import { DAY } from '../../lib/values/durations.ts';
import { type Body, sendTo } from '../support/events.ts';
import { recordAllDays, recordLedger } from '../support/recorded.ts';
import { lagsBehind } from '../support/rpc-providers.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { act, type Chain, chainForAllTests, type Fork, forkDevnet, removeView, serveQueue } from './devnet.ts';

/** Positions of ggAVAX holders, compared with the contracts. */

const QUEUE = DEVNET_ADDRESSES.WithdrawQueue;

const chain = chainForAllTests();
const tables = tablesForAllTests();
const keep = stoppedAfterEach();
let runtime: TestRuntime;
let head: { number: number; timestamp: number };
let events: Event[];

beforeAll(async () => {
  head = await chain.block('latest');
  await recordLedger();
  await recordAllDays();
  events = await eventsOf(chain);
  runtime = startOnDevnet();
});
afterAll(async () => {
  closeConnections();
});

interface Event extends Pick<LogDescription, 'name' | 'args'> {
  block: number;
  txHash: string;
}

const EVENTS = new Interface([
  'event Transfer(address indexed from, address indexed to, uint256 shares)',
  'event Deposit(address indexed caller, address indexed owner, uint256 assets, uint256 shares)',
  'event Withdraw(address indexed caller, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
  'event YieldDonated(bytes32 indexed source, address indexed caller, uint256 sharesBurnt, uint256 avaxEquivalent)',
  'event UnstakeRequested(uint256 indexed requestId, address indexed requester, uint256 shares, uint256 expectedAssets, uint48 claimableTime)',
  'event RequestFulfilled(bytes32 indexed source, uint256 indexed requestId, uint256 assets)',
  'event UnstakeClaimed(uint256 indexed requestId, address indexed claimer, uint256 amount)',
  'event RequestCancelled(uint256 indexed requestId, address indexed requester, uint256 shares)',
  'event ExpiredSharesReturned(uint256 indexed requestId, address indexed requester, uint256 shares)',
]);

/** All of these events of ggAVAX and its queue. */
async function eventsOf({ rpc, registered }: Chain): Promise<Event[]> {
  const address = [await registered('TokenggAVAX'), QUEUE];
  const logs = (await rpc.send('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest', address })) as {
    blockNumber: string;
    transactionHash: string;
    topics: string[];
    data: string;
  }[];
  return logs.flatMap((log) => {
    const event = EVENTS.parseLog(log);
    return event
      ? { name: event.name, args: event.args, block: Number(log.blockNumber), txHash: log.transactionHash }
      : [];
  });
}

const position = (address: string, on = runtime, query: Record<string, string> = {}) =>
  sendTo(ggAvaxAddress, on, { params: { address }, query });
const rewards = (address: string, query: Record<string, string> = {}, on = runtime) =>
  sendTo(ggAvaxAddressRewards, on, { params: { address }, query });
/** The contract's return values at blocks. Each value is requested once. */
const said = new Map<string, Promise<bigint>>();
function ggAvaxAt(method: string, args: unknown[], block: number): Promise<bigint> {
  const key = `${method}(${args}) ${block}`;
  const answer = said.get(key) ?? (chain.read('TokenggAVAX', method, args, block) as Promise<bigint>);
  said.set(key, answer);
  return answer;
}
const queueAt = async (method: string, args: unknown[], block?: number): Promise<Body> =>
  (await chain.readAt('WithdrawQueue', QUEUE, method, args, block))[0];
const transfers = () => events.filter(({ name }) => name === 'Transfer');
const holders = (): string[] =>
  [...new Set(transfers().flatMap(({ args: { from, to } }) => [from, to]))].filter((one) => one !== ZeroAddress);

/**
 * A holder's flows up to a block, from events only: transfers at the value of the shares at their block, requests at
 * the amount promised by the queue, and likewise shares that the queue returned according to its own events.
 */
async function flowsOf(holder: string, last: number) {
  const known = events.filter(({ block }) => block <= last);
  const of = (name: string, isTheirs: (args: Body, event: Event) => boolean) =>
    known.filter((event) => event.name === name && isTheirs(event.args, event));
  const total = (amount: string, ...from: Event[]) => from.reduce((sum, { args }) => sum + args[amount], 0n);
  const worth = async (moves: readonly Event[]) => {
    const assets = await Promise.all(moves.map(({ args, block }) => ggAvaxAt('convertToAssets', [args.shares], block)));
    return assets.reduce((sum, one) => sum + one, 0n);
  };
  const given = of('Transfer', ({ from, to }) => from === holder && to !== holder && to !== ZeroAddress);
  const received = of(
    'Transfer',
    ({ from, to }) => to === holder && ![holder, QUEUE, ZeroAddress].some((other) => from === other),
  );
  // A request can be made for another address than the one that gives the shares.
  const isHandedIn = ({ args: { to }, txHash }: Event, request: Event) => to === QUEUE && txHash === request.txHash;
  const requests = of(
    'UnstakeRequested',
    ({ requester }, request) => requester === holder && given.some((transfer) => isHandedIn(transfer, request)),
  );
  const gifts = given.filter((transfer) => !requests.some((request) => isHandedIn(transfer, request)));
  const withdrawals = of('Withdraw', ({ owner }) => owner === holder);
  const donations = of('YieldDonated', ({ caller }) => caller === holder);
  const claims = of('UnstakeClaimed', ({ claimer }) => claimer === holder);
  const returns = ['RequestCancelled', 'ExpiredSharesReturned'].flatMap((name) =>
    of(name, ({ requester }) => requester === holder),
  );
  const promised = total(
    'expectedAssets',
    ...returns.flatMap((end) => of('UnstakeRequested', ({ requestId }) => requestId === end.args.requestId)),
  );
  return {
    deposited: formatAmount(total('assets', ...of('Deposit', ({ owner }) => owner === holder))),
    withdrawn: formatAmount(total('assets', ...withdrawals) + total('expectedAssets', ...requests)),
    receivedAVAX: formatAmount(total('assets', ...withdrawals) + total('amount', ...claims)),
    transferredIn: formatAmount((await worth(received)) + promised),
    returned: formatAmount(promised),
    transferredOut: formatAmount((await worth(gifts)) + total('avaxEquivalent', ...donations)),
  };
}

/** The exact sum of the rewards of some days. */
const sumOf = (days: readonly Body[]): string =>
  formatAmount(days.reduce((sum, { rewardAVAX }) => sum + parseEther(rewardAVAX), 0n));

/** AVAX wei that a holder has earned up to a block, from events and the contract's value of the balance then. */
async function earnedBy(holder: string, block: number): Promise<bigint> {
  const [flows, balance] = await Promise.all([flowsOf(holder, block), ggAvaxAt('balanceOf', [holder], block)]);
  const [gone, come] = [
    parseEther(flows.withdrawn) + parseEther(flows.transferredOut),
    parseEther(flows.deposited) + parseEther(flows.transferredIn),
  ];
  return (await ggAvaxAt('convertToAssets', [balance], block)) + gone - come;
}

const hasQueue = async (block: number) =>
  (await chain.rpc.send('eth_getCode', QUEUE, `0x${block.toString(16)}`)) !== '0x';

/**
 * AVAX wei paid up to a block to all addresses except the queue: redemptions, and the amounts that the queue has set
 * aside and no longer has.
 */
async function paidOutBy(last: number): Promise<bigint> {
  const known = events.filter(({ block }) => block <= last);
  const total = (name: string) =>
    known.reduce((sum, { name: its, args }) => (its === name && args.owner !== QUEUE ? sum + args.assets : sum), 0n);
  const left = (await hasQueue(last)) ? await queueAt('totalAllocatedFunds', [], last) : 0n;
  return total('Withdraw') + total('RequestFulfilled') - left;
}

/** A holder's requests in the queue at a block: none before it was deployed. */
async function unstakingOf(holder: string, block: number) {
  const ids = (await hasQueue(block)) ? await queueAt('getRequestsByOwner', [holder, 0, 100], block) : [];
  const requests = await Promise.all(ids.map((id: bigint) => queueAt('getRequestInfo', [id], block)));
  const total = (amount: string) => formatAmount(requests.reduce((sum, request) => sum + request[amount], 0n));
  return { ggAvax: total('shares'), expectedAVAX: total('expectedAssets'), requests: requests.length };
}

describe('a position', () => {
  test('has the values of the contracts, for every holder at ten blocks', async () => {
    expect(holders().length).toBeGreaterThan(11);
    const first = transfers()[0]?.block as number;
    const blocks = Array.from({ length: 10 }, (_, index) => first + Math.floor(((head.number - first) * index) / 9));
    for (const block of blocks) {
      const then = await lagsBehind(process.env.DEVNET_RPC_URL as string, head.number - block);
      const container = startOnDevnet({ RPC_URLS: then.url, CACHE_TABLE: 'no-cache' });
      const { avaxInUSD } = (await sendTo(prices, container)).body;
      const compare = async (holder: string) => {
        const [{ status, body }, flows, unstaking, balance] = await Promise.all([
          position(holder, container),
          flowsOf(holder, block),
          unstakingOf(holder, block),
          ggAvaxAt('balanceOf', [holder], block),
        ]);
        const value = await ggAvaxAt('convertToAssets', [balance], block);
        expect([status, body]).toMatchObject([
          200,
          {
            ...{ address: holder, ggAvax: formatAmount(balance), avax: formatAmount(value), ...flows, unstaking },
            // Rewards are present only if the ledger's balance equals the contract's.
            rewardsAVAX: expect.any(String),
            // Nothing later is included, although the ledger covers more.
            ...{ coverage: { toBlock: block, complete: true }, block: { number: block } },
          },
        ]);
        expect(body.usd).toBeCloseTo(Number(body.avax) * avaxInUSD, 5);
        // No claim is missing: the ledger's open requests are the queue's.
        expect(body).not.toHaveProperty('partial');
        return holder === QUEUE ? 0n : parseEther(body.receivedAVAX);
      };
      const received = await Promise.all(holders().map(compare));
      expect(received.reduce((sum, avax) => sum + avax, 0n)).toBe(await paidOutBy(block));
      await then.stop();
    }
  });

  test('has rewards that equal the sum of its days to the wei, and in money, at the block of the last day', async () => {
    const all = await Promise.all(holders().map((holder) => rewards(holder, { limit: '1000' })));
    for (const { body } of all) {
      const last = body.days.at(-1);
      if (!last) continue;
      const block = await blockAt(last.closeTimestamp);
      expect(last.closeBlock).toBe(block);
      const then = await lagsBehind(process.env.DEVNET_RPC_URL as string, head.number - block);
      const { body: held } = await position(
        body.address,
        startOnDevnet({ RPC_URLS: then.url, CACHE_TABLE: 'no-cache' }),
      );
      await then.stop();
      expect([held.rewardsUSD, held.rewardsEUR]).toEqual([body.totals.rewardUSD, body.totals.rewardEUR]);
      expect(held.rewardsEUR).toEqual(expect.any(Number));
      expect([body.address, body.totals.rewardAVAX, sumOf(body.days)]).toEqual([
        body.address,
        held.rewardsAVAX,
        held.rewardsAVAX,
      ]);
    }
  });
});

test('returns the open requests of an address from all open ones if the queue does not list them by owner', async () => {
  const upgraded = keep(await forkDevnet());
  await removeView(upgraded, DEVNET_ADDRESSES.WithdrawQueue, 'getRequestsByOwner(address,uint256,uint256)');
  const container = startOnDevnet({ RPC_URLS: upgraded.url, CACHE_TABLE: 'no-cache' });
  let requests = 0;
  for (const holder of holders()) {
    const { unstaking } = (await position(holder)).body;
    expect((await position(holder, container)).body.unstaking).toEqual(unstaking);
    requests += unstaking.requests;
  }
  expect(requests).toBe(6);
});

test('what is told of too many events ends with the last of those that are read, and says so', async () => {
  const container = startOnDevnet({ CACHE_TABLE: 'no-cache' });
  const ledger = container.opened.ledger;
  const pasts = await Promise.all(
    holders().map(async (holder) => ({ holder, ...(await ledger.all(subjectOf.holder(holder.toLowerCase()))) })),
  );
  const busy = pasts.filter(({ holder, entries }) => holder !== QUEUE && entries.length > 4);
  expect(busy.length).toBeGreaterThan(2);
  const { all } = ledger;
  let daysRead = 0;
  for (const { holder, entries } of busy) {
    const most = Math.ceil(entries.length / 2);
    ledger.all = (subject, concerns) => all.call(ledger, subject, concerns, most);
    const { block: number, timestamp } = entries[most - 1] as { block: number; timestamp: number };
    const coverage = { toBlock: number, toTimestamp: timestamp, complete: false };

    const whole = (await position(holder)).body;
    const { body } = await position(holder, container);
    expect(body).toMatchObject({ ...(await flowsOf(holder, number)), coverage });
    const { ggAvax, unstaking, redemption } = whole;
    expect(body).toMatchObject({ ggAvax, unstaking, ...(redemption && { redemption }) });
    const ofWholePast = ['rewardsAVAX', 'rewardsUSD', 'rewardsEUR', 'averageAprPercent', 'since'];
    expect(body.partial).toEqual(ofWholePast);
    expect(new Set(Object.values(body.reasons))).toEqual(new Set(['TOO_MANY_EVENTS']));
    for (const field of ofWholePast) expect([field in whole, field in body]).toEqual([true, false]);

    const { days } = (await rewards(holder, { limit: '1000' })).body;
    const read = days.filter(({ closeBlock }) => closeBlock <= number);
    const part = (await rewards(holder, { limit: '1000' }, container)).body;
    expect(part).toMatchObject({ coverage, totals: {}, reasons: { 'totals.rewardAVAX': 'TOO_MANY_EVENTS' } });
    expect(part.days).toEqual(read);
    daysRead += read.length;
    const last = read.at(-1);
    if (!last) continue;
    const to = String(last.timestamp);
    expect((await rewards(holder, { to }, container)).body.totals.rewardAVAX).toBe(sumOf(read));
  }
  expect(daysRead).toBeGreaterThan(0);
});

describe('a value that is unknown is omitted:', () => {
  test('the value in USD, if neither feed nor pools have a price of AVAX', async () => {
    const { rpc, url } = keep(await forkDevnet());
    const container = () => startOnDevnet({ RPC_URLS: url, CACHE_TABLE: 'no-cache' });
    const exchanges = await Promise.all(
      EXCHANGES.map(({ code }) => sendTo(pricesDex, container(), { params: { dex: code } })),
    );
    const pools = exchanges.flatMap(({ body }) => body.pools).filter(({ pair }: Body) => pair === 'AVAX/USDC');
    expect(pools.length).toBeGreaterThan(2);
    for (const address of [NETWORKS.devnet.avaxUsdFeed, ...pools.map(({ address }: Body) => address)])
      await rpc.send('anvil_setCode', address, '0x');
    await rpc.send('evm_mine');
    const [holder = ''] = holders();
    const { ggAvax, deposited } = (await position(holder)).body;
    const { status, body } = await position(holder, container());
    expect(status).toBe(200);
    expect(body).toMatchObject({ ggAvax, deposited });
    expect(body).not.toHaveProperty('usd');
  });

  test('the rewards, if the balance has changed since the last covered block', async () => {
    const forked = keep(await forkDevnet());
    const { alba: holder, bruno: other } = forked.people;
    expect(await act(forked, holder, 'TokenggAVAX', 'transfer(address,uint256)', [other, 1n])).toBe(true);
    const container = startOnDevnet({ RPC_URLS: forked.url, CACHE_TABLE: 'no-cache' });
    for (const address of [holder, other]) {
      const [{ body: before }, { body: after }] = await Promise.all([position(address), position(address, container)]);
      expect(before).toHaveProperty('rewardsAVAX');
      expect(after).toMatchObject({ deposited: before.deposited, coverage: { complete: true } });
      expect(after).not.toHaveProperty('rewardsAVAX');
      expect(after.partial).toEqual([
        ...['deposited', 'withdrawn', 'receivedAVAX', 'transferredIn', 'returned', 'transferredOut'],
        ...['rewardsAVAX', 'rewardsUSD', 'rewardsEUR', 'averageAprPercent', 'since'],
      ]);
      expect(new Set(Object.values(after.reasons))).toEqual(new Set(['SOURCE_UNAVAILABLE']));
      expect(before).not.toHaveProperty('partial');
    }
  });

  test('nothing, if a claim after the last covered block is all that the ledger lacks, but it is said', async () => {
    const forked = keep(await forkDevnet());
    const ids: bigint[] = await queueAt('getAllFulfilledRequests', []);
    const canBeClaimed = await Promise.all(ids.map((id) => queueAt('canClaimRequest', [id])));
    const id = ids[canBeClaimed.indexOf(true)] as bigint;
    const { requester: holder } = await queueAt('getRequestInfo', [id]);
    expect(await act(forked, holder, QUEUE, 'claimUnstake(uint256)', [id])).toBe(true);
    const container = startOnDevnet({ RPC_URLS: forked.url, CACHE_TABLE: 'no-cache' });
    const [{ body: before }, { body: after }] = await Promise.all([position(holder), position(holder, container)]);
    const { receivedAVAX, unstaking } = before;
    expect(after).toMatchObject({ receivedAVAX, partial: ['receivedAVAX'], rewardsAVAX: expect.any(String) });
    expect(after.unstaking.requests).toBe(unstaking.requests - 1);
  });

  // Only tests with tables of their own may follow this one, which empties them.
  test('the rewards, even of an address without flows, if coverage is incomplete', async () => {
    await tables.renew();
    const nobody = `0x${'7'.repeat(40)}`;
    const container = startOnDevnet({ CACHE_TABLE: 'no-cache' });
    const ledger = container.opened.ledger;
    await ledger.progress.setFirst(1);
    await ledger.progress.extend(head.number, head.number, head.timestamp);
    const [{ body: held }, { body: earned }] = [
      await position(nobody, container),
      await rewards(nobody, {}, container),
    ];
    expect(held).toMatchObject({ ggAvax: '0', deposited: '0', coverage: { complete: false } });
    expect(held).not.toHaveProperty('rewardsAVAX');
    expect(earned).toMatchObject({
      days: [],
      totals: {},
      coverage: held.coverage,
      partial: ['totals.rewardAVAX', 'totals.rewardUSD', 'totals.rewardEUR'],
    });
    expect(new Set(Object.values({ ...earned.reasons, ...held.reasons }))).toEqual(new Set(['NOT_INDEXED']));
  });
});

describe('AVAX of a request that is not claimed returns as new shares of that value, neither received nor withdrawn:', () => {
  let forked: Fork;
  beforeEach(async () => {
    await tables.renew();
    await recordLedger();
    forked = keep(await forkDevnet());
  });

  /** Ends a fulfilled request with a transaction that is to return its AVAX, and compares the position with before. */
  async function end(id: bigint, transaction: (holder: string) => Promise<boolean>) {
    const [{ requester: holder, allocatedFunds }] = await forked.readAt('WithdrawQueue', QUEUE, 'getRequestInfo', [id]);
    const container = startOnDevnet({ RPC_URLS: forked.url, CACHE_TABLE: 'no-cache' });
    await recordLedger(container);
    const { body: before } = await position(holder, container);

    expect(await transaction(holder)).toBe(true);
    // The state after the block contains the new shares, which were bought at the rate before.
    const { number } = await forked.block('latest');
    const ofToken = (method: string, args: unknown[] = []) =>
      forked.read('TokenggAVAX', method, args) as Promise<bigint>;
    const [balance, assets, supply] = await Promise.all([
      ofToken('balanceOf', [holder]),
      ofToken('totalAssets'),
      ofToken('totalSupply'),
    ]);
    const shares = balance - parseEther(before.ggAvax);
    expect(shares).toBe((allocatedFunds * (supply - shares)) / (assets - allocatedFunds));
    const later = startOnDevnet({ RPC_URLS: forked.url, CACHE_TABLE: 'no-cache' });
    await recordLedger(later);
    const { body: after } = await position(holder, later);
    expect(after).toMatchObject({
      ...{ deposited: before.deposited, withdrawn: before.withdrawn, receivedAVAX: before.receivedAVAX },
      transferredIn: formatAmount(parseEther(before.transferredIn) + allocatedFunds),
      returned: formatAmount(parseEther(before.returned) + allocatedFunds),
      ...{ coverage: { toBlock: number, complete: true }, rewardsAVAX: expect.any(String) },
    });
    expect(after.unstaking.requests).toBe(before.unstaking.requests - 1);
    // Not each day since the address first held ggAVAX is recorded here.
    expect(after.partial).toEqual(['rewardsUSD', 'rewardsEUR']);
  }

  test('after it has expired', async () => {
    const ids: bigint[] = await queueAt('getAllFulfilledRequests', []);
    const canBeClaimed = await Promise.all(ids.map((id) => queueAt('canClaimRequest', [id])));
    const id = ids[canBeClaimed.indexOf(false)] as bigint;
    await end(id, () => act(forked, forked.people.hugo, QUEUE, 'reclaimExpiredRequest(uint256)', [id]));
  });

  test('if it is canceled before its claimable time', async () => {
    const pending: bigint[] = await queueAt('getAllPendingRequests', []);
    const id = pending.toSorted().at(-1) as bigint;
    const avax = parseEther('3000');
    const source = encodeBytes32String('DELEGATION');
    const { rialto } = forked.people;
    await forked.rpc.send('anvil_setBalance', rialto, toQuantity(2n * avax));
    expect(await serveQueue(forked, avax, source)).toBe(true);
    await end(id, (holder) => act(forked, holder, QUEUE, 'cancelRequest(uint256)', [id]));
  });
});

describe('with days that were not recorded', () => {
  /** Days before the newest midnight. Those before the first of them, and between two, are not recorded. */
  const RECORDED = [30, 29, 28, 27, 26, 25, 19, 18, 17, 16];
  let [holder, midnight]: [string, number] = ['', 0];
  const at = (daysAgo: number) => midnight - daysAgo * DAY;
  /**
   * Returns the rewards from `first` days ago to `last` days ago. Without `first`, the range begins at the start;
   * without `last`, it ends at the end.
   */
  const range = async (first?: number, last?: number, query: Record<string, string> = {}) => {
    const times: Record<string, string> = {
      ...(first !== undefined && { from: String(at(first)) }),
      ...(last !== undefined && { to: String(at(last) + 5) }),
    };
    const { status, body } = await rewards(holder, { ...times, limit: '1000', ...query });
    expect(status).toBe(200);
    return body;
  };

  beforeAll(async () => {
    await tables.renew();
    await recordLedger();
    midnight = head.timestamp - (head.timestamp % DAY);
    const { opened, telemetry } = startOnDevnet();
    const recording = { chain: opened.chain, history: opened.history, telemetry };
    const filled = await fill(recording, head, RECORDED.map(at), { mayGoOn: () => true });
    expect(filled).toMatchObject({ recorded: RECORDED.length, failed: 0 });
    runtime = startOnDevnet();
    [holder = ''] = holders();
  });

  test('ranges that divide no entry add up to the whole, and each is what the contracts say', async () => {
    const whole = await range();
    const earnedUpTo = new Map<number | undefined, bigint>([[undefined, 0n]]);
    for (const { closeTimestamp, closeBlock } of whole.days) {
      // The last block by then: the next one is later.
      const times = await Promise.all(
        [closeBlock, closeBlock + 1].map(async (one) => (await chain.block(one)).timestamp),
      );
      expect(times.map((time) => time <= closeTimestamp)).toEqual([true, false]);
      earnedUpTo.set(closeTimestamp, await earnedBy(holder, closeBlock));
    }
    expect(parseEther(whole.totals.rewardAVAX)).toBe(earnedUpTo.get(at(16)));
    const [oldest] = whole.days;
    expect([Number(oldest?.timestamp) < at(60), oldest?.incomplete]).toEqual([true, true]);

    let sum = 0n;
    for (const [first, last] of [
      [undefined, 31],
      [30, 28],
      [27, 26],
      [25, 20],
      [19, undefined],
    ]) {
      const { days, totals } = await range(first, last);
      const [opened, closed] = [first === undefined ? undefined : at(first), days.at(-1)?.closeTimestamp];
      const earned = (earnedUpTo.get(closed) as bigint) - (earnedUpTo.get(opened) as bigint);
      expect([first, totals.rewardAVAX, sumOf(days)]).toEqual([first, formatAmount(earned), formatAmount(earned)]);
      sum += earned;
    }
    expect(formatAmount(sum)).toBe(whole.totals.rewardAVAX);
  });
});

/** The last block at or before a time. */
async function blockAt(time: number): Promise<number> {
  for (let number = head.number; ; number--) if ((await chain.block(number)).timestamp <= time) return number;
}
