/** Turns logs into entries. */

import type { AbiParameterToPrimitiveType, ParseAbiItem } from 'abitype';
import { AbiCoder, concat, EventFragment, solidityPackedKeccak256, toBeHex, ZeroAddress } from 'ethers';
import { statusName } from '../contracts/minipool-statuses.ts';
import { type ContractName, type EventAbi, findEvent } from './event-abis.ts';
import { LEDGER_FORMS } from './events/entry-field.ts';
import { declarationOf, ENTRY_TYPES, type EntryType, TYPES } from './events/entry-types.ts';
import type { Place } from './ledger-entry.ts';

const ADDRESS_BYTES = 20;

/** A log as `eth_getLogs` gives it. */
export interface Log {
  address: string;
  topics: string[];
  data: string;
  blockNumber: string;
  logIndex: string;
  transactionHash: string;
}

/** An entry without what its log lacks: the time of its block, and what only the state of the block shows. */
export interface PartialEntry extends Omit<Place, 'timestamp'> {
  type: EntryType;
  /** The contract that emitted it. */
  emitter: string;
  fields: Readonly<Record<string, bigint | number | string | undefined>>;
}

/** The arguments of each event by their names, as its signature has them. */
type Arguments = {
  [Declared in Parsed<EventAbi> as Declared['name']]: AbiParameterToPrimitiveType<{
    type: 'tuple';
    components: Declared['inputs'];
  }>;
};
type Parsed<Abi extends string> = Abi extends Abi ? Extract<ParseAbiItem<Abi>, { type: 'event' }> : never;
type EventName = keyof Arguments;
type Event<Name extends EventName = EventName> = {
  [N in Name]: { name: N; args: Arguments[N]; emitter: ContractName; log: Log };
}[Name];

/** The partial entries of logs, in chain order. `emitters` tells which contract an address (lower case) is. */
export function decodeLogs(logs: readonly Log[], emitters: ReadonlyMap<string, ContractName>): PartialEntry[] {
  const events = logs
    .flatMap((log) => parse(log, emitters.get(log.address.toLowerCase())) ?? [])
    .sort(
      (a, b) =>
        Number(a.log.blockNumber) - Number(b.log.blockNumber) || Number(a.log.logIndex) - Number(b.log.logIndex),
    );
  const transactions = Map.groupBy(events, ({ log }) => log.transactionHash);
  return [...transactions.values()].flatMap((transaction) => draftEntries(transaction));
}

/**
 * The event of a log, undefined if it is none of its contract's. Throws if the log is malformed. `Interface.parseLog` would
 * hash signatures and addresses for each log, which takes several times as long.
 */
function parse(log: Log, emitter: ContractName | undefined): Event | undefined {
  const [topic = '', ...indexed] = log.topics;
  const event = emitter && findEvent(emitter, topic.toLowerCase());
  if (!event) return undefined;
  if (indexed.length !== event.indexed)
    throw new RangeError(`a ${event.name} with ${indexed.length} indexed arguments`);
  // ethers does not type what it decodes, but the signatures do.
  const values = AbiCoder.defaultAbiCoder().decode(event.parameters, concat([...indexed, log.data]));
  const args = values.toObject();
  for (const name of event.addresses) args[name] = toBeHex(args[name], ADDRESS_BYTES);
  return { name: event.name, args, emitter, log } as unknown as Event;
}

function draftEntries(transaction: readonly Event[]): PartialEntry[] {
  const explained = explainedTransfers(transaction);
  // Generic, so that the type of the arguments follows from the name.
  return transaction.flatMap(<Name extends EventName>(event: Event<Name>, index: number) => {
    if (explained.has(event)) return [];
    const make = ENTRIES[event.name];
    const made = make
      ? make(event.args, transaction.slice(0, index), transaction, event)
      : asDeclared(event.name, event.args);
    return [made ?? []].flat().map((entry) => draftEntry(event.log, entry));
  });
}

function draftEntry({ address, blockNumber, logIndex, transactionHash }: Log, made: Made): PartialEntry {
  const { type, logOffset = 0, ...fields } = made;
  return {
    type,
    block: Number(blockNumber),
    logIndex: Number(logIndex) + logOffset,
    txHash: transactionHash,
    emitter: address,
    fields,
  };
}

/** The type of each event that is an entry as its type declares it, by the event's name. */
const DECLARED = new Map(
  TYPES.flatMap((type) => ENTRY_TYPES[type].events.map((event) => [EventFragment.from(event).name, type] as const)),
);

/** The entry with the arguments that its fields name; undefined if the event only adds to another one's. */
function asDeclared(name: string, args: object): Made | undefined {
  const type = DECLARED.get(name);
  if (type === undefined) return undefined;
  const fields = Object.entries(declarationOf(type).fields).map(([field, { unit, argument = field, isOptional }]) => {
    const value = (args as Readonly<Record<string, bigint | string>>)[argument];
    if (isOptional && value === ZeroAddress) return [field, undefined];
    return [field, LEDGER_FORMS[unit] === 'number' && value !== undefined ? Number(value) : value];
  });
  return { type, ...Object.fromEntries(fields) };
}

/** `logOffset`: how far from its event's log the entry is, if it is not there. */
type Made = { type: EntryType; logOffset?: number } & { [field: string]: bigint | number | string | undefined };

/**
 * How entries are made that are not what their event says: from its arguments, the events before it in its transaction, all of
 * those, and who emitted it.
 */
