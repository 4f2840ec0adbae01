/**
 * `lib/protocol`: the protocol at one block, as used by several endpoints. All containers share its datasets through the
 * cache: everything current and small (`currentDataset`), and the whole protocol (`protocolDataset`).
 */

import type { Dataset } from '../cache/cache.ts';
import type { Chain, ChainContext, ProtocolState } from '../chain/chain.ts';
import { allRead, ifAnswered } from '../chain/contract.ts';
import { failuresIn, NoState } from '../chain/upstream/failures.ts';
import { readBalance, readGgAvax } from '../contracts/gg-avax.ts';
import {
  readGGPSupply,
  readNodeOpCycleTotal,
  readOraclePrice,
  readRewardsPool,
  readVaultGGP,
} from '../contracts/ggp.ts';
import { type Minipool, readMinipools, readTotalAVAXLiquidStakerAmt } from '../contracts/minipool-manager.ts';
import { MINIPOOL_STATUSES, type MinipoolStatus } from '../contracts/minipool-statuses.ts';
import { readClaimingContractPct, readPaused, readSettings } from '../contracts/protocol-dao.ts';
import { readPoolRedemption } from '../contracts/redemption.ts';
import { readStakers } from '../contracts/staking.ts';
import {
  readRequests,
  readWithdrawQueue,
  readWithdrawRequests,
  type WithdrawRequest,
} from '../contracts/withdraw-queue.ts';
import { readBestPrices, readCachedPools } from '../prices/current.ts';
import type { CollateralTerms } from '../rewards/collateral.ts';
import { type Claimant, type GGPInflation, type NextRewardsCycle, nextRewardsCycle } from '../rewards/inflation.ts';
import { allKnown, ifKnown, unlessReverted } from '../runtime/if-known.ts';
import { inStatus } from './operator-figures.ts';

/**
 * The protocol at a glance, at one block: all but its lists of stakers, minipools and withdrawal requests. Amounts in wei.
 * Fields that the chain did not answer are missing.
 */
export type Overview = Awaited<ReturnType<typeof readOverview>>;

export function readOverview(state: ProtocolState) {
  return allRead({
    block: state.block(),
    pool: readGgAvax(state),
    redemption: readPoolRedemption(state),
    settings: readSettings(state),
    paused: readPaused(state),
    claimingContractPct: readClaimingContractPct(state),
    rewardsPool: readRewardsPool(state),
    /** GGP wei in existence. */
    ggpSupply: readGGPSupply(state),
    oracle: readOraclePrice(state),
    queue: readWithdrawQueue(state),
    /** ggAVAX wei that the withdrawal queue holds, for all requests. */
    queuedShares: ifAnswered(readBalance(state, state.network.withdrawQueue)),
  });
}

export type Current = Awaited<ReturnType<typeof readCurrent>>;

/**
 * Everything current and small, at one block: settings, supplies, cycle, pool and queue. Answers that use it within half a
 * minute agree with each other. The lists of stakers and minipools are not part of it: at Avalanche's size they are half a
 * megabyte, and need a second request to the chain.
 */
export const currentDataset: Dataset<Current, ChainContext> = {
  name: 'current',
  freshSeconds: 30,
  shared: true,
  read: async (context, { pending = [], fulfilled = [] } = {} as Current) =>
    readCurrent(await context.chain.latest(), [...pending, ...fulfilled]),
};

/** Number of withdrawal requests that are read together with the queue's lists: they fit into the first batch. */
const FIRST_REQUESTS = 150;

/**
 * The overview with the open withdrawal requests; those are missing if the queue does not list them. Requests that were
 * open `before` are read in the same request as the lists: the snapshot sends each call once.
 */
export async function readCurrent(state: ProtocolState, before: readonly WithdrawRequest[] = []) {
  const ids = before.slice(0, FIRST_REQUESTS).map(({ requestId }) => requestId);
  // The record of a request that is gone is not used: it is in neither list.
  readRequests(state, ids).catch(() => {});
  const { overview, ...requests } = await allRead({
    overview: readOverview(state),
    pending: readWithdrawRequests(state, 'getAllPendingRequests'),
    fulfilled: readWithdrawRequests(state, 'getAllFulfilledRequests'),
  });
  return { ...overview, ...requests };
}

