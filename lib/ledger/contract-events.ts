/** Turns logs into entries. */

import type { AbiParameterToPrimitiveType, ParseAbiItem } from 'abitype';
import { EventFragment, solidityPackedKeccak256, ZeroAddress } from 'ethers';
import { statusName } from '../contracts/minipool-statuses.ts';
import { UNITS } from '../values/units.ts';
import { type ContractName, type EventAbi, findEvent, INTERFACE } from './event-abis.ts';
import { declarationOf, ENTRY_TYPES, type EntryType, TYPES } from './events/entry-types.ts';
import { inChain, type Place } from './ledger-entry.ts';
import type { Emitters } from './registry.ts';
import { Disputed } from './vote.ts';

/** A log as `eth_getLogs` gives it. */
export interface Log {
  address: string;
  topics: string[];
  data: string;
  blockNumber: string;
  logIndex: string;
  transactionHash: string;
}

/** An entry without the fields that its log lacks: the time of its block, and values that only the state contains. */
export interface PartialEntry extends Omit<Place, 'timestamp'> {
  type: EntryType;
  emitter: string;
  fields: Readonly<Record<string, bigint | number | string | undefined>>;
  /** True if a call that completes it reverts. */
  isRefused?: boolean;
}

type Arguments = {
  [Declared in Parsed<EventAbi> as Declared['name']]: AbiParameterToPrimitiveType<{
    type: 'tuple';
    components: Declared['inputs'];
  }>;
};
type Parsed<Abi extends string> = Abi extends Abi ? Extract<ParseAbiItem<Abi>, { type: 'event' }> : never;
type EventName = keyof Arguments;
export type Event<Name extends EventName = EventName> = {
  [N in Name]: { name: N; args: Arguments[N]; emitter: ContractName; log: Log };
}[Name];

/** Decodes logs into partial entries, in chain order. Throws {@link Disputed} for a malformed or impossible log of a known event. */
export function decodeLogs(logs: readonly Log[], emitters: Emitters): PartialEntry[] {
  const places = logs.map((log) => ({ log, block: Number(log.blockNumber), logIndex: Number(log.logIndex) }));
  const events = places.sort(inChain).flatMap(({ log }) => parse(log, emitters.get(log.address.toLowerCase())) ?? []);
  const transactions = Map.groupBy(events, ({ log }) => log.transactionHash);
  return [...transactions.values()].flatMap(decodeTransaction);
}

/** Decodes the event of a log; undefined if its contract has no such event. */
function parse(log: Log, emitter: ContractName | undefined): Event | undefined {
  const fragment = emitter && findEvent(emitter, log.topics[0] ?? '');
  if (!fragment) return undefined;
  try {
    const indexed = fragment.inputs.filter((input) => input.indexed);
    if (log.topics.length !== 1 + indexed.length) throw new RangeError(`${log.topics.length} topics`);
    // ethers does not type what it decodes, but the signatures do.
    const args = Object.entries(INTERFACE.decodeEventLog(fragment, log.data, log.topics).toObject());
    const lower = args.map(([name, value]) => [name, typeof value === 'string' ? value.toLowerCase() : value]);
    return { name: fragment.name, args: Object.fromEntries(lower), emitter, log } as unknown as Event;
  } catch (cause) {
    throw undecodable(fragment.name, log, 'does not decode', { cause });
  }
}

function undecodable(name: string, log: Log, problem: string, options?: ErrorOptions): Disputed {
  const block = Number(log.blockNumber);
  const reason = `log ${Number(log.logIndex)} of block ${block}, ${name}, ${problem}`;
  return new Disputed({ from: block, to: block }, [], reason, options);
}

function decodeTransaction(transaction: readonly Event[]): PartialEntry[] {
  const explained = explainedTransfers(transaction);
  // Generic, so that the type of the arguments follows from the name.
  return transaction.flatMap(<Name extends EventName>(event: Event<Name>, index: number) => {
    if (explained.has(event)) return [];
    const decode: ((event: InTransaction<Name>) => DecodedEntry | DecodedEntry[]) | undefined = DECODERS[event.name];
    const decoded = decode
      ? decode({ ...event, before: transaction.slice(0, index), all: transaction })
      : asDeclared(event.name, event.args);
    const { address: emitter, blockNumber, logIndex, transactionHash: txHash } = event.log;
    return [decoded ?? []].flat().map(({ type, logOffset = 0, ...fields }) => {
      return { type, block: Number(blockNumber), logIndex: Number(logIndex) + logOffset, txHash, emitter, fields };
    });
  });
}

/** The mints and burns that a deposit, withdrawal or donation of the same holder and shares explains, each of them one. */
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

/** The entry types by the names of the events that they declare. */
const DECLARED = new Map(
  TYPES.flatMap((type) => ENTRY_TYPES[type].events.map((event) => [EventFragment.from(event).name, type] as const)),
);

/** The entry with the event's arguments as its fields; undefined if the event only adds to another event's entry. */
function asDeclared(name: string, args: object): DecodedEntry | undefined {
  const type = DECLARED.get(name);
  if (type === undefined) return undefined;
  const fields = Object.entries(declarationOf(type).fields).map(([field, { unit, argument = field, isOptional }]) => {
    const value = (args as Readonly<Record<string, bigint | string>>)[argument];
    if (isOptional && value === ZeroAddress) return [field, undefined];
    return [field, UNITS[unit].ledger === 'number' && value !== undefined ? Number(value) : value];
  });
  return { type, ...Object.fromEntries(fields) };
}

