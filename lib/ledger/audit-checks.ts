/**
 * What the ledger's entries add up to, and what the contracts say at the same block. docs/events.md says what follows
 * from which events, and what cannot be checked.
 */

import { ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { readBalance, readGgAvax } from '../contracts/gg-avax.ts';
import { readOraclePrice } from '../contracts/oracle.ts';
import { readGGPStakes, readMinipoolStatuses } from '../contracts/records.ts';
import { readRewardsPool } from '../contracts/rewards-pool.ts';
import { readVaultGGP } from '../contracts/vault.ts';
import { readRequestCount, readWithdrawRequests, type WithdrawRequest } from '../contracts/withdraw-queue.ts';
import { ifKnown } from '../runtime/if-known.ts';
import type { ContractName } from './event-abis.ts';
import type { Entry } from './ledger-entry.ts';
import { changesOf, endedRequest } from './moves.ts';

/** By what they are about: an address or node (lower-case hex), a request, or '' for the only one. Wei, or a number. */
export type Figures = ReadonlyMap<string, bigint>;

export interface Check {
  contract: ContractName;
  view: string;
  /** Adds an entry. Entries come in the order of the chain. */
  fromLedger: (figures: Map<string, bigint>, entry: Entry) => void;
  /** What the contracts say, at least of these; undefined if they do not answer. What is not there is 0. */
  fromContract: (state: ProtocolState, keys: readonly string[]) => Promise<Figures | undefined>;
}

const ONLY = '';

export const CHECKS: readonly Check[] = [
  {
    contract: 'TokenggAVAX',
    view: 'balanceOf',
    fromLedger: (figures, entry) => {
      for (const [holder, change] of changesOf(entry)) add(figures, change, holder);
    },
    fromContract: (state, holders) => ifAnswered(readBalances(state, holders)),
  },
  {
    contract: 'TokenggAVAX',
    view: 'totalSupply',
    fromLedger: (figures, entry) => {
      for (const [, change] of changesOf(entry)) add(figures, change);
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
    // What is streamed is released when the next stream begins.
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

function add(figures: Map<string, bigint>, amount: bigint, key = ONLY): void {
  figures.set(key, (figures.get(key) ?? 0n) + amount);
}

function only(figure: bigint | undefined): Figures | undefined {
  return figure === undefined ? undefined : new Map([[ONLY, figure]]);
}

async function readBalances(state: ProtocolState, holders: readonly string[]): Promise<Figures> {
  return new Map(await Promise.all(holders.map(async (holder) => [holder, await readBalance(state, holder)] as const)));
}

/** A request that has ended has nothing. */
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
