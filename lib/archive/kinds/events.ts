/**
 * `lib/archive/kinds`: what the files of an archive hold: a list of columns for each kind, and how a row becomes what the
 * service knows, and back. `parts.ts` lists them; nothing outside `lib/archive` uses them.
 */

import { ENTRY_TYPES, type Entry, type EntryType } from '../../ledger/ledger-entry.ts';
import type { Column, Row } from '../column.ts';
import type { Kind } from '../kind.ts';

/** The ledger's entries, all types in one table: a row has the fields of its type. */

type FieldOf<Type> = Type extends EntryType ? keyof (typeof ENTRY_TYPES)[Type]['fields'] : never;

const AVAX = { type: 'decimal', unit: 'AVAX' } as const;
const GGP = { type: 'decimal', unit: 'GGP' } as const;
const ADDRESS = { type: 'text' } as const;

/** Every field that an entry of some type has. */
const FIELDS: Record<FieldOf<EntryType>, Omit<Column, 'name'>> = {
  amount: {
    type: 'decimal',
    unit: 'GGP; AVAX in `yieldAdded`, `feeCollected` and `delegationRegistered`',
    meaning:
      'GGP staked, withdrawn, slashed or paid out to a claimer (without `restaked`). AVAX that the pool gained in `yieldAdded`, that the treasury got in `feeCollected`, or that was delegated in `delegationRegistered`.',
  },
  restaked: { ...GGP, meaning: 'GGP that a claim staked again in the same transaction.' },
  staker: { ...ADDRESS, meaning: 'Address that stakes GGP.' },
  nodeID: { ...ADDRESS, meaning: "The node's 20 bytes in 0x-hex." },
  owner: {
    ...ADDRESS,
    meaning: "Owner of the node's minipool at that block; of a deposit or withdrawal, of the ggAVAX.",
  },
  status: {
    type: 'integer',
    meaning:
      'New status of the minipool: 0 prelaunch, 1 launched, 2 staking, 3 withdrawable, 4 finished, 5 canceled, 6 error.',
  },
  rewardAVAX: { ...AVAX, meaning: 'What the owner earned in the minipool cycle that ended.' },
  hardwareProvider: { ...ADDRESS, meaning: 'Hardware provider, 32 bytes in 0x-hex.' },
  duration: { type: 'integer', unit: 'seconds', meaning: 'Intended duration of the minipool.' },
  number: { type: 'integer', meaning: 'Number of the GGP rewards cycle that started.' },
  totalAmt: { ...GGP, meaning: 'GGP minted at the start of the cycle.' },
  ClaimNodeOp: { ...GGP, meaning: 'Part of `totalAmt` for node operators.' },
  ClaimProtocolDAO: { ...GGP, meaning: 'Part of `totalAmt` for the DAO.' },
  MultisigManager: { ...GGP, meaning: 'Part of `totalAmt` for the multisigs.' },
  caller: { ...ADDRESS, meaning: 'Address that called the token.' },
  receiver: { ...ADDRESS, meaning: 'Address that received the AVAX.' },
  assets: {
    ...AVAX,
    meaning:
      'AVAX deposited, withdrawn, set aside or paid out; of a transfer, what its shares were worth after its block.',
  },
  shares: { type: 'decimal', unit: 'ggAVAX', meaning: 'ggAVAX minted, burnt, moved or returned.' },
  from: { ...ADDRESS, meaning: 'Sender of the ggAVAX.' },
  to: { ...ADDRESS, meaning: 'Receiver of the ggAVAX.' },
  rate: { ...AVAX, meaning: 'AVAX for one ggAVAX after the block of a transfer.' },
  rewardsAmt: {
    ...AVAX,
    meaning: 'AVAX that the pool streams until `cycleEnd`. In `avaxReturned`, the reward after the fee.',
  },
  cycleEnd: { type: 'time', meaning: 'End of the rewards stream.' },
  source: {
    type: 'text',
    meaning:
      'Where the yield came from: `staking`, `deposit` (other yield) or `donation` (shares that `donor` burnt). In other types, the 32 bytes (0x-hex) by which the event names it, like `origin`.',
  },
  origin: { ...ADDRESS, meaning: 'Source of the yield as its event names it, 32 bytes in 0x-hex.' },
  purpose: { ...ADDRESS, meaning: 'What the AVAX was staked for, 32 bytes in 0x-hex as the event names it.' },
  baseAmt: { ...AVAX, meaning: 'Principal that came back from staking.' },
  feeAVAX: { ...AVAX, meaning: "The protocol's fee on a reward, which `rewardsAmt` does not include." },
  fee: { ...AVAX, meaning: "The protocol's fee, which `amount` does not include." },
  donor: { ...ADDRESS, meaning: 'Address whose ggAVAX were burnt as a donation.' },
  requestId: { type: 'integer', meaning: 'Number of the withdrawal request.' },
  requester: { ...ADDRESS, meaning: 'Address that made the withdrawal request.' },
  expectedAssets: { ...AVAX, meaning: 'AVAX that the queue promised for the request.' },
  claimableTime: { type: 'time', meaning: 'From when on the request can be claimed.' },
  price: { ...AVAX, meaning: "AVAX for one GGP, as the protocol's oracle was told." },
  updatedAt: { type: 'time', meaning: 'When that price was seen.' },
};

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
    { name: 'type', type: 'text', meaning: `Type of the event: ${Object.keys(ENTRY_TYPES).join(', ')}.` },
    ...Object.entries(FIELDS).map(([name, column]) => ({ name, ...column })),
  ],
} as const satisfies Kind;

/** The columns that events of these types fill. */
export function columnsOf(types: readonly EntryType[]): Column[] {
  const fields = new Set(types.flatMap((type) => Object.keys(ENTRY_TYPES[type].fields)));
  return EVENTS.columns.filter(({ name }) => !(name in FIELDS) || fields.has(name));
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
