/**
 * Sums of the ledger's entries, and the contracts' figures to compare them with. docs/events.md lists which figures
 * follow from which events, and which ones cannot be checked.
 */

import { ifAnswered } from '../chain/answered.ts';
import type { Chain, ProtocolState } from '../chain/chain.ts';
import { contractAt } from '../chain/contract.ts';
import { readBalance, readGgAvax } from '../contracts/gg-avax.ts';
import { readOraclePrice } from '../contracts/oracle.ts';
import { readGGPStakes, readMinipoolStatuses } from '../contracts/records.ts';
import { readNodeOpCycleTotal, readRewardsPool } from '../contracts/rewards-pool.ts';
import { readVaultGGP } from '../contracts/vault.ts';
import {
  readRequestCount,
  readWithdrawRequests,
  WITHDRAW_QUEUE_ABI,
  type WithdrawRequest,
} from '../contracts/withdraw-queue.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { endedRequest, listChanges } from './balance-changes.ts';
import type { ContractName } from './event-abis.ts';
import type { EntryType } from './events/entry-types.ts';
import type { Entry } from './ledger-entry.ts';

/**
 * Figures (wei or plain numbers) by key: an address or node (lower-case hex), a request ID, or '' if there is only one
 * figure.
 */
export type Figures = ReadonlyMap<string, bigint>;

export interface Check {
  contract: ContractName;
  view: string;
  /** Adds an entry. Entries come in the order of the chain. */
  fromLedger: (figures: Map<string, bigint>, entry: Entry) => void;
  /**
   * Returns the contracts' figures, at least for `keys`; undefined if the contracts do not answer. A key without a
   * figure counts as 0.
   */
  fromContract: (state: ProtocolState, keys: readonly string[]) => Promise<Figures | undefined>;
}

const ONLY = '';

export const BALANCES: Check = {
  contract: 'TokenggAVAX',
  view: 'balanceOf',
  fromLedger: (figures, entry) => {
    for (const [holder, change] of listChanges(entry)) add(figures, change, holder);
  },
  fromContract: (state, holders) => ifAnswered(readBalances(state, holders)),
};

export const CHECKS: readonly Check[] = [
  BALANCES,
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
      if (entry.type === 'ggpSlashed') add(figures, -entry.amount, entry.owner ?? entry.nodeID);
    },
    fromContract: readGGPStakes,
  },
  {
    // Counted from 1, as 0 is a status.
    contract: 'MinipoolManager',
    view: 'status + 1',
    fromLedger: (figures, entry) => {
      if (entry.type === 'minipoolCreated') figures.set(entry.nodeID, 1n);
      if (entry.type === 'minipoolStatusChanged') figures.set(entry.nodeID, BigInt(entry.status) + 1n);
    },
    fromContract: async (state) => {
      const statuses = await readMinipoolStatuses(state);
      return statuses && new Map([...statuses].map(([node, status]) => [node, status + 1n]));
    },
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
    fromContract: async (state) => ofRequests(state, ({ expectedAssets }) => expectedAssets),
  },
  {
    contract: 'WithdrawQueue',
    view: 'allocatedFunds',
    fromLedger: (figures, entry) => {
      if (entry.type === 'unstakeFulfilled') add(figures, entry.assets, String(entry.requestId));
      end(figures, entry);
    },
    fromContract: async (state) => ofRequests(state, ({ allocatedFunds }) => allocatedFunds),
  },
  {
    contract: 'WithdrawQueue',
    view: 'ends of a request',
    fromLedger: (figures, entry) => {
      const requestId = endedRequest(entry);
      if (requestId !== undefined) add(figures, 1n, String(requestId));
    },
    fromContract: async (_state, ended) => new Map(ended.map((key) => [key, 1n])),
  },
  {
    contract: 'RewardsPool',
    view: 'getRewardsCycleCount',
    // The first number is taken as it is; a later one only if it follows.
    fromLedger: (figures, entry) => {
      if (entry.type !== 'rewardsCycleStarted') return;
      const number = BigInt(entry.number);
      if ((figures.get(ONLY) ?? number - 1n) === number - 1n) figures.set(ONLY, number);
    },
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
  {
    contract: 'Oracle',
    view: 'getGGPPriceInAVAX',
    fromLedger: (figures, entry) => entry.type === 'priceUpdated' && figures.set(ONLY, entry.price),
    fromContract: async (state) => only((await readOraclePrice(state))?.ggpPriceInAVAX),
  },
];

