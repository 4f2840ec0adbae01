import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseEther, ZeroAddress } from 'ethers';
import { ggAvaxAddress } from '../../functions/gg-avax/address.ts';
import { ggAvax } from '../../functions/gg-avax.ts';
import { holders } from '../../functions/holders.ts';
import { withdrawalsAddress } from '../../functions/withdrawals/address.ts';
import { withdrawalsEstimate } from '../../functions/withdrawals/estimate.ts';
import { withdrawals } from '../../functions/withdrawals.ts';
import { DEVNET_ADDRESSES } from '../../infra/devnet/addresses.ts';
import { holdersOf } from '../../lib/history/holders-dataset.ts';
import { NETWORKS } from '../../lib/runtime/networks.ts';
import { formatAmount } from '../../lib/values/amounts.ts';
import { DAY } from '../../lib/values/durations.ts';
import { type Body, bodyFrom, sendTo } from '../support/events.ts';
import { recordDays, recordLedger } from '../support/recorded.ts';
import { lagsBehind } from '../support/rpc-providers.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { startTables, tablesForAllTests } from '../support/tables.ts';
import { act, chainForAllTests, expectTrue, forkDevnet, removeView, setPool, unregister } from './devnet.ts';

/** Holders of ggAVAX and the withdrawal queue, compared with their contracts. */

const keep = stoppedAfterEach();
const chain = chainForAllTests();
const tables = tablesForAllTests();
let runtime: TestRuntime;

beforeAll(async () => {
  await recordLedger();
  await recordDays(1);
  runtime = startOnDevnet();
});

const holdersWith = (query: Record<string, string> = {}): Promise<Body> => bodyFrom(holders, runtime, { query });
const ofToken = (view: string, args: unknown[], block?: number) =>
  chain.read('TokenggAVAX', view, args, block) as Promise<bigint>;

test('balances are those of the token, and add up to its supply', async () => {
  const { holders, total, ...rest } = await holdersWith({ limit: '1000' });
  expect(holders.length).toBe(total);
  await expectTrue(
    '/holders',
    holders.map((holder: Body) => ({ ...rest, holders: [holder] })),
  );
  const sum = holders.reduce((all: bigint, { ggAvax }: Body) => all + parseEther(ggAvax), 0n);
  expect(sum).toBe(await ofToken('totalSupply', [], rest.block.number));
  const since = (await holdersWith({ sort: 'since', limit: '1000' })).holders.map((holder: Body) => holder.since);
  expect(since).toEqual(since.toSorted());
  const balances = holders.map(({ ggAvax }: Body) => -Number(ggAvax));
  expect(balances).toEqual(balances.toSorted((a: number, b: number) => a - b));
});

test('contracts that stand for many have a label, and nobody else has', async () => {
  const { holders } = await holdersWith({ limit: '1000' });
  const labels = holders.flatMap(({ address, label }: Body) => (label ? [[address, label]] : []));
  expect(new Map(labels)).toEqual(
    new Map([
      [DEVNET_ADDRESSES.WithdrawQueue, 'Withdrawal queue'],
      [DEVNET_ADDRESSES.TokenpstAVAX, 'pstAVAX'],
      [DEVNET_ADDRESSES.AssetLocker, 'Locked tokens'],
    ]),
  );
});

/** The entries of all types that change balances. */
async function readFlows() {
  const types = ['ggAvaxDeposited', 'ggAvaxWithdrawn', 'ggAvaxTransferred', 'yieldAdded'] as const;
  const read = await Promise.all(types.map((type) => runtime.opened.ledger.ofType(type)));
  return read.flatMap(({ entries }) => entries);
}

test('balances add up to the supply at ten blocks', async () => {
  const entries = await readFlows();
  const { number: head } = await chain.block('latest');
  for (let n = 1; n <= 10; n++) {
    const block = Math.floor((head * n) / 10);
    const held = holdersOf(entries.filter((entry) => entry.block <= block));
    const sum = held.reduce((all, { shares }) => all + shares, 0n);
    expect([block, sum]).toEqual([block, await ofToken('totalSupply', [], block)]);
  }
});

