import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Contract, Interface, JsonRpcProvider } from 'ethers';
import fc from 'fast-check';
import type { ProtocolState } from '../../../lib/chain/chain.ts';
import { EXCHANGES } from '../../../lib/prices/exchanges.ts';
import { binPrice } from '../../../lib/prices/lb.ts';
import { readPoolStates, readPools } from '../../../lib/prices/market.ts';
import { depthOf, inAVAX, type Pool, type PoolState } from '../../../lib/prices/pool.ts';
import { WAD } from '../../../lib/values/wad.ts';
import { startContainer } from '../../support/runtime.ts';
import { startTables } from '../../support/tables.ts';

const Q128 = 2n ** 128n;

describe('the price of a Liquidity Book bin', () => {
  // The first is 1 by definition. The others are what the deployed contracts return from getPriceFromId.
  test.each([
    [8_388_608, 20, Q128],
    [8_388_609, 10, 340_622_649_287_859_401_926_837_982_039_199_979_667n],
    [8_388_607, 25, 339_433_782_464_776_522_157_979_658_286_053_078_759n],
    [8_376_042, 20, 4_246_691_213_355_253_910_376_755_522n],
    [8_385_000, 100, 87_161_127_028_897_594_685_606n],
  ])('is what the contract returns: bin %d with step %d is %d', (id, binStep, price) => {
    expect(binPrice(id, binStep)).toBe(price);
  });

  test('grows by one bin step per bin', () => {
    fc.assert(
      fc.property(fc.integer({ min: -8_000, max: 8_000 }), fc.constantFrom(1, 5, 10, 20, 25), (exponent, binStep) => {
        const [here, next] = [binPrice(2 ** 23 + exponent, binStep), binPrice(2 ** 23 + exponent + 1, binStep)];
        const step = (Number((next * WAD) / here) / 1e18 - 1) * 10_000;
        expect(step).toBeCloseTo(binStep, 6);
      }),
    );
  });
});

