import type { Context } from '../runtime/context.ts';
import type { BlockRef } from '../values/block.ts';
import { historyOf } from './history-store.ts';
import { boundaryBefore, FAR } from './series.ts';

/** The archives that have been made, each recorded under its UTC day, in a series of the history's table. */
const SERIES = 'archives';

/** An archive is kept for as many days: each has all of the past. */
export const ARCHIVE_DAYS = 7;

/** An archive of what the service knew. */
export interface MadeArchive {
  /** `2026-11-25`: the day of its last block. */
  day: string;
  block: BlockRef;
}

/** Those that are kept, the newest first. Throws UPSTREAM_UNAVAILABLE if the table does not answer. */
export async function readArchives(context: Context): Promise<MadeArchive[]> {
  if (context.frozen) return [toArchive(context.frozen)];
  const oldest = boundaryBefore(Date.now() / 1_000, '1d') - (ARCHIVE_DAYS - 1) * 86_400;
  const points = await historyOf(context).of(SERIES).points('1d', oldest, FAR);
  return points.reverse().map(toArchive);
}

/** Records an archive. False if there is one of its day, which then stays. */
export function recordArchive(context: Context, block: BlockRef): Promise<boolean> {
  const timestamp = boundaryBefore(block.timestamp, '1d');
  return historyOf(context).of(SERIES).write('1d', { timestamp, block, values: {} });
}

function toArchive({ block }: { block: BlockRef }): MadeArchive {
  return { day: dayOf(block), block };
}

/** The UTC day of a block, by which its archive is named. */
export function dayOf({ timestamp }: BlockRef): string {
  return new Date(timestamp * 1_000).toISOString().slice(0, 10);
}
