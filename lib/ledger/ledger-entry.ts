import { ZeroAddress } from 'ethers';

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

/**
 * `uint`: base units or wei, a bigint. `address`: lower-case 0x-hex, also for a node's 20 bytes. `?`: may be missing.
 */
export type FieldKind = 'uint' | 'number' | 'address' | 'bytes32' | 'text' | 'uint?' | 'address?' | 'bytes32?';

interface Description {
  fields: Readonly<Record<string, FieldKind>>;
  /** The fields that name whom it concerns, besides the protocol. */
  concerns: { readonly [Kind in SubjectKind]?: readonly string[] };
}

type SubjectKind = 'staker' | 'node' | 'holder';

/** `owner` is the node's at that block. */
const OF_A_NODE = { node: ['nodeID'], staker: ['owner'] } as const;
const OF_A_STAKER = { staker: ['staker'] } as const;

export const ENTRY_TYPES = {
  /** GGP, including what a claim restakes. */
  ggpStaked: { fields: { staker: 'address', amount: 'uint' }, concerns: OF_A_STAKER },
  ggpWithdrawn: { fields: { staker: 'address', amount: 'uint' }, concerns: OF_A_STAKER },
  /** `amount` was paid out, `restaked` was staked: together what ClaimNodeOp took from the Vault for the claim. */
  ggpRewardsClaimed: { fields: { staker: 'address', amount: 'uint', restaked: 'uint' }, concerns: OF_A_STAKER },
  ggpSlashed: { fields: { nodeID: 'address', owner: 'address?', amount: 'uint' }, concerns: OF_A_NODE },
  /** A change to Prelaunch that does not follow a cycle in the same transaction: a new node, or one that is used again. */
  minipoolCreated: { fields: { nodeID: 'address', owner: 'address?' }, concerns: OF_A_NODE },
  /**
   * `status` is the contract's `MinipoolStatus`; `rewardAVAX`, at the end of a cycle, what the owner earned in it: compounded
   * or to be withdrawn.
   */
  minipoolStatusChanged: {
    fields: { nodeID: 'address', owner: 'address?', status: 'number', rewardAVAX: 'uint?' },
    concerns: OF_A_NODE,
  },
  /** `duration` in seconds. */
  minipoolLaunched: {
    fields: { nodeID: 'address', owner: 'address?', hardwareProvider: 'bytes32', duration: 'number' },
    concerns: OF_A_NODE,
  },
  /** GGP minted at the start of cycle `number`, and how much of it went to whom. */
  rewardsCycleStarted: {
    fields: {
      number: 'number',
      totalAmt: 'uint',
      ClaimNodeOp: 'uint',
      ClaimProtocolDAO: 'uint',
      MultisigManager: 'uint',
    },
    concerns: {},
  },
  /** AVAX `assets` for ggAVAX `shares`. */
  ggAvaxDeposited: {
    fields: { caller: 'address', owner: 'address', assets: 'uint', shares: 'uint' },
    concerns: { holder: ['owner'] },
  },
  ggAvaxWithdrawn: {
    fields: { caller: 'address', receiver: 'address', owner: 'address', assets: 'uint', shares: 'uint' },
    concerns: { holder: ['owner'] },
  },
  /**
   * `rate`: AVAX wei for one ggAVAX, `convertToAssets(1e18)` in the state after its block; `assets`: the same for its
   * shares. For transfers from or to the zero address, see above.
   */
  ggAvaxTransferred: {
    fields: { from: 'address', to: 'address', shares: 'uint', rate: 'uint', assets: 'uint' },
    concerns: { holder: ['from', 'to'] },
  },
  /** AVAX that the pool streams until `cycleEnd` (unix seconds). */
  rewardsStreamed: { fields: { rewardsAmt: 'uint', cycleEnd: 'number' }, concerns: {} },
  /**
   * AVAX that the pool gained: `source` is `staking` (rewards of minipools and delegations, net of `fee`), `deposit`
   * (other yield, net of `fee`) or `donation` (`shares` that `donor` burnt, worth `amount` at the rate after it: the one
   * that changes a balance). `origin` is the event's own source.
   */
  yieldAdded: {
    fields: {
      source: 'text',
      origin: 'bytes32?',
      amount: 'uint',
      fee: 'uint?',
      shares: 'uint?',
      donor: 'address?',
    },
    concerns: { holder: ['donor'] },
  },
  /** AVAX wei that left the pool to be staked. Before V3, without a purpose. */
  avaxStaked: { fields: { purpose: 'bytes32?', caller: 'address', assets: 'uint' }, concerns: {} },
  /**
   * AVAX wei that came back from staking: principal, and reward after the fee. Before V3, without a source. `nodeID` is
   * the node that a delegation was made to, if it was named.
   */
  avaxReturned: {
    fields: {
      source: 'bytes32?',
      caller: 'address',
      nodeID: 'address?',
      baseAmt: 'uint',
      rewardsAmt: 'uint',
      feeAVAX: 'uint',
    },
    concerns: { node: ['nodeID'] },
  },
  /** AVAX wei of a reward that went to the treasury. */
  feeCollected: { fields: { source: 'bytes32', amount: 'uint' }, concerns: {} },
  /** AVAX wei taken for a delegation outside minipools, and the node that was named for it. */
  delegationRegistered: { fields: { nodeID: 'address?', amount: 'uint' }, concerns: { node: ['nodeID'] } },
  unstakeRequested: {
    fields: {
      requestId: 'number',
      requester: 'address',
      shares: 'uint',
      expectedAssets: 'uint',
      claimableTime: 'number',
    },
    concerns: { holder: ['requester'] },
  },
  /** `assets` were set aside for the request. */
  unstakeFulfilled: {
    fields: { source: 'bytes32?', requestId: 'number', requester: 'address?', assets: 'uint' },
    concerns: { holder: ['requester'] },
  },
  /** `assets` were paid out. */
  unstakeClaimed: {
    fields: { requestId: 'number', requester: 'address', assets: 'uint' },
    concerns: { holder: ['requester'] },
  },
  /** `shares` went back. */
  unstakeCancelled: {
    fields: { requestId: 'number', requester: 'address', shares: 'uint' },
    concerns: { holder: ['requester'] },
  },
  /** The request had expired. `shares` went back: its own, or what its AVAX bought if it had been fulfilled. */
  unstakeReturned: {
    fields: { requestId: 'number', requester: 'address', shares: 'uint' },
    concerns: { holder: ['requester'] },
  },
  /** AVAX wei for one GGP, as the oracle's pusher saw it at `updatedAt`. */
  priceUpdated: { fields: { price: 'uint', updatedAt: 'number' }, concerns: {} },
} as const satisfies Record<string, Description>;

export type EntryType = keyof typeof ENTRY_TYPES;

type ValueOf<K> = K extends 'uint' | 'uint?' ? bigint : K extends 'number' ? number : string;

type FieldsOf<F> = { [Name in keyof F as F[Name] extends `${string}?` ? never : Name]: ValueOf<F[Name]> } & {
  [Name in keyof F as F[Name] extends `${string}?` ? Name : never]?: ValueOf<F[Name]>;
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

/** All subjects that an entry concerns, without duplicates: the protocol is always among them. Each has its type's, too. */
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
  const { concerns }: Description = ENTRY_TYPES[entry.type];
  const fields = entry as unknown as Record<string, string | undefined>;
  // 0x0 holds what is sent or deposited to it, but what comes from it is minted.
  const isSomebody = (field: string) => fields[field] !== ZeroAddress || (kind === 'holder' && field !== 'from');
  const named = (concerns[kind] ?? []).filter(isSomebody);
  return [...new Set(named.flatMap((field) => fields[field]?.toLowerCase() ?? []))];
}
