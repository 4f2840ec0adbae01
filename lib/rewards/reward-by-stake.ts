import { WEI_PER_NAVAX } from '../values/amounts.ts';
import { divWad, mulWad, perYear, SECONDS_PER_YEAR, wadToPercent } from '../values/wad.ts';
import {
  type CollateralTerms,
  collateralizationRatio,
  effectiveGGPStaked,
  REWARDS_GATE_RATIO,
  rewardsMinimumRatio,
} from './collateral.ts';
import { nodeOpReward } from './distribution.ts';
import { compound } from './growth.ts';
import { type PrimaryNetworkStake, potentialReward, splitMinipoolReward } from './validation-reward.ts';

/** The deposits of an operator, and the state of the protocol. Amounts in wei, times and durations in seconds. */
export interface ByStakeInput {
  readonly ggpStaked: bigint;
  /** The operator's own AVAX; liquid stakers match it one to one. */
  readonly avaxStaked: bigint;
  readonly terms: CollateralTerms;
  /** Effective GGP of all other stakers at the next distribution. The operator's present stake has to be left out. */
  readonly othersEffectiveGGPStaked: bigint;
  /** GGP wei for all node operators at the next distribution. */
  readonly nodeOpPool: bigint;
  /** Time that this distribution pays for, in seconds: a cycle, or longer when the distribution is late. */
  readonly paysForSeconds: number;
  /** Omitted when the supply of AVAX is unknown. */
  readonly validation?: ValidationTerms;
}

export interface ValidationTerms extends Pick<PrimaryNetworkStake, 'supply' | 'startTime' | 'heliconTime'> {
  readonly minipoolCycleSeconds: number;
  /** Fraction (1e18 = 100 %) of the liquid stakers' half that goes to the operator. */
  readonly minipoolNodeCommissionFeePct: bigint;
  /** Part (of 10,000) of the liquid stakers' reward that goes to the protocol. */
  readonly feeBips: bigint;
}

/**
 * Reason for which an operator earns no GGP, or may not run a minipool. NOTHING_TO_DISTRIBUTE: the supply cap is reached, or
 * there is no inflation. AMOUNT_TOO_SMALL: the reward is less than one wei.
 */
type ByStakeReason = 'NO_AVAX_STAKED' | 'BELOW_MINIMUM_COLLATERAL' | 'NOTHING_TO_DISTRIBUTE' | 'AMOUNT_TOO_SMALL';

export type AvaxReward = ReturnType<typeof validationReward>;

export type ByStakeReward = ReturnType<typeof rewardByStake>;

/**
 * The reward of a node operator with these amounts, at today's price and if payment went on all year as in the next cycle.
 * Formulas of `Staking.getEffectiveGGPStaked` and `ClaimNodeOp.calculateAndDistributeRewards`, with the staked AVAX as
 * both the assigned AVAX and the high water. `apy` compounds only AVAX, (1 + r)^(year / cycle) − 1: GGP has to be claimed
 * and staked again by hand. Below the minimum collateral no minipool can run, so AVAX adds nothing to either total.
 * @throws RangeError when the price is 0 (InvalidGGPPrice), a duration is 0, or the AVAX supply is impossible.
 */