test('of equal balances the earliest comes first, and a transfer of nothing makes no holder', async () => {
  const transferred = (await runtime.opened.ledger.ofType('ggAvaxTransferred')).entries[0];
  if (!transferred) throw new Error('no transfer');
  const given = (to: string, timestamp: number, shares = 5n) => ({
    ...transferred,
    from: ZeroAddress,
    to,
    timestamp,
    shares,
  });
  const later = [given('0xb', 2), given('0xc', 3), given('0xd', 4)];
  for (const entries of [later, later.toReversed()])
    expect(holdersOf([given('0xd', 1, 0n), ...entries])).toEqual(
      later.map(({ to: address, timestamp: since }) => ({ address, since, shares: 5n })),
    );
});

test('lists all holders without reading entries', async () => {
  const { address, since, ggAvax } = (await holdersWith({ sort: 'since' })).holders[0];
  const all = holdersOf(await readFlows());
  expect(all.find((one) => one.address === address.toLowerCase())).toEqual({
    ...{ address: address.toLowerCase(), since, shares: parseEther(ggAvax) },
  });
  const { listedTo, coverage } = await runtime.opened.ledger.progress.latest();
  expect(listedTo).toEqual({ number: coverage.toBlock, timestamp: coverage.toTimestamp });
  const another = startOnDevnet({ CACHE_TABLE: 'no-cache' });
  another.opened.ledger.pages = (subject) => {
    throw new Error(`reads ${subject}`);
  };
  const { body } = await sendTo(holders, another, { query: { limit: '1000' } });
  expect(body.holders).toEqual((await holdersWith({ limit: '1000' })).holders);
  expect(body.total).toBe(all.length);
});

test('0x0 is a holder like any other, to which no redemption is offered', async () => {
  const fork = keep(await forkDevnet());
  const { alba } = fork.people;
  const [pool, wavax] = [await fork.registered('TokenggAVAX'), NETWORKS.devnet.wavax];
  expect(await act(fork, alba, pool, 'transfer(address,uint256)', [ZeroAddress, 5n])).toBe(true);
  expect(await act(fork, alba, wavax, 'deposit()', [], 1_000n)).toBe(true);
  expect(await act(fork, alba, wavax, 'approve(address,uint256)', [pool, 1_000n])).toBe(true);
  expect(await act(fork, alba, pool, 'deposit(uint256,address)', [1_000n, ZeroAddress])).toBe(true);
  keep(await startTables());
  const on = startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' });
  await recordLedger();
  await recordLedger(on);
  const { body } = await sendTo(holders, on, { query: { limit: '1000' } });
  const read = (view: string, args: unknown[]) => fork.read('TokenggAVAX', view, args) as Promise<bigint>;
  const [balance, supply] = await Promise.all([read('balanceOf', [ZeroAddress]), read('totalSupply', [])]);
  expect(balance).toBeGreaterThan(5n);
  expect(body.holders.find(({ address }: Body) => address === ZeroAddress)?.ggAvax).toBe(formatAmount(balance));
  expect(body.holders.reduce((all: bigint, { ggAvax }: Body) => all + parseEther(ggAvax), 0n)).toBe(supply);
  const nobody = await sendTo(ggAvaxAddress, on, { params: { address: ZeroAddress } });
  expect(nobody.body).toMatchObject({ ggAvax: formatAmount(balance), transferredIn: '0.000000000000000005' });
  expect(nobody.body).not.toHaveProperty('redemption');
  expect(nobody.body).not.toHaveProperty('partial');
});

const requestsWith = (query?: Record<string, string>): Promise<Body> =>
  bodyFrom(withdrawals, runtime, query && { query });
const of = (address: string) => sendTo(withdrawalsAddress, runtime, { params: { address } });
const queue = async (method: string, args: unknown[] = []) =>
  (await chain.readAt(DEVNET_ADDRESSES.WithdrawQueue, method, args))[0];

