import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startAnvil } from '../../../infra/devnet/anvil.ts';
import { DEVNET_ADDRESSES, type Devnet, startDevnet } from '../../../infra/devnet/devnet.ts';
import { startProgram } from '../../../infra/devnet/program.ts';
import { connect, type RpcRequest } from '../../../infra/devnet/rpc.ts';
import { proxyTo } from '../../support/rpc-providers.ts';
import { type Client, createClient } from './devnet-client.ts';

it('reports Anvil’s message if it does not start', async () => {
  await expect(startAnvil({ args: ['--no-such-option'] })).rejects.toThrow(/^anvil did not start.*--no-such-option/s);
});

it('is killed if it does not end within two seconds', async () => {
  const program = startProgram('/bin/sh', ['-c', 'trap "" TERM; echo up; while :; do sleep 0.1; done']);
  await program.printed(/up/);
  const started = performance.now();
  await program.stop();
  expect(performance.now() - started).toBeGreaterThan(1_900);
});

// anvil may hang if it answers from its own copies.
it('asks the node behind a fork for old headers each time', async () => {
  const origin = await startAnvil({});
  await createClient(origin.url).rpc.send('evm_mine');
  const behind = await proxyTo(origin.url);
  const fork = await startAnvil({ forkOf: behind.url });
  const client = createClient(fork.url);
  await client.rpc.send('evm_mine');
  behind.requests.length = 0;
  const headers = ['0x1', '0x2', '0x1'].map((block): RpcRequest => ['eth_getBlockByNumber', block, false]);
  expect(await client.rpc.batch(headers)).toMatchObject(headers.map(([, number]) => ({ number })));
  expect(behind.requests).toMatchObject([[{ params: ['0x1', false] }], [{ params: ['0x1', false] }]]);
  for (const { stop } of [fork, behind, origin]) await stop();
});

// Tests rely on these properties implicitly, and no other test would detect a change.
it('that stands still ends now, mines only for transactions, and has its addresses in the order of mainnet', async () => {
  // A quarter of an hour after a two-hour boundary of 2026-11-18.
  const now = 1_794_996_900;
  const devnet = await startDevnet({ historyDays: 0, live: false, now });
  const client = createClient(devnet.url);
  const { number, timestamp } = await client.block('latest');
  expect(timestamp).toBe(now);
  const { TokenGGP, WAVAX, USDC, WithdrawQueue } = DEVNET_ADDRESSES;
  const order = [TokenGGP, await client.registered('TokenggAVAX'), WAVAX, USDC].map(BigInt);
  expect(order).toEqual(order.toSorted((a, b) => (a < b ? -1 : 1)));
  const manager = await client.registered('MinipoolManager');
  expect(await client.registered('MinipoolManager', 2)).not.toBe(manager);
  expect(await client.rpc.send('eth_getCode', manager, '0x2')).toBe('0x');
  // From an account without a known key.
  const sent = { from: WithdrawQueue, to: WithdrawQueue, gasPrice: '0x0' };
  const hash = await client.rpc.send('eth_sendTransaction', sent);
  while ((await client.block('latest')).number === number) await delay(10);
  expect(await client.block('latest')).toMatchObject({ number: number + 1, transactions: [hash] });
  await devnet.stop();
});

describe('a live devnet', () => {
  let devnet: Devnet;
  let client: Client;
  beforeAll(async () => {
    devnet = await startDevnet({ historyDays: 0, blockTime: 2 });
    client = createClient(devnet.url);
  });
  afterAll(() => devnet?.stop());

  it('follows the clock: blocks are mined, prices move, rewards are streamed', async () => {
    const answerAt = async (block: number) =>
      (await client.readAt(DEVNET_ADDRESSES.AvaxUsdFeed, 'latestRoundData', [], block)).answer;
    const start = await client.block('latest');
    const asked = Math.floor(Date.now() / 1000);
    while ((await client.block('latest')).number < start.number + 3) await delay(200);
    const now = await client.block('latest');
    // Mined since then, however long that took.
    expect(now.timestamp).toBeGreaterThanOrEqual(asked);
    expect(now.timestamp).toBeLessThanOrEqual(Date.now() / 1000);
    expect(await answerAt(now.number)).not.toBe(await answerAt(start.number));
    const [, pushed] = await client.readAt(await client.registered('Oracle'), 'getGGPPriceInAVAX', [], now.number);
    expect(Number(pushed)).toBe(now.timestamp);
    const rateAt = (block: number) => client.read('TokenggAVAX', 'convertToAssets', [10n ** 18n], block);
    expect(await rateAt(now.number)).toBeGreaterThan(await rateAt(start.number));
  });

  // anvil hangs if several read old states at once.
  it('answers while many read old states', async () => {
    const rpc = connect(devnet.url, Number.POSITIVE_INFINITY);
    const { number } = await client.block('latest');
    const supply = { to: DEVNET_ADDRESSES.TokenGGP, data: '0x18160ddd' };
    const tagOf = (index: number) => `0x${(1 + ((index * 7) % number)).toString(16)}`;
    const batches = Array.from({ length: 24 }, (_, reader) =>
      Array.from({ length: 20 + reader }, (_, index): RpcRequest => ['eth_call', supply, tagOf(index)]),
    );
    for (const results of await Promise.all(batches.map((batch) => rpc.batch(batch))))
      expect(results.every((result) => String(result).length === 66)).toBe(true);
  });

  it('keeps the whole history readable after it has pruned its own states', async () => {
    const { number: head } = await client.block('latest');
    // More blocks than the live node keeps states for.
    await client.rpc.send('anvil_mine', '0x800');
    const supplyAt = (block: number) => client.readAt(DEVNET_ADDRESSES.TokenGGP, 'totalSupply', [], block);
    await expect(supplyAt(head + 1)).rejects.toThrow(/BlockOutOfRange/);
    for (const block of [1, 2, Math.floor(head / 2)])
      expect((await supplyAt(block))[0]).toBeGreaterThan(19_000_000n * 10n ** 18n);
    const claims = { fromBlock: '0x0', toBlock: 'latest', address: await client.registered('ClaimNodeOp') };
    expect(await client.rpc.send('eth_getLogs', claims)).toHaveLength(11);
  });
});
