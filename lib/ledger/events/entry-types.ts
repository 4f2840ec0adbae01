import { avax, called, type EntryDeclaration, unixTime } from './entry-field.ts';
import { OPERATOR_ENTRIES } from './operators.ts';
import { POOL_ENTRIES } from './pool.ts';
import { QUEUE_ENTRIES } from './queue.ts';

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
} as const satisfies Record<string, EntryDeclaration>;

export type EntryType = keyof typeof ENTRY_TYPES;

export const TYPES = Object.keys(ENTRY_TYPES) as EntryType[];

/** What a type declares, as for any type. */
export function declarationOf(type: EntryType): EntryDeclaration {
  return ENTRY_TYPES[type];
}
