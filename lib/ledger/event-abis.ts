import { EventFragment, ParamType } from 'ethers';

/**
 * The events that are recorded, as the contracts declare them; where versions of a contract differ, all forms are listed.
 * docs/events.md lists the others, with the reason why they are not.
 * https://github.com/multisig-labs/gogopool
 */

export const EVENTS = {
  ClaimNodeOp: ['event GGPRewardsClaimed(address indexed to, uint256 amount)'],
  MinipoolManager: [
    'event DepositFromDelegation(address indexed nodeID, uint256 amount, uint256 rewardsAmount)',
    'event GGPSlashed(address indexed nodeID, uint256 ggp)',
    'event MinipoolLaunched(address indexed nodeID, bytes32 hardwareProvider, uint256 duration)',
    'event MinipoolStatusChanged(address indexed nodeID, uint8 indexed status)',
    'event WithdrawForDelegation(address indexed nodeID, uint256 amount)',
  ],
  Oracle: ['event GGPPriceUpdated(uint256 indexed price, uint256 timestamp)'],
  RewardsPool: [
    'event ClaimNodeOpRewardsTransferred(uint256 value)',
    'event GGPInflated(uint256 newTokens)',
    'event MultisigRewardsTransferred(uint256 value)',
    'event NewRewardsCycleStarted(uint256 totalRewardsAmt)',
    'event ProtocolDAORewardsTransferred(uint256 value)',
  ],
  Staking: [
    'event GGPStaked(address indexed from, uint256 amount)',
    'event GGPWithdrawn(address indexed to, uint256 amount)',
  ],
  TokenggAVAX: [
    'event Deposit(address indexed caller, address indexed owner, uint256 assets, uint256 shares)',
    'event DepositedAdditionalYield(bytes32 indexed source, address indexed caller, uint256 baseAmount, uint256 rewardAmt)',
    // Since V3; before, without `source`.
    'event DepositedFromStaking(bytes32 indexed source, address indexed caller, uint256 baseAmt, uint256 rewardsAmt)',
    'event DepositedFromStaking(address indexed caller, uint256 baseAmt, uint256 rewardsAmt)',
    'event FeeCollected(bytes32 indexed source, uint256 feeAmount)',
    'event NewRewardsCycle(uint256 indexed cycleEnd, uint256 rewardsAmt)',
    'event Transfer(address indexed from, address indexed to, uint256 value)',
    'event Withdraw(address indexed caller, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
    // Since V3; before, without `purpose`.
    'event WithdrawnForStaking(bytes32 indexed purpose, address indexed caller, uint256 assets)',
    'event WithdrawnForStaking(address indexed caller, uint256 assets)',
    'event YieldDonated(bytes32 indexed source, address indexed caller, uint256 sharesBurnt, uint256 avaxEquivalent)',
  ],
  Vault: ['event TokenWithdrawn(bytes32 indexed by, address indexed tokenAddress, uint256 amount)'],
  WithdrawQueue: [
    'event ExpiredSharesReturned(uint256 indexed requestId, address indexed requester, uint256 shares)',
    'event RequestCancelled(uint256 indexed requestId, address indexed requester, uint256 shares)',
    'event RequestFulfilled(bytes32 indexed source, uint256 indexed requestId, uint256 assets)',
    'event UnstakeClaimed(uint256 indexed requestId, address indexed claimer, uint256 amount)',
    'event UnstakeRequested(uint256 indexed requestId, address indexed requester, uint256 shares, uint256 expectedAssets, uint48 claimableTime)',
  ],
} as const;

/** The contracts whose events are recorded. */
export type Emitter = keyof typeof EVENTS;

/** An event as it is in logs. */
export interface LoggedEvent {
  name: string;
  /** Of its topics, then of its data, all of a fixed size. Addresses are numbers: ethers would hash each for its checksum. */
  parameters: readonly ParamType[];
  /** How many of them are topics. */
  indexed: number;
  /** The names of those that are addresses. */
  addresses: readonly string[];
}

let events: ReadonlyMap<Emitter, ReadonlyMap<string, LoggedEvent>> | undefined;

/** The events of each contract by topic: the hash of their signature, computed once, by the first search. */
export function eventsByTopic(): ReadonlyMap<Emitter, ReadonlyMap<string, LoggedEvent>> {
  events ??= new Map(
    Object.entries(EVENTS).map(([emitter, abi]) => {
      const fragments = abi.map((event) => EventFragment.from(event));
      return [emitter as Emitter, new Map(fragments.map((fragment) => [fragment.topicHash, loggedEvent(fragment)]))];
    }),
  );
  return events;
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

/** The topics of all these events. */
export function topicsOfEvents(): readonly string[] {
  return [...eventsByTopic().values()].flatMap((ofEmitter) => [...ofEmitter.keys()]);
}
