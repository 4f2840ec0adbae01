/**
 * `lib/archive/kinds`: the content of an archive's files. Each kind has a list of columns, and converts the service's data
 * to rows and back. `table-sources.ts` and `derived-sources.ts` list the kinds; nothing outside `lib/archive` uses them.
 */

import { declarationOf, type EntryType, TYPES } from '../../ledger/events/entry-types.ts';
import type { Entry } from '../../ledger/ledger-entry.ts';
import { hash, integer, text, unixTime } from '../../values/units.ts';
import type { Column, Row } from '../column.ts';
import { toColumns as declaredColumns, toColumn } from '../declared.ts';
import type { TableSpec } from '../table-spec.ts';

/** A field of a type. */
type Use = Column & { in: string };

const FIELDS = Map.groupBy(
  TYPES.flatMap((type) =>
    Object.entries(declarationOf(type).fields).map(
      ([name, field]): Use => ({ ...toColumn(name, field), in: `\`${type}\`` }),
    ),
  ),
  ({ name }) => name,
);

/** The first columns, in this order. Columns that newer events declare come last. */
const FIRST = [
  'amount restaked staker nodeID owner status rewardAVAX hardwareProvider duration number totalAmt ClaimNodeOp',
  'ClaimProtocolDAO MultisigManager caller receiver assets shares from to rate rewardsAmt cycleEnd source origin purpose',
  'baseAmt feeAVAX fee donor requestId requester expectedAssets claimableTime price updatedAt name address',
  'implementation id target eta',
].flatMap((names) => names.split(' '));

const LIST = new Intl.ListFormat('en-GB');

/** Groups uses by a value: each value once, with the types that have it. */
function groupUses<What>(uses: readonly Use[], what: (use: Use) => What): (readonly [What, string])[] {
  return [...Map.groupBy(uses, what)].map(([one, of]) => [one, LIST.format(of.map((use) => use.in))]);
}

/** The column that the types share: its meaning in each type, and the units that differ from the first type's unit. */
function sharedColumn(name: string): Column {
  const uses = FIELDS.get(name) ?? [];
  const meanings = groupUses(uses, ({ meaning }) => meaning);
  const units = groupUses(uses, ({ unit }) => unit).map(([unit, types], place) =>
    place === 0 ? unit : `${unit} in ${types}`,
  );
  return {
    name,
    type: uses[0]?.type ?? 'text',
    meaning: meanings.map(([meaning, types]) => (meanings.length > 1 ? `${types}: ${meaning}` : meaning)).join(' '),
    unit: units.join('; ') || undefined,
  };
}

/** The ledger's entries, all types in one table: a row has the fields of its type. */
export const EVENTS: TableSpec = {
  name: 'events',
  meaning:
    "Events of the protocol's contracts, complete for the blocks in the manifest's `ledger`, sorted by block and log index. A row has only the columns of its type.",
  yearOf: 'timestamp',
  columns: [
    ...declaredColumns({
      block: integer('C-Chain block number.'),
      logIndex: integer('Index of the log in the block.'),
      timestamp: unixTime('Time of the block.'),
      txHash: hash('Hash of the transaction.'),
      type: text(`Type of the event: ${TYPES.join(', ')}.`),
    }),
    ...[...new Set([...FIRST, ...FIELDS.keys()])].map(sharedColumn),
  ],
};

/** The columns that events of these types fill. */
export function columnsFor(types: readonly EntryType[]): Column[] {
  const fields = new Set(types.flatMap((type) => Object.keys(declarationOf(type).fields)));
  return EVENTS.columns.filter(({ name }) => !FIELDS.has(name) || fields.has(name));
}

/** The row of an entry: the entry unchanged. Throws RangeError if the entry has a field without a column. */
export function toRow(entry: Entry): Row {
  const unknown = Object.keys(entry).find((name) => !NAMES.has(name));
  if (unknown) throw new RangeError(`the ledger has a field that this release does not know: ${unknown}`);
  return entry as unknown as Row;
}

const NAMES: ReadonlySet<string> = new Set(EVENTS.columns.map(({ name }) => name));

/** The entry of a row. */
export function toEntry(row: Row): Entry {
  return row as unknown as Entry;
}
