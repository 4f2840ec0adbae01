/**
 * The entries of the ledger: one per event of the protocol's contracts that clients ask about, with the contract's own
 * amounts. A reward that returns from staking is two entries, the return and the yield. Events that only add detail to
 * another event of their transaction become part of that event's entry.
 *
 * Balances of ggAVAX change in four types only: `ggAvaxDeposited` (in), `ggAvaxWithdrawn` (out), `ggAvaxTransferred`
 * (out of `from`, into `to`) and a `yieldAdded` that is a donation (`shares` out of `donor`). A `Transfer` that mints
 * or burns the shares of one of the other types is not an entry. A `Transfer` that no other event explains is an entry:
 * ggAVAX sent to 0x0 is not burnt, but held by 0x0. Shares waiting in the queue were transferred to it, so the queue's
 * own entries move nothing.
 */

import { ZeroAddress } from 'ethers';
import { NETWORKS } from '../runtime/networks.ts';
import type { BlockRef } from '../values/block.ts';
import type { LedgerUnit, UNITS } from '../values/units.ts';
import type { EntryField, SubjectKind } from './events/entry-field.ts';
import { declarationOf, type ENTRY_TYPES, type EntryType } from './events/entry-types.ts';

type ValueOf<Unit extends LedgerUnit> = {
  wei: bigint;
  number: number;
  address: string;
  bytes32: string;
  text: string;
}[(typeof UNITS)[Unit]['ledger']];

type FieldsOf<F extends Readonly<Record<string, EntryField>>> = {
  [N in keyof F as F[N] extends { isOptional: true } ? never : N]: ValueOf<F[N]['unit']>;
} & { [N in keyof F as F[N] extends { isOptional: true } ? N : never]?: ValueOf<F[N]['unit']> };

export interface Place {
  block: number;
  logIndex: number;
  /** Time of the block, unix seconds. */
  timestamp: number;
  txHash: string;
}

/** An entry of one type: `EntryOf<'ggpStaked'>` has a staker and an amount. */
export type EntryOf<T extends EntryType> = {
  [K in T]: Place & { type: K } & FieldsOf<(typeof ENTRY_TYPES)[K]['fields']>;
}[T];

export type Entry = EntryOf<EntryType>;

export function blockOf({ block, timestamp }: Pick<Place, 'block' | 'timestamp'>): BlockRef {
  return { number: block, timestamp };
}

/** Compares entries by their order in the chain. */
export function inChain(a: Pick<Place, 'block' | 'logIndex'>, b: typeof a): number {
  return a.block - b.block || a.logIndex - b.logIndex;
}

/** The subjects of entries. Each has its own copy of its entries, to be read in order and without filtering. */
export const subjectOf = {
  protocol: 'protocol',
  staker: (address: string) => `staker#${address.toLowerCase()}`,
  /** A node by its 20 bytes in hex, over all its owners. */
  node: (nodeID: string) => `node#${nodeID.toLowerCase()}`,
  /** An address that has held or queued ggAVAX. */
  holder: (address: string) => `holder#${address.toLowerCase()}`,
};

/** The subject of a subject's entries of one type: rare types are found without reading the others. */
export function typedSubject(subject: string, type: EntryType): string {
  return `${subject}#${type}`;
}

/** The subject of a holder's dust: the entries that {@link listSubjects} keeps apart from the holder's others. */
export function dustOf(holder: string): string {
  return `${holder}#dust`;
}

/** ggAVAX wei: 0.001 ggAVAX. To give an address less costs next to nothing, so anybody can do it any number of times. */
export const LEAST_SHARES = 10n ** 15n;

const QUEUES = new Set(Object.values(NETWORKS).map(({ withdrawQueue }) => withdrawQueue.toLowerCase()));

/**
 * All subjects that an entry concerns, without duplicates, each also with the entry's type. The protocol is always among
 * them. A transfer of no shares is an entry of the protocol only: anybody can make one between any addresses for the gas.
 */
export function listSubjects(entry: Entry): string[] {
  const subjects = SUBJECT_KINDS.flatMap((kind) =>
    listAddresses(entry, kind).flatMap((address) => {
      const subject = subjectOf[kind](address);
      const own = kind === 'holder' && isDust(entry, address) ? dustOf(subject) : subject;
      return [own, typedSubject(subject, entry.type)];
    }),
  );
  return [subjectOf.protocol, typedSubject(subjectOf.protocol, entry.type), ...subjects];
}

/** True if somebody else gives a holder less than {@link LEAST_SHARES}. The queue only returns what was the holder's. */
export function isDust(entry: Entry, holder: string): boolean {
  if (entry.type === 'ggAvaxDeposited') return entry.shares < LEAST_SHARES && entry.caller !== holder;
  if (entry.type !== 'ggAvaxTransferred' || entry.shares >= LEAST_SHARES) return false;
  return entry.to === holder && entry.from !== holder && !QUEUES.has(entry.from);
}

const SUBJECT_KINDS = ['node', 'staker', 'holder'] as const satisfies SubjectKind[];

function listAddresses(entry: Entry, kind: SubjectKind): string[] {
  if (entry.type === 'ggAvaxTransferred' && entry.shares === 0n) return [];
  const { participants } = declarationOf(entry.type);
  const fields = entry as unknown as Record<string, string | undefined>;
  // 0x0 holds ggAVAX that is sent or deposited to it, but ggAVAX that comes from it is minted.
  const isSomebody = (field: string) => fields[field] !== ZeroAddress || (kind === 'holder' && field !== 'from');
  const named = (participants[kind] ?? []).filter(isSomebody);
  return [...new Set(named.flatMap((field) => fields[field]?.toLowerCase() ?? []))];
}
