import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Interface, parseEther } from 'ethers';
import { accountsAddress } from '../../functions/accounts/address.ts';
import { accounts } from '../../functions/accounts.ts';
import { ggAvaxAddress } from '../../functions/gg-avax/address.ts';
import { stakersAddress } from '../../functions/stakers/address.ts';
import { withdrawalsAddress } from '../../functions/withdrawals/address.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { readDataset } from '../../lib/cache/dataset.ts';
import { readCachedPools } from '../../lib/prices/current.ts';
import { minipoolsDataset } from '../../lib/protocol/minipools-dataset.ts';
import { formatAmount } from '../../lib/values/amounts.ts';
import { send } from '../support/events.ts';
import { recordLedger } from '../support/recorded.ts';
import { proxyTo } from '../support/rpc-providers.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { type Chain, forkDevnet, openChain, setStaker, transact } from './devnet.ts';

/** Everything that addresses have, compared with the endpoints for its parts and with the contracts. */

// biome-ignore lint/suspicious/noExplicitAny: bodies as clients see them
type Body = any;

let chain: Chain;
let runtime: TestRuntime;
let everybody: string[];
tablesForAllTests();
const keep = stoppedAfterEach();

beforeAll(async () => {
  chain = await openChain();
  await recordLedger();
  runtime = startOnDevnet();
  everybody = Object.values(chain.people);
});
afterAll(() => chain.rpc.close());

const account = async (address: string, on = runtime): Promise<Body> => {
  const { status, body } = await send(createHandler(accountsAddress, on), { params: { address } });
  expect(status).toBe(200);
  return body;
};
const several = (addresses: readonly string[], on = runtime) =>
  send(createHandler(accounts, on), { query: { address: addresses.join(',') } });
const sum = (amounts: readonly string[]) => formatAmount(amounts.reduce((total, one) => total + parseEther(one), 0n));

test('an account equals the single endpoints, field by field, for everybody', async () => {
  for (const address of everybody) {
    const one = { params: { address } };
    const [body, holder, staker, queue] = await Promise.all([
      account(address),
      send(createHandler(ggAvaxAddress, runtime), one),
      send(createHandler(stakersAddress, runtime), one),
      send(createHandler(withdrawalsAddress, runtime), one),
    ]);
    const { ggAvax: balance, avax, redemption } = holder.body;
    expect([address, body.ggAvax]).toEqual([address, { balance, avax, redemption }]);
    if (staker.status === 404) expect(body).not.toHaveProperty('staking');
    else {
      const { ggpStaked, ggpRewards } = staker.body;
      expect([address, body.staking]).toMatchObject([address, { ggpStaked, ggpRewards }]);
    }
    const owned: Body[] = staker.body.minipools ?? [];
    const ofStatus = (...statuses: string[]) => owned.filter(({ status }) => statuses.includes(status));
    const over = ofStatus('withdrawable', 'error');
    expect([address, body.minipools]).toEqual([
      address,
      {
        count: owned.length,
        stakedAVAX: sum(ofStatus('prelaunch', 'launched', 'staking').map(({ avaxNodeOpAmt }) => avaxNodeOpAmt)),
        withdrawableAVAX: sum(
          over.flatMap(({ avaxNodeOpAmt, avaxNodeOpRewardAmt }) => [avaxNodeOpAmt, avaxNodeOpRewardAmt]),
        ),
      },
    ]);
    const requests = (status: string): Body[] =>
      queue.body.requests.filter((request: Body) => request.status === status);
    expect(body.withdrawals).toEqual({
      pending: requests('pending').length,
      pendingAVAX: sum(requests('pending').map(({ expectedAssets }) => expectedAssets)),
      claimableAVAX: sum(requests('fulfilled').map(({ allocatedFunds }) => allocatedFunds)),
      expired: requests('expired').length,
      expiredAVAX: sum(requests('expired').map(({ expectedAssets }) => expectedAssets)),
    });
    expect(body.block).toEqual(holder.body.block);
  }
});

test('several accounts are those of the single endpoint, in the order asked, with their sum', async () => {
  const { alba, ada, fabio } = chain.people;
  const { status, body } = await several([fabio, ada.toLowerCase(), alba, fabio]);
  expect(status).toBe(200);
  const singles = await Promise.all([fabio, ada, alba].map((address) => account(address)));
  expect(body.accounts).toEqual(singles.map(({ block, ...fields }) => fields));
  expect(body.totalAVAX).toBe(sum(singles.map(({ totalAVAX }) => totalAVAX)));
});

