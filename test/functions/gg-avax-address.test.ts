import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ggAvaxAddress } from '../../functions/gg-avax/address.ts';
import { ggAvaxAddressRewards } from '../../functions/gg-avax/address-rewards.ts';
import { pricesDex } from '../../functions/prices/dex.ts';
import { DEVNET_ADDRESSES } from '../../infra/devnet/addresses.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { EXCHANGES } from '../../lib/prices/exchanges.ts';
import { NETWORKS } from '../../lib/runtime/networks.ts';
import { type Body, sendTo } from '../support/events.ts';
import { cover } from '../support/log-chain.ts';
import { recordAllDays, recordLedger } from '../support/recorded.ts';
import { forgets } from '../support/rpc-providers.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { act, chainForAllTests, forkDevnet, removeView } from './devnet.ts';

/** Positions of ggAVAX holders, compared with the contracts. */

const QUEUE = DEVNET_ADDRESSES.WithdrawQueue;

const chain = chainForAllTests();
const tables = tablesForAllTests();
const keep = stoppedAfterEach();
let runtime: TestRuntime;
let head: { number: number; timestamp: number };

beforeAll(async () => {
  head = await chain.block('latest');
  await recordLedger();
  await recordAllDays();
  runtime = startOnDevnet();
});
afterAll(closeConnections);

const position = (address: string, on = runtime) => sendTo(ggAvaxAddress, on, { params: { address } });
const rewards = (address: string, query: Record<string, string> = {}, on = runtime) =>
  sendTo(ggAvaxAddressRewards, on, { params: { address }, query });
const queueAt = async (method: string, args: unknown[], block?: number): Promise<Body> =>
  (await chain.readAt(QUEUE, method, args, block))[0];
const holders = (): string[] => Object.values(chain.people);

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

  test('the rewards on a public network, only if no provider keeps the state of the last covered block', async () => {
    const forked = keep(await forkDevnet());
    const { alba: holder, bruno: other } = forked.people;
    expect(await act(forked, holder, 'TokenggAVAX', 'transfer(address,uint256)', [other, 1n])).toBe(true);
    const pruned = keep(await forgets(forked.url, head.number + 1));
    for (const [url, offset] of [[forked.url, 0] as const, [pruned.url, 1] as const])
      for (const address of [holder, ...holders().slice(-1)]) {
        const container = startOnDevnet({ RPC_URLS: url, CACHE_TABLE: 'no-cache' });
        Object.assign(container.opened.chain, { network: { ...container.opened.chain.network, name: 'avalanche' } });
        const { body } = await position(address, container);
        expect([body.block.number, body.coverage.toBlock]).toEqual([head.number + offset, head.number]);
        expect(body.reasons?.rewardsAVAX).toBe(offset === 0 ? undefined : 'SOURCE_UNAVAILABLE');
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
    await cover(container.opened.ledger, head.number, head.number, head.timestamp);
    const held = (await position(nobody, container)).body;
    const earned = (await rewards(nobody, {}, container)).body;
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
