import { describe, expect, test } from '@jest/globals';
import { ZeroAddress } from 'ethers';
import type { Factory } from '../../../lib/prices/exchanges.ts';
import { binPrice, lb } from '../../../lib/prices/lb.ts';
import { depthOf, type FoundPool } from '../../../lib/prices/pool.ts';
import { v2 } from '../../../lib/prices/v2.ts';
import { v3 } from '../../../lib/prices/v3.ts';
import { WAD } from '../../../lib/values/wad.ts';
import { type Answers, network, protocolOf } from '../../support/contracts.ts';
import { AVAX_USDC, GGP_AVAX, POOL, poolOf } from './market.ts';

/** The state read from each kind of pool, with numbers worked out by hand. */

const USDC = 10n ** 6n;
const Q96 = 2n ** 96n;
const FACTORY = '0x4000000000000000000000000000000000000004';

describe('a constant-product pool', () => {
  const reading = (...[reserve0, reserve1]: bigint[]) =>
    protocolOf({ [POOL]: { 'getReserves() view returns (uint112, uint112, uint32)': [reserve0, reserve1, 0n] } });

  test.each([
    ['first', true, [3n * WAD, 7n * WAD]],
    ['second', false, [7n * WAD, 3n * WAD]],
  ] as const)(
    'with its base token %s has the price, reserves and depth of its reserves',
    async (_, baseIsFirst, reserves) => {
      const pool = poolOf('v2', GGP_AVAX, baseIsFirst);
      expect(await v2.read(reading(...reserves), pool)).toEqual({
        pool,
        fee: (WAD / 1_000n) * 3n,
        // 7 / 3, rounded down.
        price: 2_333_333_333_333_333_333n,
        baseReserve: 3n * WAD,
        quoteReserve: 7n * WAD,
        depthAVAX: depthOf(7n * WAD),
      });
    },
  );

  test('has a price in whole tokens, whatever their decimals', async () => {
    const state = await v2.read(reading(2n * WAD, 39n * USDC), poolOf('v2', AVAX_USDC, true));
    expect(state).toMatchObject({ price: (39n * WAD) / 2n, depthAVAX: depthOf(2n * WAD) });
  });

  test.each([
    ['no base token', [0n, 1n]],
    ['no quote token', [1n, 0n]],
  ])('with %s has no price', async (_, reserves) => {
    expect(await v2.read(reading(...reserves), poolOf('v2', GGP_AVAX, true))).toBeUndefined();
  });

  const factory: Factory = { kind: 'v2', address: FACTORY };
  const getPair = 'getPair(address, address) view returns (address)';

  test('is found by its tokens', async () => {
    const state = protocolOf({ [FACTORY]: { [getPair]: [POOL] } });
    expect(await v2.find(state, factory, GGP_AVAX)).toEqual([
      { pair: GGP_AVAX, kind: 'v2', address: POOL, baseIsFirst: true },
    ]);
    const turned = { ...GGP_AVAX, base: GGP_AVAX.quote, quote: GGP_AVAX.base };
    expect(await v2.find(state, factory, turned)).toMatchObject([{ baseIsFirst: false }]);
  });
});

