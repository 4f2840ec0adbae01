import type { Context } from '../context.ts';
import { ApiError } from '../http/errors.ts';
import { ifAvailable } from '../known.ts';
import { type ByStakeReward, rewardByStake, type ValidationTerms } from '../rewards/by-stake.ts';
import type { CollateralTerms } from '../rewards/collateral.ts';
import type { NextRewardsCycle } from '../rewards/inflation.ts';
import { pChainOf } from '../upstream/p-chain.ts';
import { collateralTerms, comingCycle, type Staking, totalEffective } from './staking.ts';

/** What an operator's reward depends on besides their own stake, all at one block. */
export interface RewardTerms {
  terms: CollateralTerms;
  comingCycle: NextRewardsCycle;
  rewardsCycleSeconds: number;
  /** Missing when the P-Chain's supply cannot be read. */
  validation?: ValidationTerms | undefined;
}

/** Supply moves by millionths a day, and its part of a reward by less. */
const SUPPLY_FRESH_SECONDS = 300;

/**
 * The terms of the next distribution and of a minipool that starts now. Throws UPSTREAM_UNAVAILABLE while the protocol has no
 * GGP price or no rewards cycle: its own contracts cannot answer then either.
 */
export async function readRewardTerms(context: Context, staking: Staking): Promise<RewardTerms> {
  const terms = collateralTerms(staking);
  const cycle = comingCycle(staking);
  const { getRewardsCycleSeconds } = staking.settings;
  if (!terms || !cycle || !getRewardsCycleSeconds) {
    throw new ApiError('UPSTREAM_UNAVAILABLE', 'The protocol has no GGP price or no rewards cycle at this block.');
  }
  return {
    terms,
    comingCycle: cycle,
    rewardsCycleSeconds: Number(getRewardsCycleSeconds),
    validation: await readValidationTerms(context, staking),
  };
}

async function readValidationTerms(
  context: Context,
  { settings, block }: Staking,
): Promise<ValidationTerms | undefined> {
  const { getMinipoolCycleDuration, getMinipoolNodeCommissionFeePct, getFeeBips } = settings;
  const { cache, telemetry } = context;
  const supply = await ifAvailable(
    telemetry,
    'P-Chain supply',
    cache.value('p-chain-supply', { freshSeconds: SUPPLY_FRESH_SECONDS }, () => pChainOf(context).currentSupply()),
  );
  if (supply === undefined || !getMinipoolCycleDuration || getMinipoolNodeCommissionFeePct === undefined)
    return undefined;
  return {
    supply: supply.value,
    startTime: block.timestamp,
    heliconTime: context.config.network.heliconTime,
    minipoolCycleSeconds: Number(getMinipoolCycleDuration),
    minipoolNodeCommissionFeePct: getMinipoolNodeCommissionFeePct,
    // Versions before 2025-09 have no such fee.
    feeBips: getFeeBips ?? 0n,
  };
}

/** The reward of these amounts (wei); `address` is a staker whose present stake they replace. */
export function operatorReward(
  staking: Staking,
  { terms, comingCycle: { startsAt, distribution }, rewardsCycleSeconds, validation }: RewardTerms,
  { ggpStaked, avaxStaked, address }: { ggpStaked: bigint; avaxStaked: bigint; address?: string | undefined },
): ByStakeReward {
  return rewardByStake({
    ggpStaked,
    avaxStaked,
    terms,
    othersEffectiveGGPStaked: totalEffective(staking, startsAt, address) ?? 0n,
    nodeOpPool: distribution.ClaimNodeOp,
    rewardsCycleSeconds,
    ...(validation && { validation }),
  });
}
