import { AbiCoder, getCreate2Address, getCreateAddress, keccak256, parseUnits, solidityPackedKeccak256 } from 'ethers';
import { type Contract, call, type Transaction } from '../chain.ts';
import type { Artifacts } from '../compile.ts';
import { abiOf, executeAs, type Protocol } from '../protocol.ts';
import type { Stage } from './founding.ts';
import { bothSides, POOLS, type PoolPrices, type PoolRow, priceOf, targetOf } from './pools.ts';
import type { Random } from './random.ts';

/** The pools and the feed, all traded and priced by the Trader contract. */
export interface Exchanges {
  /** Transactions that create the pools of `day` at these prices and fund them from the Trader. */
  open(day: number, prices: PoolPrices): Transaction[];
  /** One transaction that moves every pool that exists on `day`, and the feed, near these prices. */
  move(day: number, prices: PoolPrices): Transaction;
}

/** In the order of the Trader's own list. */
const KINDS: readonly PoolRow['kind'][] = ['UniswapV2Pair', 'LBPair', 'UniswapV3Pool', 'AlgebraPool'];
/** Bins with liquidity on either side of LB's first active bin: ±30 %. */
const LB_WIDTH = 130;
/** The last tick of concentrated liquidity, on either side. */
const MAX_TICK = 887_272;
/** Typical distance of Chainlink's price from the reference, as a fraction. */
const FEED_SPREAD = 0.001;

type Pool = PoolRow & { contract: Contract };

export function createExchanges(stage: Stage, random: Random): Exchanges {
  const { artifacts, protocol, people } = stage;
  const { keeper } = people;
  const { Trader, AvaxUsdFeed } = protocol;
  const pools = POOLS.map((row) => {
    return { ...row, contract: { address: computeAddress(row, protocol, artifacts), abi: abiOf(artifacts, row.kind) } };
  });

  const near = (price: number, spread: number) => {
    if (spread === 0) return price;
    const noise = Math.max(-2, Math.min(2, random.normal()));
    return price * (1 + spread * noise);
  };

  return {
    open: (day, prices) =>
      pools
        .filter(({ since }) => since === day)
        .flatMap((pool) => {
          const price = priceOf(pool, prices) ?? 1;
          const addition = call(keeper, Trader, 'addPool', [pool.contract.address, KINDS.indexOf(pool.kind)]);
          return [createPool(stage, pool, targetOf(pool, price)), addition, ...fundPool(stage, pool, price)];
        }),
    move(day, prices) {
      const targets = pools.map((pool) => {
        const price = priceOf(pool, prices);
        // Drawn for pools that do not exist yet, too, so that opening one does not shift the others' noise.
        const noisy = near(price ?? 1, pool.spread);
        return price === undefined || pool.since >= day ? 0n : targetOf(pool, noisy);
      });
      const answer = parseUnits(near(prices.avaxInUSD, FEED_SPREAD).toFixed(8), 8);
      return call(keeper, Trader, 'move', [targets, AvaxUsdFeed.address, answer]);
    },
  };
}

/** The transaction that creates a pool; an LB pool starts at the bin `target`. */
function createPool({ artifacts, protocol, people: { keeper } }: Stage, pool: PoolRow, target: bigint): Transaction {
  const { factory, kind, keys, base, quote } = pool;
  const tokens = [protocol[base].address, protocol[quote].address];
  switch (kind) {
    case 'UniswapV2Pair':
      return call(keeper, protocol[factory], 'createPair', tokens);
    case 'LBPair':
      return call(keeper, protocol[factory], 'createLBPair', [...tokens, target, ...keys]);
    case 'UniswapV3Pool': {
      // Pharaoh's factory does not hold the code of its pools.
      const code = factory === 'PharaohFactory' ? [artifacts.UniswapV3Pool?.bytecode] : [];
      return call(keeper, protocol[factory], 'createPool', [...tokens, ...keys, ...code]);
    }
    case 'AlgebraPool':
      return call(keeper, protocol.BlackholeEntryPoint, 'createCustomPool', [...keys, ...tokens]);
  }
}

/** The transactions that bring a pool to a price, and its liquidity from the Trader. */
function fundPool({ protocol, people: { keeper } }: Stage, pool: Pool, price: number): Transaction[] {
  const { kind, base, quote, contract } = pool;
  const { Trader } = protocol;
  const execute = (to: Contract, method: string, args: unknown[]) => executeAs(protocol, keeper, to, method, args);
  const [amount0, amount1] = bothSides(pool, price);
  switch (kind) {
    case 'UniswapV2Pair':
      return [
        execute(protocol[base], 'transfer', [contract.address, amount0]),
        execute(protocol[quote], 'transfer', [contract.address, amount1]),
        execute(contract, 'mint', [Trader.address]),
      ];
    case 'LBPair':
      return [
        ...[base, quote].map((token) => execute(protocol[token], 'approve', [contract.address, 2n ** 256n - 1n])),
        execute(contract, 'addLiquidity', [LB_WIDTH, amount0, amount1]),
      ];
    case 'UniswapV3Pool':
    case 'AlgebraPool': {
      const root = targetOf(pool, price);
      const liquidity = (amount0 * root) / 2n ** 96n;
      const spacing = tickSpacingOf(pool);
      const last = Math.floor(MAX_TICK / spacing) * spacing;
      // Algebra also takes the receiver of the remainder.
      const receivers = kind === 'AlgebraPool' ? [Trader.address, Trader.address] : [Trader.address];
      return [
        call(keeper, contract, 'initialize', [root]),
        execute(contract, 'mint', [...receivers, -last, last, liquidity, '0x']),
      ];
    }
  }
}

function tickSpacingOf({ factory, keys }: PoolRow): number {
  if (factory === 'BlackholeFactory') return 1;
  return factory === 'UniswapV3Factory' ? Number(keys[0]) / 50 : Number(keys[0]);
}

/** Address at which a factory creates a pool: by CREATE2 with the pool's key, as each documents; for LB by its nonce. */
function computeAddress(row: PoolRow, protocol: Protocol, artifacts: Artifacts): string {
  const { factory, kind, keys, base, quote } = row;
  const tokens = [protocol[base].address, protocol[quote].address];
  const abiEncoded = (types: string[], values: unknown[]) =>
    keccak256(AbiCoder.defaultAbiCoder().encode(types, values));
  const created = (from: string, salt: string) =>
    getCreate2Address(from, salt, keccak256(artifacts[kind]?.bytecode as string));
  const { address } = protocol[factory];
  switch (kind) {
    case 'UniswapV2Pair':
      return created(address, solidityPackedKeccak256(['address', 'address'], tokens));
    case 'LBPair':
      return getCreateAddress({ from: address, nonce: 1 + POOLS.filter((other) => other.kind === kind).indexOf(row) });
    case 'UniswapV3Pool':
      return created(address, abiEncoded(['address', 'address', 'uint24'], [...tokens, keys[0]]));
    case 'AlgebraPool': {
      const salt = abiEncoded(['address', 'address', 'address'], [...keys, ...tokens]);
      return created(protocol.BlackholePoolDeployer.address, salt);
    }
  }
}
