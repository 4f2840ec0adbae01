import { ifAnswered } from '../chain/contract.ts';
import { readExchangeRate } from '../contracts/gg-avax.ts';
import { annualYield, rateBeforeFee } from '../rewards/growth.ts';
import { levelOf } from '../runtime/errors.ts';
import { ifAvailable } from '../runtime/if-known.ts';
import type { BlockRef } from '../values/block.ts';
import { DAY } from '../values/durations.ts';
import { BPS } from '../values/wad.ts';
import type { HistoryContext } from './history-store.ts';

/** The exchange rate (AVAX wei for one whole ggAVAX) at a block. */
export interface RatePoint {
  block: BlockRef;
  rate: bigint;
}

/** The yield of ggAVAX between two blocks, in percent a year, after the protocol's fee. */
export interface YieldWindow {
  days: number;
  apr: number;
  apy: number;
  from: RatePoint;
  to: RatePoint;
}

/** Windows for the headline figure, the preferred one first; the others stand in while the history is shorter. */
const HEADLINE_DAYS: readonly number[] = [28, 14, 7, 1];

/** A window may start at a recorded hour this many seconds before its time: the recorder may have left out hours. */
const RECORDER_GAP_SECONDS = 6 * 3_600;

/** The newest recorded hour at or before `time`; undefined if the recorder has left out too much. */
async function readRecordedRate(context: HistoryContext, time: number) {
  const read = () => context.history.newest('1h', time - RECORDER_GAP_SECONDS, time);
  // Not for long: the chain can supply the rate, too.
  const point = await ifAvailable(context, 'recorded exchange rate', read, context.limits.durableTableMs);
  const rate = point?.values.avaxPerGgAvax;
  return point && rate ? { block: point.block, rate } : undefined;
}

/**
 * The starts of windows: recorded, or else from the chain at the last block at or before that time: yields are computed over the
 * real seconds since. Undefined if the chain or the pool is younger.
 */
async function readStarts(context: HistoryContext, times: readonly number[], head: BlockRef) {
  const recorded = await Promise.all(times.map((time) => readRecordedRate(context, time)));
  const unrecorded = times.filter((_, index) => !recorded[index]);
  const found = context.chain.blocksAt(unrecorded, head);
  return Promise.allSettled(
    times.map(async (time, index) => {
      if (recorded[index]) return recorded[index];
      const block = (await found)[unrecorded.indexOf(time)];
      // Throws UPSTREAM_UNAVAILABLE if no provider keeps that state.
      const rate = block && (await ifAnswered(readExchangeRate(await context.chain.at(block.number))));
      return rate ? { block, rate } : undefined;
    }),
  );
}

export type Yields = Awaited<ReturnType<typeof readYields>>;

type Present = Pick<RatePoint, 'block'> & { rate: bigint | undefined };

/**
 * The yields over windows of these lengths, and the headline yield: over 28 days, or the longest of 14, 7 and 1 that the history
 * covers, or whose state is kept. `whole` is false if no provider keeps the state of a window. Without shares, there is no rate.
 */
export async function readYields(context: HistoryContext, { block, rate }: Present, days: readonly number[]) {
  if (rate === undefined) return { windows: [], headline: undefined, whole: true };
  const { windows, whole } = await readWindows(context, { block, rate }, days);
  const headline = findHeadline(windows);
  if (headline) return { windows, headline, whole };
  const otherDays = HEADLINE_DAYS.filter((length) => !days.includes(length));
  const others = await readWindows(context, { block, rate }, otherDays);
  return { windows, headline: findHeadline(others.windows), whole: whole && others.whole };
}

function findHeadline(windows: readonly YieldWindow[]): YieldWindow | undefined {
  return HEADLINE_DAYS.flatMap((days) => windows.find((window) => window.days === days) ?? [])[0];
}

async function readWindows(context: HistoryContext, to: RatePoint, days: readonly number[]) {
  const times = days.map((length) => to.block.timestamp - length * DAY);
  const starts = await readStarts(context, times, to.block);
  const failed = starts.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected')
    context.telemetry[levelOf(failed.reason)]('past exchange rate is not available', { error: failed.reason });
  const windows = starts.flatMap((start, index): YieldWindow[] => {
    const from = start.status === 'fulfilled' && start.value;
    if (!from) return [];
    const growth = annualYield(from.rate, to.rate, to.block.timestamp - from.block.timestamp);
    return [{ days: days[index] as number, ...growth, from, to }];
  });
  return { windows, whole: !failed };
}

/** The yield (percent a year, compounded) a window would have had without the fee; undefined if the fee takes all. */
export function apyBeforeFee({ from, to }: YieldWindow, feeBips: bigint): number | undefined {
  if (feeBips >= BPS) return undefined;
  const gross = rateBeforeFee(from.rate, to.rate, feeBips);
  return annualYield(from.rate, gross, to.block.timestamp - from.block.timestamp).apy;
}