describe('the pools of the devnet', () => {
  let state: ProtocolState;
  let pools: Pool[];
  let states: PoolState[];
  let chain: JsonRpcProvider;
  let database: Awaited<ReturnType<typeof startTables>>;

  beforeAll(async () => {
    database = await startTables();
    const rpcUrl = process.env.DEVNET_RPC_URL as string;
    chain = new JsonRpcProvider(rpcUrl, 43_112, { staticNetwork: true });
    const { opened } = startContainer({ NETWORK: 'devnet', RPC_URLS: rpcUrl, MAX_HEAD_AGE_SECONDS: '0' });
    state = await opened.chain.latest();
    pools = await readPools(state);
    states = await readPoolStates(state, pools);
  });
  afterAll(async () => {
    chain.destroy();
    await database.stop();
  });

  function stateOf(exchange: string, kind: string, pair: string): PoolState {
    const state = states.find(
      ({ pool }) => pool.exchange === exchange && pool.kind === kind && pool.pair.name === pair,
    );
    if (!state) throw new Error(`no ${kind} pool of ${pair} on ${exchange}`);
    return state;
  }

  async function contract(address: string, ...abi: string[]): Promise<Contract> {
    return new Contract(address, new Interface(abi), chain);
  }

  test('are found on every exchange, the deepest first', () => {
    expect(new Set(pools.map(({ exchange }) => exchange))).toEqual(new Set(EXCHANGES.map(({ code }) => code)));
    const depths = states.map((state) => inAVAX(state, state.depthAVAX));
    expect(depths).toEqual(depths.toSorted((a, b) => (a > b ? -1 : 1)));
    expect(depths.every((depth) => depth > 0n)).toBe(true);
  });

  test('that are Liquidity Book have the price of the active bin, and the AVAX within 2 % as their depth', async () => {
    const { pool, price, depthAVAX, fee } = stateOf('tj', 'lb', 'AVAX/USDC');
    const pair = await contract(
      pool.address,
      'function getActiveId() view returns (uint24)',
      'function getBinStep() view returns (uint16)',
      'function getPriceFromId(uint24) view returns (uint256)',
      'function getTokenX() view returns (address)',
      'function getBin(uint24) view returns (uint128 x, uint128 y)',
    );
    const [id, binStep] = await Promise.all([pair.getFunction('getActiveId')(), pair.getFunction('getBinStep')()]);
    const onChain: bigint = await pair.getFunction('getPriceFromId')(id);
    expect(binPrice(Number(id), Number(binStep))).toBe(onChain);
    // Also far from 1 on both sides, where rounding matters.
    for (const other of [1, 2, 99, 1_000, 7_777, 20_000].flatMap((far) => [2 ** 23 - far, 2 ** 23 + far])) {
      expect(binPrice(other, Number(binStep))).toBe(await pair.getFunction('getPriceFromId')(other));
    }
    const avaxIsX = BigInt(await pair.getFunction('getTokenX')()) === BigInt(state.network.wavax);
    // USD for one AVAX: 18 decimals against 6.
    expect(price).toBe(avaxIsX ? (onChain * 10n ** 30n) / Q128 : (Q128 * 10n ** 30n) / onChain);
    let held = 0n;
    for (let step = 0; (1 + Number(binStep) / 10_000) ** step <= 1.02; step++) {
      const bin = await pair.getFunction('getBin')(avaxIsX ? Number(id) + step : Number(id) - step);
      held += avaxIsX ? bin.x : bin.y;
    }
    expect(depthAVAX).toBe(held);
    expect(fee).toBeGreaterThan(0n);
  });

  test.each([
    ['uniswap', 'slot0'],
    ['pharaoh', 'slot0'],
    ['blackhole', 'globalState'],
  ])('that are concentrated, on %s, have the square of %s as their price', async (exchange, view) => {
    const state = states.find(({ pool }) => pool.exchange === exchange) as PoolState;
    const { pool, price } = state;
    const v3 = await contract(
      pool.address,
      `function ${view}() view returns (uint160 sqrtPriceX96, int24 tick)`,
      'function token0() view returns (address)',
      'function fee() view returns (uint24)',
    );
    const [now, token0, fee]: [{ sqrtPriceX96: bigint }, string, bigint] = await Promise.all([
      v3.getFunction(view)(),
      v3.getFunction('token0')(),
      v3.getFunction('fee')(),
    ]);
    expect(pool.baseIsFirst).toBe(BigInt(token0) === BigInt(pool.pair.base.address));
    const scale = 10n ** BigInt(18 + pool.pair.base.decimals - pool.pair.quote.decimals);
    const square = now.sqrtPriceX96 * now.sqrtPriceX96;
    expect(price).toBe(pool.baseIsFirst ? (square * scale) / 2n ** 192n : (2n ** 192n * scale) / square);
    expect(state.fee).toBe(fee * 10n ** 12n);
  });

  test('are only those that existed, if read at a past block', async () => {
    const { opened } = startContainer({
      NETWORK: 'devnet',
      RPC_URLS: process.env.DEVNET_RPC_URL as string,
      MAX_HEAD_AGE_SECONDS: '0',
    });
    const head = await state.block();
    const [early] = await opened.chain.blocksAt([head.timestamp - 80 * 86_400], head);
    const then = await opened.chain.at(early?.number as number);
    const kinds = (await readPools(then)).map(({ exchange, kind }) => `${exchange} ${kind}`);
    expect(kinds).toContain('tj v2');
    expect(kinds).not.toContain('tj lb');
    expect(kinds).not.toContain('uniswap v3');
  });
});

test('the depth to 2 % of the price is 1 − 1/√1.02 of what is in range', () => {
  expect(Number(depthOf(10n ** 24n)) / 1e24).toBeCloseTo(1 - 1 / Math.sqrt(1.02), 12);
});
