import type { ProtocolState } from '../chain/chain.ts';
import type { Context } from '../context/context.ts';
import type { Dataset } from '../context/dataset.ts';
import {
  decodeMinipool,
  type EncodedMinipool,
  indexes,
  joinMinipools,
  keysOf,
  type Minipool,
  type MinipoolKeys,
  type MinipoolRecord,
  readChangedMinipools,
  readMinipools,
  readMinipoolsAt,
  splitMinipools,
} from '../contracts/minipool-manager.ts';
import { countOf, statusesIn, withMarks } from '../contracts/minipool-marks.ts';
import { MINIPOOL_STATUSES, type MinipoolStatus, statusName } from '../contracts/minipool-statuses.ts';
import type { BlockRef } from '../values/block.ts';

/**
 * All minipool records at one block, cached in parts: a list page reads one or two of them, and a refresh writes those
 * that have changed. The statuses, which every answer needs, are in the marks.
 */
export interface Minipools {
  block: BlockRef;
  /** The marks of all records, by index (lib/contracts/minipool-marks.ts). */
  marks: Uint8Array;
  /** The cache keys of the parts, of {@link PART} records each, as the contract returned them. */
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

/** All records at the state's block, reading only those that have changed since `previous`, if that is recent. */
export async function readAllMinipools(
  context: Reader,
  state: ProtocolState,
  previous?: Minipools,
): Promise<Minipools> {
  const now = Date.now();
  const isRecent = previous && countOf(previous.marks) > FEW && now < previous.wholeAt + WHOLE_MS;
  const changed = isRecent && (await readChangedMinipools(state, previous.marks));
  const [known, records] = changed ? [previous, changed] : [NONE, await readMinipools(state)];
  return {
    block: await state.block(),
    marks: withMarks(known.marks, records),
    parts: await keepParts(context, known, records),
    wholeAt: changed ? previous.wholeAt : now,
  };
}

const NONE: Minipools = { block: { number: 0, timestamp: 0 }, marks: new Uint8Array(), parts: [], wholeAt: 0 };

/** Caches the parts that these records belong to, and returns the keys of all parts. */
async function keepParts(context: Reader, known: Minipools, records: readonly MinipoolRecord[]): Promise<string[]> {
  const parts = [...known.parts];
  const changed = Map.groupBy(records, ({ index }) => partOf(index));
  const keep = async ([part, newer]: [number, MinipoolRecord[]]) => {
    const all: EncodedMinipool[] =
      part < known.parts.length ? splitMinipools(await readPart(context, known, part)) : [];
    for (const record of newer) all[record.index % PART] = record;
    parts[part] = await context.cache.keep('minipools/part', joinMinipools(all));
  };
  await Promise.all([...changed].map(keep));
  return parts;
}

const partOf = (index: number) => Math.floor(index / PART);

function readPart({ cache, chain }: Reader, { block, marks, parts }: Minipools, part: number): Promise<Buffer> {
  return cache.kept(parts[part] as string, async () => {
    const end = Math.min((part + 1) * PART, countOf(marks));
    const records = await readMinipoolsAt(await chain.at(block.number), indexes(part * PART, end));
    return joinMinipools(records);
  });
}

/** The records of a part, each decoded when it is first asked for: that takes 10 µs. */
class Part {
  readonly #records: EncodedMinipool[];
  readonly #decoded: Minipool[] = [];
  #keys: MinipoolKeys[] | undefined;

  constructor(data: Buffer) {
    this.#records = splitMinipools(data);
  }

  at(place: number): Minipool {
    this.#decoded[place] ??= decodeMinipool(this.#records[place] as EncodedMinipool);
    return this.#decoded[place];
  }

  where(wanted: Partial<MinipoolKeys>): Minipool[] {
    this.#keys ??= this.#records.map(keysOf);
    const { owner, nodeID } = wanted;
    return this.#keys.flatMap((keys, place) => {
      const isWanted = (owner ?? keys.owner) === keys.owner && (nodeID ?? keys.nodeID) === keys.nodeID;
      return isWanted ? [this.at(place)] : [];
    });
  }
}

/** The parts that this container has read, by their data. */
const opened = new WeakMap<Buffer, Part>();

async function openPart(context: Reader, minipools: Minipools, number: number): Promise<Part> {
  const data = await readPart(context, minipools, number);
  const part = opened.get(data) ?? new Part(data);
  opened.set(data, part);
  return part;
}

/** The records at these indexes. */
export async function minipoolsAt(
  context: Reader,
  minipools: Minipools,
  wanted: readonly number[],
): Promise<Minipool[]> {
  const needed = [...new Set(wanted.map(partOf))];
  const parts = await Promise.all(needed.map((part) => openPart(context, minipools, part)));
  const byNumber = new Map(needed.map((part, place) => [part, parts[place] as Part]));
  return wanted.map((index) => (byNumber.get(partOf(index)) as Part).at(index % PART));
}

/** The records of this owner and this node, as far as they are given; both in lower-case hex. */
export async function minipoolsOf(
  context: Reader,
  minipools: Minipools,
  wanted: Partial<MinipoolKeys>,
): Promise<Minipool[]> {
  const parts = await Promise.all([...minipools.parts.keys()].map((part) => openPart(context, minipools, part)));
  return parts.flatMap((part) => part.where(wanted));
}

/** The indexes of all records. */
export function indexesOf({ marks }: Minipools): number[] {
  return indexes(0, countOf(marks));
}

/** Shared by every list, filter and look-up of minipools. */
export const minipoolsDataset: Dataset<Minipools> = {
  name: 'minipools',
  version: 4,
  freshSeconds: 60,
  read: async (context, previous) => readAllMinipools(context, await context.chain.latest(), previous),
};

/** The status of each record, by index. */
export function statusesOf({ marks }: Minipools): MinipoolStatus[] {
  return statusesIn(marks).map(statusName);
}

/** How many of these statuses there are of each. */
export function countByStatus(statuses: readonly MinipoolStatus[]): Record<MinipoolStatus, number> {
  const counts = MINIPOOL_STATUSES.map((name) => [name, statuses.filter((status) => status === name).length]);
  return Object.fromEntries(counts);
}
