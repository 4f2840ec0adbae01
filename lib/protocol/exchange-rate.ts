import type { Chain } from '../chain/chain.ts';
import type { BlockRef } from '../chain/rpc.ts';
import type { Context } from '../context.ts';
import { ifAnswered } from '../contracts/answered.ts';
import { readExchangeRate } from '../contracts/gg-avax.ts';
import { annualYield, rateBeforeFee } from '../rewards/growth.ts';

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
const ALL_BIPS = 10_000n;
/** Windows for the headline figure, the preferred one first; the others stand in while the history is shorter. */
export const HEADLINE_DAYS: readonly number[] = [28, 14, 7, 1];

/**
 * The yield over the `days` before `to`: the growth of `convertToAssets(1e18)` since the last block at or before that time, over
 * the real seconds between the two blocks. Undefined if the chain or the pool is younger. Throws UPSTREAM_UNAVAILABLE if no
 * endpoint keeps a state that old.
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

/**
 * The yields over several windows, read at the same time. Left out are those that the history is too short for, and, with
 * `whole: false`, those whose state no endpoint keeps.
 */
export async function readYieldWindows(
  { chain, telemetry }: Context,
  to: RatePoint,
  days: readonly number[],
): Promise<{ windows: YieldWindow[]; whole: boolean }> {
  const outcomes = await Promise.allSettled(days.map((length) => readYieldWindow(chain, to, length)));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) telemetry.warn('past exchange rate is not available', { error: failed.reason });
  const windows = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' && outcome.value) || []);
  return { windows, whole: !failed };
}

/** The yield (percent a year, compounded) that a window would have had without the protocol's fee; undefined if it keeps all. */
export function apyBeforeFee({ from, to }: YieldWindow, feeBips: bigint): number | undefined {
  if (feeBips >= ALL_BIPS) return undefined;
  const gross = rateBeforeFee(from.rate, to.rate, feeBips);
  return annualYield(from.rate, gross, to.block.timestamp - from.block.timestamp).apy;
}
