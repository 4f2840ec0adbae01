/** What a sale on an exchange pays, by the contracts of each kind of pool. */

/** A Uniswap V2 pair. */
export const PAIR = [
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function getReserves() view returns (uint112, uint112, uint32)',
];
/** A Liquidity Book pair. */
const LB_PAIR = [
  'function getTokenX() view returns (address)',
  'function getSwapOut(uint128 amountIn, bool swapForY) view returns (uint128 left, uint128 out, uint128 fee)',
];
/** A Uniswap V3 pool, and QuoterV2 of Uniswap and of Pharaoh, which keys pools by tick spacing. */
const V3_POOL = ['function fee() view returns (uint24)', 'function tickSpacing() view returns (int24)'];
const QUOTERS: Record<string, string[]> = {
  uniswap: [
    'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 key, uint160 limit)) returns (uint256 out, uint160, uint32, uint256)',
  ],
  pharaoh: [
    'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, int24 key, uint160 limit)) returns (uint256 out, uint160, uint32, uint256)',
  ],
};
/** Calls a view, or a method without effect; undefined if it reverts or does not exist. */
// biome-ignore lint/suspicious/noExplicitAny: what ethers decodes by the ABI
type Call = (address: string, abi: readonly string[], view: string, args: readonly unknown[]) => Promise<any>;

interface Market {
  dex: string;
  pool: string;
  /** The exchange's QuoterV2, if it has one. */
  quoter: string | undefined;
}

/** Base units of the second token for so much of the first. */
export async function quoteSale(
  call: Call,
  { dex, pool, quoter }: Market,
  [token, wavax]: readonly [string, string],
  amount: bigint,
): Promise<bigint> {
  const x = await call(pool, LB_PAIR, 'getTokenX', []);
  if (x !== undefined) return (await call(pool, LB_PAIR, 'getSwapOut', [amount, x === token])).out;
  if (quoter) {
    const key = await call(pool, V3_POOL, dex === 'uniswap' ? 'fee' : 'tickSpacing', []);
    const asked = [token, wavax, amount, key, 0];
    return (await call(quoter, QUOTERS[dex] as string[], 'quoteExactInputSingle', [asked])).out;
  }
  const [first, reserves] = await Promise.all(['token0', 'getReserves'].map((view) => call(pool, PAIR, view, [])));
  const [held, wanted] = first === token ? [reserves[0], reserves[1]] : [reserves[1], reserves[0]];
  // 0.3 % of what comes in does not count.
  return (amount * 997n * wanted) / (held * 1_000n + amount * 997n);
}
