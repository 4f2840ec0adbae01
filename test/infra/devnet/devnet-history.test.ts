import { describe, expect, it } from '@jest/globals';
import { ZeroAddress } from 'ethers';
import { DEVNET_ADDRESSES } from '../../../infra/devnet/devnet.ts';
import { DAY, DAY_0, NOW, useDevnet } from './devnet-started.ts';

const started = useDevnet(90);

describe('the chain', () => {
  it('ends now, began 90 days ago, and has a block on every two-hour boundary between', async () => {
    const { number, timestamp } = await started.client.block('latest');
    expect(timestamp).toBe(NOW);
    expect(started.devnet.historyStart).toBe(Math.floor(NOW / 7200) * 7200 - 90 * DAY);
    expect(Number(await started.client.rpc.send('eth_chainId'))).toBe(started.devnet.chainId);
    const first = await started.blockOnDay(0);
    // The last one is at NOW, which is not a boundary.
    expect(number - first).toBe(90 * 12 + 1);
    for (const steps of [0, 1, 500, 1080]) {
      expect((await started.client.block(first + steps)).timestamp).toBe(started.devnet.historyStart + steps * 7200);
    }
  });

  it('has transactions in every block', async () => {
    const head = (await started.client.block('latest')).number;
    for (let number = 1; number <= head; number += 37) {
      expect((await started.client.block(number)).transactions.length).toBeGreaterThan(0);
    }
  });

  it('reports its progress', () => {
    expect(started.progress).toEqual([
      expect.stringMatching(/contracts compiled$/),
      ...Array.from({ length: 10 }, (_, index) => `Devnet: history ${(index + 1) * 10} %`),
      `Devnet: ready at ${started.devnet.url}`,
    ]);
  });
});

describe('ggAVAX', () => {
  const rateOn = (block?: number): Promise<bigint> =>
    started.client.read('TokenggAVAX', 'convertToAssets', [10n ** 18n], block);

  it('has grown by a few percent a year over 7, 28 and 90 days', async () => {
    const now = await rateOn();
    for (const days of [7, 28, 90]) {
      const then = await rateOn(await started.blockOnDay((NOW - DAY_0) / DAY - days));
      const yearly = ((Number(now) / Number(then)) ** (365 / days) - 1) * 100;
      expect(yearly).toBeGreaterThan(1.5);
      expect(yearly).toBeLessThan(6);
    }
  });

  it('has never lost value', async () => {
    let last = 0n;
    for (let day = 0; day <= 90; day += 3) {
      const rate = await rateOn(await started.blockOnDay(day));
      expect(rate).toBeGreaterThanOrEqual(last);
      last = rate;
    }
  });

  it('is streaming rewards', async () => {
    expect(Number(await started.client.read('TokenggAVAX', 'rewardsCycleEnd'))).toBeGreaterThan(NOW);
    expect(Number(await started.client.read('TokenggAVAX', 'rewardsCycleEnd')) % (14 * DAY)).toBe(0);
    expect(await started.client.read('TokenggAVAX', 'lastRewardsAmt')).toBeGreaterThan(0n);
  });
});

