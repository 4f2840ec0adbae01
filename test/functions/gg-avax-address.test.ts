import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getAddress, id, parseEther, ZeroAddress } from 'ethers';
import { ggAvaxAddress } from '../../functions/gg-avax/address.ts';
import { ggAvaxAddressRewards } from '../../functions/gg-avax/address-rewards.ts';
import { DEVNET_ADDRESSES } from '../../infra/local/devnet/addresses.ts';
import { formatAmount } from '../../lib/amounts.ts';
import { createHandler } from '../../lib/endpoint.ts';
import type { Interval } from '../../lib/history/series.ts';
import { historyOf } from '../../lib/history/store.ts';
import { ledgerOf } from '../../lib/ledger/store.ts';
import { closeConnections } from '../../lib/upstream/http.ts';
import { send } from '../support/events.ts';
import { recordDays, recordLedger } from '../support/recorded.ts';
import { lagsBehind } from '../support/rpc-endpoints.ts';
import { startContainer, startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { type Chain, forkDevnet, openChain, removeView } from './devnet.ts';

/** Positions, against what the contracts say. */

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** Days of the devnet's history, and those before it on which its first holders deposited. */
const ALL_DAYS = 117;

// biome-ignore lint/suspicious/noExplicitAny: bodies as clients see them
type Body = any;

let chain: Chain;
tablesForAllTests();
const keep = stoppedAfterEach();
let runtime: TestRuntime;
let head: { number: number; timestamp: number };
let moves: Move[];

beforeAll(async () => {
  chain = await openChain();
  head = await chain.block('latest');
  await recordLedger();
  await recordDays(ALL_DAYS);
  moves = await transfersOf(chain);
  runtime = startOnDevnet();
});
afterAll(async () => {
  chain.rpc.close();
  closeConnections();
});

/** A `Transfer` of ggAVAX, mints and burns included: the one event that every change of a balance has. */
interface Move {
  block: number;
  from: string;
  to: string;
  shares: bigint;
}

async function transfersOf({ rpc, registered }: Chain): Promise<Move[]> {
  const address = await registered('TokenggAVAX');
  const topics = [id('Transfer(address,address,uint256)')];
  const logs = (await rpc.send('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest', address, topics })) as {
    blockNumber: string;
    topics: [string, string, string];
    data: string;
  }[];
  return logs.map(({ blockNumber, topics: [, from, to], data }) => ({
    block: Number(blockNumber),
    from: getAddress(`0x${from.slice(26)}`),
    to: getAddress(`0x${to.slice(26)}`),
    shares: BigInt(data),
  }));
}

const position = (address: string, on = runtime) => send(createHandler(ggAvaxAddress, on), { params: { address } });
const rewards = (address: string, query: Record<string, string> = {}, on = runtime) =>
  send(createHandler(ggAvaxAddressRewards, on), { params: { address }, query });
const ggAvaxAt = (method: string, args: unknown[], block?: number): Promise<bigint> =>
  chain.read('TokenggAVAX', method, args, block) as Promise<bigint>;
const holders = () => [...new Set(moves.flatMap(({ from, to }) => [from, to]))].filter((one) => one !== ZeroAddress);

