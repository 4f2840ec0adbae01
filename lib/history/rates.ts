import { type Dataset, readDataset } from '../cache/cache.ts';
import { allKnown } from '../runtime/if-known.ts';
import { END_OF_TIME } from '../values/durations.ts';
import type { HistoryContext } from './history-store.ts';
import type { Moment } from './holder-spans.ts';
import type { Point } from './point.ts';

const recordedRatesDataset: Dataset<Moment[], HistoryContext> = {
  name: 'recordedRates',
  // A day is added daily and an hour hourly, but old days may be filled in at any time.
  freshSeconds: 300,
  shared: true,
  async read(context) {
    const store = context.history;
    const days = await store.points('1d', 0, END_OF_TIME);
    const newestHour = await store.newest('1h', (days.at(-1)?.timestamp ?? 0) + 1, END_OF_TIME);
    return [...days, newestHour].flatMap((point) => (point && toRate(point)) ?? []);
  },
};

/** The recorded UTC days, the oldest first, and the newest hour after them. Throws UPSTREAM_UNAVAILABLE without a table. */
export async function readRecordedRates(context: HistoryContext): Promise<Moment[]> {
  return (await readDataset(context, recordedRatesDataset)).value;
}

/** Undefined for a point without the pool's totals. */
function toRate({ timestamp, block, values }: Point): Moment | undefined {
  const { totalAssets, totalSupply, avaxPerGgAvax, avaxInUSD, ggpInAVAX, eurInUSD } = values;
  const totals = allKnown({ totalAssets, totalSupply });
  const prices = { avaxPerGgAvax, avaxInUSD, ggpInAVAX, eurInUSD };
  return totals && { time: timestamp, block: block.number, totals, ...prices };
}
