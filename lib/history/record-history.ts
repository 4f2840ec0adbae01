import type { Chain } from '../chain/chain.ts';
import { inParallel } from '../runtime/parallel.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import type { BlockRef } from '../values/block.ts';
import type { HistoryStore } from './history-store.ts';
import { readValues } from './point.ts';
import { boundariesOf, boundaryBefore, type Interval, isBoundary } from './series.ts';

/**
 * The recorder writes what the history endpoints answer. A run takes the newest boundary first, then what is missing:
 * days before hours, because most people look at days, and newer before older ones, because providers drop the oldest
 * states first. Points are written once, so runs may overlap, stop at any moment and be repeated.
 */

/** What a recorder reads from and writes to. */
export interface Recording {
  chain: Chain;
  store: HistoryStore;
  telemetry: Telemetry;
}

/** How much a run may do. */
export interface RunLimits {
  /** Hours before it are not recorded, unix seconds; by default as the days. */
  hoursFrom?: number;
  /** How many boundaries are recorded at the same time. */
  parallel: number;
  /** Awaited before each boundary: false ends the run. */
  mayGoOn: () => boolean | Promise<boolean>;
  /** Called after each boundary. */
  onBoundary?: (outcome: Outcome) => void;
}

/**
 * `existing`: somebody else has written it meanwhile. `unborn`: the chain did not exist yet. `failed`: its state could not be
 * read, or the point not be written.
 */
export type Outcome = 'recorded' | 'existing' | 'unborn' | 'failed';

/** What became of some boundaries. */
export interface Filled {
  recorded: number;
  existing: number;
  failed: number;
  /** Boundaries that nobody has tried. */
  left: number;
  /** Why they were left. */
  stopped?: 'limits' | 'failures' | 'unborn';
}

/**
 * This many failures in a row end a list: providers that have dropped a state have dropped all earlier ones. On a
 * pruned chain a run then costs this many attempts, and not one per boundary.
 */
const MAX_FAILURES_IN_A_ROW = 3;

/**
 * The longer interval first: a run that dies between the two writes leaves a missing hour, for which the next run
 * writes both. Only as an hour is the newest boundary looked for.
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
  return boundariesOf(interval, from, to)
    .filter((timestamp) => !recorded.has(timestamp))
    .reverse();
}

/** What a run of the recorder did. */
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
      return readMissingBoundaries(recording.store, interval, Math.min(from, newest), newest);
    }),
  )) as [number[], number[]];
  const lists = [
    hours.filter((timestamp) => timestamp === newest),
    days.filter((timestamp) => timestamp !== newest),
    hours.filter((timestamp) => timestamp !== newest && !days.includes(timestamp)),
  ];
  const filled: Filled[] = [];
  for (const boundaries of lists) filled.push(await fill(recording, head, boundaries, limits));
  const stopped = filled.find((list) => list.stopped)?.stopped;
  return {
    newest,
    newestRecorded: filled[0]?.failed === 0 && filled[0].left === 0,
    recorded: total(filled, 'recorded'),
    existing: total(filled, 'existing'),
    failed: total(filled, 'failed'),
    left: total(filled, 'left'),
    ...(stopped && { stopped }),
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
  { parallel, mayGoOn, onBoundary }: RunLimits,
): Promise<Filled> {
  const filled: Filled = { recorded: 0, existing: 0, failed: 0, left: boundaries.length };
  let failuresInARow = 0;
  await inParallel(boundaries, parallel, async (timestamp) => {
    if (filled.stopped) return;
    if (!(await mayGoOn())) filled.stopped ??= 'limits';
    // Another one may have stopped meanwhile.
    if (filled.stopped) return;
    filled.left -= 1;
    const outcome = await record(recording, head, timestamp);
    onBoundary?.(outcome);
    if (outcome === 'unborn') {
      filled.stopped = 'unborn';
      return;
    }
    filled[outcome] += 1;
    failuresInARow = outcome === 'failed' ? failuresInARow + 1 : 0;
    if (failuresInARow >= MAX_FAILURES_IN_A_ROW) filled.stopped = 'failures';
  });
  return filled;
}

async function record({ chain, store, telemetry }: Recording, head: BlockRef, timestamp: number): Promise<Outcome> {
  try {
    const block = await chain.blockAt(timestamp, head);
    if (!block) return 'unborn';
    const point = { timestamp, block, values: await readValues(chain, block) };
    let written = false;
    for (const interval of WRITE_ORDER) {
      if (isBoundary(timestamp, interval)) written = (await store.write(interval, point)) || written;
    }
    return written ? 'recorded' : 'existing';
  } catch (error) {
    telemetry.warn('point not recorded', { timestamp, error });
    return 'failed';
  }
}