describe('a concentrated pool', () => {
  const slot0 = 'slot0() view returns (uint160 sqrtPriceX96, int24 tick)';
  const liquidity = 'liquidity() view returns (uint128)';
  const balanceOf = 'balanceOf(address) view returns (uint256)';
  // token0 costs 4 token1.
  const contracts: Record<string, Answers> = {
    [POOL]: { [slot0]: [2n * Q96, 0n], [liquidity]: [6n * WAD], 'fee() view returns (uint24)': [3_000n] },
    [GGP_AVAX.base.address]: { [balanceOf]: [11n * WAD] },
    [network.wavax]: { [balanceOf]: [22n * WAD] },
  };

  test('has its price from the square root, and its depth from the liquidity', async () => {
    const pool = poolOf('v3', GGP_AVAX, true);
    expect(await v3.read(protocolOf(contracts), pool)).toEqual({
      pool,
      fee: (WAD / 1_000n) * 3n,
      price: 4n * WAD,
      baseReserve: 11n * WAD,
      quoteReserve: 22n * WAD,
      // L · √P of token1
      depthAVAX: depthOf(12n * WAD),
    });
  });

  test('with its base token second has the inverse price', async () => {
    expect(await v3.read(protocolOf(contracts), poolOf('v3', GGP_AVAX, false))).toMatchObject({
      price: WAD / 4n,
      // L / √P of token0
      depthAVAX: depthOf(3n * WAD),
    });
  });

  test('with AVAX as its base token has the depth of that side', async () => {
    const first = await v3.read(protocolOf(contracts), poolOf('v3', AVAX_USDC, true));
    expect(first).toMatchObject({ price: 4n * WAD * 10n ** 12n, depthAVAX: depthOf(3n * WAD), quoteReserve: 0n });
    const second = await v3.read(protocolOf(contracts), poolOf('v3', AVAX_USDC, false));
    expect(second?.depthAVAX).toBe(depthOf(12n * WAD));
  });

  test('with its liquidity in a narrow range is no deeper than the AVAX it holds', async () => {
    const poor = { ...contracts, [network.wavax]: { [balanceOf]: [depthOf(12n * WAD) - 1n] } };
    const pool = await v3.read(protocolOf(poor), poolOf('v3', GGP_AVAX, true));
    expect(pool?.depthAVAX).toBe(depthOf(12n * WAD) - 1n);
  });

  test.each([
    ['that is not initialized', { [slot0]: [0n, 0n], [liquidity]: [1n] }],
    ['without liquidity in range', { [slot0]: [Q96, 0n], [liquidity]: [0n] }],
    ['that does not answer', {}],
  ])('%s has no price', async (_, answers) => {
    expect(await v3.read(protocolOf({ [POOL]: answers }), poolOf('v3', GGP_AVAX, true))).toBeUndefined();
  });

  test.each([
    ['fee', 'uint24'],
    ['tickSpacing', 'int24'],
  ] as const)('is found by its tokens and each %s', async (key, type) => {
    const getPool = (_base: unknown, _quote: unknown, tier: bigint) => [tier === 10n ? POOL : ZeroAddress];
    const state = protocolOf({ [FACTORY]: { [`getPool(address, address, ${type}) view returns (address)`]: getPool } });
    const factory = { kind: 'v3' as const, address: FACTORY, key, tiers: [1, 10, 100] };
    expect(await v3.find(state, factory, GGP_AVAX)).toEqual([
      { pair: GGP_AVAX, kind: 'v3', address: POOL, baseIsFirst: true, key },
    ]);
    expect(await v3.find(protocolOf({}), factory, GGP_AVAX)).toEqual([]);
  });
});

test('a pool of Algebra is found by its tokens and each deployer, and read from its global state', async () => {
  const [other, deployer] = [network.wavax, '0x6000000000000000000000000000000000000006'];
  const customPoolByPair = (by: unknown, base: unknown, quote: unknown) => [
    by === deployer && base === GGP_AVAX.base.address && quote === GGP_AVAX.quote.address ? POOL : ZeroAddress,
  ];
  const state = protocolOf({
    [FACTORY]: { 'customPoolByPair(address, address, address) view returns (address)': customPoolByPair },
    [POOL]: {
      'globalState() view returns (uint160 price, int24 tick)': [2n * Q96, 0n],
      'liquidity() view returns (uint128)': [6n * WAD],
      'fee() view returns (uint16)': [450n],
    },
  });
  const found = await v3.find(
    state,
    { kind: 'v3', address: FACTORY, key: 'deployer', tiers: [other, deployer] },
    GGP_AVAX,
  );
  expect(found).toEqual([{ pair: GGP_AVAX, kind: 'v3', address: POOL, baseIsFirst: true, key: 'deployer' }]);
  const pool = { ...(found[0] as FoundPool), exchange: 'blackhole' };
  expect(await v3.read(state, pool)).toMatchObject({ price: 4n * WAD, fee: 450n * 10n ** 12n });
});