/** Reads at a recent block or, if no provider has its state, `anew` at the latest one. */
export async function readAt<T>(
  chain: Chain,
  block: number,
  read: (state: ProtocolState) => Promise<T>,
  anew = read,
): Promise<T> {
  return read(await chain.latest(block)).catch(async (error: unknown) => {
    if (failuresIn(error).some((failure) => failure instanceof NoState)) return anew(await chain.latest());
    throw error;
  });
}

/** The whole protocol at one block; amounts in wei. A part is missing if its contract does not answer. */
export type Protocol = Awaited<ReturnType<typeof readProtocol>>;

/**
 * The whole protocol, for all answers about stakers, minipools and metrics: those of one minute agree with each other. Answers
 * about the pool and the queue alone use the smaller `currentDataset`. Both have the overview, because each answer is of one
 * block.
 */
export const protocolDataset: Dataset<Protocol, ChainContext> = {
  name: 'protocol',
  freshSeconds: 60,
  shared: true,
  read: readProtocol,
};

async function readProtocol(context: ChainContext) {
  const [state, pools] = await Promise.all([context.chain.latest(), readCachedPools(context)]);
  const { overview, ...others } = await allRead({
    overview: readOverview(state),
    stakers: ifAnswered(readStakers(state)),
    /** All minipool records, by index. */
    minipools: ifAnswered(readMinipools(state)),
    prices: readBestPrices(state, pools),
    totalGGPStake: readVaultGGP(state, 'Staking'),
    /** AVAX of liquid stakers in minipools. */
    liquidStakerAmt: readTotalAVAXLiquidStakerAmt(state),
    /** GGP of the current cycle for all node operators. */
    nodeOpCycleTotal: readNodeOpCycleTotal(state),
  });
  return { ...overview, ...others };
}

export function countByStatus(minipools: readonly Minipool[]): Record<MinipoolStatus, number> {
  const counts = MINIPOOL_STATUSES.map((name) => [name, inStatus(minipools, name).length]);
  return Object.fromEntries(counts);
}

/** The price and ratios that measure collateral; undefined while the oracle has no price, or a setting is unknown. */
export function collateralTerms(overview: Pick<Overview, 'oracle' | 'settings'>): CollateralTerms | undefined {
  const { minCollateralizationRatio, maxCollateralizationRatio } = overview.settings;
  const ggpPriceInAVAX = overview.oracle?.ggpPriceInAVAX;
  return allKnown({ ggpPriceInAVAX, minCollateralizationRatio, maxCollateralizationRatio });
}

/** The running rewards cycle and the inflation clock; undefined before the first cycle, or if a value is unknown. */
function inflationOf({ rewardsPool, settings, ggpSupply }: Overview): GGPInflation | undefined {
  const inflation = allKnown({
    rewardsCycleStartTime: ifKnown(Number, rewardsPool.rewardsCycleStartTime),
    rewardsCycleSeconds: ifKnown(Number, settings.rewardsCycleSeconds),
    inflationIntervalStartTime: ifKnown(Number, rewardsPool.inflationIntervalStartTime),
    inflationIntervalSeconds: ifKnown(Number, settings.inflationIntervalSeconds),
    inflationIntervalRate: settings.inflationIntervalRate,
    totalSupply: ggpSupply,
  });
  return inflation && inflation.inflationIntervalStartTime > 0 ? inflation : undefined;
}

/**
 * The coming rewards cycle, with the GGP that it will mint and the split. Undefined if a value that it depends on is
 * unknown, or if the contract would refuse to start a cycle.
 */
export function comingCycle(overview: Overview): NextRewardsCycle | undefined {
  const next = (inflation: GGPInflation, percentages: Record<Claimant, bigint>) =>
    nextRewardsCycle(inflation, overview.block.timestamp, percentages);
  return unlessReverted(() => ifKnown(next, inflationOf(overview), claimantPercentages(overview)));
}

/** The fractions (1e18 = 100 %) of all claimants; undefined if one of them is unknown. */
export function claimantPercentages({
  claimingContractPct,
}: Pick<Overview, 'claimingContractPct'>): Record<Claimant, bigint> | undefined {
  const { ClaimNodeOp, ClaimProtocolDAO, MultisigManager } = claimingContractPct;
  return allKnown({ ClaimNodeOp, ClaimProtocolDAO, MultisigManager });
}
