import { describe, expect, test } from '@jest/globals';
import { getAddress } from 'ethers';
import { PRICE_HISTORY } from '../../../lib/api/bodies/prices-body.ts';
import { readFeed } from '../../../lib/prices/chainlink.ts';
import { bestPrices, readBestPrices } from '../../../lib/prices/current.ts';
import { EXCHANGES, type Factory, requireExchange } from '../../../lib/prices/exchanges.ts';
import { findPrices, readPoolStates } from '../../../lib/prices/market.ts';
import type { Pair, Pool, PoolState } from '../../../lib/prices/pool.ts';
import { HOUR } from '../../../lib/values/durations.ts';
import { WAD } from '../../../lib/values/wad.ts';
import { type Answers, addresses, BLOCK, network, protocolOf } from '../../support/contracts.ts';
import { AVAX_USDC, GGP_AVAX, POOL, poolOf } from './market.ts';

/** The choice among the prices of feeds and pools. */

const GGAVAX_AVAX: Pair = { ...GGP_AVAX, name: 'ggAVAX/AVAX' };

const stateOf = (exchange: string, pair: Pair, price: bigint, kind: Pool['kind'] = 'v2'): PoolState => ({
  pool: { ...poolOf(kind, pair, true), exchange },
  fee: 0n,
  price,
  baseReserve: 0n,
  quoteReserve: 0n,
  depthAVAX: 0n,
});
const OTHER_POOL = '0x9000000000000000000000000000000000000009';
const getReserves = 'getReserves() view returns (uint112, uint112, uint32)';
const none = { block: BLOCK, feed: undefined, euro: undefined, rate: undefined, states: [] };

describe('a Chainlink feed', () => {
  const latestRoundData =
    'latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)';
  const read = (name: 'avaxUsdFeed' | 'eurUsdFeed', answer: bigint, age: number) => {
    const round = [1n, answer, 2n, BLOCK.timestamp - age, 4n];
    return readFeed(protocolOf({ [String(network[name])]: { [latestRoundData]: round } }), name);
  };

  test('is read with its eight decimals', async () => {
    const price = { price: 9_800_000_010_000_000_000n, updatedAt: BLOCK.timestamp - 3 };
    expect(await read('avaxUsdFeed', 980_000_001n, 3)).toEqual(price);
  });

  test.each([0n, -1n])('has no price while it answers %d', async (answer) => {
    expect(await read('avaxUsdFeed', answer, 0)).toBeUndefined();
  });

  // Weekends and holidays take four days.
  test.each([
    ['avaxUsdFeed', HOUR],
    ['eurUsdFeed', 96 * HOUR],
  ] as const)('has a price until it is too old: %s for %d s', async (name, seconds) => {
    expect(await read(name, 1n, seconds)).toEqual({ price: 10n ** 10n, updatedAt: BLOCK.timestamp - seconds });
    expect(await read(name, 1n, seconds + 1)).toBeUndefined();
  });
});

test('the price of AVAX comes from the feed, or else from the deepest pool of any exchange', () => {
  const states = [stateOf('tj', GGP_AVAX, 1n), stateOf('pangolin', AVAX_USDC, 2n), stateOf('tj', AVAX_USDC, 3n)];
  const [feed, euro] = [
    { price: 9n, updatedAt: 5 },
    { price: 8n, updatedAt: 6 },
  ];
  expect(bestPrices({ ...none, feed, euro, states })).toMatchObject({
    avaxInUSD: { price: 9n, updatedAt: 5, source: 'chainlink' },
    eurInUSD: { price: 8n, updatedAt: 6, source: 'chainlink' },
  });
  const pool = { price: 2n, updatedAt: BLOCK.timestamp, source: 'pangolin' };
  expect(bestPrices({ ...none, states }).avaxInUSD).toEqual(pool);
});

test("the price of GGP is that of Trader Joe's V1 pair, however deep other pools are", () => {
  const others = [stateOf('pangolin', GGP_AVAX, 1n), stateOf('tj', AVAX_USDC, 2n), stateOf('tj', GGP_AVAX, 4n, 'lb')];
  const states = [...others, stateOf('tj', GGP_AVAX, 3n)];
  expect(bestPrices({ ...none, states }).ggpInAVAX).toEqual({ price: 3n, updatedAt: BLOCK.timestamp, source: 'tj' });
  expect(bestPrices({ ...none, states: others }).ggpInAVAX).toBeUndefined();
});

