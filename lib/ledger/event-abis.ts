/**
 * The indexed events: events that entries are decoded from, and events that only add to the entry of another event of
 * their transaction. docs/events.md lists the other events, and the reason why each is not indexed.
 * https://github.com/multisig-labs/gogopool
 */

import { EventFragment, ParamType } from 'ethers';
import { ENTRY_TYPES, type EntryType, TYPES } from './events/entry-types.ts';

/** Events that only add to another event's entry, and the field that each of them adds. */
export const ADDING_EVENTS = [
  {
    emitter: 'MinipoolManager',
    event: 'event DepositFromDelegation(address indexed nodeID, uint256 amount, uint256 rewardsAmount)',
    adds: '`nodeID` of `avaxReturned`',
  },
  {
    emitter: 'RewardsPool',
    event: 'event ClaimNodeOpRewardsTransferred(uint256 value)',
    adds: '`distribution` of `rewardsCycleStarted`',
  },
  {
    emitter: 'RewardsPool',
    event: 'event GGPInflated(uint256 newTokens)',
    adds: '`totalAmt` of `rewardsCycleStarted`',
  },
  {
    emitter: 'RewardsPool',
    event: 'event MultisigRewardsTransferred(uint256 value)',
    adds: '`distribution` of `rewardsCycleStarted`',
  },
  {
    emitter: 'RewardsPool',
    event: 'event ProtocolDAORewardsTransferred(uint256 value)',
    adds: '`distribution` of `rewardsCycleStarted`',
  },
  {
    emitter: 'Vault',
    event: 'event TokenWithdrawn(bytes32 indexed by, address indexed tokenAddress, uint256 amount)',
    adds: '`restaked` of `ggpRewardsClaimed`',
  },
] as const;

type Declared = (typeof ENTRY_TYPES)[EntryType];

/** Any of the emitters that is a proxy. */
const PROXIES = 'proxies';

/** The contracts whose events are recorded; for the contracts in the last line, only upgrades. */
export type ContractName =
  | Exclude<Declared['emitter'], typeof PROXIES>
  | (typeof ADDING_EVENTS)[number]['emitter']
  | ('TokenpstAVAX' | 'xGGP' | 'xAVAX' | 'AssetLocker');

/** The events that are recorded, as their contracts declare them. */
export type EventAbi = Declared['events'][number] | (typeof ADDING_EVENTS)[number]['event'];

/** The events that are recorded, by contract, each once. */
export const EVENTS = byEmitter();

function byEmitter(): Record<string, readonly EventAbi[]> {
  const declared = TYPES.flatMap((type) => {
    const { emitter, events } = ENTRY_TYPES[type];
    return events.map((event) => ({ emitter, event }));
  });
  const found = Map.groupBy([...declared, ...ADDING_EVENTS], ({ emitter }) => emitter);
  const once = [...found].map(([emitter, events]) => [emitter, [...new Set(events.map(({ event }) => event))]]);
  return Object.fromEntries(once);
}

export interface LoggedEvent {
  name: string;
  /**
   * The parameters in its topics, then those in its data, all of a fixed size. Addresses are decoded as numbers: ethers
   * would hash each address for its checksum.
   */
  parameters: readonly ParamType[];
  indexed: number;
  addresses: readonly string[];
}

let events: ReadonlyMap<string, ReadonlyMap<string, LoggedEvent>> | undefined;

/** The events of each contract by topic: the hash of their signature, computed once, at the first use. */
function eventsByTopic(): ReadonlyMap<string, ReadonlyMap<string, LoggedEvent>> {
  events ??= new Map(
    Object.entries(EVENTS).map(([emitter, abi]) => {
      const fragments = abi.map((event) => EventFragment.from(event));
      return [emitter, new Map(fragments.map((fragment) => [fragment.topicHash, loggedEvent(fragment)]))];
    }),
  );
  return events;
}

export function findEvent(emitter: ContractName, topic: string): LoggedEvent | undefined {
  return eventsByTopic().get(emitter)?.get(topic) ?? eventsByTopic().get(PROXIES)?.get(topic);
}

function loggedEvent({ name, inputs }: EventFragment): LoggedEvent {
  const indexed = inputs.filter((input) => input.indexed);
  const others = inputs.filter((input) => !input.indexed);
  const addresses = inputs.filter(({ type }) => type === 'address').map((input) => input.name);
  const parameters = [...indexed, ...others].map((input) =>
    ParamType.from({ name: input.name, type: input.type === 'address' ? 'uint160' : input.type }),
  );
  return { name, parameters, indexed: indexed.length, addresses };
}

export function topicsOfEvents(): readonly string[] {
  return [...eventsByTopic().values()].flatMap((ofEmitter) => [...ofEmitter.keys()]);
}
