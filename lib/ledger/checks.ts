/**
 * Sums of the ledger's entries, and the contracts' figures to compare them with. docs/events.md lists which figures
 * follow from which events, and which ones cannot be checked.
 */

import { ifAnswered } from '../chain/answered.ts';
import type { Chain, ProtocolState } from '../chain/chain.ts';
import { contractAt } from '../chain/contract.ts';
import { readBalance, readGgAvax } from '../contracts/gg-avax.ts';
import { readRewardsPool, readVaultGGP } from '../contracts/ggp.ts';
import { MINIPOOL_STATUSES } from '../contracts/minipool-statuses.ts';
import { readRecords } from '../contracts/records.ts';
import { readRequestCount, readWithdrawRequests } from '../contracts/withdraw-queue.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { BALANCE_EVENTS, listChanges } from './balance-changes.ts';
import type { ContractName } from './event-abis.ts';
import type { EntryType } from './events/entry-types.ts';
import type { Entry, EntryOf } from './ledger-entry.ts';

/**
 * Figures (wei or plain numbers) by key: an address or node (lower-case hex), a request ID, `<address>@<block>`, or '' if
 * there is only one.
 */
export type Figures = ReadonlyMap<string, bigint>;

/** Changes of figures by an entry; undefined removes a figure. Entries come in the order of the chain. */
type Changes = {
  [Type in EntryType]?: (
    entry: EntryOf<Type>,
    known: Figures,
  ) => (readonly [key: string, change: bigint | undefined])[];
};

export interface SumCheck {
  contract: ContractName;
  view: string;
  changes: Changes;
  /**
   * Returns the contracts' figures, at least for `keys`; undefined if the contracts do not answer. A key without a figure
   * counts as 0, or is not compared if `isPartial`. `since`: the block of the last comparison.
   */
  read: (state: ProtocolState, keys: readonly string[], chain: Chain, since: number) => Promise<Figures | undefined>;
  isPartial?: boolean;
}

/** Until then, a commission was part of a reward but not compounded (2024-01-01, unix seconds). */
const COMPOUNDED_SINCE = 1_704_067_200;

const WITHDRAWABLE = MINIPOOL_STATUSES.indexOf('withdrawable');

const STAKING_ABI = [
  'function getGGPRewards(address stakerAddr) view returns (uint256)',
  'function getLastRewardsCycleCompleted(address stakerAddr) view returns (uint256)',
] as const;

const one = (change: bigint) => [['', change] as const];
const ended = ({ requestId }: { requestId: number }, known: Figures) => [
  [String(requestId), -(known.get(String(requestId)) ?? 0n)] as const,
];
const set = (known: Figures, key: string, figure: bigint) => [[key, figure - (known.get(key) ?? 0n)] as const];