const ENTRIES: {
  [Name in EventName]?: (
    args: Arguments[Name],
    before: readonly Event[],
    all: readonly Event[],
    of: Pick<Event, 'emitter' | 'log'>,
  ) => Made | Made[] | undefined;
} = {
  GGPRewardsClaimed: ({ to, amount }, before) => ({
    type: 'ggpRewardsClaimed',
    staker: to,
    amount,
    restaked: withdrawnForClaim(before) - amount,
  }),
  MinipoolStatusChanged: ({ nodeID, status }, before) =>
    statusName(Number(status)) === 'prelaunch' && !isNextCycle(nodeID, before)
      ? { type: 'minipoolCreated', nodeID }
      : { type: 'minipoolStatusChanged', nodeID, status: Number(status) },
  NewRewardsCycleStarted: (_args, _before, all) => ({
    type: 'rewardsCycleStarted',
    totalAmt: all.find((event) => event.name === 'GGPInflated')?.args.newTokens,
    ClaimNodeOp: all.find((event) => event.name === 'ClaimNodeOpRewardsTransferred')?.args.value ?? 0n,
    ClaimProtocolDAO: all.find((event) => event.name === 'ProtocolDAORewardsTransferred')?.args.value ?? 0n,
    MultisigManager: all.find((event) => event.name === 'MultisigRewardsTransferred')?.args.value ?? 0n,
  }),
  DepositedFromStaking: (args, before, all) => {
    const { caller, baseAmt, rewardsAmt } = args;
    // Those before V3 have none.
    const { source } = args as { source?: string };
    const feeAVAX = feeBefore(before);
    const returned: Made = {
      type: 'avaxReturned',
      // A position is that of one log. The return has that of its deposit of WAVAX: the log before in V3, else the next.
      logOffset: source === undefined ? 1 : -1,
      ...{ source, caller, nodeID: findDelegate(baseAmt, all), baseAmt, rewardsAmt, feeAVAX },
    };
    // What returns without a reward adds nothing.
    if (rewardsAmt === 0n) return returned;
    const fee = feeAVAX === 0n ? undefined : feeAVAX;
    return [returned, { type: 'yieldAdded', source: 'staking', origin: source, amount: rewardsAmt, fee }];
  },
  // Despite their names, its arguments are the gross amount and the fee.
  DepositedAdditionalYield: ({ source: origin, baseAmount, rewardAmt }) => ({
    type: 'yieldAdded',
    source: 'deposit',
    origin,
    amount: baseAmount - rewardAmt,
    fee: rewardAmt,
  }),
  YieldDonated: ({ source: origin, caller, sharesBurnt, avaxEquivalent }) => ({
    type: 'yieldAdded',
    source: 'donation',
    origin,
    donor: caller,
    shares: sharesBurnt,
    amount: avaxEquivalent,
  }),
  Upgraded: ({ implementation }, _before, _all, { emitter, log }) => ({
    type: 'contractUpgraded',
    name: emitter,
    address: log.address.toLowerCase(),
    implementation,
  }),
};

/** The fee of the return that follows these events: collected since the last return or yield of the transaction. */
function feeBefore(before: readonly Event[]): bigint {
  const last = before.findLast(({ name }) => YIELD_EVENTS.has(name) || name === 'FeeCollected');
  return last?.name === 'FeeCollected' ? last.args.feeAmount : 0n;
}

const YIELD_EVENTS = new Set<EventName>(['DepositedFromStaking', 'DepositedAdditionalYield']);

/** The node of the delegation that so much principal comes back from, if the transaction names one. */
function findDelegate(baseAmt: bigint, all: readonly Event[]): string | undefined {
  const named = all.find((event) => event.name === 'DepositFromDelegation' && event.args.amount === baseAmt);
  if (named?.name !== 'DepositFromDelegation' || named.args.nodeID === ZeroAddress) return undefined;
  return named.args.nodeID;
}

/**
 * Whether a change to Prelaunch begins a next cycle: that goes Withdrawable, Prelaunch, Launched in one transaction.
 */
function isNextCycle(nodeID: string, before: readonly Event[]): boolean {
  const changes = before.filter((event) => event.name === 'MinipoolStatusChanged');
  const last = changes.findLast(({ args }) => args.nodeID === nodeID);
  return last !== undefined && statusName(Number(last.args.status)) === 'withdrawable';
}

/**
 * GGP wei that ClaimNodeOp has taken from the Vault since the last claim of the transaction: what it restakes and what it
 * pays out, both before it says so.
 */
function withdrawnForClaim(before: readonly Event[]): bigint {
  const since = before.slice(before.findLastIndex(({ name }) => name === 'GGPRewardsClaimed') + 1);
  return since.reduce(
    (sum, { name, args }) => (name === 'TokenWithdrawn' && isOfClaimNodeOp(args) ? sum + args.amount : sum),
    0n,
  );
}

/** The Vault names an account by the hash of its contract's name and the token. */
function isOfClaimNodeOp({ by, tokenAddress }: Arguments['TokenWithdrawn']): boolean {
  return by === solidityPackedKeccak256(['string', 'address'], ['ClaimNodeOp', tokenAddress]);
}

/**
 * The mints and burns that another event of the transaction accounts for: a deposit, withdrawal or donation of the same
 * holder and the same shares. Each accounts for one.
 */
function explainedTransfers(transaction: readonly Event[]): ReadonlySet<object> {
  const explained = new Set<Event>();
  const explain = (from: string, to: string, shares: bigint) => {
    const transfer = transaction.find(
      (event) =>
        event.name === 'Transfer' &&
        event.args.from === from &&
        event.args.to === to &&
        event.args.value === shares &&
        !explained.has(event),
    );
    if (transfer) explained.add(transfer);
  };
  for (const { name, args } of transaction) {
    if (name === 'Deposit') explain(ZeroAddress, args.owner, args.shares);
    if (name === 'Withdraw') explain(args.owner, ZeroAddress, args.shares);
    if (name === 'YieldDonated') explain(args.caller, ZeroAddress, args.sharesBurnt);
  }
  return explained;
}
