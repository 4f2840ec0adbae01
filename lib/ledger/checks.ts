/**
 * Sums of the ledger's entries, and the contracts' figures to compare them with. docs/events.md lists which figures
 * follow from which events, and which ones cannot be checked.
 */

import type { ProtocolState } from '../chain/chain.ts';
import { readBalance, readGgAvax } from '../contracts/gg-avax.ts';
import { readRewardsPool, readVaultGGP } from '../contracts/ggp.ts';
import { MINIPOOL_STATUSES } from '../contracts/minipool-statuses.ts';
import { readRecords } from '../contracts/records.ts';
import { readRequestCount, readWithdrawRequests, type WithdrawRequest } from '../contracts/withdraw-queue.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { endedRequest, listChanges } from './balance-changes.ts';
import type { ContractName } from './event-abis.ts';
import type { Entry } from './ledger-entry.ts';

/** Figures (wei or plain numbers) by key: an address or node (lower-case hex), a request ID, or '' if there is only one. */
export type Figures = ReadonlyMap<string, bigint>;

export interface SumCheck {
  contract: ContractName;
  view: string;
  /** Adds an entry. Entries come in the order of the chain. */
  fromLedger: (figures: Map<string, bigint>, entry: Entry) => void;
  /**
   * Returns the contracts' figures, at least for `keys`; undefined if the contracts do not answer. A key without a figure
   * counts as 0, or is not compared if `isPartial`.
   */
  fromContract: (state: ProtocolState, keys: readonly string[]) => Promise<Figures | undefined>;
  isPartial?: boolean;
}

const ONLY = '';

/** Until then, a commission was part of a reward but not compounded (2024-01-01, unix seconds). */
const COMPOUNDED_SINCE = 1_704_067_200;

