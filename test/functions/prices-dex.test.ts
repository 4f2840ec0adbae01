import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { pricesDex } from '../../functions/prices/dex.ts';
import { prices } from '../../functions/prices.ts';
import { DEVNET_ADDRESSES } from '../../infra/devnet/addresses.ts';
import { formatAmount } from '../../lib/values/amounts.ts';
import { WAD } from '../../lib/values/wad.ts';
import { type Body, bodyFrom } from '../support/events.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { chainForAllTests, forkDevnet, removeView } from './devnet.ts';

/** The pools of each exchange, compared with the balances of their contracts. */

const { WAVAX, TokenGGP, USDC, SAVAX } = DEVNET_ADDRESSES;

tablesForAllTests();
const keep = stoppedAfterEach();
const chain = chainForAllTests();
/** The base and the quote of each pair, and the quote's decimals. */
let pairs: Record<string, readonly [string, string, number]>;

beforeAll(async () => {
  pairs = {
    'GGP/AVAX': [TokenGGP, WAVAX, 18],
    'ggAVAX/AVAX': [await chain.registered('TokenggAVAX'), WAVAX, 18],
    'ggAVAX/sAVAX': [await chain.registered('TokenggAVAX'), SAVAX, 18],
    'AVAX/USDC': [WAVAX, USDC, 6],
  };
});
afterEach(() => {
  jest.restoreAllMocks();
});

const bodyOf = (dex: string, env: Record<string, string> = {}): Promise<Body> =>
  bodyFrom(pricesDex, startOnDevnet({ CACHE_TABLE: 'no-cache', ...env }), {
    params: { dex },
  });

async function balanceOf(token: string, owner: string): Promise<bigint> {
  const [balance] = await chain.readAt(token, 'balanceOf', [owner]);
  return balance as bigint;
}

describe.each([
  ['tj', 'Trader Joe (LFJ)', ['AVAX/USDC lb', 'AVAX/USDC v2', 'GGP/AVAX v2']],
  ['pangolin', 'Pangolin', ['AVAX/USDC v2', 'GGP/AVAX v2']],
  ['uniswap', 'Uniswap V3', ['AVAX/USDC v3']],
  ['pharaoh', 'Pharaoh', ['AVAX/USDC v3', 'ggAVAX/AVAX v3', 'ggAVAX/sAVAX v3']],
  ['blackhole', 'Blackhole', ['AVAX/USDC v3', 'ggAVAX/AVAX v3']],
])('%s', (dex, name, pools) => {
  let body: Body;
  beforeAll(async () => {
    body = await bodyOf(dex);
  });

  test('has its own pools, the deepest first, with their reserves', async () => {
    expect(body).toMatchObject({ dex, name });
    expect(body.pools.map(({ pair, kind }: Body) => `${pair} ${kind}`)).toEqual(pools);
    for (const { pair, address, baseReserve, quoteReserve } of body.pools) {
      const [base, quote, decimals] = pairs[pair] as (typeof pairs)[string];
      expect([baseReserve, quoteReserve]).toEqual([
        formatAmount(await balanceOf(base, address)),
        formatAmount(await balanceOf(quote, address), decimals),
      ]);
    }
  });

  test('has the prices of its deepest pools', () => {
    const priceOf = (wanted: string) => {
      const deepest = body.pools.find(({ pair }: Body) => pair === wanted);
      return deepest ? expect.closeTo(Number(deepest.price), 10) : undefined;
    };
    expect(body.avaxInUSD).toEqual(priceOf('AVAX/USDC'));
    expect(body.ggpInAVAX).toEqual(priceOf('GGP/AVAX'));
    expect(body.ggAvaxInAVAX).toEqual(priceOf('ggAVAX/AVAX'));
    expect(body.ggpInUSD).toEqual(body.ggpInAVAX && expect.closeTo(body.ggpInAVAX * body.avaxInUSD, 10));
    expect(body.ggAvaxInUSD).toEqual(body.ggAvaxInAVAX && expect.closeTo(body.ggAvaxInAVAX * body.avaxInUSD, 9));
  });

  test('has prices and values in EUR at the rate of Chainlink, like /prices', async () => {
    const { eurInUSD } = await bodyFrom(prices, startOnDevnet({ CACHE_TABLE: 'no-cache' }));
    expect(body.eurInUSD).toBe(eurInUSD);
    for (const name of ['avax', 'ggp', 'ggAvax'])
      expect(body[`${name}InEUR`]).toEqual(body[`${name}InUSD`] && expect.closeTo(body[`${name}InUSD`] / eurInUSD, 9));
    for (const { liquidityUSD, liquidityEUR } of body.pools)
      expect(liquidityEUR / (liquidityUSD / eurInUSD)).toBeCloseTo(1, 9);
  });

  test("values the reserves of a pool at the pool's own price", () => {
    for (const { pair, price, baseReserve, quoteReserve, liquidityUSD, sAvaxInAVAX = 1 } of body.pools) {
      const [base, quote] = [Number(baseReserve), Number(quoteReserve)];
      const side = pair === 'AVAX/USDC' ? base + quote / Number(price) : base * Number(price) + quote;
      const avax = side * Number(sAvaxInAVAX);
      expect(liquidityUSD / (avax * body.avaxInUSD)).toBeCloseTo(1, 9);
    }
  });
});

test('an exchange without a price of AVAX has no values in USD, but everything else', async () => {
  const { rpc, url } = keep(await forkDevnet());
  const whole = await bodyOf('pharaoh', { RPC_URLS: url });
  await rpc.send('anvil_setCode', whole.pools[0].address, '0x');
  await rpc.send('evm_mine');
  const { pools, block, ...others } = await bodyOf('pharaoh', { RPC_URLS: url });
  const { liquidityUSD, liquidityEUR, ...known } = whole.pools[1];
  expect(pools).toEqual([known, expect.objectContaining({ pair: 'ggAVAX/sAVAX' })]);
  const { eurInUSD, ggAvaxInAVAX } = whole;
  expect(others).toEqual({ dex: 'pharaoh', name: 'Pharaoh', ggAvaxInAVAX, eurInUSD });
  expect(block.number).toBe(whole.block.number + 1);
});

test('a pool in sAVAX tells the rate of its contract, and is left out without one, with the reason', async () => {
  const forked = keep(await forkDevnet());
  const { url } = forked;
  const { pools, block } = await bodyOf('pharaoh', { RPC_URLS: url });
  const [rate] = await forked.readAt(SAVAX, 'getPooledAvaxByShares', [WAD], block.number);
  expect(pools.at(-1)).toMatchObject({ pair: 'ggAVAX/sAVAX', sAvaxInAVAX: formatAmount(rate) });
  await removeView(forked, SAVAX, 'getPooledAvaxByShares(uint256)');
  const { partial, reasons, ...body } = await bodyOf('pharaoh', { RPC_URLS: url });
  expect([partial, reasons]).toEqual([['pools'], { pools: 'NO_PRICE' }]);
  expect(body.pools.map(({ pair }: Body) => pair)).toEqual(['AVAX/USDC', 'ggAVAX/AVAX']);
});
