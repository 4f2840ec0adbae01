/**
 * Writes the points of history: the newest boundary, then missing days, which most people look at, then hours; the newest of each
 * first, because providers drop the oldest states first. Runs may overlap, stop and be repeated.
 */

import { inParallel } from '../runtime/parallel.ts';
import { chunked } from '../values/arrays.ts';
import type { BlockRef } from '../values/block.ts';
import type { HistoryContext, HistoryStore } from './history-store.ts';
import { type Point, readValues } from './point.ts';
import { boundaryBefore, type Interval, listBoundaries } from './series.ts';

export type Recording = Pick<HistoryContext, 'chain' | 'history' | 'telemetry'>;

export interface RunLimits {
  /** Start of the hours, unix seconds; by default that of the days. */
  hoursFrom?: number;
  /** Maximum number of boundaries; by default all. */
  most?: number;
  /** Awaited before each group of boundaries: false ends the run. */
  mayGoOn: () => boolean | Promise<boolean>;
  onBoundary?: (left: number) => void;
}

/** `existing`: another recorder has written the point. `unborn`: the chain did not exist yet. `failed`: not read or written. */
type Outcome = 'recorded' | 'existing' | 'unborn' | 'failed';

export interface Filled {
  recorded: number;
  existing: number;
  failed: number;
  /** Boundaries that were not tried, because of `stopped`. */
  left: number;
  stopped?: 'limits' | 'failures' | 'unborn';
  failure?: Error;
}

const NOTHING = { recorded: 0, existing: 0, failed: 0 };
/** Boundaries whose blocks are searched for together, in about ten requests. */
const BOUNDARIES_OF_A_GROUP = 80;
/** Blocks whose states are read together: as many as a public provider takes calls in one batch. */
const STATES_AT_ONCE = 40;
const WRITES_AT_ONCE = 8;
/** This many failures in a row end a list: providers that have dropped a state have dropped all earlier ones. */
const MAX_FAILURES_IN_A_ROW = 3;

/** The newest hour whose state is final: another block may still share the second of the head. */
export function newestBoundary(head: BlockRef): number {
  return boundaryBefore(head.timestamp - 1, '1h');
}

/** The boundaries from `from` to `to` without a point, the newest first. */
export async function readMissingBoundaries(store: HistoryStore, interval: Interval, from: number, to: number) {
  const recorded = new Set(await store.timestamps(interval, from, to));
  return listBoundaries(interval, from, to)
    .filter((timestamp) => !recorded.has(timestamp))
    .reverse();
}

/**
 * Records the newest boundary, then the missing ones back to `start` (unix seconds), as far as the limits go. Throws
 * UPSTREAM_UNAVAILABLE if the head or the table cannot be read; a boundary that fails is counted.
 */
export async function runRecorder(
  recording: Recording,
  start: number,
  { most = Number.POSITIVE_INFINITY, hoursFrom = start, ...limits }: RunLimits,
) {
  const head = await recording.chain.head();
  const newest = newestBoundary(head);
  const readMissing = (interval: Interval, from: number) =>
    readMissingBoundaries(recording.history, interval, Math.min(from, newest), newest);
  const [days, hours] = await Promise.all([readMissing('1d', start), readMissing('1h', hoursFrom)]);
  const lists = [
    hours.filter((timestamp) => timestamp === newest),
    days.filter((timestamp) => timestamp !== newest),
    hours.filter((timestamp) => timestamp !== newest && !days.includes(timestamp)),
  ];
  const total = lists.flat().length;
  let filled: Filled = { ...NOTHING, left: total };
  for (const boundaries of lists)
    filled = await fill(recording, head, boundaries, { ...limits, most: most - (total - filled.left) }, filled);
  const newestRecorded = (await recording.history.timestamps('1h', newest, newest)).length > 0;
  return { newest, newestRecorded, ...filled };
}

/** Records boundaries, in the order given. Returns the outcomes, with those `before`. */
export async function fill(
  recording: Recording,
  head: BlockRef,
  boundaries: readonly number[],
  { most = boundaries.length, mayGoOn, onBoundary }: RunLimits,
  before: Filled = { ...NOTHING, left: boundaries.length },
): Promise<Filled> {
  const filled = { ...before };
  const stop = (stopped: Filled['stopped']) => ({ stopped, ...filled });
  let failuresInARow = 0;
  for (const group of chunked(boundaries.slice(0, most), BOUNDARIES_OF_A_GROUP)) {
    if (!(await mayGoOn())) return stop('limits');
    const results = await recordGroup(recording, head, group);
    for (const timestamp of group) {
      const result = results.get(timestamp) as Outcome | Error;
      const outcome = result instanceof Error ? 'failed' : result;
      filled.left -= 1;
      onBoundary?.(filled.left);
      if (outcome === 'unborn') return stop('unborn');
      filled[outcome] += 1;
      failuresInARow = outcome === 'failed' ? failuresInARow + 1 : 0;
      if (result instanceof Error) filled.failure = result;
      // Further failures in a row have the same reason.
      if (outcome === 'failed' && failuresInARow <= MAX_FAILURES_IN_A_ROW)
        recording.telemetry.warn('point not recorded', { timestamp, error: result });
    }
    if (failuresInARow >= MAX_FAILURES_IN_A_ROW) return stop('failures');
  }
  return most < boundaries.length ? stop('limits') : filled;
}

/** Records boundaries, and returns each outcome. Failed ones are tried once more, because many share a request. */
async function recordGroup(recording: Recording, head: BlockRef, group: readonly number[]) {
  const results = await recordOnce(recording, head, group);
  const failed = group.filter((timestamp) => results.get(timestamp) instanceof Error);
  return new Map([...results, ...(failed.length > 0 ? await recordOnce(recording, head, failed) : [])]);
}

async function recordOnce({ chain, history }: Recording, head: BlockRef, group: readonly number[]) {
  const results: [number, Outcome | Error][] = [];
  const blocks = chain.blocksAt(group, head);
  for (const part of chunked([...group.entries()], STATES_AT_ONCE)) {
    const points = await Promise.allSettled(
      part.map(async ([place, timestamp]): Promise<Point | undefined> => {
        const block = (await blocks)[place];
        return block && { timestamp, block, values: await readValues(chain, block) };
      }),
    );
    const outcomes = await inParallel(points, WRITES_AT_ONCE, async (point) => {
      try {
        if (point.status === 'rejected') throw point.reason;
        return point.value ? await write(history, point.value) : 'unborn';
      } catch (error) {
        return error as Error;
      }
    });
    results.push(...part.map(([, timestamp], index) => [timestamp, outcomes[index]] as [number, Outcome | Error]));
  }
  return new Map(results);
}

async function write(store: HistoryStore, point: Point): Promise<Outcome> {
  // The day first: a run that dies between the writes leaves a missing hour, for which the next run writes both.
  const isDay = boundaryBefore(point.timestamp, '1d') === point.timestamp;
  const written = [isDay && (await store.write('1d', point)), await store.write('1h', point)];
  return written.includes(true) ? 'recorded' : 'existing';
}
