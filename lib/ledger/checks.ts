/** Sums of the ledger's entries, and the contracts' figures to compare them with, as docs/events.md lists them. */

import type { ProtocolState } from '../chain/chain.ts';
import { readBalance, readGgAvax } from '../contracts/gg-avax.ts';
import { readVaultGGP } from '../contracts/ggp.ts';
import { MINIPOOL_STATUSES } from '../contracts/minipool-statuses.ts';
import { readRecords } from '../contracts/records.ts';
import { readWithdrawRequests } from '../contracts/withdraw-queue.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { BALANCE_CHANGES, BALANCE_EVENTS, listChanges } from './balance-changes.ts';
import type { ContractName } from './event-abis.ts';
import type { EntryType } from './events/entry-types.ts';
import type { Entry, EntryOf } from './ledger-entry.ts';

/** Figures (wei or plain numbers) by key: an address or node (lower-case hex), a request ID, or '' if there is only one. */
export type Figures = ReadonlyMap<string, bigint>;

/** Changes of figures by an entry; undefined removes a figure. Entries come in the order of the chain. */
export type ChangesOf<One> = (entry: One, known: Figures) => (readonly [key: string, change: bigint | undefined])[];

export interface SumCheck {
  contract: ContractName;
  view: string;
  changes: { [Type in EntryType]?: ChangesOf<EntryOf<Type>> };
  /** Returns the contracts' figures, or the only one; undefined if they do not answer. A key without a figure counts as 0. */
  read: (state: ProtocolState, sums: Figures) => Promise<Figures | bigint | undefined>;
}

/** Until then, a commission was part of a reward but not compounded (2024-01-01, unix seconds). */
const COMPOUNDED_SINCE = 1_704_067_200;

const WITHDRAWABLE = MINIPOOL_STATUSES.indexOf('withdrawable');

const one = (change: bigint) => [['', change] as const];
const cleared = (key: string, known: Figures) => [[key, -(known.get(key) ?? 0n)] as const];
const ended = ({ requestId }: { requestId: number }, known: Figures) => cleared(String(requestId), known);

export const CHECKS: readonly SumCheck[] = [
  {
    contract: 'TokenggAVAX',
    view: 'balanceOf',
    changes: BALANCE_CHANGES,
    read: async (state, sums) => {
      const holders = [...sums.keys()].filter((holder) => sums.get(holder) !== 0n);
      return new Map(await Promise.all(holders.map(async (one) => [one, await readBalance(state, one)] as const)));
    },
  },
  {
    contract: 'TokenggAVAX',
    view: 'totalSupply',
    changes: Object.fromEntries(
      BALANCE_EVENTS.map((type) => [type, (entry: Entry) => listChanges(entry).flatMap(([, change]) => one(change))]),
    ),
    read: async (state) => (await readGgAvax(state)).totalSupply,
  },
  {
    // A stream's amount counts as released only when the next stream begins.
    contract: 'TokenggAVAX',
    view: 'totalReleasedAssets + lastRewardsAmt',
    changes: {
      ggAvaxDeposited: ({ assets }) => one(assets),
      ggAvaxWithdrawn: ({ assets }) => one(-assets),
      rewardsStreamed: ({ rewardsAmt }) => one(rewardsAmt),
    },
    read: async (state) => {
      const { totalReleasedAssets, lastRewardsAmt } = await readGgAvax(state);
      return ifKnown((released, streamed) => released + streamed, totalReleasedAssets, lastRewardsAmt);
    },
  },
  {
    contract: 'Staking',
    view: 'getGGPStake',
    changes: {
      ggpStaked: ({ staker, amount }) => [[staker, amount]],
      ggpWithdrawn: ({ staker, amount }) => [[staker, -amount]],
      ggpSlashed: ({ owner, amount }) => (owner ? [[owner, -amount]] : []),
    },
    read: (state) => readRecords(state, 'staker', ['ggpStaked']),
  },
  {
    // Only nodes whose rewards are all known, since their minipool was created.
    contract: 'MinipoolManager',
    view: 'avaxNodeOpAmt - avaxNodeOpInitialAmt + avaxNodeOpRewardAmt',
    changes: {
      minipoolCreated: ({ nodeID, timestamp }, known) => (timestamp < COMPOUNDED_SINCE ? [] : cleared(nodeID, known)),
      minipoolStatusChanged: ({ nodeID, status, rewardAVAX }, known) =>
        known.has(nodeID) && status === WITHDRAWABLE ? [[nodeID, rewardAVAX]] : [],
    },
    read: async (state, sums) => {
      const fields = ['avaxNodeOpAmt', 'avaxNodeOpInitialAmt', 'avaxNodeOpRewardAmt'];
      const rewards = await readRecords(state, 'minipool', fields, (amount = 0n, initial = 0n, reward = 0n) =>
        initial === 0n ? undefined : amount - initial + reward,
      );
      // Records of old versions have no first amount, so that there is nothing to compare.
      return rewards && new Map(Array.from(sums, ([node, sum]) => [node, rewards.get(node) ?? sum]));
    },
  },
  {
    contract: 'WithdrawQueue',
    view: 'expectedAssets + allocatedFunds',
    changes: {
      unstakeRequested: ({ requestId, expectedAssets }) => [[String(requestId), expectedAssets]],
      unstakeFulfilled: ({ requestId, assets }) => [[String(requestId), assets]],
      unstakeClaimed: ended,
      unstakeCancelled: ended,
      unstakeReturned: ended,
    },
    read: async (state) => {
      const [pending, fulfilled] = await Promise.all([
        readWithdrawRequests(state, 'getAllPendingRequests'),
        readWithdrawRequests(state, 'getAllFulfilledRequests'),
      ]);
      const requests = pending && fulfilled && [...pending, ...fulfilled];
      return requests && new Map(requests.map((it) => [String(it.requestId), it.expectedAssets + it.allocatedFunds]));
    },
  },
  {
    contract: 'Vault',
    view: 'balanceOfToken of ClaimNodeOp',
    changes: {
      rewardsCycleStarted: ({ ClaimNodeOp }) => one(ClaimNodeOp),
      ggpRewardsClaimed: ({ amount, restaked }) => one(-amount - restaked),
    },
    read: (state) => readVaultGGP(state, 'ClaimNodeOp'),
  },
];
