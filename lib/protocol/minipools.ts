import type { BlockRef } from '../block.ts';
import type { View } from '../chain/chain.ts';
import { systemClock } from '../clock.ts';
import type { Context } from '../context.ts';
import {
  indexes,
  MINIPOOL_STATUSES,
  type Minipool,
  readChangedMinipools,
  readMinipools,
  readMinipoolsAt,
} from '../contracts/minipool-manager.ts';
import { countOf, statusesIn, withMarks } from '../contracts/minipool-marks.ts';
import type { Dataset } from '../dataset.ts';

/**
 * All minipool records at one block, cached in parts: a list page reads one or two of them, and a refresh writes those
 * that have changed. The statuses, which every answer needs, are in the marks.
 */
export interface Minipools {
  block: BlockRef;
  /** The marks of all records, by index (lib/contracts/minipool-marks.ts). */
  marks: Uint8Array;
  /** The cache keys of the parts, of {@link PART} records each. */
  parts: string[];
  /** When all records were last read, unix milliseconds; since then, only changed ones were. */
  wholeAt: number;
}

/** Records in a part: 50 kB in the table. */
const PART = 500;
/**
 * How often all records are read again: the guardian can write into them directly, which leaves their marks unchanged.
 */
const WHOLE_MS = 3_600_000;
/** So few records take a single request anyway. */
const FEW = 150;

type Reader = Pick<Context, 'cache' | 'chain'>;

/** All records at the view's block, reading only those that have changed since `previous`, if that is recent. */
export async function readAllMinipools(context: Reader, view: View, previous?: Minipools): Promise<Minipools> {
  const now = systemClock.now();
  const isRecent = previous && countOf(previous.marks) > FEW && now < previous.wholeAt + WHOLE_MS;
  const changed = isRecent && (await readChangedMinipools(view, previous.marks));
  const [known, records] = changed ? [previous, changed] : [NONE, await readMinipools(view)];
  return {
    block: await view.block(),
    marks: withMarks(known.marks, records),
    parts: await keepParts(context, known, records),
    wholeAt: changed ? previous.wholeAt : now,
  };
}

const NONE: Minipools = { block: { number: 0, timestamp: 0 }, marks: new Uint8Array(), parts: [], wholeAt: 0 };

/** Caches the parts that these records belong to, and returns the keys of all parts. */
async function keepParts(context: Reader, known: Minipools, records: readonly Minipool[]): Promise<string[]> {
  const parts = [...known.parts];
  const changed = Map.groupBy(records, ({ index }) => partOf(index));
  const keep = async ([part, newer]: [number, Minipool[]]) => {
    const all = part < known.parts.length ? [...(await readPart(context, known, part))] : [];
    for (const minipool of newer) all[minipool.index % PART] = minipool;
    parts[part] = await context.cache.keep('minipools/part', all);
  };
  await Promise.all([...changed].map(keep));
  return parts;
}

const partOf = (index: number) => Math.floor(index / PART);

function readPart({ cache, chain }: Reader, { block, marks, parts }: Minipools, part: number): Promise<Minipool[]> {
  return cache.kept(parts[part] as string, async () => {
    const end = Math.min((part + 1) * PART, countOf(marks));
    return readMinipoolsAt(await chain.at(block.number), indexes(part * PART, end));
  });
}

/** The records at these indexes, or all of them. */
export async function minipoolsAt(
  context: Reader,
  minipools: Minipools,
  wanted: readonly number[] = indexesOf(minipools),
): Promise<Minipool[]> {
  const needed = [...new Set(wanted.map(partOf))];
  const records = await Promise.all(needed.map((part) => readPart(context, minipools, part)));
  const parts = new Map(needed.map((part, place) => [part, records[place] as Minipool[]]));
  return wanted.map((index) => parts.get(partOf(index))?.[index % PART] as Minipool);
}

export function indexesOf({ marks }: Minipools): number[] {
  return indexes(0, countOf(marks));
}

/** Shared by every list, filter and look-up of minipools. */
export const minipoolsDataset: Dataset<Minipools> = {
  name: 'minipools',
  version: 3,
  freshSeconds: 60,
  read: async (context, previous) => readAllMinipools(context, await context.chain.latest(), previous),
};

export type MinipoolStatus = (typeof MINIPOOL_STATUSES)[number];

/** The name of a status by its number in the contract. */
export function statusName(status: number): MinipoolStatus {
  return MINIPOOL_STATUSES[status] as MinipoolStatus;
}

/** The status of each record, by index. */
export function statusesOf({ marks }: Minipools): MinipoolStatus[] {
  return statusesIn(marks).map(statusName);
}

export function countByStatus(statuses: readonly MinipoolStatus[]): Record<MinipoolStatus, number> {
  const counts = MINIPOOL_STATUSES.map((name) => [name, statuses.filter((status) => status === name).length]);
  return Object.fromEntries(counts);
}
