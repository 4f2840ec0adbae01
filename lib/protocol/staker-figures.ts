import { required } from '../chain/answered.ts';
import type { Staker } from '../contracts/staking.ts';
import {
  collateralizationRatio,
  effectiveGGPStaked,
  effectiveRewardsRatio,
  minimumGGPStake,
} from '../rewards/collateral.ts';
import { eligibleAt, isEligible, nodeOpReward, rewardShare } from '../rewards/distribution.ts';
import { ApiError } from '../runtime/errors.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { collateralTerms, comingCycle } from './overview.ts';
import { type Staking, totalEffective } from './staking.ts';

/**
 * The results of the contracts' own views for a staker at the block, and the staker's part of the coming distribution.
 * Fractions are scaled by 1e18, amounts are GGP wei. Fields that depend on a value the chain did not answer are missing.
 */
export interface StakerFigures {
  /** Fraction (1e18 = 100 %). Also missing when no AVAX is assigned: the contract answers 2^256 − 1 then. */
  collateralizationRatio?: bigint | undefined;
  effectiveRewardsRatio?: bigint | undefined;
  effectiveGGPStaked?: bigint | undefined;
  minimumGGPStake?: bigint | undefined;
  eligible?: boolean | undefined;
  /** Unix seconds from which the staker is eligible; missing when time alone does not make the staker eligible. */
  eligibleAt?: number | undefined;
  /** Share of the coming distribution; `estimatedGGPReward` is its amount. 0 if the staker will not be eligible by then. */
  rewardShare?: bigint | undefined;
  estimatedGGPReward?: bigint | undefined;
  /** Reward of the current cycle, while no staker has been paid for it; missing if the staker is not eligible. */
  undistributedGGPReward?: bigint | undefined;
}

/** Returns a function that computes a staker's figures at this block. Values that all stakers share are computed once. */
export function figuresOf(staking: Staking): (staker: Staker) => StakerFigures {
  const { block, settings } = staking;
  const terms = collateralTerms(staking);
  const minSeconds = ifKnown(Number, settings.rewardsEligibilityMinSeconds);
  const coming = comingCycle(staking);
  const total = ifKnown(({ startsAt }) => totalEffective(staking, startsAt), coming);
  const undistributed = undistributedPool(staking);
  const totalNow = undistributed === undefined ? undefined : totalEffective(staking, block.timestamp);
  return (staker) => {
    const effective = ifKnown(effectiveGGPStaked, staker, terms);
    const takesPart = ifKnown(({ startsAt }, seconds) => isEligible(staker, startsAt, seconds), coming, minSeconds);
    const counted = takesPart === false ? 0n : takesPart && effective;
    const eligible = ifKnown(isEligible, staker, block.timestamp, minSeconds);
    return {
      collateralizationRatio: ifKnown(collateralizationRatio, staker, terms),
      effectiveRewardsRatio: ifKnown(effectiveRewardsRatio, staker, terms),
      effectiveGGPStaked: effective,
      minimumGGPStake: ifKnown(minimumGGPStake, staker, terms),
      eligible,
      eligibleAt: ifKnown(eligibleAt, staker, minSeconds),
      rewardShare: ifKnown(rewardShare, counted, total),
      estimatedGGPReward: ifKnown(nodeOpReward, counted, total, coming?.distribution.ClaimNodeOp),
      undistributedGGPReward: eligible ? ifKnown(nodeOpReward, effective, totalNow, undistributed) : undefined,
    };
  };
}

/**
 * GGP wei of the current cycle for all node operators, while none of them has been paid. The multisig pays them one after
 * the other, some time after the cycle has started. If it never pays, the amount stays in ClaimNodeOp.
 */
function undistributedPool({ stakers, rewardsPool, nodeOpCycleTotal }: Staking): bigint | undefined {
  const { rewardsCycleCount: count } = rewardsPool;
  const isPaid = stakers?.some(({ lastRewardsCycleCompleted }) => BigInt(lastRewardsCycleCompleted) === count);
  return count && isPaid === false ? nodeOpCycleTotal : undefined;
}

/**
 * The staker with this address; undefined if they have never staked GGP. Throws UPSTREAM_UNAVAILABLE if no contract lists
 * stakers.
 */
function findStaker(staking: Staking, address: string): Staker | undefined {
  const wanted = address.toLowerCase();
  return required(staking.stakers).find(({ stakerAddr }) => stakerAddr === wanted);
}

/** The staker with this address, with zeros if they have never staked GGP. Throws UPSTREAM_UNAVAILABLE like {@link requireStaker}. */
export function stakerOrZeros(staking: Staking, address: string): Staker {
  return (
    findStaker(staking, address) ?? {
      ...{ index: -1, stakerAddr: address, ggpStaked: 0n, ggpRewards: 0n, ggpLockedUntil: 0 },
      ...{ avaxAssigned: 0n, avaxStaked: 0n, avaxValidating: 0n, avaxValidatingHighWater: 0n },
      ...{ lastRewardsCycleCompleted: 0, rewardsStartTime: 0 },
    }
  );
}

/**
 * The staker with this address. Throws STAKER_NOT_FOUND if they have never staked GGP, and UPSTREAM_UNAVAILABLE if no
 * contract lists stakers.
 */
export function requireStaker(staking: Staking, address: string): Staker {
  const staker = findStaker(staking, address);
  if (!staker) throw new ApiError('STAKER_NOT_FOUND', `${address} has never staked GGP.`);
  return staker;
}
