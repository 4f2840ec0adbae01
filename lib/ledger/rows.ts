/** Entries as rows of the table. Their fields are strings: DynamoDB's numbers end at 38 digits. */

import type { Clock } from '../runtime/clock.ts';
import type { Network } from '../runtime/networks.ts';
import { bigintIn, countIn, textIn, valuesIn, type Warn } from '../tables/rows.ts';
import type { Row, SeriesTable, Value } from '../tables/series-table.ts';
import { UNITS } from '../values/units.ts';
import { declarationOf, ENTRY_TYPES, type EntryType } from './events/entry-types.ts';
import type { Entry } from './ledger-entry.ts';

export interface LedgerTable {
  rows: SeriesTable;
  /** Separates networks that share a table. */
  network: Pick<Network, 'name' | 'firstBlock'>;
  clock: Clock;
  warn: Warn;
}

/**
 * Part of every key. Raise it when more has to be indexed than before, such as another event, or when entries have other
 * rows: the chain is then indexed again, into rows of their own, and an older release goes on with its own. `6.7` comes next.
 */
export const LEDGER_VERSION = '6.6';

/** The position of an entry, which clients get as a cursor. */
export const CURSOR = /^[0-9]{10}-[0-9]{12}-[0-9]{6}$/;

/** After all positions. */
export const END = '~';

/** Before everything that happened at or after a time (unix seconds). Such texts sort by time, until 2286. */
export function startOf(time: number): string {
  return String(time).padStart(10, '0');
}

/** After everything that happened at or before a time (unix seconds). It has the form of a position. */
export function endOf(time: number): string {
  return `${startOf(time)}-999999999999-999999`;
}

export function keyOf({ network }: { network: Pick<Network, 'name'> }, subject: string, generation = 0): string {
  const version = generation > 0 ? `${LEDGER_VERSION}.${generation}` : LEDGER_VERSION;
  return `${network.name}#${version}#${subject}`;
}

/** The sort key of a row: zero-padded, so that text sorts by time, block and log index, the order of the chain. */
export function positionOf({ timestamp, block, logIndex }: Pick<Entry, 'timestamp' | 'block' | 'logIndex'>): string {
  return `${startOf(timestamp)}-${String(block).padStart(12, '0')}-${String(logIndex).padStart(6, '0')}`;
}

/** The position next to one, on either side: no entry is between them. */
export function nextTo(position: string, isForwards: boolean): string {
  if (isForwards) return `${position}${END}`;
  const [timestamp, block, logIndex] = position.split('-').map(Number) as [number, number, number];
  // Without an index, it comes before all entries of the block.
  return logIndex > 0 ? positionOf({ timestamp, block, logIndex: logIndex - 1 }) : position.slice(0, -'000000'.length);
}

export function toRow(entry: Entry) {
  const { block, logIndex, timestamp, txHash, type, ...fields } = entry;
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    ...{ position: positionOf(entry), block, logIndex, timestamp, txHash, type },
    fields: Object.fromEntries(known.map(([name, value]) => [name, String(value)])),
  } satisfies Row;
}

/** The entry of a row. Throws if an attribute is missing or has another form, or if the row is not at its position. */
export function toEntry({ position, block, logIndex, timestamp, txHash, type, fields }: Row): Entry {
  const name = textIn(type) as EntryType;
  if (!Object.hasOwn(ENTRY_TYPES, name)) throw new RangeError('no such type');
  const place = {
    block: countIn(block),
    logIndex: countIn(logIndex),
    timestamp: countIn(timestamp),
    txHash: textIn(txHash, BYTES32),
  };
  if (positionOf(place) !== position) throw new RangeError('not its position');
  const stored = valuesIn(fields);
  const declared = Object.entries(declarationOf(name).fields);
  const known = declared.filter(([field, { isOptional }]) => stored[field] !== undefined || !isOptional);
  const values = known.map(([field, { unit }]) => [field, PARSERS[UNITS[unit].ledger](stored[field])]);
  return { ...place, type: name, ...Object.fromEntries(values) } as Entry;
}

const ADDRESS = /^0x[\da-f]{40}$/i;
const BYTES32 = /^0x[\da-f]{64}$/i;

type Stored = Value | undefined;

const PARSERS = {
  wei: bigintIn,
  number: (value: Stored) => countIn(Number(textIn(value, /^\d+$/))),
  address: (value: Stored) => textIn(value, ADDRESS),
  bytes32: (value: Stored) => textIn(value, BYTES32),
  text: (value: Stored) => textIn(value),
} as const;