test('bad lists of addresses are refused', async () => {
  const { alba, ada } = chain.people;
  const tooMany = Array.from({ length: 51 }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`);
  for (const bad of [[], [alba, '0x12'], [ada, `${alba.slice(0, -1)}g`], tooMany]) {
    const { status, body } = await several(bad);
    expect([status, body.errors?.[0]?.parameter]).toEqual([400, 'address']);
  }
  expect((await several(tooMany.slice(1))).status).toBe(200);
});

test('the addresses of a list that are wrong are named, the first five of them, and not in full if they are long', async () => {
  const { alba } = chain.people;
  const namedFor = async (list: string[]) => (await several(list)).body.errors[0].message.split('. Not so: ')[1];
  expect(await namedFor([alba, '0x12', `${alba}0`])).toBe(`"0x12", "${alba}0"`);
  expect(await namedFor([...'abcdef'])).toBe('"a", "b", "c", "d", "e" …');
  expect(await namedFor([alba, '"'.repeat(60)])).toBe(JSON.stringify('"'.repeat(50)));
  expect(
    await namedFor(Array.from({ length: 51 }, (_, index) => `0x${String(index).padStart(40, '0')}`)),
  ).toBeUndefined();
});

test('what is kept around the protocol is there, and counts in the total', async () => {
  const { alba, ada, fabio } = chain.people;
  const [first, second, third] = (await several([alba, ada, fabio])).body.accounts;
  expect(first).toMatchObject({ pstAvax: '64.5', locked: [] });
  // 31.7 GGP were given to a vault of 900 shares, all of one holder.
  expect(second).toMatchObject({ xGgp: { shares: '900', ggp: '931.7' }, locked: [{ token: 'GGP', amount: '410' }] });
  expect(third.locked).toMatchObject([{ token: 'ggAVAX', amount: '12.25' }]);
  expect(third.availableNow).toContainEqual(
    expect.objectContaining({ what: 'unlock', amount: '12.25', token: 'ggAVAX' }),
  );
  expect(second.availableNow).not.toContainEqual(expect.objectContaining({ what: 'unlock' }));
});

const ACTIONS = new Interface([
  'function redeemAVAX(uint256)',
  'function claimUnstake(uint256)',
  'function reclaimExpiredRequest(uint256)',
  'function withdrawMinipoolFunds(address)',
  'function claimAndRestake(uint256)',
  'function withdrawGGP(uint256)',
]);

test('each transaction that is offered succeeds, alone, and no more GGP could be withdrawn', async () => {
  const fork = keep(await forkDevnet());
  const on = startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' });
  const seen = new Set<string>();
  for (const address of everybody) {
    const body = await account(address, on);
    for (const { what, contract, function: signature, arguments: args } of body.availableNow) {
      if (what === 'unlock') continue;
      seen.add(what);
      const snapshot = await fork.rpc.send('evm_snapshot');
      const data = ACTIONS.encodeFunctionData(signature, args);
      expect([address, what, await transact(fork, { from: address, to: contract, data })]).toEqual([
        address,
        what,
        true,
      ]);
      await fork.rpc.send('evm_revert', snapshot);
    }
    const { ggpStaked, ggpWithdrawable } = body.staking ?? {};
    if (ggpStaked === undefined || ggpStaked === ggpWithdrawable) continue;
    const data = ACTIONS.encodeFunctionData('withdrawGGP', [parseEther(ggpWithdrawable) + 1n]);
    expect([address, await transact(fork, { from: address, to: await fork.registered('Staking'), data })]).toEqual([
      address,
      false,
    ]);
  }
  expect([...seen].sort()).toEqual([
    ...['claimRewards', 'claimUnstake', 'reclaimExpired', 'redeem', 'withdrawGGP', 'withdrawMinipool'],
  ]);
});

test('a locked stake cannot be withdrawn', async () => {
  const fork = keep(await forkDevnet());
  const { ada } = fork.people;
  const index = Number(await fork.read('Staking', 'getIndexOf', [ada]));
  const { timestamp } = await fork.block('latest');
  await setStaker(fork, index, 'ggpLockedUntil', timestamp + 1_000);
  const body = await account(ada, startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' }));
  expect(body.staking.ggpWithdrawable).toBe('0');
  expect(body.availableNow).not.toContainEqual(expect.objectContaining({ what: 'withdrawGGP' }));
});

test('ten accounts take one request to the chain', async () => {
  const provider = keep(await proxyTo(process.env.DEVNET_RPC_URL as string));
  const on = startOnDevnet({ RPC_URLS: provider.url });
  await readCachedPools(on.opened);
  await readDataset(on.opened, minipoolsDataset);
  provider.requests.length = 0;
  const { people } = chain;
  const ten = [
    people.alba,
    people.bruno,
    people.carla,
    people.diego,
    people.erika,
    people.fabio,
    people.gilda,
    people.ines,
    people.boris,
    people.clara,
  ];
  expect((await several(ten, on)).status).toBe(200);
  expect(provider.requests.length).toBe(1);
});

describe('minipools', () => {
  const own = (url: string) => startOnDevnet({ RPC_URLS: url, CACHE_TABLE: 'no-cache', LEDGER_TABLE: 'no-ledger' });

  test('need no ledger', async () => {
    for (const address of everybody) {
      const [body, whole] = [await account(address, own(process.env.DEVNET_RPC_URL as string)), await account(address)];
      expect([address, body.minipools]).toEqual([address, whole.minipools]);
      expect(body).not.toHaveProperty('partial');
    }
  });

  test('that are newer than the list of all are read with all records of the block', async () => {
    const on = startOnDevnet({ CACHE_TABLE: 'no-cache' });
    const { ada } = chain.people;
    const owner = ada.toLowerCase();
    const { value } = await readDataset(on.opened, minipoolsDataset);
    const older = value.minipools.filter((minipool) => minipool.owner !== owner);
    expect(older.length).toBeLessThan(value.minipools.length);
    jest.spyOn(minipoolsDataset, 'read').mockResolvedValue({ ...value, minipools: older });
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
    const on = own(fork.url);
    const [body, list] = await Promise.all([account(ada, on), several([alba, ada], on)]);
    for (const one of [body, list.body]) {
      expect(one).toMatchObject({ partial: ['minipools'], reasons: { minipools: 'SOURCE_UNAVAILABLE' } });
      expect(one).not.toHaveProperty('totalAVAX');
    }
    expect(body).not.toHaveProperty('minipools');
    expect(list.body.accounts[0].minipools).toEqual((await account(alba)).minipools);
  });
});