describe('a position', () => {
  test('is what the contracts say, for every holder at ten blocks', async () => {
    expect(holders().length).toBeGreaterThan(11);
    const first = moves[0]?.block as number;
    const blocks = Array.from({ length: 10 }, (_, index) => first + Math.floor(((head.number - first) * index) / 9));
    for (const block of blocks) {
      const then = await lagsBehind(process.env.DEVNET_RPC_URL as string, head.number - block);
      const container = startOnDevnet({ RPC_URLS: then.url, CACHE_TABLE: 'no-cache' });
      for (const holder of holders()) {
        const { status, body } = await position(holder, container);
        expect(status).toBe(200);
        const balance = await ggAvaxAt('balanceOf', [holder], block);
        const value = await ggAvaxAt('convertToAssets', [balance], block);
        expect([holder, body.block.number, body.ggAvax, body.avax]).toEqual([
          holder,
          block,
          formatAmount(balance),
          formatAmount(value),
        ]);
        // Nothing later is part of it, though the ledger knows more.
        expect(body.coverage).toMatchObject({ to: block, complete: true });
        // Rewards are told only where the ledger's balance is the contract's.
        expect([holder, block, typeof body.rewardsAVAX]).toEqual([holder, block, 'string']);
      }
      await then.stop();
    }
  });

  test('is to the wei what its days add up to, at the block of the last one', async () => {
    const all = await Promise.all(holders().map((holder) => rewards(holder, { limit: '1000' })));
    for (const { body } of all) {
      const last = body.days.at(-1);
      if (!last) continue;
      const block = await blockAt(last.closeTimestamp);
      const then = await lagsBehind(process.env.DEVNET_RPC_URL as string, head.number - block);
      const { body: held } = await position(
        body.address,
        startOnDevnet({ RPC_URLS: then.url, CACHE_TABLE: 'no-cache' }),
      );
      await then.stop();
      const sum = body.days.reduce((total: bigint, { rewardAVAX }: Body) => total + parseEther(rewardAVAX), 0n);
      expect([body.address, body.totals.rewardAVAX, formatAmount(sum)]).toEqual([
        body.address,
        held.rewardsAVAX,
        held.rewardsAVAX,
      ]);
    }
  });
});

test('what is on its way out is told by the ledger where the queue does not list the requests of an address', async () => {
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

test('days from one time to another are those that begin then, whatever their hour', async () => {
  const [holder = ''] = holders();
  const { days } = (await rewards(holder, { limit: '1000' })).body;
  const [first, last] = [days[2].timestamp, days.at(-3).timestamp];
  for (const [from, to] of [
    [0, 9_999_999_999],
    [first, last],
    [first - 1, last + 1],
    [first + 1, last - 1],
    [days[0].timestamp, days[0].timestamp],
    [0, days[0].timestamp - 1],
    [days.at(-1).timestamp, 9_999_999_999],
    // No day begins then.
    [first + 1, first + 2],
  ]) {
    const expected = days.filter(({ timestamp }: Body) => from <= timestamp && timestamp <= to);
    const { status, body } = await rewards(holder, { from: String(from), to: String(to), limit: '1000' });
    expect([status, body.days]).toEqual([200, expected]);
  }
});

test('a page goes on at the day of its cursor, whatever its hour', async () => {
  const [holder = ''] = holders();
  const { days } = (await rewards(holder, { limit: '1000' })).body;
  const { body } = await rewards(holder, { cursor: String(days[4].timestamp - 7), limit: '2' });
  expect(body.days).toEqual(days.slice(4, 6));
});

test('who has come since the last recorded boundary has earned what is not known yet, also on a day that has one', async () => {
  const container = () => startContainer({ NETWORK: 'fuji', RPC_URLS: 'http://localhost:1', CACHE_TABLE: 'no-cache' });
  const { opened } = container();
  const [ledger, history] = [ledgerOf(opened), historyOf(opened)];
  const day = 20_000 * DAY;
  const write = (interval: Interval, timestamp: number, number: number) => {
    const values = { totalAssets: parseEther('12'), totalSupply: parseEther('10') };
    return history.write(interval, { timestamp, block: { number, timestamp }, values });
  };
  await write('1d', day, 10);
  await write('1h', day + 10 * HOUR, 20);
  const owner = `0x${'a'.repeat(40)}`;
  const place = { block: 25, logIndex: 0, timestamp: day + 10 * HOUR + 1, txHash: '0x1' };
  const amounts = { assets: parseEther('1.2'), shares: parseEther('1') };
  await ledger.write([{ ...place, type: 'ggAvaxDeposited', caller: owner, owner, ...amounts }]);
  await ledger.setFirst(1);
  await ledger.extend(1, 30);
  const earned = async () => {
    const { days, totals } = (await rewards(owner, {}, container())).body;
    return [days.length, totals];
  };
  expect(await earned()).toEqual([0, {}]);
  await write('1h', day + 11 * HOUR, 30);
  expect(await earned()).toEqual([1, { rewardAVAX: '0', rewardUSD: 0 }]);
});

/** The last block at or before a time. */
async function blockAt(time: number): Promise<number> {
  for (let number = head.number; ; number--) if ((await chain.block(number)).timestamp <= time) return number;
}
