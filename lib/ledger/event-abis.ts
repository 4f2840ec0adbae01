/**
 * The indexed events of https://github.com/multisig-labs/gogopool: those that entries are decoded from, and those that only add to
 * the entry of another event of their transaction. docs/events.md lists the others, each with the reason.
 */

import { EventFragment, Interface } from 'ethers';
import { declarationOf, type ENTRY_TYPES, type EntryType, TYPES } from './events/entry-types.ts';

const DISTRIBUTION = '`distribution` of `rewardsCycleStarted`';

/** Events that only add a field to another event's entry, by contract, and what each adds. */
export const ADDING_EVENTS = {
  MinipoolManager: {
    'event DepositFromDelegation(address indexed nodeID, uint256 amount, uint256 rewardsAmount)':
      '`nodeID` of `avaxReturned`',
  },
  RewardsPool: {
    'event ClaimNodeOpRewardsTransferred(uint256 value)': DISTRIBUTION,
    'event GGPInflated(uint256 newTokens)': '`totalAmt` of `rewardsCycleStarted`',
    'event MultisigRewardsTransferred(uint256 value)': DISTRIBUTION,
    'event ProtocolDAORewardsTransferred(uint256 value)': DISTRIBUTION,
  },
  Vault: {
    'event TokenWithdrawn(bytes32 indexed by, address indexed tokenAddress, uint256 amount)':
      '`restaked` of `ggpRewardsClaimed`',
  },
} as const;

type Declared = (typeof ENTRY_TYPES)[EntryType];
type Adding = typeof ADDING_EVENTS;

/** Any of the emitters that is a proxy. */
const PROXIES = 'proxies';

/** The contracts whose events are recorded; for the contracts in the last line, only upgrades. */
export type ContractName =
  | Exclude<Declared['emitter'], typeof PROXIES>
  | keyof Adding
  | ('TokenpstAVAX' | 'xGGP' | 'xAVAX' | 'AssetLocker');

/** The events that are recorded, as their contracts declare them. */
export type EventAbi = Declared['events'][number] | { [Emitter in keyof Adding]: keyof Adding[Emitter] }[keyof Adding];

const declared = TYPES.map(declarationOf).map(({ emitter, events }) => [emitter, events] as const);
const adding = Object.entries(ADDING_EVENTS).map(([emitter, events]) => [emitter, Object.keys(events)] as const);
const all = [...declared, ...adding].flatMap(([emitter, events]) => events.map((event) => ({ emitter, event })));

/** The events that are recorded, each once for its contract. */
export const EVENTS = [...new Map(all.map((one) => [`${one.emitter} ${one.event}`, one])).values()];

const FRAGMENTS = EVENTS.map(({ emitter, event }) => ({ emitter, fragment: EventFragment.from(event) }));

/** All of these events, to decode the one of a log that {@link findEvent} names. */
export const INTERFACE = new Interface(FRAGMENTS.map(({ fragment }) => fragment));

export const TOPICS: ReadonlySet<string> = new Set(FRAGMENTS.map(({ fragment }) => fragment.topicHash));

export function findEvent(contract: ContractName, topic: string): EventFragment | undefined {
  const isEvent = ({ emitter, fragment }: (typeof FRAGMENTS)[number]) =>
    (emitter === contract || emitter === PROXIES) && fragment.topicHash === topic;
  return FRAGMENTS.find(isEvent)?.fragment;
}
