/**
 * The recorder writes the points that the history endpoints return. A run takes the newest boundary first, then missing
 * ones: days before hours, because most people look at days, and newer before older ones, because providers drop the
 * oldest states first. Points are written once, so runs may overlap, stop at any moment and be repeated.
 */

import { inParallel } from '../runtime/parallel.ts';
import { chunked } from '../values/arrays.ts';
import type { BlockRef } from '../values/block.ts';
import type { HistoryContext, HistoryStore } from './history-store.ts';
import { type Point, readValues } from './point.ts';
import { boundaryBefore, type Interval, isBoundary, listBoundaries } from './series.ts';

/** The chain that a recorder reads, the history that it writes to, and its telemetry. */
export type Recording = Pick<HistoryContext, 'chain' | 'history' | 'telemetry'>;

export interface RunLimits {
  /** Start of the hours to record, unix seconds; by default that of the days. */
  hoursFrom?: number;
  /** Most boundaries to try; by default all. */
  most?: number;
  /** Awaited before each group of boundaries: false ends the run. */
  mayGoOn: () => boolean | Promise<boolean>;
  onBoundary?: (outcome: Outcome, left: number) => void;
}

/**
 * Outcome of a boundary. `existing`: another recorder has written its point meanwhile. `unborn`: the chain did not exist
 * yet. `failed`: its state could not be read, or its point could not be written.
 */
export type Outcome = 'recorded' | 'existing' | 'unborn' | 'failed';

export interface Filled {
  recorded: number;
  existing: number;
  failed: number;
  /** Boundaries that were not tried. */
  left: number;
  /** Reason why boundaries were left. */
  stopped?: 'limits' | 'failures' | 'unborn';
  failure?: Error;
}

/** Boundaries whose blocks are searched for together. That takes about ten requests. */
const BOUNDARIES_OF_A_GROUP = 80;
/** Blocks whose states are read together: as many as a public provider takes calls in one batch. */
const STATES_AT_ONCE = 40;
const WRITES_AT_ONCE = 8;
/** This many failures in a row end a list: providers that have dropped a state have dropped all earlier ones. */
const MAX_FAILURES_IN_A_ROW = 3;

/**
 * The longer interval first: a run that dies between the two writes leaves a missing hour, for which the next run
 * writes both. The newest boundary is only searched for as an hour.
 */
const WRITE_ORDER: readonly Interval[] = ['1d', '1h'];

/** The newest hour whose state is final: another block may still share the second of the head. */
export function newestBoundary(head: BlockRef): number {
  return boundaryBefore(head.timestamp - 1, '1h');
}

/** The boundaries from `from` to `to` without a point, the newest first. */
export async function readMissingBoundaries(
  store: HistoryStore,
  interval: Interval,
  from: number,
  to: number,
): Promise<number[]> {
  const recorded = new Set(await store.timestamps(interval, from, to));
  return listBoundaries(interval, from, to)
    .filter((timestamp) => !recorded.has(timestamp))
    .reverse();
}

export interface RunReport extends Filled {
  /** The newest boundary, unix seconds, and whether it has a point now. */
  newest: number;
  newestRecorded: boolean;
}

/**
 * Records the newest boundary, then the missing ones back to `start` (unix seconds), as far as the limits go. Throws
 * UPSTREAM_UNAVAILABLE if the head or the table cannot be read; a boundary that fails is counted.
 */
export async function runRecorder(recording: Recording, start: number, limits: RunLimits): Promise<RunReport> {
  const head = await recording.chain.head();
  const newest = newestBoundary(head);
  const [days, hours] = (await Promise.all(
    WRITE_ORDER.map((interval) => {
      const from = interval === '1h' ? (limits.hoursFrom ?? start) : start;
      return readMissingBoundaries(recording.history, interval, Math.min(from, newest), newest);
    }),
  )) as [number[], number[]];
  const lists = [
    hours.filter((timestamp) => timestamp === newest),
    days.filter((timestamp) => timestamp !== newest),
    hours.filter((timestamp) => timestamp !== newest && !days.includes(timestamp)),
  ];
  const filled: Filled[] = [];
  let { most = Number.POSITIVE_INFINITY } = limits;
  for (const [place, boundaries] of lists.entries()) {
    const later = lists.slice(place + 1).flat().length;
    const onBoundary: RunLimits['onBoundary'] = (outcome, left) => limits.onBoundary?.(outcome, left + later);
    const list = await fill(recording, head, boundaries, { ...limits, most, onBoundary });
    filled.push(list);
    most -= boundaries.length - list.left;
  }
  const stopped = filled.find((list) => list.stopped)?.stopped;
  const failure = filled.findLast((list) => list.failure)?.failure;
  return {
    newest,
    newestRecorded: filled[0]?.failed === 0 && filled[0].left === 0,
    recorded: total(filled, 'recorded'),
    existing: total(filled, 'existing'),
    failed: total(filled, 'failed'),
    left: total(filled, 'left'),
    ...(stopped && { stopped }),
    ...(failure && { failure }),
  };
}

function total(filled: readonly Filled[], name: 'recorded' | 'existing' | 'failed' | 'left'): number {
  return filled.reduce((sum, { [name]: count }) => sum + count, 0);
}

/** Records boundaries, in the order given. `head` is the latest block. */
export async function fill(
  recording: Recording,
  head: BlockRef,
  boundaries: readonly number[],
  { most = boundaries.length, mayGoOn, onBoundary }: RunLimits,
): Promise<Filled> {
  const filled: Filled = { recorded: 0, existing: 0, failed: 0, left: boundaries.length };
  let failuresInARow = 0;
  for (const group of chunked(boundaries.slice(0, most), BOUNDARIES_OF_A_GROUP)) {
    if (!(await mayGoOn())) return { ...filled, stopped: 'limits' };
    const results = await recordGroup(recording, head, group);
    for (const timestamp of group) {
      const result = results.get(timestamp) as Outcome | Error;
      const outcome = result instanceof Error ? 'failed' : result;
      filled.left -= 1;
      onBoundary?.(outcome, filled.left);
      if (outcome === 'unborn') return { ...filled, stopped: 'unborn' };
      filled[outcome] += 1;
      failuresInARow = outcome === 'failed' ? failuresInARow + 1 : 0;
      if (result instanceof Error) filled.failure = result;
      // Further failures in a row have the same reason.
      if (outcome === 'failed' && failuresInARow <= MAX_FAILURES_IN_A_ROW)
        recording.telemetry.warn('point not recorded', { timestamp, error: result });
    }
    if (failuresInARow >= MAX_FAILURES_IN_A_ROW) return { ...filled, stopped: 'failures' };
  }
  return filled.left > 0 ? { ...filled, stopped: 'limits' } : filled;
}

/** Records boundaries, and returns each outcome. Failed ones are tried once more, because many share a request. */
async function recordGroup(
  recording: Recording,
  head: BlockRef,
  group: readonly number[],
): Promise<Map<number, Outcome | Error>> {
  const results = await recordOnce(recording, head, group);
  const failed = group.filter((timestamp) => results.get(timestamp) instanceof Error);
  return new Map([...results, ...(failed.length > 0 ? await recordOnce(recording, head, failed) : [])]);
}

async function recordOnce(
  { chain, history }: Recording,
  head: BlockRef,
  group: readonly number[],
): Promise<Map<number, Outcome | Error>> {
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
  let written = false;
  for (const interval of WRITE_ORDER) {
    if (isBoundary(point.timestamp, interval)) written = (await store.write(interval, point)) || written;
  }
  return written ? 'recorded' : 'existing';
}
