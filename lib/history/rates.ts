import type { Context } from '../context.ts';
import { ifKnown } from '../known.ts';
import type { RatedMoment } from './holder.ts';
import type { Point } from './point.ts';
import { historyOf } from './store.ts';

/** The pool, and the price of AVAX, at a recorded boundary. */
export interface RecordedRate extends RatedMoment {
  /** Block of that state. */
  block: number;
}

/** A day is added daily and an hour hourly, but old days may be filled in at any time. */
const FRESH_SECONDS = 300;
/** Later than all boundaries. */
const FAR = 9_999_999_999;

/**
 * The recorded UTC days, the oldest first, followed by the newest hour after them. Shared by all holders, so that an
 * answer for one of them only costs reading their own past. Throws UPSTREAM_UNAVAILABLE if the table does not answer.
 */
export async function recordedRates(context: Context): Promise<RecordedRate[]> {
  const { value } = await context.cache.value('recordedRates', { freshSeconds: FRESH_SECONDS }, async () => {
    const store = historyOf(context);
    const days = await store.points('1d', 0, FAR);
    const newestHour = await store.newest('1h', (days.at(-1)?.timestamp ?? 0) + 1, FAR);
    return [...days, newestHour].flatMap((point) => ifKnown(toRate, point) ?? []);
  });
  return value;
}

function toRate({ timestamp, block, values }: Point): RecordedRate | undefined {
  const { totalAssets, totalSupply, avaxPerGgAvax, avaxInUSD } = values;
  return ifKnown(
    (totalAssets, totalSupply) => ({
      time: timestamp,
      block: block.number,
      totals: { totalAssets, totalSupply },
      avaxPerGgAvax,
      avaxInUSD,
    }),
    totalAssets,
    totalSupply,
  );
}