export const CHECKS: readonly SumCheck[] = [
  {
    contract: 'TokenggAVAX',
    view: 'balanceOf',
    changes: Object.fromEntries(BALANCE_EVENTS.map((type) => [type, listChanges])),
    read: async (state, holders) =>
      new Map(await Promise.all(holders.map(async (one) => [one, await readBalance(state, one)] as const))),
  },
  {
    contract: 'TokenggAVAX',
    view: 'totalSupply',
    changes: Object.fromEntries(
      BALANCE_EVENTS.map((type) => [type, (entry: Entry) => listChanges(entry).flatMap(([, change]) => one(change))]),
    ),
    read: async (state) => only((await readGgAvax(state)).totalSupply),
  },
  {
    contract: 'TokenggAVAX',
    view: 'stakingTotalAssets',
    changes: { avaxStaked: ({ assets }) => one(assets), avaxReturned: ({ baseAmt }) => one(-baseAmt) },
    read: async (state) => only((await readGgAvax(state)).stakingTotalAssets),
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
      return only(ifKnown((released, streamed) => released + streamed, totalReleasedAssets, lastRewardsAmt));
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
    // A claim takes all that was unclaimed before. Unknown for one in the block of its own distribution.
    contract: 'Staking',
    view: 'getGGPRewards',
    isPartial: true,
    changes: {
      ggpRewardsClaimed: ({ staker, block, amount, restaked }) => [[`${staker}@${block}`, amount + restaked]],
    },
    read: async (_state, claims, chain, since) => {
      const read = claims.map(async (claim) => {
        const [staker = '', block = 0] = claim.split('@');
        if (Number(block) <= since) return [];
        const [before, after] = await Promise.all(
          [-1, 0].map((offset) => unclaimed(chain, staker, Number(block) + offset)),
        );
        return before?.ggp !== undefined && before.cycle === after?.cycle ? [[claim, before.ggp] as const] : [];
      });
      return new Map((await Promise.all(read)).flat());
    },
  },
  {
    // Counted from 1, as 0 is a status.
    contract: 'MinipoolManager',
    view: 'status + 1',
    changes: {
      minipoolCreated: ({ nodeID }, known) => set(known, nodeID, 1n),
      minipoolStatusChanged: ({ nodeID, status }, known) => set(known, nodeID, BigInt(status) + 1n),
    },
    read: (state) => readRecords(state, 'minipool', ['status'], (status = 0n) => status + 1n),
  },
  {
    // Only nodes whose rewards are all known, since their minipool was created. Records of old versions have no first amount.
    contract: 'MinipoolManager',
    view: 'avaxNodeOpAmt - avaxNodeOpInitialAmt + avaxNodeOpRewardAmt',
    isPartial: true,
    changes: {
      minipoolCreated: ({ nodeID, timestamp }, known) => (timestamp < COMPOUNDED_SINCE ? [] : set(known, nodeID, 0n)),
      minipoolStatusChanged: ({ nodeID, status, rewardAVAX }, known) =>
        known.has(nodeID) && status === WITHDRAWABLE ? [[nodeID, rewardAVAX]] : [],
    },
    read: (state) =>
      readRecords(
        state,
        'minipool',
        ['avaxNodeOpAmt', 'avaxNodeOpInitialAmt', 'avaxNodeOpRewardAmt'],
        (amount = 0n, initial = 0n, reward = 0n) => (initial === 0n ? undefined : amount - initial + reward),
      ),
  },
  {
    contract: 'WithdrawQueue',
    view: 'nextRequestId',
    changes: { unstakeRequested: () => one(1n) },
    read: async (state) => only(await readRequestCount(state)),
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
      const [pending, fulfilled] = await Promise.all(
        (['getAllPendingRequests', 'getAllFulfilledRequests'] as const).map((set) => readWithdrawRequests(state, set)),
      );
      if (!pending || !fulfilled) return undefined;
      return new Map(
        [...pending, ...fulfilled].map(({ requestId, expectedAssets, allocatedFunds }) => [
          String(requestId),
          expectedAssets + allocatedFunds,
        ]),
      );
    },
  },
  {
    contract: 'RewardsPool',
    view: 'getRewardsCycleCount',
    changes: { rewardsCycleStarted: ({ number }, known) => set(known, '', BigInt(number)) },
    read: async (state) => only((await readRewardsPool(state)).rewardsCycleCount),
  },
  {
    contract: 'Vault',
    view: 'balanceOfToken of ClaimNodeOp',
    changes: {
      rewardsCycleStarted: ({ ClaimNodeOp }) => one(ClaimNodeOp),
      ggpRewardsClaimed: ({ amount, restaked }) => one(-amount - restaked),
    },
    read: async (state) => only(await readVaultGGP(state, 'ClaimNodeOp')),
  },
];

function only(figure: bigint | undefined): Figures | undefined {
  return figure === undefined ? undefined : new Map([['', figure]]);
}

/** GGP that a staker can claim after a block, and the last cycle that was distributed to the staker. */
async function unclaimed(chain: Chain, staker: string, block: number) {
  const { runner, addresses } = await chain.at(block);
  const { getGGPRewards, getLastRewardsCycleCompleted } = contractAt(addresses.Staking, STAKING_ABI, runner);
  const [ggp, cycle] = await Promise.all([
    ifAnswered(getGGPRewards(staker)),
    ifAnswered(getLastRewardsCycleCompleted(staker)),
  ]);
  return { ggp, cycle };
}
