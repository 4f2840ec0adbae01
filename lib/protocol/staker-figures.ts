import { required } from '../chain/contract.ts';
import type { Staker } from '../contracts/staking.ts';
import {
  collateralizationRatio,
  effectiveGGPStaked,
  effectiveRewardsRatio,
  minimumGGPStake,
} from '../rewards/collateral.ts';
import { eligibleAt, isEligible, nodeOpReward, rewardShare, totalEffectiveGGPStaked } from '../rewards/distribution.ts';
import { ApiError } from '../runtime/errors.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { collateralTerms, comingCycle, type Protocol } from './protocol.ts';

/** The effective GGP (wei) of all stakers who will be eligible at `time`, except `leaveOut`. */
export function totalEffective(protocol: Protocol, time: number, leaveOut?: string): bigint | undefined {
  const without = leaveOut?.toLowerCase();
  return ifKnown(
    (stakers, minSeconds, terms) => {
      const counted = stakers.filter(({ stakerAddr }) => stakerAddr !== without);
      return totalEffectiveGGPStaked(counted, time, Number(minSeconds), terms);
    },
    protocol.stakers,
    protocol.settings.rewardsEligibilityMinSeconds,
    collateralTerms(protocol),
  );
}

/**
 * The results of the contracts' own views for a staker at the block, and the staker's part of the coming distribution.
 * Fractions are scaled by 1e18, amounts are GGP wei. Figures that depend on a value the chain did not answer are undefined.
 */
export type StakerFigures = ReturnType<ReturnType<typeof figuresOf>>;

/** Returns a function that computes a staker's figures at this block. Values that all stakers share are computed once. */
export function figuresOf(protocol: Protocol) {
  const { block, settings } = protocol;
  const terms = collateralTerms(protocol);
  const minSeconds = ifKnown(Number, settings.rewardsEligibilityMinSeconds);
  const coming = comingCycle(protocol);
  const total = ifKnown(({ startsAt }) => totalEffective(protocol, startsAt), coming);
  const undistributed = undistributedPool(protocol);
  const totalNow = undistributed === undefined ? undefined : totalEffective(protocol, block.timestamp);
  return (staker: Staker) => {
    const effective = ifKnown(effectiveGGPStaked, staker, terms);
    const takesPart = ifKnown(({ startsAt }, seconds) => isEligible(staker, startsAt, seconds), coming, minSeconds);
    const counted = takesPart === false ? 0n : takesPart && effective;
    const eligible = ifKnown(isEligible, staker, block.timestamp, minSeconds);
    return {
      /** Also undefined when no AVAX is assigned: the contract answers 2^256 − 1 then. */
      collateralizationRatio: ifKnown(collateralizationRatio, staker, terms),
      effectiveRewardsRatio: ifKnown(effectiveRewardsRatio, staker, terms),
      effectiveGGPStaked: effective,
      minimumGGPStake: ifKnown(minimumGGPStake, staker, terms),
      eligible,
      /** Unix seconds; undefined when time alone does not make the staker eligible. */
      eligibleAt: ifKnown(eligibleAt, staker, minSeconds),
      /** Share of the coming distribution; 0 if the staker will not be eligible by then. */
      rewardShare: ifKnown(rewardShare, counted, total),
      estimatedGGPReward: ifKnown(nodeOpReward, counted, total, coming?.distribution.ClaimNodeOp),
      /** Share of the current cycle in GGP, while no staker has been paid for it; undefined if the staker is not eligible. */
      undistributedGGPReward: eligible ? ifKnown(nodeOpReward, effective, totalNow, undistributed) : undefined,
    };
  };
}

/**
 * GGP wei of the current cycle for all node operators, while none of them has been paid. The multisig pays them one after
 * the other, some time after the cycle has started. If it never pays, the amount stays in ClaimNodeOp.
 */
function undistributedPool({ stakers, rewardsPool, nodeOpCycleTotal }: Protocol): bigint | undefined {
  const { rewardsCycleCount: count } = rewardsPool;
  const isPaid = stakers?.some(({ lastRewardsCycleCompleted }) => BigInt(lastRewardsCycleCompleted) === count);
  return count && isPaid === false ? nodeOpCycleTotal : undefined;
}

function findStaker({ stakers }: Protocol, address: string): Staker | undefined {
  const wanted = address.toLowerCase();
  return required(stakers).find(({ stakerAddr }) => stakerAddr === wanted);
}

/** The staker with this address, with zeros if they have never staked GGP. Throws UPSTREAM_UNAVAILABLE like {@link requireStaker}. */
export function stakerOrZeros(protocol: Protocol, address: string): Staker {
  return (
    findStaker(protocol, address) ?? {
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
export function requireStaker(protocol: Protocol, address: string): Staker {
  const staker = findStaker(protocol, address);
  if (!staker) throw new ApiError('STAKER_NOT_FOUND', `${address} has never staked GGP.`);
  return staker;
}
