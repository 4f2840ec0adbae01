import { beforeAll, expect, test } from '@jest/globals';
import { parseEther, ZeroAddress } from 'ethers';
import { ggAvaxAddress } from '../../functions/gg-avax/address.ts';
import { holders } from '../../functions/holders.ts';
import { DEVNET_ADDRESSES } from '../../infra/devnet/addresses.ts';
import { holdersOf } from '../../lib/history/holders-dataset.ts';

import { NETWORKS } from '../../lib/runtime/networks.ts';
import { formatAmount } from '../../lib/values/amounts.ts';
import { type Body, bodyFrom, sendTo } from '../support/events.ts';
import { recordDays, recordLedger } from '../support/recorded.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { startTables, tablesForAllTests } from '../support/tables.ts';
import { act, chainForAllTests, expectTrue, forkDevnet } from './devnet.ts';

/** The holders of ggAVAX, compared with the token. */

const chain = chainForAllTests();
let runtime: TestRuntime;
tablesForAllTests();
const keep = stoppedAfterEach();

beforeAll(async () => {
  await recordLedger();
  await recordDays(1);
  runtime = startOnDevnet();
});

const list = (query: Record<string, string> = {}): Promise<Body> => bodyFrom(holders, runtime, { query });
const ofToken = (view: string, args: unknown[], block?: number) =>
  chain.read('TokenggAVAX', view, args, block) as Promise<bigint>;

test('balances are those of the token, and add up to its supply', async () => {
  const { holders, total, ...rest } = await list({ limit: '1000' });
  expect(holders.length).toBe(total);
  await expectTrue(
    '/holders',
    holders.map((holder: Body) => ({ ...rest, holders: [holder] })),
  );
  const sum = holders.reduce((all: bigint, { ggAvax }: Body) => all + parseEther(ggAvax), 0n);
  expect(sum).toBe(await ofToken('totalSupply', [], rest.block.number));
  const since = (await list({ sort: 'since', limit: '1000' })).holders.map((holder: Body) => holder.since);
  expect(since).toEqual(since.toSorted());
  const balances = holders.map(({ ggAvax }: Body) => -Number(ggAvax));
  expect(balances).toEqual(balances.toSorted((a: number, b: number) => a - b));
});

test('contracts that stand for many have a label, and nobody else has', async () => {
  const { holders } = await list({ limit: '1000' });
  const labels = holders.flatMap(({ address, label }: Body) => (label ? [[address, label]] : []));
  expect(new Map(labels)).toEqual(
    new Map([
      [DEVNET_ADDRESSES.WithdrawQueue, 'Withdrawal queue'],
      [DEVNET_ADDRESSES.TokenpstAVAX, 'pstAVAX'],
      [DEVNET_ADDRESSES.AssetLocker, 'Locked tokens'],
    ]),
  );
});

test('balances add up to the supply at ten blocks', async () => {
  const types = ['ggAvaxDeposited', 'ggAvaxWithdrawn', 'ggAvaxTransferred', 'yieldAdded'] as const;
  const read = await Promise.all(types.map((type) => runtime.opened.ledger.ofType(type)));
  const entries = read.flatMap((one) => one.entries);
  const { number: head } = await chain.block('latest');
  for (let n = 1; n <= 10; n++) {
    const block = Math.floor((head * n) / 10);
    const held = holdersOf(entries.filter((entry) => entry.block <= block));
    const sum = held.reduce((all, { shares }) => all + shares, 0n);
    expect([block, sum]).toEqual([block, await ofToken('totalSupply', [], block)]);
  }
});

test('the list is that of all entries, of which none is read', async () => {
  const { address, since, ggAvax } = (await list({ sort: 'since' })).holders[0];
  const types = ['ggAvaxDeposited', 'ggAvaxWithdrawn', 'ggAvaxTransferred', 'yieldAdded'] as const;
  const ledger = runtime.opened.ledger;
  const read = await Promise.all(types.map((type) => ledger.ofType(type)));
  const all = holdersOf(read.flatMap(({ entries }) => entries));
  expect(all.find((one) => one.address === address.toLowerCase())).toEqual({
    ...{ address: address.toLowerCase(), since, shares: parseEther(ggAvax) },
  });
  const { listedTo, coverage } = await ledger.progress.latest();
  expect(listedTo).toEqual({ number: coverage.toBlock, timestamp: coverage.toTimestamp });
  const another = startOnDevnet({ CACHE_TABLE: 'no-cache' });
  another.opened.ledger.pages = (subject) => {
    throw new Error(`reads ${subject}`);
  };
  const { body } = await sendTo(holders, another, { query: { limit: '1000' } });
  expect(body.holders).toEqual((await list({ limit: '1000' })).holders);
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
