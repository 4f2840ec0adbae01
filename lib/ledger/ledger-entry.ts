/**
 * What the ledger holds: one entry per event of the protocol's contracts that clients ask about, with the amounts as
 * the contract gave them; a reward that comes back from staking is two, the return and the yield. Events that only add detail to another event of their transaction become part of its entry.
 *
 * Balances of ggAVAX change in four types only: `ggAvaxDeposited` (in), `ggAvaxWithdrawn` (out), `ggAvaxTransferred`
 * (out of `from`, into `to`) and a `yieldAdded` that is a donation (`shares` out of `donor`). A `Transfer` that mints
 * or burns the shares of one of the others is not an entry; one that nothing else explains is: what anybody sends to
 * 0x0 is not burnt, but held by it. Shares waiting in the
 * queue were transferred to it, so the queue's own entries move nothing.
 */

import { ZeroAddress } from 'ethers';
import type { EntryField, FieldUnit, LEDGER_FORMS, SubjectKind } from './events/entry-field.ts';
import { declarationOf, type ENTRY_TYPES, type EntryType } from './events/entry-types.ts';

type ValueOf<Unit extends FieldUnit> = {
  wei: bigint;
  number: number;
  address: string;
  bytes32: string;
  text: string;
}[(typeof LEDGER_FORMS)[Unit]];

type Declared = Readonly<Record<string, EntryField>>;
type OptionalIn<F extends Declared> = { [N in keyof F]: F[N] extends { isOptional: true } ? N : never }[keyof F];

type FieldsOf<F extends Declared> = { [N in Exclude<keyof F, OptionalIn<F>>]: ValueOf<F[N]['unit']> } & {
  [N in OptionalIn<F>]?: ValueOf<F[N]['unit']>;
};

/** Where in the chain an event is. */
export interface Place {
  block: number;
  logIndex: number;
  /** Of the block, unix seconds. */
  timestamp: number;
  txHash: string;
}

/** An entry of one type: `EntryOf<'ggpStaked'>` has a staker and an amount. */
export type EntryOf<T extends EntryType> = {
  [K in T]: Place & { type: K } & FieldsOf<(typeof ENTRY_TYPES)[K]['fields']>;
}[T];

export type Entry = EntryOf<EntryType>;

/** Whose entries: each subject has its own copy of what concerns it, to be read in order and without filtering. */
export const subjectOf = {
  protocol: 'protocol',
  /** An address that stakes GGP or owns minipools. */
  staker: (address: string) => `staker#${address.toLowerCase()}`,
  /** A node by its 20 bytes in hex, over all its owners. */
  node: (nodeID: string) => `node#${nodeID.toLowerCase()}`,
  /** An address that has held or queued ggAVAX. */
  holder: (address: string) => `holder#${address.toLowerCase()}`,
  /** All entries of a type. */
  type: (type: EntryType) => `type#${type}`,
};

/** A subject's entries of one type: rare ones are found without reading through the others. */
export function typedSubject(subject: string, type: EntryType): string {
  return subject === subjectOf.protocol ? subjectOf.type(type) : `${subject}#${type}`;
}

/**
 * All subjects that an entry concerns, without duplicates: the protocol is always among them. Each has its type's, too. A
 * transfer of no shares is an entry of the protocol only: anybody can send as many from or to anybody, for the gas.
 */
export function subjectsOf(entry: Entry): string[] {
  const subjects = [
    subjectOf.protocol,
    ...SUBJECT_KINDS.flatMap((kind) => addressesOf(entry, kind).map(subjectOf[kind])),
  ];
  return subjects.flatMap((subject) => [subject, typedSubject(subject, entry.type)]);
}

/** The addresses (lower case) of the holders that an entry concerns. */
export function holdersOf(entry: Entry): string[] {
  return addressesOf(entry, 'holder');
}

const SUBJECT_KINDS = ['node', 'staker', 'holder'] as const satisfies SubjectKind[];

function addressesOf(entry: Entry, kind: SubjectKind): string[] {
  if (entry.type === 'ggAvaxTransferred' && entry.shares === 0n) return [];
  const { concerns } = declarationOf(entry.type);
  const fields = entry as unknown as Record<string, string | undefined>;
  // 0x0 holds what is sent or deposited to it, but what comes from it is minted.
  const isSomebody = (field: string) => fields[field] !== ZeroAddress || (kind === 'holder' && field !== 'from');
  const named = (concerns[kind] ?? []).filter(isSomebody);
  return [...new Set(named.flatMap((field) => fields[field]?.toLowerCase() ?? []))];
}
