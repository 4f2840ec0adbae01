import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Interface, MaxUint256, parseEther } from 'ethers';
import { accountsAddress } from '../../functions/accounts/address.ts';
import { accountRows, accounts } from '../../functions/accounts.ts';
import { ggAvaxAddress } from '../../functions/gg-avax/address.ts';
import { prices } from '../../functions/prices.ts';
import { withdrawalsAddress } from '../../functions/withdrawals/address.ts';
import { DEVNET_ADDRESSES } from '../../infra/devnet/addresses.ts';
import { readDataset } from '../../lib/cache/cache.ts';
import { readCachedPools } from '../../lib/prices/current.ts';
import { protocolDataset } from '../../lib/protocol/protocol.ts';
import { formatAmount } from '../../lib/values/amounts.ts';
import { clockAt } from '../support/clock.ts';
import { type Body, bodyFrom, sendTo } from '../support/events.ts';
import { recordLedger } from '../support/recorded.ts';
import { proxyTo } from '../support/rpc-providers.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';
import {
  act,
  balanceOf,
  chainForAllTests,
  expectTrue,
  type Fork,
  forkDevnet,
  leaveWAVAX,
  pass,
  pause,
  serveQueue,
  setStaker,
  transact,
} from './devnet.ts';

/** Everything that addresses have, compared with the endpoints for its parts and with the contracts. */

const chain = chainForAllTests();
let runtime: TestRuntime;
let everybody: string[];
tablesForAllTests();
const keep = stoppedAfterEach();

beforeAll(async () => {
  await recordLedger();
  runtime = startOnDevnet();
  everybody = Object.values(chain.people);
});

const account = (address: string, on = runtime): Promise<Body> =>
  bodyFrom(accountsAddress, on, { params: { address } });
const several = (addresses: readonly string[], on = runtime) =>
  sendTo(accounts, on, { query: { address: addresses.join(',') } });
const sum = (amounts: readonly string[]) => formatAmount(amounts.reduce((total, one) => total + parseEther(one), 0n));

test('several accounts are those of the single endpoint, in the order asked, with their sum', async () => {
  const { alba, ada, fabio } = chain.people;
  const { status, body } = await several([fabio, ada.toLowerCase(), alba, fabio]);
  expect(status).toBe(200);
  const singles = await Promise.all([fabio, ada, alba].map((address) => account(address)));
  // test/infra/verify/verify.chain.test.ts does so for everybody.
  await expectTrue('/accounts/{address}', singles);
  expect(body.accounts).toEqual(singles.map(({ block, ...fields }) => fields));
  expect(body.totalAVAX).toBe(sum(singles.map(({ totalAVAX }) => totalAVAX)));
});

describe('in euros', () => {
  test('what has no price is left out and named', async () => {
    const fork = keep(await forkDevnet());
    const { alba } = fork.people;
    await fork.rpc.send('anvil_setCode', DEVNET_ADDRESSES.EurUsdFeed, '0x');
    const on = startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' });
    const { body } = await sendTo(prices, on);
    expect(body).toMatchObject({ partial: ['eurInUSD'], reasons: { eurInUSD: 'NO_PRICE' } });
    expect([body, body.sources].map((each) => 'eurInUSD' in each)).toEqual([false, false]);
    const list = await several([alba], on);
    for (const { reasons } of [await account(alba, on), list.body]) expect(reasons?.totalEUR).toBe('NO_PRICE');
    const own = await bodyFrom(ggAvaxAddress, on, { params: { address: alba } });
    expect(own.reasons).toMatchObject({ eur: 'NO_PRICE' });
  });

  test('the table has a row an address, with sums by token, and says which total has no price', async () => {
    const { ada, alba } = chain.people;
    const { body: list } = await several([ada, alba], runtime);
    const [unpriced, priced] = list.accounts as [Body, Body];
    delete unpriced.totalEUR;
    const [columns = [], ...rows] = accountRows({ accounts: [unpriced, priced], partial: ['totalEUR'] })
      .trimEnd()
      .split('\r\n')
      .map((row) => row.split(','));
    const told = rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));
    const expected = [unpriced, priced].map(({ address, totalAVAX, totalEUR = '', availableNow, withdrawals }) => {
      const paid = (token: string) =>
        sum(availableNow.flatMap((entry: Body) => (entry.token === token ? [entry.amount] : [])));
      return {
        ...{ address, totalAVAX, totalEUR: String(totalEUR), 'withdrawals.pendingAVAX': withdrawals.pendingAVAX },
        ...{ 'availableNow.AVAX': paid('AVAX'), 'availableNow.GGP': paid('GGP') },
        partial: totalEUR === '' ? 'totalEUR' : '',
      };
    });
    expect(told).toMatchObject(expected);
    expect(told[0]?.locked).toMatch(/^410 GGP until \d{4}-\d\d-\d\d$/);
  });
});

