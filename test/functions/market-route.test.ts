import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Interface, JsonRpcProvider, parseEther, parseUnits } from 'ethers';
import { withdrawalsEstimate } from '../../functions/withdrawals/estimate.ts';
import { DEVNET_ADDRESSES } from '../../infra/devnet/addresses.ts';
import { loadArtifacts } from '../../infra/devnet/compile.ts';
import { describeProtocol, type Protocol } from '../../infra/devnet/protocol.ts';
import { EXCHANGES } from '../../lib/prices/exchanges.ts';
import { readBestSale, readPools } from '../../lib/prices/market.ts';
import type { Pool } from '../../lib/prices/pool.ts';
import { v3 } from '../../lib/prices/v3.ts';
import { formatAmount } from '../../lib/values/amounts.ts';
import { type Body, sendTo } from '../support/events.ts';
import { recordLedger } from '../support/recorded.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { type Fork, forkDevnet, removeView, transact, undoneAfterEach } from './devnet.ts';
import { quote } from './sale.ts';

/** The proceeds of a sale of ggAVAX on each kind of pool, compared with the exchanges' own contracts. */

const CALLS = new Interface([
  'function deposit() payable',
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function createPair(address a, address b)',
  'function createLBPair(address tokenX, address tokenY, uint24 activeId, uint16 binStep)',
  'function createPool(address a, address b, uint24 fee)',
  'function addLiquidity(uint24 width, uint128 x, uint128 y)',
  'function initialize(uint160 sqrtPriceX96)',
  'function mint(address to)',
  'function mint(address to, int24 tickLower, int24 tickUpper, uint128 liquidity, bytes data)',
  'function mint(address rest, address to, int24 tickLower, int24 tickUpper, uint128 liquidity, bytes data)',
  'function execute(address target, bytes data)',
  'function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)',
  'function getPair(address, address) view returns (address)',
  'function getPool(address, address, uint24) view returns (address)',
  'function getAllLBPairs(address, address) view returns ((uint16 binStep, address LBPair, bool createdByOwner, bool ignoredForRouting)[])',
  'function getSwapOut(uint128 amountIn, bool swapForY) view returns (uint128 left, uint128 out, uint128 fee)',
  'function createCustomPool(address deployer, address a, address b)',
  'function customPoolByPair(address deployer, address, address) view returns (address)',
  'function setFee(address pool, uint16 fee)',
]);
const { WAVAX, SAVAX, JoeFactory, LBFactory, UniswapV3Factory } = DEVNET_ADDRESSES;
const quoterOf = (address: string) =>
  EXCHANGES.flatMap(({ factories }) => factories.devnet ?? []).flatMap((factory) =>
    factory.address === address && factory.kind === 'v3' ? factory.quoter : [],
  )[0] as string;
const QUOTER = quoterOf(UniswapV3Factory);
const asked = EXCHANGES.map(({ code }) => code);
const SOLD = parseEther('40');
const Q96 = 2n ** 96n;

tablesForAllTests();
let chain: Fork;
let token: string;
let alba: string;
let protocol: Protocol;

beforeAll(async () => {
  await recordLedger();
  chain = await forkDevnet();
  await chain.rpc.send('anvil_setBlockTimestampInterval', 0);
  token = await chain.registered('TokenggAVAX');
  alba = chain.people.alba;
  protocol = describeProtocol(await loadArtifacts());
  expect(await act(WAVAX, 'deposit', [], '0x152d02c7e14af6800000')).toBe(true);
});
undoneAfterEach(() => chain);
afterAll(() => chain.stop());

const act = (to: string, method: string, args: unknown[] = [], value?: string) =>
  transact(chain, { from: alba, to, data: CALLS.encodeFunctionData(method, args), ...(value && { value }) });

async function ask(to: string, method: string, args: unknown[], calls = CALLS) {
  const data = calls.encodeFunctionData(method, args);
  return calls.decodeFunctionResult(method, String(await chain.rpc.send('eth_call', { to, data }, 'latest')));
}

/** The market's route for an amount (wei), as a container without any cache sees it. */
async function marketFor(shares: bigint): Promise<Body> {
  const container = startOnDevnet({ RPC_URLS: chain.url, CACHE_TABLE: 'no-cache' });
  const { body } = await sendTo(withdrawalsEstimate, container, {
    query: { ggAvax: formatAmount(shares) },
  });
  return { value: parseEther(body.avax), ...body.routes.find(({ route }: Body) => route === 'market') };
}

async function give(to: string, ggAvax: bigint, avax: bigint): Promise<void> {
  expect(await act(token, 'transfer', [to, ggAvax])).toBe(true);
  expect(await act(WAVAX, 'transfer', [to, avax])).toBe(true);
}

/** A pool that pays 1.3 AVAX for a ggAVAX, more than any other. The market route names this pool. */
async function openV2(): Promise<string> {
  expect(await act(JoeFactory, 'createPair', [token, WAVAX])).toBe(true);
  const [pair] = await ask(JoeFactory, 'getPair', [token, WAVAX]);
  await give(pair, parseEther('3000'), parseEther('3900'));
  expect(await act(pair, 'mint(address)', [alba])).toBe(true);
  return pair;
}

/** Bins of 1 %, around 1.3 AVAX: on each side as many as `width`. */
const openLB = async (width = 20) => {
  const id = 2 ** 23 + Math.round(Math.log(1.3) / Math.log1p(0.01));
  expect(await act(LBFactory, 'createLBPair', [token, WAVAX, id, 100])).toBe(true);
  const [[{ LBPair: pair }]] = await ask(LBFactory, 'getAllLBPairs', [token, WAVAX]);
  for (const one of [token, WAVAX]) expect(await act(one, 'approve', [pair, 2n ** 256n - 1n])).toBe(true);
  expect(await act(pair, 'addLiquidity', [width, parseEther('10'), parseEther('13')])).toBe(true);
  return pair;
};

