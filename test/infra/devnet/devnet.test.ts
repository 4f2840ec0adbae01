import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startAnvil } from '../../../infra/devnet/anvil.ts';
import { DEVNET_ADDRESSES, type Devnet, startDevnet } from '../../../infra/devnet/devnet.ts';
import { type Client, createClient } from './devnet-client.ts';

/** A quarter of an hour after a two-hour boundary of 2026-11-18. */
const NOW = 1_794_996_900;

interface Started {
  devnet: Devnet;
  client: Client;
}

/** A devnet for the tests of a group. */
function useDevnet(options: Parameters<typeof startDevnet>[0]): Started {
  const started = {} as Started;
  beforeAll(async () => {
    started.devnet = await startDevnet({ historyDays: 0, ...options });
    started.client = createClient(started.devnet.url);
  });
  afterAll(async () => {
    started.client?.rpc.close();
    await started.devnet?.stop();
  });
  return started;
}

it('reports Anvil’s message if it does not start', async () => {
  await expect(startAnvil({ args: ['--no-such-option'] })).rejects.toThrow(/^anvil did not start.*--no-such-option/s);
});

describe('a devnet that stands still', () => {
  const started = useDevnet({ live: false, now: NOW });
  const other = useDevnet({ live: false, now: NOW });

  it('is the same chain for the same `now`', async () => {
    const [head, same] = await Promise.all([started, other].map(({ client }) => client.block('latest')));
    expect(head?.timestamp).toBe(NOW);
    expect(head?.hash).toBe(same?.hash);
  });

  // Each transaction gets a block of its own, even from an account without a known key.
  it('mines only for transactions', async () => {
    const { client } = started;
    const { number } = await client.block('latest');
    const from = DEVNET_ADDRESSES.WithdrawQueue;
    const hash = await client.rpc.send('eth_sendTransaction', { from, to: from, gasPrice: '0x0' });
    const deadline = Date.now() + 30_000;
    while ((await client.block('latest')).number === number && Date.now() < deadline) await delay(10);
    const mined = await client.block('latest');
    expect([mined.number, mined.transactions]).toEqual([number + 1, [hash]]);
  });

  // Tests rely on these two properties implicitly, and no other test would detect a change.
  it('has its addresses in the same order as mainnet: GGP, ggAVAX, WAVAX, USDC', async () => {
    const { TokenGGP, WAVAX, USDC } = DEVNET_ADDRESSES;
    const order = [TokenGGP, await started.client.registered('TokenggAVAX'), WAVAX, USDC].map(BigInt);
    expect(order).toEqual([...order].sort((a, b) => (a < b ? -1 : 1)));
  });

  it('has had another MinipoolManager, before the one of today was there', async () => {
    const { client } = started;
    const now = await client.registered('MinipoolManager');
    expect(await client.registered('MinipoolManager', 2)).not.toBe(now);
    expect(await client.rpc.send('eth_getCode', now, '0x2')).toBe('0x');
  });
});

describe('a live devnet', () => {
  const started = useDevnet({ blockTime: 1 });

  it('follows the clock: blocks are mined, prices move, rewards are streamed', async () => {
    const { client } = started;
    const answerAt = async (block: number) =>
      (await client.readAt('PriceFeed', DEVNET_ADDRESSES.AvaxUsdFeed, 'latestRoundData', [], block)).answer;
    const start = await client.block('latest');
    const oracle = await client.registered('Oracle');
    const asked = Math.floor(Date.now() / 1000);
    while ((await client.block('latest')).number < start.number + 3) await delay(200);
    const now = await client.block('latest');
    // Mined since then, however long that took.
    expect(now.timestamp).toBeGreaterThanOrEqual(asked);
    expect(now.timestamp).toBeLessThanOrEqual(Date.now() / 1000);
    expect(await answerAt(now.number)).not.toBe(await answerAt(start.number));
    const [, pushed] = await client.readAt('Oracle', oracle, 'getGGPPriceInAVAX', [], now.number);
    expect(Number(pushed)).toBe(now.timestamp);
    const token = await client.registered('TokenggAVAX');
    const [rate] = await client.readAt('TokenggAVAX', token, 'convertToAssets', [10n ** 18n], now.number);
    const [earlier] = await client.readAt('TokenggAVAX', token, 'convertToAssets', [10n ** 18n], start.number);
    expect(rate).toBeGreaterThan(earlier);
  });
});

describe('a live devnet with the usual block time', () => {
  const started = useDevnet({});

  it('keeps the whole history readable after it has pruned its own states', async () => {
    const { client } = started;
    const head = (await client.block('latest')).number;
    // More blocks than the live node keeps states for.
    for (let count = 0; count < 200; count++) await client.rpc.send('evm_mine');
    const { TokenGGP } = DEVNET_ADDRESSES;
    const supplyAt = (block: number) => client.readAt('TokenGGP', TokenGGP, 'totalSupply', [], block);
    await expect(supplyAt(head + 1)).rejects.toThrow(/BlockOutOfRange/);
    // The history ends one block before the block that the live node was forked from.
    for (const block of [1, 2, Math.floor(head / 2), head - 1]) {
      expect((await supplyAt(block))[0]).toBeGreaterThan(19_000_000n * 10n ** 18n);
    }
    const claims = { fromBlock: '0x0', toBlock: 'latest', address: await client.registered('ClaimNodeOp') };
    expect(await client.rpc.send('eth_getLogs', claims)).toHaveLength(11);
  });
});