describe('a Liquidity Book pool', () => {
  const ONE = 2 ** 23;
  const getReserves = 'getReserves() view returns (uint128, uint128)';
  const getBin = 'getBin(uint24 id) view returns (uint128, uint128)';
  const fees = 'getStaticFeeParameters() view returns (uint16 baseFactor)';
  const contract = {
    'getActiveId() view returns (uint24)': [ONE],
    'getBinStep() view returns (uint16)': [100n],
    [getReserves]: [11n, 22n],
    // A bin holds its distance from the active one plus 1, and a thousand times as much of X.
    [getBin]: (id: bigint) => {
      const distance = id > ONE ? id - BigInt(ONE) : BigInt(ONE) - id;
      return [(distance + 1n) * 1_000n, distance + 1n];
    },
    [fees]: [5_000n],
  };
  const bins = (state: ReturnType<typeof protocolOf>) =>
    state.asked.filter(({ data }) => data.startsWith('0x0abe9688')).map(({ data }) => Number(`0x${data.slice(10)}`));

  test('with AVAX as its quote token, which is Y, has the depth of the bins down to 2 % below the active one', async () => {
    const state = protocolOf({ [POOL]: contract });
    const pool = poolOf('lb', GGP_AVAX, true);
    expect(await lb.read(state, pool)).toEqual({
      pool,
      // 5,000 · 100 · 1e10
      fee: 5n * 10n ** 15n,
      price: WAD,
      baseReserve: 11n,
      quoteReserve: 22n,
      depthAVAX: 1n + 2n,
    });
    expect(bins(state)).toEqual([ONE, ONE - 1]);
  });

  test('with AVAX as its quote token, which is X, has the depth of the bins up to 2 % above the active one', async () => {
    const state = protocolOf({ [POOL]: contract });
    const pool = await lb.read(state, poolOf('lb', GGP_AVAX, false));
    expect(pool).toMatchObject({ baseReserve: 22n, quoteReserve: 11n, depthAVAX: 1_000n + 2_000n });
    expect(bins(state)).toEqual([ONE, ONE + 1]);
  });

  test('with AVAX as its base token has the depth of that side', async () => {
    const state = protocolOf({ [POOL]: contract });
    expect(await lb.read(state, poolOf('lb', AVAX_USDC, true))).toMatchObject({ depthAVAX: 3_000n });
    expect(await lb.read(state, poolOf('lb', AVAX_USDC, false))).toMatchObject({ depthAVAX: 3n });
  });

  test('has the price of its active bin, or the inverse if the base token is Y', async () => {
    const state = protocolOf({ [POOL]: { ...contract, 'getActiveId() view returns (uint24)': [ONE + 1] } });
    // 1.01 and 1 / 1.01, for tokens with 18 and 6 decimals. The pair's own price is slightly below 1.01.
    const first = await lb.read(state, poolOf('lb', AVAX_USDC, true));
    expect(first?.price).toBe(1_009_999_999_999_999_999_999_999_999_999n);
    const second = await lb.read(state, poolOf('lb', AVAX_USDC, false));
    expect(second?.price).toBe(990_099_009_900_990_099_009_900_990_099n);
  });

  test.each([0, 2 ** 24 - 1])('whose active bin is %d has no price, as the pair itself answers', async (id) => {
    const state = protocolOf({ [POOL]: { ...contract, 'getActiveId() view returns (uint24)': [id] } });
    expect(() => binPrice(id, 100)).toThrow('PowUnderflow');
    expect(await lb.read(state, poolOf('lb', GGP_AVAX, true))).toBeUndefined();
  });

  test('with a tiny bin step is read to at most 200 bins from the active one', async () => {
    const state = protocolOf({ [POOL]: { ...contract, 'getBinStep() view returns (uint16)': [1n] } });
    await lb.read(state, poolOf('lb', GGP_AVAX, true));
    expect(bins(state)).toEqual(Array.from({ length: 199 }, (_, step) => ONE - step));
    const finest = protocolOf({ [POOL]: { ...contract, 'getBinStep() view returns (uint16)': [0n] } });
    await lb.read(finest, poolOf('lb', GGP_AVAX, true));
    expect(bins(finest)).toHaveLength(201);
  });

  test.each(Object.keys(contract).filter((view) => view !== getBin && view !== fees))(
    'without %s has no price',
    async (missing) => {
      const others = Object.fromEntries(Object.entries(contract).filter(([view]) => view !== missing));
      expect(await lb.read(protocolOf({ [POOL]: others }), poolOf('lb', GGP_AVAX, true))).toBeUndefined();
    },
  );

  test('is found by its tokens, unless it does not say which one is the first', async () => {
    const other = '0x5000000000000000000000000000000000000005';
    const silent = '0x6000000000000000000000000000000000000006';
    const pairs = [
      [20n, POOL, false, false],
      [10n, silent, false, false],
      [25n, other, false, false],
    ];
    const getTokenX = 'getTokenX() view returns (address)';
    const state = protocolOf({
      [FACTORY]: {
        'getAllLBPairs(address, address) view returns ((uint16 binStep, address LBPair, bool createdByOwner, bool ignoredForRouting)[])':
          [pairs],
      },
      [POOL]: { [getTokenX]: [GGP_AVAX.base.address] },
      [other]: { [getTokenX]: [network.wavax] },
    });
    const factory: Factory = { kind: 'lb', address: FACTORY };
    expect(await lb.find(state, factory, GGP_AVAX)).toEqual([
      { pair: GGP_AVAX, kind: 'lb', address: POOL, baseIsFirst: true },
      { pair: GGP_AVAX, kind: 'lb', address: other, baseIsFirst: false },
    ]);
    expect(await lb.find(protocolOf({}), factory, GGP_AVAX)).toEqual([]);
  });
});
