import { allRead, ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { readBalance, readGgAvax } from '../contracts/gg-avax.ts';
import { readOraclePrice } from '../contracts/oracle.ts';
import { readClaimingContractPct, readLimits, readPaused, readSettings } from '../contracts/protocol-dao.ts';
import { readPoolRedemption } from '../contracts/redemption.ts';
import { readGGPSupply, readRewardsPool } from '../contracts/rewards-pool.ts';
import { readWithdrawQueue } from '../contracts/withdraw-queue.ts';
import type { CollateralTerms } from '../rewards/collateral.ts';
import { type Claimant, type GGPInflation, type NextRewardsCycle, nextRewardsCycle } from '../rewards/inflation.ts';
import { ifKnown, unlessReverted } from '../runtime/if-known.ts';

/**
 * The protocol at a glance, at one block: all but its lists of stakers, minipools and withdrawal requests. Amounts in wei. What the
 * chain did not answer is missing.
 */
export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** All of it at the state's block, in one request. */
export function readOverview(state: ProtocolState) {
  return allRead({
    block: state.block(),
    pool: readGgAvax(state),
    redemption: readPoolRedemption(state),
    settings: readSettings(state),
    limits: readLimits(state),
    paused: readPaused(state),
    claimingContractPct: readClaimingContractPct(state),
    rewardsPool: readRewardsPool(state),
    /** GGP wei in existence. */
    ggpSupply: readGGPSupply(state),
    oracle: readOraclePrice(state),
    queue: readWithdrawQueue(state),
    /** ggAVAX wei that the withdrawal queue has, for all requests. */
    queuedShares: ifAnswered(readBalance(state, state.network.withdrawQueue)),
  });
}

/** What collateral is measured with, or undefined while the oracle has no price. */
export function collateralTerms({
  oracle,
  settings,
}: Pick<Overview, 'oracle' | 'settings'>): CollateralTerms | undefined {
  return ifKnown(
    (ggpPriceInAVAX, minCollateralizationRatio, maxCollateralizationRatio) => ({
      ggpPriceInAVAX,
      minCollateralizationRatio,
      maxCollateralizationRatio,
    }),
    oracle?.ggpPriceInAVAX,
    settings.minCollateralizationRatio,
    settings.maxCollateralizationRatio,
  );
}

/** The running rewards cycle and the inflation clock, or undefined before the first one. */
export function inflationOf({ rewardsPool, settings, ggpSupply }: Overview): GGPInflation | undefined {
  const inflation = ifKnown(
    (cycleStart, cycleSeconds, intervalStart, intervalSeconds, inflationIntervalRate, totalSupply) => ({
      rewardsCycleStartTime: Number(cycleStart),
      rewardsCycleSeconds: Number(cycleSeconds),
      inflationIntervalStartTime: Number(intervalStart),
      inflationIntervalSeconds: Number(intervalSeconds),
      inflationIntervalRate,
      totalSupply,
    }),
    rewardsPool.rewardsCycleStartTime,
    settings.rewardsCycleSeconds,
    rewardsPool.inflationIntervalStartTime,
    settings.inflationIntervalSeconds,
    settings.inflationIntervalRate,
    ggpSupply,
  );
  return inflation && inflation.inflationIntervalStartTime > 0 ? inflation : undefined;
}

/**
 * The coming rewards cycle, as it will be minted and split; undefined if the chain does not say enough, or if the
 * contract would refuse to start one.
 */
export function comingCycle(overview: Overview): NextRewardsCycle | undefined {
  const next = (inflation: GGPInflation, percentages: Record<Claimant, bigint>) =>
    nextRewardsCycle(inflation, overview.block.timestamp, percentages);
  return unlessReverted(() => ifKnown(next, inflationOf(overview), claimantPercentages(overview)));
}

/** The fractions (1e18 = 100 %) of all claimants, or undefined if one is not known. */
export function claimantPercentages({ claimingContractPct }: Overview): Record<Claimant, bigint> | undefined {
  const { ClaimNodeOp, ClaimProtocolDAO, MultisigManager } = claimingContractPct;
  if (ClaimNodeOp === undefined || ClaimProtocolDAO === undefined || MultisigManager === undefined) return undefined;
  return { ClaimNodeOp, ClaimProtocolDAO, MultisigManager };
}
