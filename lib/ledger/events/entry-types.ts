import { stored } from '../../values/units.ts';
import { defineEntries, type EntryDeclaration, fromArgument, optional } from './entry-field.ts';
import { OPERATOR_ENTRIES } from './operators.ts';
import { POOL_ENTRIES } from './pool.ts';
import { QUEUE_ENTRIES } from './queue.ts';

const { address, avax, hash, text, unixTime } = stored;

const price = defineEntries({ emitter: 'Oracle', groups: ['ggp'], participants: {} });
const upgrade = defineEntries({ emitter: 'proxies', groups: ['rules'], participants: {} });
const timelocked = defineEntries({ emitter: 'Timelock', groups: ['rules'], participants: {} });
const CALL = {
  id: hash("ID of the call in the protocol's Timelock, 0x-prefixed hex."),
  target: address('Contract that the call is made to.'),
};

/** Every type of entry, in the order in which documents have them. */
export const ENTRY_TYPES = {
  ...OPERATOR_ENTRIES,
  ...POOL_ENTRIES,
  ...QUEUE_ENTRIES,
  /** The price that the oracle's pusher saw at `updatedAt`. */
  priceUpdated: price('GGP price updated', ['event GGPPriceUpdated(uint256 indexed price, uint256 timestamp)'], {
    price: avax("Price of one GGP that the protocol's contracts use from this block on."),
    updatedAt: fromArgument('timestamp', unixTime('Time of the price.')),
  }),
  contractUpgraded: upgrade('Contract upgraded', ['event Upgraded(address indexed implementation)'], {
    name: text('Name of the contract, as in `/contracts`.'),
    address: address('Address of the contract, a proxy (ERC-1967), which stays the same.'),
    implementation: address('Implementation from this event on.'),
  }),
  upgradeQueued: timelocked(
    'Rule change queued',
    ['event TransactionQueued(address indexed target, bytes32 indexed id)'],
    { ...CALL, eta: optional(unixTime('Earliest time at which anyone can execute the call.')) },
  ),
  upgradeExecuted: timelocked(
    'Rule change executed',
    ['event TransactionExecuted(address indexed target, bytes32 indexed id)'],
    CALL,
  ),
  upgradeAborted: timelocked(
    'Rule change aborted',
    ['event TransactionAborted(address indexed target, bytes32 indexed id)'],
    CALL,
  ),
} satisfies Record<string, EntryDeclaration>;

export type EntryType = keyof typeof ENTRY_TYPES;

export const TYPES = Object.keys(ENTRY_TYPES) as EntryType[];

export function declarationOf(type: EntryType): EntryDeclaration {
  return ENTRY_TYPES[type];
}