test('the price of ggAVAX is the rate at which the protocol redeems it', () => {
  const { ggAvaxInAVAX } = bestPrices({ ...none, rate: 5n, states: [stateOf('tj', GGAVAX_AVAX, 4n)] });
  expect(ggAvaxInAVAX).toEqual({ price: 5n, updatedAt: BLOCK.timestamp, source: 'redemption-rate' });
  expect(bestPrices(none).ggAvaxInAVAX).toBeUndefined();
});

describe('reading the best prices', () => {
  const GGP_POOL = '0x6000000000000000000000000000000000000006';
  const USDC_POOL = '0x7000000000000000000000000000000000000007';
  const UNUSED = '0x8000000000000000000000000000000000000008';
  const pools: Pool[] = [
    { ...poolOf('v2', GGP_AVAX, true), address: GGP_POOL },
    { ...poolOf('v2', AVAX_USDC, true), address: USDC_POOL },
    { ...poolOf('v2', GGP_AVAX, true), address: UNUSED, exchange: 'pangolin' },
  ];
  const market = (updatedAt: number): Record<string, Answers> => ({
    [network.avaxUsdFeed]: {
      'latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)': [0n, 10n ** 9n, 0n, updatedAt, 0n],
    },
    [GGP_POOL]: { [getReserves]: [1_000n * WAD, 10n * WAD, 0n] },
    [USDC_POOL]: { [getReserves]: [10n * WAD, 110n * 10n ** 6n, 0n] },
    [addresses.TokenggAVAX]: { 'convertToAssets(uint256) view returns (uint256)': [2n * WAD] },
  });
  const read = async (updatedAt: number) => {
    const state = protocolOf(market(updatedAt));
    const { avaxInUSD, ggpInAVAX, ggAvaxInAVAX } = await readBestPrices(state, pools);
    const asked = state.asked.map(({ to }) => to);
    return { prices: [avaxInUSD?.price, ggpInAVAX?.price, ggAvaxInAVAX?.price], asked };
  };

  test('skips AVAX/USDC pools as long as the feed is recent', async () => {
    const { prices, asked } = await read(BLOCK.timestamp - HOUR);
    expect(prices).toEqual([10n * WAD, WAD / 100n, 2n * WAD]);
    expect(asked.toSorted()).toEqual(
      [addresses.TokenggAVAX, GGP_POOL, network.avaxUsdFeed, network.eurUsdFeed].toSorted(),
    );
  });

  test('reads AVAX/USDC pools if the feed is not recent', async () => {
    const { prices, asked } = await read(BLOCK.timestamp - HOUR - 1);
    expect(prices).toEqual([11n * WAD, WAD / 100n, 2n * WAD]);
    expect(asked).toContain(USDC_POOL);
    expect(asked).not.toContain(UNUSED);
  });
});

describe('the prices of an exchange', () => {
  test('come from the first pool of each pair, which is the deepest', () => {
    const states = [
      stateOf('tj', AVAX_USDC, 12n * WAD),
      stateOf('tj', AVAX_USDC, 11n * WAD),
      stateOf('tj', GGP_AVAX, WAD / 3n),
      stateOf('tj', GGAVAX_AVAX, WAD + 1n),
    ];
    expect(findPrices(states)).toEqual({
      avaxInUSD: 12n * WAD,
      ggpInAVAX: 333_333_333_333_333_333n,
      ggAvaxInAVAX: WAD + 1n,
    });
  });

  test('include USD prices if the price of AVAX is known', () => {
    const [ggpInAVAX, ggAvaxInAVAX, avaxInUSD] = [7n * WAD, 2n * WAD, 12n * WAD];
    expect(PRICE_HISTORY.json({ ggpInAVAX, avaxInUSD })).toEqual({ ggpInAVAX: 7, avaxInUSD: 12, ggpInUSD: 84 });
    const ofGgAvax = { ggAvaxInAVAX: 2, avaxInUSD: 12, ggAvaxInUSD: 24 };
    expect(PRICE_HISTORY.json({ ggAvaxInAVAX, avaxInUSD })).toEqual(ofGgAvax);
    expect(PRICE_HISTORY.json({ ggpInAVAX, ggAvaxInAVAX })).toEqual({ ggpInAVAX: 7, ggAvaxInAVAX: 2 });
    expect(PRICE_HISTORY.json({ avaxInUSD })).toEqual({ avaxInUSD: 12 });
  });

  test.each([
    [1_014_975n, 0],
    [1_014_976n, 1],
  ])(
    'come from pools in which 0.01 AVAX do not move the price by 2 %%: with %d millionths of an AVAX, %d',
    async (avax, count) => {
      const state = protocolOf({ [POOL]: { [getReserves]: [WAD, avax * 10n ** 12n, 0n] } });
      expect(await readPoolStates(state, [poolOf('v2', GGP_AVAX, true)])).toHaveLength(count);
    },
  );

  test.each([true, false])(
    'do not come from a pool that anybody has opened at the lowest possible price',
    async (isBase) => {
      const opened = {
        'slot0() view returns (uint160 sqrtPriceX96, int24 tick)': [4_295_128_740n, 0n],
        'liquidity() view returns (uint128)': [1n],
      };
      expect(await readPoolStates(protocolOf({ [POOL]: opened }), [poolOf('v3', AVAX_USDC, isBase)])).toEqual([]);
    },
  );

  test('are read from pools that are not empty, the deepest first', async () => {
    const avax = [5n, 9n, 0n, 7n].map((amount) => amount * WAD);
    const addresses = avax.map((_, place) => `0x${place}`.padEnd(42, '1'));
    const pools = addresses.map((address): Pool => ({ ...poolOf('v2', GGP_AVAX, true), address }));
    const contracts = avax.map((amount, place) => [addresses[place], { [getReserves]: [amount && WAD, amount, 0n] }]);
    const states = await readPoolStates(protocolOf(Object.fromEntries(contracts)), pools);
    expect(states.map(({ quoteReserve }) => quoteReserve / WAD)).toEqual([9n, 7n, 5n]);
  });
});

