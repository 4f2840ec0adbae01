/**
 * The protocol's own validators at each boundary. No other source keeps a validator's past: the index and the P-Chain only
 * have the present. So a missed boundary is lost for good: unlike all other history, it cannot be backfilled.
 */

import { withDatasets } from '../cache/dataset.ts';
import type { HistoryContext, HistoryStore } from '../history/history-store.ts';
import type { Point } from '../history/point.ts';
import type { PointValues } from '../history/point-values.ts';
import { INTERVALS, isBoundary } from '../history/series.ts';
import { sourceUnavailable } from '../runtime/errors.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { readValidatingMinipools } from './validating-minipools.ts';
import type { Validator } from './validator.ts';
import { type ValidatorsContext, validatorsDataset } from './validators-dataset.ts';

/**
 * Time in seconds after a boundary from which a reading no longer counts for it. A reading that was already stale at the
 * boundary does not count either; stale readings are served while no source answers.
 */
const MAX_DELAY_SECONDS = 3_600;
const MAX_LEAD_SECONDS = validatorsDataset.freshSeconds;
/** Scale of stored uptimes, millionths of a percent: sources give at most six places. */
const UPTIME_SCALE = 1e6;

/**
 * Writes a point for each validator with a minipool at a boundary (unix seconds). Returns the number of points: 0 if no
 * minipool is validating, or if the boundary's own point, which has the block, is not recorded yet. Throws
 * UPSTREAM_UNAVAILABLE if the validators or the chain cannot be read, or were not read around that time.
 */
export async function recordValidators(
  context: HistoryContext & ValidatorsContext,
  timestamp: number,
): Promise<number> {
  const store = context.history;
  const sources = withDatasets(context, []);
  const [recorded, index, minipools] = await Promise.all([
    store.newest('1h', timestamp, timestamp),
    sources.dataset(validatorsDataset),
    readValidatingMinipools(sources),
  ]);
  if (!recorded) return 0;
  const delay = index.asOf - timestamp;
  if (delay >= MAX_DELAY_SECONDS || delay < -MAX_LEAD_SECONDS)
    throw sourceUnavailable({ cause: new Error(`the validators were read ${delay} s after the boundary`) });
  const own = index.validators.filter(({ nodeID }) => minipools.has(nodeID));
  for (const validator of own)
    await writeValidator(store, validator.nodeID, { ...recorded, values: toValues(validator) });
  return own.length;
}

/** Writes a point of a validator into each series that has its boundary, unless there is one already. */
export async function writeValidator(store: HistoryStore, nodeID: string, point: Point): Promise<void> {
  const intervals = INTERVALS.filter((interval) => isBoundary(point.timestamp, interval));
  await Promise.all(intervals.map((interval) => store.of(nodeID).write(interval, point)));
}

/** Values of a validator's point: amounts in nAVAX, uptime in millionths of a percent, a count, and a flag as 0 or 1. */
export function toValues(validator: Validator): PointValues {
  const { uptimePercent, amountStaked, amountDelegated, delegatorCount, connected } = validator;
  return {
    uptime: ifKnown((percent) => BigInt(Math.round(percent * UPTIME_SCALE)), uptimePercent),
    amountStaked,
    amountDelegated,
    delegatorCount: ifKnown(BigInt, delegatorCount),
    connected: ifKnown((is) => (is ? 1n : 0n), connected),
  };
}

/** The uptime of a point in percent. */
export function uptimeOf({ uptime }: PointValues): number | undefined {
  return ifKnown((millionths) => Number(millionths) / UPTIME_SCALE, uptime);
}