export const CHECKS: readonly SumCheck[] = [
  {
    contract: 'TokenggAVAX',
    view: 'balanceOf',
    fromLedger: (figures, entry) => {
      for (const [holder, change] of listChanges(entry)) add(figures, change, holder);
    },
    fromContract: async (state, holders) =>
      new Map(await Promise.all(holders.map(async (one) => [one, await readBalance(state, one)] as const))),
  },
  {
    contract: 'TokenggAVAX',
    view: 'totalSupply',
    fromLedger: (figures, entry) => {
      for (const [, change] of listChanges(entry)) add(figures, change);
    },
    fromContract: async (state) => only((await readGgAvax(state)).totalSupply),
  },
  {
    contract: 'TokenggAVAX',
    view: 'stakingTotalAssets',
    fromLedger: (figures, entry) => {
      if (entry.type === 'avaxStaked') add(figures, entry.assets);
      if (entry.type === 'avaxReturned') add(figures, -entry.baseAmt);
    },
    fromContract: async (state) => only((await readGgAvax(state)).stakingTotalAssets),
  },
  {
    // A stream's amount counts as released only when the next stream begins.
    contract: 'TokenggAVAX',
    view: 'totalReleasedAssets + lastRewardsAmt',
    fromLedger: (figures, entry) => {
      if (entry.type === 'ggAvaxDeposited') add(figures, entry.assets);
      if (entry.type === 'ggAvaxWithdrawn') add(figures, -entry.assets);
      if (entry.type === 'rewardsStreamed') add(figures, entry.rewardsAmt);
    },
    fromContract: async (state) => {
      const { totalReleasedAssets, lastRewardsAmt } = await readGgAvax(state);
      return only(ifKnown((released, streamed) => released + streamed, totalReleasedAssets, lastRewardsAmt));
    },
  },
  {
    contract: 'Staking',
    view: 'getGGPStake',
    fromLedger: (figures, entry) => {
      if (entry.type === 'ggpStaked') add(figures, entry.amount, entry.staker);
      if (entry.type === 'ggpWithdrawn') add(figures, -entry.amount, entry.staker);
      if (entry.type === 'ggpSlashed' && entry.owner) add(figures, -entry.amount, entry.owner);
    },
    fromContract: (state) => readRecords(state, 'staker', ['ggpStaked']),
  },
  {
    // Counted from 1, as 0 is a status.
    contract: 'MinipoolManager',
    view: 'status + 1',
    fromLedger: (figures, entry) => {
      if (entry.type === 'minipoolCreated') figures.set(entry.nodeID, 1n);
      if (entry.type === 'minipoolStatusChanged') figures.set(entry.nodeID, BigInt(entry.status) + 1n);
    },
    fromContract: (state) => readRecords(state, 'minipool', ['status'], (status = 0n) => status + 1n),
  },
  {
    // Of nodes whose rewards are all known, since their minipool was created. Records of old versions have no first amount.
    contract: 'MinipoolManager',
    view: 'avaxNodeOpAmt - avaxNodeOpInitialAmt + avaxNodeOpRewardAmt',
    isPartial: true,
    fromLedger: (figures, entry) => {
      if (entry.type === 'minipoolCreated' && entry.timestamp >= COMPOUNDED_SINCE) figures.set(entry.nodeID, 0n);
      if (entry.type !== 'minipoolStatusChanged' || !figures.has(entry.nodeID)) return;
      if (entry.rewardAVAX !== undefined) add(figures, entry.rewardAVAX, entry.nodeID);
      else if (entry.status === WITHDRAWABLE) figures.delete(entry.nodeID);
    },
    fromContract: (state) =>
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
    fromLedger: (figures, entry) => entry.type === 'unstakeRequested' && add(figures, 1n),
    fromContract: async (state) => only(await readRequestCount(state)),
  },
  {
    contract: 'WithdrawQueue',
    view: 'expectedAssets',
    fromLedger: (figures, entry) => {
      if (entry.type === 'unstakeRequested') add(figures, entry.expectedAssets, String(entry.requestId));
      end(figures, entry);
    },
    fromContract: (state) => ofRequests(state, ({ expectedAssets }) => expectedAssets),
  },
  {
    contract: 'WithdrawQueue',
    view: 'allocatedFunds',
    fromLedger: (figures, entry) => {
      if (entry.type === 'unstakeFulfilled') add(figures, entry.assets, String(entry.requestId));
      end(figures, entry);
    },
    fromContract: (state) => ofRequests(state, ({ allocatedFunds }) => allocatedFunds),
  },
  {
    contract: 'RewardsPool',
    view: 'getRewardsCycleCount',
    fromLedger: (figures, entry) => entry.type === 'rewardsCycleStarted' && figures.set(ONLY, BigInt(entry.number)),
    fromContract: async (state) => only((await readRewardsPool(state)).rewardsCycleCount),
  },
  {
    contract: 'Vault',
    view: 'balanceOfToken of ClaimNodeOp',
    fromLedger: (figures, entry) => {
      if (entry.type === 'rewardsCycleStarted') add(figures, entry.ClaimNodeOp);
      if (entry.type === 'ggpRewardsClaimed') add(figures, -entry.amount - entry.restaked);
    },
    fromContract: async (state) => only(await readVaultGGP(state, 'ClaimNodeOp')),
  },
];

const WITHDRAWABLE = MINIPOOL_STATUSES.indexOf('withdrawable');

function add(figures: Map<string, bigint>, amount: bigint, key = ONLY): void {
  figures.set(key, (figures.get(key) ?? 0n) + amount);
}

function only(figure: bigint | undefined): Figures | undefined {
  return figure === undefined ? undefined : new Map([[ONLY, figure]]);
}

/** Sets the figure of a request to 0 if the entry ends it. */
function end(figures: Map<string, bigint>, entry: Entry): void {
  const requestId = endedRequest(entry);
  if (requestId !== undefined) figures.set(String(requestId), 0n);
}

async function ofRequests(
  state: ProtocolState,
  amount: (request: WithdrawRequest) => bigint,
): Promise<Figures | undefined> {
  const sets = await Promise.all(
    (['getAllPendingRequests', 'getAllFulfilledRequests'] as const).map((set) => readWithdrawRequests(state, set)),
  );
  if (sets.includes(undefined)) return undefined;
  return new Map(sets.flatMap((requests) => requests ?? []).map((one) => [String(one.requestId), amount(one)]));
}
