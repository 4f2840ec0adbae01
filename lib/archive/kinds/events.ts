/**
 * `lib/archive/kinds`: what the files of an archive hold: a list of columns for each kind, and how a row becomes what the
 * service knows, and back. `parts.ts` lists them; nothing outside `lib/archive` uses them.
 */

import type { FieldUnit } from '../../ledger/events/entry-field.ts';
import { declarationOf, type ENTRY_TYPES, type EntryType, TYPES } from '../../ledger/events/entry-types.ts';
import type { Entry } from '../../ledger/ledger-entry.ts';
import type { Column, Row } from '../column.ts';
import type { Kind } from '../kind.ts';

/** The ledger's entries, all types in one table: a row has the fields of its type. */

type FieldOf<Type> = Type extends EntryType ? keyof (typeof ENTRY_TYPES)[Type]['fields'] : never;

/** What a column means, for all types that have it. */
const MEANINGS: Record<FieldOf<EntryType>, string> = {
  amount:
    'GGP staked, withdrawn, slashed or paid out to a claimer (without `restaked`). AVAX that the pool gained in `yieldAdded`, that the treasury got in `feeCollected`, or that was delegated in `delegationRegistered`.',
  restaked: 'GGP that a claim staked again in the same transaction.',
  staker: 'Address that stakes GGP.',
  nodeID: "The node's 20 bytes in 0x-hex.",
  owner: "Owner of the node's minipool at that block; of a deposit or withdrawal, of the ggAVAX.",
  status:
    'New status of the minipool: 0 prelaunch, 1 launched, 2 staking, 3 withdrawable, 4 finished, 5 canceled, 6 error.',
  rewardAVAX: 'What the owner earned in the minipool cycle that ended.',
  hardwareProvider: 'Hardware provider, 32 bytes in 0x-hex.',
  duration: 'Intended duration of the minipool.',
  number: 'Number of the GGP rewards cycle that started.',
  totalAmt: 'GGP minted at the start of the cycle.',
  ClaimNodeOp: 'Part of `totalAmt` for node operators.',
  ClaimProtocolDAO: 'Part of `totalAmt` for the DAO.',
  MultisigManager: 'Part of `totalAmt` for the multisigs.',
  caller: 'Address that called the token.',
  receiver: 'Address that received the AVAX.',
  assets:
    'AVAX deposited, withdrawn, set aside or paid out; of a transfer, what its shares were worth after its block.',
  shares: 'ggAVAX minted, burnt, moved or returned.',
  from: 'Sender of the ggAVAX.',
  to: 'Receiver of the ggAVAX.',
  rate: 'AVAX for one ggAVAX after the block of a transfer.',
  rewardsAmt: 'AVAX that the pool streams until `cycleEnd`. In `avaxReturned`, the reward after the fee.',
  cycleEnd: 'End of the rewards stream.',
  source:
    'Where the yield came from: `staking`, `deposit` (other yield) or `donation` (shares that `donor` burnt). In other types, the 32 bytes (0x-hex) by which the event names it, like `origin`.',
  origin: 'Source of the yield as its event names it, 32 bytes in 0x-hex.',
  purpose: 'What the AVAX was staked for, 32 bytes in 0x-hex as the event names it.',
  baseAmt: 'Principal that came back from staking.',
  feeAVAX: "The protocol's fee on a reward, which `rewardsAmt` does not include.",
  fee: "The protocol's fee, which `amount` does not include.",
  donor: 'Address whose ggAVAX were burnt as a donation.',
  requestId: 'Number of the withdrawal request.',
  requester: 'Address that made the withdrawal request.',
  expectedAssets: 'AVAX that the queue promised for the request.',
  claimableTime: 'From when on the request can be claimed.',
  price: "AVAX for one GGP, as the protocol's oracle was told.",
  updatedAt: 'When that price was seen.',
  name: 'Name of the contract that was upgraded.',
  address: 'Address of the contract that was upgraded: a proxy, which stays the same.',
  implementation: 'Address of the code behind it from then on.',
  id: 'ID of the call in the Timelock, 32 bytes in 0x-hex.',
  target: 'Contract that the call is made to.',
  eta: 'From when on the call may be made.',
};

/** The type and unit of the columns, by the unit of the fields. */
const FORMS: Record<FieldUnit, Pick<Column, 'type' | 'unit'>> = {
  avax: { type: 'decimal', unit: 'AVAX' },
  ggp: { type: 'decimal', unit: 'GGP' },
  ggAvax: { type: 'decimal', unit: 'ggAVAX' },
  integer: { type: 'integer' },
  seconds: { type: 'integer', unit: 'seconds' },
  status: { type: 'integer' },
  unixTime: { type: 'time' },
  address: { type: 'text' },
  hardwareProvider: { type: 'text' },
  hash: { type: 'text' },
  nodeID: { type: 'text' },
  ownName: { type: 'text' },
  text: { type: 'text' },
};

const LIST = new Intl.ListFormat('en-GB');

/** The column of a field. Its unit is that of the first type that has it; types with another one are named. */
function columnOf([name, meaning]: [string, string]): Column {
  const uses = TYPES.flatMap((type) => {
    const field = declarationOf(type).fields[name];
    return field ? { ...FORMS[field.unit], in: `\`${type}\`` } : [];
  });
  const units = [...Map.groupBy(uses, (use) => use.unit)].map(([unit, of], place) =>
    place === 0 ? unit : `${unit} in ${LIST.format(of.map((use) => use.in))}`,
  );
  return { name, type: uses[0]?.type ?? 'text', meaning, unit: units.join('; ') || undefined };
}

export const EVENTS = {
  name: 'events',
  meaning:
    "Events of the protocol's contracts, in order and without a gap in the blocks that the manifest names under `ledger`, sorted by block and log index. A row has only the columns of its type.",
  yearOf: 'timestamp',
  columns: [
    { name: 'block', type: 'integer', meaning: 'Number of the block on the C-Chain.' },
    { name: 'logIndex', type: 'integer', meaning: 'Place of the event among all logs of the block.' },
    { name: 'timestamp', type: 'time', meaning: 'Time of the block.' },
    { name: 'txHash', type: 'text', meaning: 'Hash of the transaction.' },
    { name: 'type', type: 'text', meaning: `Type of the event: ${TYPES.join(', ')}.` },
    ...Object.entries(MEANINGS).map(columnOf),
  ],
} as const satisfies Kind;

/** The columns that events of these types fill. */
export function columnsOf(types: readonly EntryType[]): Column[] {
  const fields = new Set(types.flatMap((type) => Object.keys(declarationOf(type).fields)));
  return EVENTS.columns.filter(({ name }) => !(name in MEANINGS) || fields.has(name));
}

/** A row is an entry as it is. Throws RangeError if it has a field that no column holds. */
export function rowOf(entry: Entry): Row {
  const unknown = Object.keys(entry).find((name) => !NAMES.has(name));
  if (unknown) throw new RangeError(`the ledger has a field that this release does not know: ${unknown}`);
  return entry as unknown as Row;
}

const NAMES: ReadonlySet<string> = new Set(EVENTS.columns.map(({ name }) => name));

/** The entry of a row. */
export function entryOf(row: Row): Entry {
  return row as unknown as Entry;
}
