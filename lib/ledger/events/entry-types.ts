import { address, avax, called, type EntryDeclaration, hash, optional, text, unixTime } from './entry-field.ts';
import { OPERATOR_ENTRIES } from './operators.ts';
import { POOL_ENTRIES } from './pool.ts';
import { QUEUE_ENTRIES } from './queue.ts';

const OF_THE_TIMELOCK = { groups: [], emitter: 'Timelock', concerns: {} } as const;
const CALL = {
  id: hash("ID of the call in the protocol's Timelock, 0x-prefixed hex."),
  target: address('Contract that the call is made to.'),
};

/** Every type of entry, in the order in which documents have them. */
export const ENTRY_TYPES = {
  ...OPERATOR_ENTRIES,
  ...POOL_ENTRIES,
  ...QUEUE_ENTRIES,
  /** As the oracle's pusher saw it at `updatedAt`. */
  priceUpdated: {
    label: 'GGP price updated',
    groups: ['ggp'],
    emitter: 'Oracle',
    events: ['event GGPPriceUpdated(uint256 indexed price, uint256 timestamp)'],
    fields: {
      price: avax("Price of one GGP that the protocol's contracts use from this block on."),
      updatedAt: called('timestamp', unixTime('Time of the price.')),
    },
    concerns: {},
  },
  contractUpgraded: {
    label: 'Contract upgraded',
    groups: [],
    emitter: 'proxies',
    events: ['event Upgraded(address indexed implementation)'],
    fields: {
      name: text('Name of the contract, as in `/contracts`.'),
      address: address('Address of the contract, a proxy (ERC-1967), which stays the same.'),
      implementation: address('Code behind it from this event on.'),
    },
    concerns: {},
  },
  upgradeQueued: {
    ...OF_THE_TIMELOCK,
    label: 'Change of the rules queued',
    events: ['event TransactionQueued(address indexed target, bytes32 indexed id)'],
    fields: { ...CALL, eta: optional(unixTime('From when on anybody may have the call made.')) },
  },
  upgradeExecuted: {
    ...OF_THE_TIMELOCK,
    label: 'Change of the rules made',
    events: ['event TransactionExecuted(address indexed target, bytes32 indexed id)'],
    fields: CALL,
  },
  upgradeAborted: {
    ...OF_THE_TIMELOCK,
    label: 'Change of the rules aborted',
    events: ['event TransactionAborted(address indexed target, bytes32 indexed id)'],
    fields: CALL,
  },
} as const satisfies Record<string, EntryDeclaration>;

export type EntryType = keyof typeof ENTRY_TYPES;

export const TYPES = Object.keys(ENTRY_TYPES) as EntryType[];

/** What a type declares, as for any type. */
export function declarationOf(type: EntryType): EntryDeclaration {
  return ENTRY_TYPES[type];
}