describe('prices', () => {
  const { JoeFactory, PangolinFactory, LBFactory, UniswapV3Factory, PharaohFactory, TokenGGP, WAVAX, USDC } =
    DEVNET_ADDRESSES;

  async function pricesAt(block: number) {
    const v2 = async (factory: string, a: string, b: string, scale: number) => {
      const [pair] = await started.client.readAt('V2Factory', factory, 'getPair', [a, b], block);
      const [reserve0, reserve1] = await started.client.readAt('V2Pair', pair, 'getReserves', [], block);
      return (Number(reserve1) / Number(reserve0)) * scale;
    };
    const v3 = async (pool: string) => {
      const [root] = await started.client.readAt('V3Pool', pool, 'slot0', [], block);
      return (Number(root) / 2 ** 96) ** 2 * 1e12;
    };
    const lb = async () => {
      const [[{ LBPair }]] = await started.client.readAt('LBFactory', LBFactory, 'getAllLBPairs', [USDC, WAVAX], block);
      const [active] = await started.client.readAt('LBPair', LBPair, 'getActiveId', [], block);
      const [price] = await started.client.readAt('LBPair', LBPair, 'getPriceFromId', [active], block);
      return (Number(price) / 2 ** 128) * 1e12;
    };
    const [uniswap] = await started.client.readAt(
      'UniswapV3Factory',
      UniswapV3Factory,
      'getPool',
      [WAVAX, USDC, 500],
      block,
    );
    const [pharaoh] = await started.client.readAt(
      'PharaohFactory',
      PharaohFactory,
      'getPool',
      [USDC, WAVAX, 10],
      block,
    );
    const [, answer] = await started.client.readAt(
      'PriceFeed',
      DEVNET_ADDRESSES.AvaxUsdFeed,
      'latestRoundData',
      [],
      block,
    );
    return {
      avaxInUSD: await Promise.all([
        v2(JoeFactory, WAVAX, USDC, 1e12),
        v2(PangolinFactory, WAVAX, USDC, 1e12),
        v3(uniswap),
        v3(pharaoh),
        lb(),
        Number(answer) / 1e8,
      ]),
      ggpInAVAX: await Promise.all([v2(JoeFactory, TokenGGP, WAVAX, 1), v2(PangolinFactory, TokenGGP, WAVAX, 1)]),
    };
  }

  it('on all exchanges and of the feed are close to each other, and move', async () => {
    const samples = [];
    for (const day of [46, 60, 75, 90]) samples.push(await pricesAt(await started.blockOnDay(day)));
    for (const { avaxInUSD, ggpInAVAX } of samples) {
      for (const prices of [avaxInUSD, ggpInAVAX]) {
        expect(Math.max(...prices) / Math.min(...prices)).toBeLessThan(1.016);
        expect(new Set(prices).size).toBe(prices.length);
      }
    }
    expect(new Set(samples.map(({ avaxInUSD }) => avaxInUSD[0]?.toFixed(4))).size).toBe(4);
  });

  it('exist on Liquidity Book and Uniswap since day 45', async () => {
    const before = await started.blockOnDay(44.9);
    const [pairs] = await started.client.readAt('LBFactory', LBFactory, 'getAllLBPairs', [WAVAX, USDC], before);
    expect(pairs).toHaveLength(0);
    const [pool] = await started.client.readAt(
      'UniswapV3Factory',
      UniswapV3Factory,
      'getPool',
      [WAVAX, USDC, 500],
      before,
    );
    expect(pool).toBe(ZeroAddress);
    await expect(pricesAt(await started.blockOnDay(45))).resolves.toBeDefined();
  });

  it('are pushed to the oracle daily, close to its TWAP', async () => {
    const address = await started.client.registered('Oracle');
    const [price, timestamp] = await started.client.readAt('Oracle', address, 'getGGPPriceInAVAX');
    expect(NOW - Number(timestamp)).toBeLessThan(2 * DAY);
    const [twap, twapTime] = await started.client.readAt('Oracle', address, 'getGGPPriceInAVAXFromTWAP');
    expect(Number(twapTime)).toBe(NOW);
    expect(Math.abs(Number(twap) / Number(price) - 1)).toBeLessThan(0.1);
  });

  it('of ggAVAX on Pharaoh are close to its exchange rate', async () => {
    const token = await started.client.registered('TokenggAVAX');
    const [pool] = await started.client.readAt('PharaohFactory', PharaohFactory, 'getPool', [token, WAVAX, 1]);
    const [root] = await started.client.readAt('V3Pool', pool, 'slot0');
    const rate = Number(await started.client.read('TokenggAVAX', 'convertToAssets', [10n ** 18n])) / 1e18;
    expect((Number(root) / 2 ** 96) ** 2 / rate).toBeCloseTo(1, 2);
  });

  it('come from a feed whose round IDs have phase bits', async () => {
    const round = await started.client.readAt('PriceFeed', DEVNET_ADDRESSES.AvaxUsdFeed, 'latestRoundData');
    expect(round.roundId >> 64n).toBe(4n);
    expect(round.answeredInRound).toBe(round.roundId);
    expect(Number(round.updatedAt)).toBe(NOW);
  });
});