test('more than 50 addresses, or none, are refused', async () => {
  const tooMany = Array.from({ length: 51 }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`);
  for (const bad of [[], tooMany]) {
    const { status, body } = await several(bad);
    expect([status, body.errors?.[0]?.parameter]).toEqual([400, 'address']);
  }
  expect((await several(tooMany.slice(1))).status).toBe(200);
});

test('a lock lasts until the later of its own time and the date for everybody', async () => {
  const fork = keep(await forkDevnet());
  const on = () => startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' });
  const { fabio, ada, guardian } = fork.people;
  const { timestamp } = await fork.block('latest');
  const [before] = (await account(fabio, on())).locked;
  expect(before.until).toBe(Number((await fork.readAt(DEVNET_ADDRESSES.AssetLocker, 'getWithdrawDate'))[0]));
  const setDate = (date: number | bigint) =>
    act(fork, guardian, DEVNET_ADDRESSES.AssetLocker, 'setWithdrawDate(uint256)', [date]);
  expect(await setDate(timestamp + 90_000)).toBe(true);
  const [held, later] = [await account(fabio, on()), await account(ada, on())];
  expect(held.locked).toEqual([
    { id: await fork.registered('TokenggAVAX'), token: 'ggAVAX', amount: '12.25', until: timestamp + 90_000 },
  ]);
  expect(later.locked[0].until).toBeGreaterThan(timestamp + 90_000);
  expect(held.availableNow).not.toContainEqual(expect.objectContaining({ what: 'withdrawLocked' }));
  await pass(fork, 90_000);
  expect((await account(fabio, on())).availableNow).toContainEqual(expect.objectContaining({ what: 'withdrawLocked' }));
  expect(await setDate(MaxUint256)).toBe(true);
  expect((await account(fabio, on())).locked).toEqual([
    { id: await fork.registered('TokenggAVAX'), token: 'ggAVAX', amount: '12.25' },
  ]);
  expect((await account(fabio, on())).availableLater).toEqual([]);
});

test('all shares of a vault that has what they are worth are redeemed, and what pays nothing is no claim', async () => {
  const fork = keep(await forkDevnet());
  const { fabio, alba, gilda } = fork.people;
  const { WAVAX, XAVAX, TokenpstAVAX } = DEVNET_ADDRESSES;
  // With this, each of the 55 shares is worth two AVAX.
  const added = parseEther('54.74') + 1n;
  expect(await act(fork, fabio, WAVAX, 'deposit()', [], added)).toBe(true);
  const [half, transfer] = [parseEther('27.5'), 'transfer(address,uint256)'];
  expect(await act(fork, fabio, WAVAX, transfer, [XAVAX, added])).toBe(true);
  expect(await act(fork, fabio, XAVAX, transfer, [gilda, half])).toBe(true);
  // Worth less than a wei of ggAVAX.
  expect(await act(fork, alba, TokenpstAVAX, transfer, [gilda, 1n])).toBe(true);
  const { availableNow } = await account(gilda, startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' }));
  const claims = availableNow.filter(({ what }: Body) => what === 'redeemXAvax' || what === 'withdrawPstAvax');
  expect(claims).toMatchObject([{ amount: '55', call: { arguments: [String(half)] } }]);
});

/** Sends a claim's call, returns the increase of its token's balance, and reverts the chain. */
async function takeOut(fork: Fork, from: string, { what, token, call }: Body): Promise<bigint> {
  const snapshot = await fork.rpc.send('evm_snapshot');
  const before = await balanceOf(fork, from, token);
  const { contract, function: signature, arguments: args, data, value, chainId } = call;
  expect(data).toBe(new Interface([`function ${signature}`]).encodeFunctionData(signature, args));
  expect([value, chainId]).toEqual(['0', Number(await fork.rpc.send('eth_chainId'))]);
  if (!(await transact(fork, { from, to: contract, data }))) throw new Error(`${what}: ${signature} failed`);
  const gained = (await balanceOf(fork, from, token)) - before;
  await fork.rpc.send('evm_revert', snapshot);
  return gained;
}

describe('the list of claims, sent from top to bottom', () => {
  const TOKENS = ['AVAX', 'GGP', 'ggAVAX', 'pstAVAX'];
  const DAY = 86_400;

  /** What can be done to ggAVAX, and the reason why nobody can redeem it then. */
  const guard = (fork: Fork, signature: string, ...args: unknown[]) =>
    act(fork, fork.people.guardian, 'TokenggAVAX', signature, args);
  const stops = 'setPauseStopsRedemption(bool)';
  const STATES: [state: string, reason: string | undefined, change: (fork: Fork) => Promise<unknown>][] = [
    ['open', undefined, async () => {}],
    ['of version 3', 'CLOSED', (fork) => guard(fork, 'upgradeTo(uint8)', 3)],
    ['without AVAX in the pool', 'NO_LIQUIDITY', (fork) => leaveWAVAX(fork, 0n)],
    ['with 1 wei in the pool', 'NO_LIQUIDITY', (fork) => leaveWAVAX(fork, 1n)],
    ['paused', 'PAUSED', async (fork) => (await guard(fork, stops, true)) && pause(fork, 'TokenggAVAX')],
  ];

  /** Sends the claims of each person, and compares the growth of each balance with what was said. */
  async function sendLists(
    [, reason, change]: (typeof STATES)[number],
    send: (fork: Fork, from: string, calls: Body[]) => Promise<boolean[]>,
  ): Promise<void> {
    const fork = keep(await forkDevnet());
    await change(fork);
    const { body } = await several(everybody, startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' }));
    const kinds = new Set<string>();
    for (const { address, ggAvax, availableNow, insteadOfWaiting } of body.accounts) {
      const claims: Body[] = availableNow;
      // On the devnet, one person may redeem whatever the version.
      const isOpen = ggAvax.redemption.reason !== reason;
      if (!reason || !isOpen) for (const { what } of [...claims, ...insteadOfWaiting]) kinds.add(what);
      if (reason && !isOpen) {
        // Nothing is promised that the chain refuses.
        for (const { detail } of claims) expect(detail).not.toMatch(/to redeem it/);
        const last = ggAvax.balance === '0' ? [] : ['approveUnstake', 'requestUnstake'];
        expect(
          claims.map(({ what }) => what).filter((what) => /Unstake/.test(what) && what !== 'claimUnstake'),
        ).toEqual(last);
        expect(ggAvax.redemption.detail).toMatch(/\.$/);
      }
      const snapshot = await fork.rpc.send('evm_snapshot');
      const balances = () => Promise.all(TOKENS.map((token) => balanceOf(fork, address, token)));
      const before = await balances();
      const calls = claims.map(({ call }) => call);
      const accepted = await send(fork, address, calls);
      const refused = claims.filter((_, index) => !accepted[index]).map(({ what }) => what);
      expect([address, accepted.length, refused]).toEqual([address, claims.length, []]);
      const after = await balances();
      // Redeemed ggAVAX, and what the queue got, have left the wallet.
      const gone = claims.filter(({ what }) => what === 'redeem' || what === 'requestUnstake');
      const redeemed = gone.reduce((sum, { call }) => sum + BigInt(call.arguments[0]), 0n);
      for (const [index, token] of TOKENS.entries()) {
        const paid = claims.filter((claim) => claim.token === token).map(({ amount = '0' }) => parseEther(amount));
        const said = paid.reduce((total, amount) => total + amount, 0n);
        const got = (after[index] ?? 0n) - (before[index] ?? 0n) + (token === 'ggAVAX' ? redeemed : 0n);
        // As the rate grows, the same AVAX buys less ggAVAX: the growth that stops with the request.
        const least = token === 'ggAVAX' ? (said * 995n) / 1_000n : said;
        if (token === 'pstAVAX' && claims.some(({ what }) => what === 'withdrawPstAvax')) continue;
        expect([address, token, got >= least]).toEqual([address, token, true]);
        if (token !== 'AVAX') expect([address, token, got <= said]).toEqual([address, token, true]);
      }
      await fork.rpc.send('evm_revert', snapshot);
    }
    expect(['redeem', 'cancelUnstake', 'requestUnstake'].map((what) => kinds.has(what))).toEqual([
      ...[!reason, !reason, reason !== undefined],
    ]);
  }

  test.each(STATES)('with a day between the calls, while redemption is %s', async (...state) => {
    await sendLists(state, async (fork, from, calls) => {
      const accepted: boolean[] = [];
      for (const { contract: to, data } of calls) {
        accepted.push(await transact(fork, { from, to, data }));
        await pass(fork, DAY);
      }
      return accepted;
    });
  });

  test.each(STATES)('as one batch, an hour later, while redemption is %s', async (...state) => {
    await sendLists(state, async (fork, from, calls) => {
      await pass(fork, 3_600);
      await fork.rpc.send('evm_setAutomine', false);
      const sent: unknown[] = [];
      for (const { contract: to, data } of calls)
        sent.push(await fork.rpc.send('eth_sendTransaction', { from, to, data, gas: '0x1e8480', gasPrice: '0x0' }));
      await fork.rpc.send('evm_mine');
      await fork.rpc.send('evm_setAutomine', true);
      const receipts = (await Promise.all(sent.map((hash) => fork.rpc.send('eth_getTransactionReceipt', hash)))) as {
        status: string;
        blockNumber: string;
      }[];
      expect(new Set(receipts.map(({ blockNumber }) => blockNumber)).size).toBeLessThan(2);
      return receipts.map(({ status }) => status === '0x1');
    });
  });
});

test('a request that has AVAX is claimed; who cannot claim yet is told when', async () => {
  const fork = keep(await forkDevnet());
  await fork.rpc.send('anvil_setBlockTimestampInterval', 0);
  const on = () => startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' });
  const { alba } = fork.people;
  const to = DEVNET_ADDRESSES.WithdrawQueue;
  expect(await serveQueue(fork)).toBe(true);
  const { body } = await sendTo(withdrawalsAddress, on(), { params: { address: alba } });
  const [{ requestId, expectedAssets, claimableTime, expirationTime, status }] = body.requests as [Body];
  expect(status).toBe('fulfilled');
  const claimsOf = async () => {
    const { availableNow, availableLater, insteadOfWaiting } = await account(alba, on());
    return [[...availableNow, ...insteadOfWaiting], availableLater].map((list) =>
      list.filter((claim: Body) => claim.requestId === requestId),
    );
  };
  const [[claim, ...others] = [], later] = await claimsOf();
  expect([claim.what, claim.amount, claim.until, others, later]).toEqual([
    ...['claimUnstake', expectedAssets, expirationTime],
    ...[[], []],
  ]);
  expect(await takeOut(fork, alba, claim)).toBe(parseEther(claim.amount));
  // As with queues that pay only from `claimableTime` on: a wallet that accepts no AVAX.
  await fork.rpc.send('anvil_setCode', alba, '0xfe');
  const [cancels, [wait] = []] = await claimsOf();
  await fork.rpc.send('anvil_setCode', alba, '0x');
  // Nor could it redeem the ggAVAX of a cancellation.
  expect([cancels, wait.what, wait.amount, wait.from]).toEqual([
    ...[[], 'claimUnstake', expectedAssets, claimableTime],
  ]);
  expect(wait.detail).toMatch(/^Payable from \d+ \w+ 20\d\d\. It expires on /);
  await fork.rpc.send('anvil_removeBlockTimestampInterval');
  const { timestamp } = await fork.block('latest');
  await pass(fork, claimableTime - timestamp);
  expect((await claimsOf())[0]).toMatchObject([{ what: 'claimUnstake' }]);
  expect(await act(fork, alba, to, 'cancelRequest(uint256)', [requestId])).toBe(false);
  await pass(fork, expirationTime - claimableTime);
  expect((await claimsOf())[0]).toMatchObject([{ what: 'reclaimExpired' }]);
});

test('ten accounts take three requests to the chain', async () => {
  // Nothing is read again only because this machine is slow.
  const now = Date.now();
  const clock = clockAt(() => now);
  const provider = keep(await proxyTo(process.env.DEVNET_RPC_URL as string));
  const on = startOnDevnet({ RPC_URLS: provider.url }, undefined, { clock });
  await readCachedPools(on.opened);
  await readDataset(on.opened, protocolDataset);
  provider.requests.length = 0;
  const { alba, bruno, carla, diego, erika, fabio, gilda, ines, boris, clara, henri } = chain.people;
  const ten = [alba, bruno, carla, diego, erika, fabio, gilda, ines, boris, clara];
  expect((await several(ten, on)).status).toBe(200);
  provider.requests.length = 0;
  expect((await several([...ten, henri], on)).status).toBe(200);
  expect(provider.requests.length).toBe(3);
});

describe('minipools', () => {
  test('that are newer than the list of all are read with all records of the block', async () => {
    const on = startOnDevnet({ CACHE_TABLE: 'no-cache' });
    const { ada } = chain.people;
    const owner = ada.toLowerCase();
    const { value } = await readDataset(on.opened, protocolDataset);
    const minipools = value.minipools ?? [];
    const older = minipools.filter((minipool) => minipool.owner !== owner);
    expect(older.length).toBeLessThan(minipools.length);
    jest.spyOn(protocolDataset, 'read').mockResolvedValue({ ...value, minipools: older });
    const late = startOnDevnet({ CACHE_TABLE: 'no-cache' });
    expect((await account(ada, late)).minipools).toEqual((await account(ada)).minipools);
    jest.restoreAllMocks();
  });

  test.each([1n, -1n])('whose AVAX differs by %s wei from the stake are left out, and nothing is 0', async (wei) => {
    const fork = keep(await forkDevnet());
    const { ada, alba } = fork.people;
    const index = Number(await fork.read('Staking', 'getIndexOf', [ada]));
    const staked = (await fork.read('Staking', 'getAVAXStake', [ada])) as bigint;
    await setStaker(fork, index, 'avaxStaked', staked + wei);
    const on = startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache', LEDGER_TABLE: 'no-ledger' });
    const [body, list] = await Promise.all([account(ada, on), several([alba, ada], on)]);
    for (const one of [body, list.body]) {
      expect(one.partial).toEqual(['minipools', 'availableLater']);
      expect(one.reasons).toMatchObject({ minipools: 'SOURCE_UNAVAILABLE' });
      expect(one).not.toHaveProperty('totalAVAX');
    }
    expect(body).not.toHaveProperty('minipools');
    expect(list.body.accounts[0]?.minipools).toEqual((await account(alba)).minipools);
  });
});
