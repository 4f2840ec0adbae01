import type { Dataset } from '../cache/dataset.ts';
import { allRead, ifAnswered } from '../chain/answered.ts';
import { chainOf, type ProtocolState } from '../chain/chain.ts';
import { type PoolTotals, readTotals } from '../contracts/gg-avax.ts';
import { type OraclePrice, readOraclePrice } from '../contracts/oracle.ts';
import { readClaimingContractPct, readPaused, readSettings, type Settings } from '../contracts/protocol-dao.ts';
import { readGGPSupply, readNodeOpCycleTotal, readRewardsPool } from '../contracts/rewards-pool.ts';
import { readStakers, type Staker } from '../contracts/staking.ts';
import type { CollateralTerms } from '../rewards/collateral.ts';
import { totalEffectiveGGPStaked } from '../rewards/distribution.ts';
import { type Claimant, type GGPInflation, type NextRewardsCycle, nextRewardsCycle } from '../rewards/inflation.ts';
import { ApiError } from '../runtime/errors.ts';
import { ifKnown, unlessReverted } from '../runtime/if-known.ts';
import type { BlockRef } from '../values/block.ts';

/**
 * The stakers, all that determines their GGP rewards, and the pool's totals, at one block. What the chain did not answer
 * is missing.
 */
export interface Staking {
  block: BlockRef;
  /** Missing if no registered contract lists them. */
  stakers?: Staker[] | undefined;
  settings: Settings;
  oracle?: OraclePrice | undefined;
  /** GGP wei in existence. */
  ggpSupply?: bigint | undefined;
  /** Missing if there is no ggAVAX token. */
  pool?: PoolTotals | undefined;
  rewardsPool: Awaited<ReturnType<typeof readRewardsPool>>;
  /** GGP wei of the current cycle for all node operators. */
  nodeOpCycleTotal?: bigint | undefined;
  claimingContractPct: Partial<Record<Claimant, bigint>>;
  paused: Awaited<ReturnType<typeof readPaused>>;
}

/**
 * All of it at the state's block. The previous number of stakers is a guess at the present one, which saves requests.
 */
export async function readStaking(state: ProtocolState, previous?: Pick<Staking, 'stakers'>): Promise<Staking> {
  return allRead({
    block: state.block(),
    stakers: ifAnswered(readStakers(state, previous?.stakers?.length)),
    settings: readSettings(state),
    oracle: readOraclePrice(state),
    ggpSupply: readGGPSupply(state),
    pool: ifAnswered(readTotals(state)),
    rewardsPool: readRewardsPool(state),
    nodeOpCycleTotal: readNodeOpCycleTotal(state),
    claimingContractPct: readClaimingContractPct(state),
    paused: readPaused(state),
  });
}

/** For everything that is computed for a given address or amount. */
export const stakingDataset: Dataset<Staking> = {
  name: 'staking',
  version: 5,
  freshSeconds: 30,
  read: async (context, previous) => readStaking(await chainOf(context).latest(), previous),
};

/** The stakers. Throws UPSTREAM_UNAVAILABLE where no contract lists them. */
export function requireStakers({ stakers }: Staking): readonly Staker[] {
  if (!stakers)
    throw new ApiError('UPSTREAM_UNAVAILABLE', 'The protocol has no contract that lists stakers at this block.');
  return stakers;
}

/** What collateral is measured with, or undefined while the oracle has no price. */
export function collateralTerms({ oracle, settings }: Staking): CollateralTerms | undefined {
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
export function inflationOf({ rewardsPool, settings, ggpSupply }: Staking): GGPInflation | undefined {
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
export function comingCycle(staking: Staking): NextRewardsCycle | undefined {
  const next = (inflation: GGPInflation, percentages: Record<Claimant, bigint>) =>
    nextRewardsCycle(inflation, staking.block.timestamp, percentages);
  return unlessReverted(() => ifKnown(next, inflationOf(staking), claimantPercentages(staking)));
}

/** The fractions (1e18 = 100 %) of all claimants, or undefined if one is not known. */
export function claimantPercentages({
  claimingContractPct,
}: Pick<Staking, 'claimingContractPct'>): Record<Claimant, bigint> | undefined {
  const { ClaimNodeOp, ClaimProtocolDAO, MultisigManager } = claimingContractPct;
  if (ClaimNodeOp === undefined || ClaimProtocolDAO === undefined || MultisigManager === undefined) return undefined;
  return { ClaimNodeOp, ClaimProtocolDAO, MultisigManager };
}

/** Effective GGP wei of all stakers who will be eligible at `time`, except `leaveOut`. */
export function totalEffective(staking: Staking, time: number, leaveOut?: string): bigint | undefined {
  const without = leaveOut?.toLowerCase();
  return ifKnown(
    (stakers, minSeconds, terms) => {
      const counted = stakers.filter(({ stakerAddr }) => stakerAddr !== without);
      return totalEffectiveGGPStaked(counted, time, Number(minSeconds), terms);
    },
    staking.stakers,
    staking.settings.rewardsEligibilityMinSeconds,
    collateralTerms(staking),
  );
}