describe('a pool of ggAVAX and sAVAX', () => {
  const quote = { address: OTHER_POOL, decimals: 18 };
  const SAVAX: Pair = { ...GGAVAX_AVAX, name: 'ggAVAX/sAVAX', quote, inSAvax: true };
  const rateOf = 'getPooledAvaxByShares(uint256) view returns (uint256)';
  const read = (rate: Answers) =>
    readPoolStates(
      protocolOf({
        [network.sAvax as string]: rate,
        [POOL]: { [getReserves]: [1_000n * WAD, 900n * WAD, 0n] },
      }),
      [poolOf('v2', SAVAX, true)],
    );

  test('has the price that sAVAX is worth by its own contract, to the wei', async () => {
    const states = await read({ [rateOf]: (shares: bigint) => [(shares * 5n) / 3n] });
    expect(states.map(({ price }) => price)).toEqual([(WAD * 9n) / 10n]);
    // 0.9 sAVAX of 5/3 AVAX.
    expect(findPrices(states).ggAvaxInAVAX).toBe((WAD * 3n) / 2n - 1n);
  });

  test.each<[string, Answers]>([
    ['does not answer', {}],
    ['answers 0', { [rateOf]: [0n] }],
  ])('is left out while the contract of sAVAX %s', async (_, rate) => {
    expect(await read(rate)).toEqual([]);
  });
});

describe('the code of an exchange', () => {
  test.each([
    ['tj', 'tj'],
    ['LFJ', 'tj'],
    ['TraderJoe', 'tj'],
    ['PNG', 'pangolin'],
    ['uni', 'uniswap'],
    ['phar', 'pharaoh'],
    ['BLACK', 'blackhole'],
  ])('%s stands for %s', (text, code) => {
    expect(requireExchange(text).code).toBe(code);
  });
});

test('every exchange has valid names and checksummed addresses, and the same kinds of factories on each network', () => {
  const kindsOf = (factories: readonly Factory[] = []) =>
    new Set(factories.map((factory) => JSON.stringify({ ...factory, address: undefined })));
  for (const { name, code, aliases, factories } of EXCHANGES) {
    expect(name).toMatch(/^[A-Z]/);
    for (const word of [code, ...aliases]) expect(word).toMatch(/^[a-z]+$/);
    for (const { address } of Object.values(factories).flat()) expect(address).toBe(getAddress(address.toLowerCase()));
    // test/functions/prices-dex.test.ts finds and reads those of the devnet.
    expect(kindsOf(factories.avalanche)).toEqual(kindsOf(factories.devnet));
    if (factories.fuji) expect(kindsOf(factories.fuji)).toEqual(kindsOf(factories.devnet));
  }
  const all = EXCHANGES.flatMap(({ factories }) => factories.avalanche ?? []);
  expect(new Set(all.map(({ address }) => address)).size).toBe(all.length);
  expect(EXCHANGES[0]?.factories.fuji?.length).toBe(3);
});