interface EventFigure {
  contract: ContractName;
  view: string;
  key: string;
  ledger: bigint;
  chain: bigint;
}

/**
 * Figures of single events, and the contracts' figures in the state before or after their block. `entries` are all
 * entries of these types in the block.
 */
export const EVENT_CHECKS: {
  readonly [Type in EntryType]?: (
    entry: Entry,
    block: { chain: Chain; entries: readonly Entry[] },
  ) => Promise<EventFigure[]>;
} = {
  /** A claim takes all unclaimed rewards of a staker. */
  async ggpRewardsClaimed(entry, { chain, entries }) {
    if (entry.type !== 'ggpRewardsClaimed') return [];
    const { runner, addresses } = await chain.at(entry.block - 1);
    const given = await ifAnswered(contractAt(addresses.Staking, STAKING_ABI, runner).getGGPRewards(entry.staker));
    const isAlone = entries.filter(({ type }) => type === 'ggpRewardsClaimed').length === 1;
    if (given === undefined || !isAlone) return [];
    const place = { contract: 'Staking', view: 'getGGPRewards', key: entry.staker } as const;
    return [{ ...place, ledger: entry.amount + entry.restaked, chain: given }];
  },
  async rewardsCycleStarted(entry, { chain }) {
    if (entry.type !== 'rewardsCycleStarted') return [];
    const state = await chain.at(entry.block);
    const [{ rewardsCycleTotalAmt }, nodeOpTotal] = await Promise.all([
      readRewardsPool(state),
      readNodeOpCycleTotal(state),
    ]);
    const key = String(entry.number);
    return [
      { view: 'getRewardsCycleTotalAmt', key, ledger: entry.totalAmt ?? 0n, chain: rewardsCycleTotalAmt },
      { view: 'getRewardsCycleTotal of ClaimNodeOp', key, ledger: entry.ClaimNodeOp, chain: nodeOpTotal },
    ].flatMap(({ chain, ...figure }) =>
      chain === undefined ? [] : { contract: 'RewardsPool' as const, ...figure, chain },
    );
  },
  async unstakeRequested(entry, { chain }) {
    if (entry.type !== 'unstakeRequested') return [];
    const { runner, network } = await chain.at(entry.block);
    const queue = contractAt(network.withdrawQueue, WITHDRAW_QUEUE_ABI, runner);
    const request = await ifAnswered(queue.getRequestInfo(entry.requestId));
    // It may have ended in its own block.
    if (!request || request.shares === 0n) return [];
    const place = { contract: 'WithdrawQueue', key: String(entry.requestId) } as const;
    return [
      { ...place, view: 'shares', ledger: entry.shares, chain: request.shares },
      { ...place, view: 'requester', ledger: BigInt(entry.requester), chain: BigInt(request.requester) },
    ];
  },
};

const STAKING_ABI = ['function getGGPRewards(address stakerAddr) view returns (uint256)'] as const;

function add(figures: Map<string, bigint>, amount: bigint, key = ONLY): void {
  figures.set(key, (figures.get(key) ?? 0n) + amount);
}

function only(figure: bigint | undefined): Figures | undefined {
  return figure === undefined ? undefined : new Map([[ONLY, figure]]);
}

async function readBalances(state: ProtocolState, holders: readonly string[]): Promise<Figures> {
  return new Map(await Promise.all(holders.map(async (holder) => [holder, await readBalance(state, holder)] as const)));
}

/** Sets the figure of a request to 0 if the entry ends it. */
function end(figures: Map<string, bigint>, entry: Entry): void {
  const requestId = endedRequest(entry);
  if (requestId !== undefined) figures.set(String(requestId), 0n);
}

/** An amount of each open request, by its id. */
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
