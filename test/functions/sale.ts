/** Proceeds of a sale of ggAVAX on the devnet's exchanges, by the contracts of each kind of pool: shares no code with the service. */

import { Contract, type Provider } from 'ethers';
import { DEVNET_ADDRESSES } from '../../infra/devnet/addresses.ts';

/** A Uniswap V2 pair. */
const PAIR = [
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function getReserves() view returns (uint112, uint112, uint32)',
];
/** A Liquidity Book pair. */
const LB_PAIR = [
  'function getTokenX() view returns (address)',
  'function getTokenY() view returns (address)',
  'function getSwapOut(uint128 amountIn, bool swapForY) view returns (uint128 left, uint128 out, uint128 fee)',
];
/** A pool of Uniswap V3 or of one of its copies, and the factory of Algebra, whose pools are keyed by their deployer. */
const V3_POOL = ['function fee() view returns (uint24)', 'function tickSpacing() view returns (int24)'];
const ALGEBRA_FACTORY = ['function customPoolByPair(address, address, address) view returns (address)'];
/** QuoterV2, by the property that distinguishes pools of the same tokens. */
const QUOTERS = {
  fee: [
    'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 key, uint160 limit)) returns (uint256 out, uint160, uint32, uint256)',
  ],
  tickSpacing: [
    'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, int24 key, uint160 limit)) returns (uint256 out, uint160, uint32, uint256)',
  ],
  deployer: [
    'function quoteExactInputSingle((address tokenIn, address tokenOut, address key, uint256 amountIn, uint160 limit)) returns (uint256 out, uint256, uint160, uint32, uint256, uint16)',
  ],
};
/** Calls a view, or simulates a method; undefined if it reverts or does not exist. */
// biome-ignore lint/suspicious/noExplicitAny: what ethers decodes by the ABI
type Call = (address: string, abi: readonly string[], view: string, args: readonly unknown[]) => Promise<any>;

/** QuoterV2 of an exchange with concentrated liquidity. */
type Quoter =
  | { address: string; key: 'fee' | 'tickSpacing' }
  | { address: string; key: 'deployer'; factory: string; deployers: readonly string[] };

interface Market {
  pool: string;
  /** The exchange's, if it has one. */
  quoter: Quoter | undefined;
}

/** Proceeds of a sale of `amount` (base units) of a token, in base units of the pool's other token. */
async function quoteSale(
  call: Call,
  { pool, quoter }: Market,
  token: string,
  amount: bigint,
): Promise<{ paid: bigint; wanted: string }> {
  const [x, y] = await Promise.all(['getTokenX', 'getTokenY'].map((view) => call(pool, LB_PAIR, view, [])));
  if (x !== undefined) {
    const { out } = await call(pool, LB_PAIR, 'getSwapOut', [amount, x === token]);
    return { paid: out, wanted: x === token ? y : x };
  }
  const [first, second] = await Promise.all(['token0', 'token1'].map((view) => call(pool, PAIR, view, [])));
  const wanted = first === token ? second : first;
  if (quoter) {
    const key = await keyOf(call, pool, quoter, [token, wanted]);
    const asked = { tokenIn: token, tokenOut: wanted, amountIn: amount, key, limit: 0 };
    return { paid: (await call(quoter.address, QUOTERS[quoter.key], 'quoteExactInputSingle', [asked])).out, wanted };
  }
  const reserves = await call(pool, PAIR, 'getReserves', []);
  const [held, left] = first === token ? [reserves[0], reserves[1]] : [reserves[1], reserves[0]];
  // 0.3 % of what comes in does not count.
  return { paid: (amount * 997n * left) / (held * 1_000n + amount * 997n), wanted };
}

/** The quoter's key of a pool: its fee, tick spacing or deployer. */
async function keyOf(call: Call, pool: string, quoter: Quoter, tokens: readonly [string, string]): Promise<unknown> {
  if (quoter.key !== 'deployer') return call(pool, V3_POOL, quoter.key, []);
  const { factory, deployers } = quoter;
  const pools = await Promise.all(
    deployers.map((deployer) => call(factory, ALGEBRA_FACTORY, 'customPoolByPair', [deployer, ...tokens])),
  );
  return deployers[pools.indexOf(pool)];
}

/** By the codes of the exchanges that have one. */
const QUOTERS_OF: Record<string, Quoter> = {
  uniswap: { key: 'fee', address: '0x4A679253410272dd5232B3Ff7cF5dbB88f295319' },
  pharaoh: { key: 'tickSpacing', address: '0x7a2088a1bFc9d81c55368AE168C2C02570cB814F' },
  blackhole: {
    ...{ key: 'deployer', address: '0x9E545E3C0baAB3E08CdfD552C960A1050f373042' },
    factory: '0xa37aE2b259D35aF4aBdde122eC90B204323ED304',
    deployers: ['0xDcFccf2e8c4EfBba9127B80eAc76c5A122125d29'],
  },
};

interface Sale {
  dex: string;
  pool: string;
  /** Address of ggAVAX. */
  token: string;
}

/** AVAX wei that a sale pays at a block, with `sAvax` if the pool pays in sAVAX. */
export async function quote(provider: Provider, block: number, { dex, pool, token }: Sale, shares: bigint) {
  const call: Call = (address, abi, view, args) =>
    new Contract(address, abi, provider)
      .getFunction(view)
      .staticCall(...args, { blockTag: block })
      .catch(() => undefined);
  const { paid, wanted } = await quoteSale(call, { pool, quoter: QUOTERS_OF[dex] }, token, shares);
  if (wanted === DEVNET_ADDRESSES.WAVAX) return { avax: paid };
  const rate = ['function getPooledAvaxByShares(uint256) view returns (uint256)'];
  return { avax: await call(wanted, rate, 'getPooledAvaxByShares', [paid]), sAvax: paid };
}