/** A decoded entry. `logOffset` is the entry's log index minus that of its event; default 0. */
type DecodedEntry = { type: EntryType; logOffset?: number } & { [field: string]: bigint | number | string | undefined };

/** An event with the earlier events of its transaction, and all. */
type InTransaction<Name extends EventName> = Event<Name> & { before: readonly Event[]; all: readonly Event[] };

/** Decoders for entries that differ from their event. */
const DECODERS: { [Name in EventName]?: (event: InTransaction<Name>) => DecodedEntry | DecodedEntry[] } = {
  GGPRewardsClaimed: ({ name, args: { to, amount }, before, log }) => {
    const restaked = withdrawnForClaim(before) - amount;
    if (restaked < 0n) throw undecodable(name, log, 'pays more than the contract has withdrawn');
    return { type: 'ggpRewardsClaimed', staker: to, amount, restaked };
  },
  MinipoolStatusChanged: ({ args: { nodeID, status }, before }) =>
    statusName(Number(status)) === 'prelaunch' && !isNextCycle(nodeID, before)
      ? { type: 'minipoolCreated', nodeID }
      : { type: 'minipoolStatusChanged', nodeID, status: Number(status) },
  NewRewardsCycleStarted: ({ all }) => ({
    type: 'rewardsCycleStarted',
    totalAmt: all.find((event) => event.name === 'GGPInflated')?.args.newTokens,
    ClaimNodeOp: all.find((event) => event.name === 'ClaimNodeOpRewardsTransferred')?.args.value ?? 0n,
    ClaimProtocolDAO: all.find((event) => event.name === 'ProtocolDAORewardsTransferred')?.args.value ?? 0n,
    MultisigManager: all.find((event) => event.name === 'MultisigRewardsTransferred')?.args.value ?? 0n,
  }),
  DepositedFromStaking: ({ args, before, all }) => {
    const { caller, baseAmt, rewardsAmt } = args;
    // Events before V3 have no source.
    const { source } = args as { source?: string };
    const feeAVAX = feeBefore(before);
    const returned: DecodedEntry = {
      type: 'avaxReturned',
      // Each entry needs a position of its own. The return takes that of its WAVAX deposit: the log before since V3,
      // otherwise the next one.
      logOffset: source === undefined ? 1 : -1,
      ...{ source, caller, nodeID: findDelegate(baseAmt, all), baseAmt, rewardsAmt, feeAVAX },
    };
    // A return without a reward adds no yield.
    if (rewardsAmt === 0n) return returned;
    const fee = feeAVAX === 0n ? undefined : feeAVAX;
    return [returned, { type: 'yieldAdded', source: 'staking', origin: source, amount: rewardsAmt, fee }];
  },
  // Despite their names, its arguments are the gross amount and the fee.
  DepositedAdditionalYield: ({ args: { source: origin, baseAmount, rewardAmt: fee } }) => ({
    ...{ type: 'yieldAdded', source: 'deposit', origin, amount: baseAmount - fee, fee },
  }),
  YieldDonated: ({ args: { source: origin, caller: donor, sharesBurnt: shares, avaxEquivalent: amount } }) => ({
    ...{ type: 'yieldAdded', source: 'donation', origin, donor, shares, amount },
  }),
  Upgraded: ({ args: { implementation }, emitter, log }) => ({
    ...{ type: 'contractUpgraded', name: emitter, address: log.address.toLowerCase(), implementation },
  }),
};

/** The fee of the return that follows these events: collected since the last return or yield of the transaction. */
function feeBefore(before: readonly Event[]): bigint {
  const last = before.findLast(({ name }) => YIELD_EVENTS.has(name) || name === 'FeeCollected');
  return last?.name === 'FeeCollected' ? last.args.feeAmount : 0n;
}

const YIELD_EVENTS = new Set<EventName>(['DepositedFromStaking', 'DepositedAdditionalYield']);

/** The node of the delegation that returns this principal (AVAX wei), if the transaction names one. */
function findDelegate(baseAmt: bigint, all: readonly Event[]): string | undefined {
  const named = all.find((event) => event.name === 'DepositFromDelegation' && event.args.amount === baseAmt);
  if (named?.name !== 'DepositFromDelegation' || named.args.nodeID === ZeroAddress) return undefined;
  return named.args.nodeID;
}

/** True if a change to Prelaunch begins a node's next cycle: it follows Withdrawable in the same transaction. */
function isNextCycle(nodeID: string, before: readonly Event[]): boolean {
  const last = before.findLast((event) => event.name === 'MinipoolStatusChanged' && event.args.nodeID === nodeID);
  return last?.name === 'MinipoolStatusChanged' && statusName(Number(last.args.status)) === 'withdrawable';
}

/**
 * GGP wei that ClaimNodeOp has withdrawn from the Vault since the last claim of the transaction, to be restaked and paid. The
 * Vault names an account by the hash of its contract's name and the token.
 */
function withdrawnForClaim(before: readonly Event[]): bigint {
  const since = before.slice(before.findLastIndex(({ name }) => name === 'GGPRewardsClaimed') + 1);
  return since.reduce((sum, { name, args }) => {
    if (name !== 'TokenWithdrawn') return sum;
    const account = solidityPackedKeccak256(['string', 'address'], ['ClaimNodeOp', args.tokenAddress]);
    return args.by === account ? sum + args.amount : sum;
  }, 0n);
}