export function rewardByStake(input: ByStakeInput) {
  const { ggpStaked, avaxStaked, terms, othersEffectiveGGPStaked, validation } = input;
  const staker = { ggpStaked, avaxAssigned: avaxStaked, avaxValidatingHighWater: avaxStaked };
  const collateral = collateralizationRatio(staker, terms);
  const effective = effectiveGGPStaked(staker, terms);
  const ggpReward = nodeOpReward(effective, othersEffectiveGGPStaked + effective, input.nodeOpPool);
  const ggpRewardPerYear = perYear(ggpReward, input.paysForSeconds);
  const avaxReward = validation && validationReward(avaxStaked, validation);

  const inAVAX = (ggp: bigint) => mulWad(ggp, terms.ggpPriceInAVAX);
  const putIn = avaxStaked + inAVAX(ggpStaked);
  const ggpPart = gainPercent(inAVAX(ggpRewardPerYear), putIn);
  const canRun = collateral !== undefined && collateral >= terms.minCollateralizationRatio;
  // The AVAX yield counts in the totals by the AVAX's share of everything put in.
  const avaxWeight = canRun && avaxReward ? wadToPercent(divWad(avaxStaked, putIn)) / 100 : 0;

  return {
    /** Value of the GGP over the AVAX, 1e18 = 100 %. Undefined when no AVAX is staked: the ratio is infinite. */
    collateralizationRatio: collateral,
    effectiveGGPStaked: effective,
    totalEffectiveGGPStaked: othersEffectiveGGPStaked + effective,
    /** True if the contract's gate (10 % collateral, some AVAX) is passed. The minimum time is taken as served. */
    eligible: collateral !== undefined && collateral >= REWARDS_GATE_RATIO,
    reason: reasonFor(collateral, ggpReward, input),
    ggpReward,
    ggpRewardPerYear,
    /** Undefined without `validation`; defined even if `reason` says that this minipool could not run. */
    avaxReward,
    /** Yearly reward over everything put in, valued in AVAX. Without `validation` only the GGP reward counts. */
    aprPercent: ggpPart + avaxWeight * (avaxReward?.aprPercent ?? 0),
    apy: ggpPart + avaxWeight * (avaxReward?.apy ?? 0),
  };
}

/**
 * The AVAX side of one minipool cycle. Amounts in wei; the three parts add up to `perCycle`. Only an amount equal to the
 * liquid stakers' reward is restaked on the operator's side (`MinipoolManager.recreateMinipool`), so a commission counts
 * without compounding.
 */
function validationReward(avaxStaked: bigint, terms: ValidationTerms) {
  const stake = (2n * avaxStaked) / WEI_PER_NAVAX;
  const perCycle = WEI_PER_NAVAX * potentialReward({ ...terms, stake, duration: terms.minipoolCycleSeconds });
  const split = splitMinipoolReward(perCycle, terms.minipoolNodeCommissionFeePct, terms.feeBips);
  const nodeOperator = split.avaxNodeOpRewardAmt;
  const restaked = split.avaxLiquidStakerRewardAmt;
  const cyclesPerYear = SECONDS_PER_YEAR / terms.minipoolCycleSeconds;
  const notRestaked = gainPercent(perYear(nodeOperator - restaked, terms.minipoolCycleSeconds), avaxStaked);
  return {
    perCycle,
    nodeOperator,
    /** Reward that reaches ggAVAX, after the protocol's fee. */
    liquidStakers: restaked - split.feeAmt,
    protocolFee: split.feeAmt,
    /** The operator's yearly return on their own AVAX. `apy` compounds the part that the protocol itself restakes. */
    aprPercent: gainPercent(perYear(nodeOperator, terms.minipoolCycleSeconds), avaxStaked),
    apy: compound(gainPercent(restaked, avaxStaked) / 100, cyclesPerYear) * 100 + notRestaked,
  };
}

function reasonFor(collateral: bigint | undefined, ggpReward: bigint, input: ByStakeInput): ByStakeReason | undefined {
  if (collateral === undefined) return 'NO_AVAX_STAKED';
  if (collateral < rewardsMinimumRatio(input.terms)) return 'BELOW_MINIMUM_COLLATERAL';
  if (input.nodeOpPool === 0n) return 'NOTHING_TO_DISTRIBUTE';
  return ggpReward === 0n ? 'AMOUNT_TOO_SMALL' : undefined;
}

/** `gain` over `base` in percent, as a double to compute with. A gain of 0 is 0 percent, even if `base` is 0. */
function gainPercent(gain: bigint, base: bigint): number {
  return gain === 0n ? 0 : wadToPercent(divWad(gain, base));
}