/**
 * Puts 3,000 of liquidity over the whole range into a pool, at 1.3 AVAX. The sender is the Trader, which pays in the
 * pool's callback.
 */
async function fund(pool: string, spacing: number, mint: string, receivers: number): Promise<void> {
  const { address: trader } = protocol.Trader;
  await give(trader, parseEther('2700'), parseEther('3500'));
  const root = (parseUnits('1.14017542509913797', 18) * Q96) / 10n ** 18n;
  expect(await act(pool, 'initialize', [root])).toBe(true);
  const last = Math.floor(887_272 / spacing) * spacing;
  const to = Array<string>(receivers).fill(trader);
  const data = CALLS.encodeFunctionData(mint, [...to, -last, last, parseEther('3000'), '0x']);
  expect(await act(trader, 'execute', [pool, data])).toBe(true);
}

const openV3 = async () => {
  expect(await act(UniswapV3Factory, 'createPool', [token, WAVAX, 3_000])).toBe(true);
  const [pool] = await ask(UniswapV3Factory, 'getPool', [token, WAVAX, 3_000]);
  await fund(pool, 60, 'mint(address,int24,int24,uint128,bytes)', 1);
  return pool;
};

test('a constant-product pool pays what it takes a real trade for, and not a wei more', async () => {
  const pair = await openV2();
  const { avax, value, discountPercent, ...route } = await marketFor(SOLD);
  expect(route).toEqual({ route: 'market', available: true, dex: 'tj', pool: pair, asked });
  const out = parseEther(avax);
  expect(discountPercent).toBeCloseTo((1 - Number(out) / Number(value)) * 100, 8);
  expect(await act(token, 'transfer', [pair, SOLD])).toBe(true);
  expect(await act(pair, 'swap', [0n, out + 1n, alba, '0x'])).toBe(false);
  expect(await act(pair, 'swap', [0n, out, alba, '0x'])).toBe(true);
});

describe('a concentrated-liquidity pool', () => {
  // From √1.3 to √(1/64) it takes 3,000 · (1 / 0.125 − 1 / 1.140175…) = 21,368.826 ggAVAX after the fee: 21,433.125 with it.
  test('is sold to until a ggAVAX brings 1/64 AVAX, and not further', async () => {
    const address = await openV3();
    const pair = { base: { address: token, decimals: 18 }, quote: { address: WAVAX, decimals: 18 } };
    const pool = { pair, address, baseIsFirst: true, quoter: { address: QUOTER, key: 'fee', tier: 3_000 } } as Pool;
    const state = await startOnDevnet({ RPC_URLS: chain.url, CACHE_TABLE: 'no-cache' }).opened.chain.latest();
    const quoted = await v3.quote(state, pool, parseEther('21433'));
    // 3,000 · (1.140175… − 0.125001)
    expect(Number(formatAmount(quoted as bigint))).toBeCloseTo(3_045.524, 2);
    expect(await v3.quote(state, pool, parseEther('21434'))).toBeUndefined();
  });
});

describe('a pool that pays sAVAX', () => {
  const LITTLE = parseEther('0.0123');

  test('is left out while the rate of sAVAX is not known, with the reason', async () => {
    const { pool, sAvax: before } = await marketFor(LITTLE);
    expect(parseEther(before)).toBeGreaterThan(0n);
    await removeView(chain, SAVAX, 'getPooledAvaxByShares(uint256)');
    const { sAvax, ...offer } = await marketFor(LITTLE);
    expect(offer).toMatchObject({ available: true, reason: 'NO_RATE' });
    expect(sAvax).toBeUndefined();
    expect(offer.pool).not.toBe(pool);
  });
});

test('every pool of ggAVAX offers what its own contracts quote', async () => {
  for (const open of [openV2, openLB, openV3]) await open();
  const state = await startOnDevnet({ RPC_URLS: chain.url, CACHE_TABLE: 'no-cache' }).opened.chain.latest();
  const { number } = await state.block();
  const pools = (await readPools(state)).filter(({ pair }) => pair.name.startsWith('ggAVAX/'));
  expect(pools.map(({ exchange }) => exchange)).toEqual(
    expect.arrayContaining(['tj', 'uniswap', 'pharaoh', 'blackhole']),
  );
  expect(pools.filter(({ pair }) => pair.inSAvax)).toHaveLength(1);
  const provider = new JsonRpcProvider(chain.url, 43_112, { staticNetwork: true });
  for (const pool of pools) {
    const { best } = await readBestSale(state, [pool], SOLD);
    const found = await quote(provider, number, { dex: pool.exchange, pool: pool.address, token }, SOLD);
    expect([best?.assets, best?.sAvax]).toEqual([found.avax, found.sAvax]);
    expect(found.avax).toBeGreaterThan(0n);
  }
  provider.destroy();
});

test('a market is put before redemption if it pays more', async () => {
  await openV2();
  const container = startOnDevnet({ RPC_URLS: chain.url, CACHE_TABLE: 'no-cache' });
  const { routes } = (await sendTo(withdrawalsEstimate, container, { query: { ggAvax: '40' } })).body;
  expect(routes.map(({ route }: Body) => route)).toEqual(['market', 'redeem', 'queue']);
  const [market] = routes;
  expect(market?.route === 'market' && market.discountPercent).toBeLessThan(0);
});
