import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startAnvil } from '../../../infra/devnet/anvil.ts';
import { DEVNET_ADDRESSES, type Devnet, startDevnet } from '../../../infra/devnet/devnet.ts';
import { seedScale } from '../../../infra/devnet/scale.ts';
import { allProcesses, type Process } from '../local/processes.ts';
import { type Client, createClient } from './devnet-client.ts';
import { NOW } from './devnet-started.ts';

/** Runs `use` on a devnet of its own. */
async function withDevnet(
  options: Parameters<typeof startDevnet>[0],
  use: (devnet: Devnet, client: Client) => Promise<void>,
) {
  const devnet = await startDevnet({ historyDays: 0, ...options });
  const client = createClient(devnet.url);
  try {
    await use(devnet, client);
  } finally {
    client.rpc.close();
    await devnet.stop();
  }
}

/** All descendants of a process. */
function descendants(pid: number): Process[] {
  const processes = allProcesses();
  const below = (parent: number): Process[] =>
    processes.filter(({ ppid }) => ppid === parent).flatMap((child) => [child, ...below(child.pid)]);
  return below(pid);
}

const anvilsBelow = (pid: number) => descendants(pid).filter(({ args: [program] }) => program?.endsWith('bin/anvil'));

describe('startDevnet', () => {
  it('creates the same chain for the same `now`', async () => {
    const heads: string[] = [];
    const head = async (_: Devnet, client: Client) => {
      heads.push(((await client.rpc.send('eth_getBlockByNumber', 'latest', false)) as { hash: string }).hash);
    };
    await Promise.all([1, 2].map(() => withDevnet({ live: false, now: NOW }, head)));
    expect(heads).toHaveLength(2);
    expect(heads[0]).toBe(heads[1]);
  });

  it('leaves no process behind when its own process is killed', async () => {
    const module = new URL('../../../infra/devnet/devnet.ts', import.meta.url);
    const script = `import('${module}').then(({ startDevnet }) => startDevnet({ historyDays: 0 })).then(({ url }) => console.log(url))`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const anvils = anvilsBelow(child.pid as number).map(({ pid }) => pid);
    expect(anvils.length).toBeGreaterThan(0);
    const running = () => {
      const pids = allProcesses().map(({ pid }) => pid);
      return anvils.some((pid) => pids.includes(pid));
    };
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    const deadline = Date.now() + 30_000;
    while (running() && Date.now() < deadline) await delay(50);
    expect(running()).toBe(false);
  });

  it('reports Anvil’s message if it does not start', async () => {
    await expect(startAnvil({ args: ['--no-such-option'] })).rejects.toThrow(/^anvil did not start.*--no-such-option/s);
  });

  it('rejects a history that is longer than it has', async () => {
    await expect(startDevnet({ historyDays: 91 })).rejects.toThrow(new RangeError('historyDays: 0 to 90, not 91'));
  });

  it('reports that its port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(startDevnet({ port })).rejects.toThrow(`Port ${port} is taken`);
    server.close();
    await once(server, 'close');
  });

  it('uses the given port and, if not live, mines only for transactions', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    await withDevnet({ port, live: false, now: NOW }, async ({ url }, client) => {
      expect(url).toBe(`http://127.0.0.1:${port}`);
      const { number, timestamp } = await client.block('latest');
      expect(timestamp).toBe(NOW);
      // Automine: each transaction gets a block of its own, even from an account without a known key.
      const from = DEVNET_ADDRESSES.WithdrawQueue;
      const hash = await client.rpc.send('eth_sendTransaction', { from, to: from, gasPrice: '0x0' });
      const deadline = Date.now() + 30_000;
      while ((await client.block('latest')).number === number && Date.now() < deadline) await delay(10);
      const mined = await client.block('latest');
      expect([mined.number, mined.transactions]).toEqual([number + 1, [hash]]);
    });
  });
});

describe('a live devnet', () => {
  it('follows the clock: blocks are mined, prices move, rewards are streamed', async () => {
    await withDevnet({ live: true, blockTime: 1 }, async (_, client) => {
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

  describe('with the usual block time', () => {
    let devnet: Devnet;
    let client: Client;
    let others: number;

    beforeAll(async () => {
      others = anvilsBelow(process.pid).length;
      devnet = await startDevnet({ historyDays: 0 });
      client = createClient(devnet.url);
    });

    afterAll(async () => {
      client.rpc.close();
      await devnet.stop();
    });

    it('keeps the whole history readable after it has pruned its own states', async () => {
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

    it('is rejected by seedScale', async () => {
      await expect(seedScale(devnet, { stakers: 1, minipools: 1 })).rejects.toThrow('live: false');
    });

    it('leaves no process behind after stop()', async () => {
      // One for the empty origin, one for the history, and the live one.
      expect(anvilsBelow(process.pid)).toHaveLength(others + 3);
      await devnet.stop();
      expect(anvilsBelow(process.pid)).toHaveLength(others);
    });
  });
});

describe('seedScale', () => {
  it('adds stakers and minipools with consistent records', async () => {
    await withDevnet({ live: false }, async (devnet, client) => {
      const liquidBefore = await client.read('MinipoolManager', 'getTotalAVAXLiquidStakerAmt');
      await seedScale(devnet, { stakers: 150, minipools: 300 });
      expect(await client.read('Staking', 'getStakerCount')).toBe(175n);
      expect(await client.read('MinipoolManager', 'getMinipoolCount')).toBe(349n);

      const minipools = await Promise.all(
        Array.from({ length: 300 }, (_, index) => client.read('MinipoolManager', 'getMinipool', [49 + index])),
      );
      const staked = minipools.filter(({ status }) => status === 2n).length;
      const liquid = await client.read('MinipoolManager', 'getTotalAVAXLiquidStakerAmt');
      expect(liquid - liquidBefore).toBe(BigInt(staked) * 1_000n * 10n ** 18n);
      expect(new Set(minipools.map(({ status }) => status)).size).toBe(6);
      for (const staker of await client.read('Staking', 'getStakers', [25, 20])) {
        const own = minipools.filter(({ owner }) => owner === staker.stakerAddr);
        const running = own.filter(({ status }) => status === 2n || status === 0n).length;
        expect(own).toHaveLength(2);
        expect(staker.avaxAssigned).toBe(BigInt(running) * 1_000n * 10n ** 18n);
      }
      const [last] = minipools.slice(-1);
      expect(await client.read('MinipoolManager', 'getIndexOf', [last?.nodeID])).toBe(348n);
    });
  });
});