describe('the list of withdrawals', () => {
  test("has the contract's pending and fulfilled requests, sorted by ID", async () => {
    const body = await requestsWith();
    const ids = [...(await queue('getAllPendingRequests')), ...(await queue('getAllFulfilledRequests'))].map(Number);
    expect(body.requests.map(({ requestId }: Body) => requestId)).toEqual(ids.toSorted((a, b) => a - b));
    expect(body.total).toBe(6);
    await expectTrue('/withdrawals', [body]);
  });

  test('has no amount for a transaction that the chain refuses', async () => {
    const forked = keep(await forkDevnet());
    const asked = async () => {
      const { requests } = await bodyFrom(
        withdrawals,
        startOnDevnet({ RPC_URLS: forked.url, CACHE_TABLE: 'no-cache' }),
      );
      return requests.map(({ requestId, status, cancelGgAvax, expiryGgAvax }: Body) => ({
        ...{ requestId, status, cancels: cancelGgAvax !== undefined, expires: expiryGgAvax !== undefined },
      }));
    };
    const accepted = await asked();
    expect(accepted.some(({ cancels }: Body) => cancels)).toBe(true);
    expect(accepted.find(({ status }: Body) => status === 'expired')).toMatchObject({ expires: true });
    await removeView(forked, DEVNET_ADDRESSES.WithdrawQueue, 'cancelRequest(uint256)');
    await removeView(forked, DEVNET_ADDRESSES.WithdrawQueue, 'reclaimExpiredRequest(uint256)');
    expect(await asked()).toEqual(
      accepted.map((request: Body) => ({
        ...request,
        cancels: false,
        // A request that waits can be reclaimed once it has expired: that cannot be simulated now.
        expires: request.expires && request.status !== 'expired',
      })),
    );
  });

  test.each([
    ['pending', [7, 8, 9]],
    ['fulfilled,expired', [1, 2, 5]],
  ])('is filtered by the statuses %s, while the summary stays the same', async (status, expected) => {
    const body = await requestsWith({ status });
    expect(body.requests.map(({ requestId }: Body) => requestId)).toEqual(expected);
    expect(body.total).toBe(expected.length);
    expect(body.withdrawQueue.pendingRequests).toBe(3);
  });
});

test('the requests of an address are those in the list, for an address in any case', async () => {
  const { bruno } = chain.people;
  const all = await requestsWith();
  const { status, body } = await of(bruno.toLowerCase());
  expect(status).toBe(200);
  expect(body).toEqual({
    address: bruno,
    withdrawQueue: all.withdrawQueue,
    service: all.service,
    requests: all.requests.filter(({ requester }: Body) => requester === bruno),
    total: 2,
    block: all.block,
  });
  const ids = await queue('getRequestsByOwner', [bruno, 0, 10]);
  expect(body.requests.map(({ requestId }: Body) => BigInt(requestId))).toEqual([...ids].toSorted());
});

test('an estimate for an empty pool is 0 AVAX for ggAVAX, a 404 for AVAX, and without a pool a 503', async () => {
  const emptied = keep(await forkDevnet());
  await setPool(emptied, { lastRewardsAmt: 0n, totalReleasedAssets: 0n });
  expect(await emptied.read('TokenggAVAX', 'totalAssets')).toBe(0n);
  expect(await emptied.read('TokenggAVAX', 'totalSupply')).toBeGreaterThan(0n);

  const container = () => startOnDevnet({ RPC_URLS: emptied.url, CACHE_TABLE: 'no-cache' });
  const estimate = (query: Record<string, string>) => sendTo(withdrawalsEstimate, container(), { query });
  expect((await estimate({ ggAvax: '10' })).body).toMatchObject({ ggAvax: '10', avax: '0', instantAVAX: '0' });
  expect(await estimate({ avax: '10' })).toMatchObject({
    status: 404,
    body: { code: 'NO_VALUE', detail: 'The liquid staking pool has no AVAX.' },
  });
  await unregister(emptied, 'TokenggAVAX');
  expect(await estimate({ ggAvax: '10' })).toMatchObject({
    status: 503,
    body: { code: 'UPSTREAM_UNAVAILABLE', detail: 'The liquid staking pool does not answer.' },
  });
});

