import type { Chain } from '../chain/chain.ts';
import type { BlockRef } from '../chain/rpc.ts';
import { ifAnswered } from '../contracts/answered.ts';
import { readExchangeRate } from '../contracts/gg-avax.ts';
import { annualYield } from '../rewards/growth.ts';

/** The exchange rate (AVAX wei for one whole ggAVAX) at a block. */
export interface RatePoint {
  block: BlockRef;
  rate: bigint;
}

/** What ggAVAX has yielded between two blocks, in percent a year, after the protocol's fee. */
export interface YieldWindow {
  days: number;
  apr: number;
  apy: number;
  from: RatePoint;
  to: RatePoint;
}

const DAY = 86_400;
/** Windows for the headline figure, the preferred one first; the others stand in while the history is shorter. */
const HEADLINE_DAYS = [28, 14, 7, 1];

/**
 * The yield over the `days` before `to`: the growth of `convertToAssets(1e18)` since the last block at or before that time, over
 * the real seconds between the two blocks. Undefined if the chain or the pool is younger.
 */
export async function readYieldWindow(chain: Chain, to: RatePoint, days: number): Promise<YieldWindow | undefined> {
  const block = await chain.blockAt(to.block.timestamp - days * DAY, to.block);
  const rate = block && (await ifAnswered(readExchangeRate(await chain.at(block.number))));
  if (!rate) return undefined;
  const from = { block, rate };
  return { days, ...annualYield(from.rate, to.rate, to.block.timestamp - block.timestamp), from, to };
}

/** The headline yield: 28 days, or the longest of 14, 7 and 1 that the history has. */
export async function readHeadlineYield(chain: Chain, to: RatePoint): Promise<YieldWindow | undefined> {
  for (const days of HEADLINE_DAYS) {
    const window = await readYieldWindow(chain, to, days);
    if (window) return window;
  }
  return undefined;
}