describe('an estimate', () => {
  const estimate = (query: Record<string, string>) => sendTo(withdrawalsEstimate, runtime, { query });

  test("has the contract's conversion, the queue's delays, and the pending requests ahead", async () => {
    const { status, body } = await estimate({ ggAvax: '123.456789' });
    expect(status).toBe(200);
    const promised = formatAmount(await chain.read('TokenggAVAX', 'convertToAssets', [parseEther('123.456789')]));
    const { withdrawQueue, block } = await requestsWith();
    expect(body).toEqual({
      ggAvax: '123.456789',
      avax: promised,
      instantAVAX: promised,
      ahead: { requests: 3, avax: withdrawQueue.pendingAVAX },
      claimableTime: block.timestamp + 15 * DAY,
      expirationTime: block.timestamp + 75 * DAY,
      paused: false,
      redemption: { open: true, availableAVAX: expect.any(String) },
      block,
    });
  });

  test('for AVAX has the least ggAVAX that is worth it, of which only what is left can be paid at once', async () => {
    const shares = parseEther((await estimate({ avax: '10' })).body.ggAvax);
    const isEnough = async (amount: bigint) =>
      (await chain.read('TokenggAVAX', 'convertToAssets', [amount])) >= parseEther('10');
    expect([await isEnough(shares), await isEnough(shares - 1n)]).toEqual([true, false]);
    const instantOf = async (avax: string) => (await estimate({ avax })).body.instantAVAX;
    expect(await instantOf('2000000')).toBe(await instantOf('1000000'));
    expect(Number(await instantOf('1000000'))).toBeGreaterThan(0);
  });

  test.each([[{}], [{ ggAvax: '1', avax: '1' }]])('is for exactly one amount, not %j', async (query) => {
    const { status, body } = await estimate(query);
    expect(status).toBe(400);
    const message = 'or avax must be given, but not both';
    expect(body).toMatchObject({ detail: `ggAvax ${message}.`, errors: [{ parameter: 'ggAvax', message }] });
  });
});

test.each([
  ['does not list its requests', 'getAllPendingRequests()'],
  ['does not describe the requests it lists', 'getRequestInfo(uint256)'],
])('a queue that %s is a 503, not an empty list, and has no pendingAVAX in /ggAvax', async (_, signature) => {
  const upgraded = keep(await forkDevnet());
  await removeView(upgraded, DEVNET_ADDRESSES.WithdrawQueue, signature);
  const container = startOnDevnet({ RPC_URLS: upgraded.url, CACHE_TABLE: 'no-cache' });
  const unavailable = { status: 503, body: { code: 'UPSTREAM_UNAVAILABLE' } };
  expect(await sendTo(withdrawals, container)).toMatchObject(unavailable);
  const params = { address: chain.people.bruno };
  expect(await sendTo(withdrawalsAddress, container, { params })).toMatchObject(unavailable);
  const query = { ggAvax: '10' };
  expect(await sendTo(withdrawalsEstimate, container, { query })).toMatchObject(unavailable);
  const { withdrawQueue } = (await sendTo(ggAvax, container)).body;
  expect(withdrawQueue).toMatchObject({ pendingRequests: 3 });
  expect(withdrawQueue).not.toHaveProperty('pendingAVAX');
});

test('a block before the queue was deployed has an empty list, and no summary', async () => {
  // The queue was deployed on day 45 of 90.
  const { number } = await chain.block('latest');
  const old = keep(await lagsBehind(process.env.DEVNET_RPC_URL as string, Math.floor(number * 0.8)));
  await tables.renew();
  const body = await bodyFrom(withdrawals, startOnDevnet({ RPC_URLS: old.url }));
  const service = { overdueRequests: 0 };
  expect(body).toEqual({ withdrawQueue: {}, service, requests: [], total: 0, block: body.block });
  expect(body.block.number).toBeLessThan(number / 2);
});
