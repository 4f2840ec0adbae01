import { divWad, min, mulWad, WAD } from '../values/wad.ts';

/** The amounts of the contract's `Staking.Staker` struct that collateral depends on, in wei. */
export interface StakerCollateral {
  readonly ggpStaked: bigint;
  /** Liquid stakers' AVAX matched to this operator, from a minipool's creation to its end. */
  readonly avaxAssigned: bigint;
  /** The most AVAX that validated at one time since the operator's last distribution. */
  readonly avaxValidatingHighWater: bigint;
}

type GGPPrice = Pick<CollateralTerms, 'ggpPriceInAVAX'>;

/** The oracle's price and two settings of the ProtocolDAO. */
export interface CollateralTerms {
  /** AVAX wei for one GGP: `Oracle.getGGPPriceInAVAX`. */
  readonly ggpPriceInAVAX: bigint;
  /** Fraction (1e18 = 100 %) that a minipool needs to be created or renewed. */
  readonly minCollateralizationRatio: bigint;
  /** Fraction (1e18 = 100 %) above which more GGP earns nothing. */
  readonly maxCollateralizationRatio: bigint;
}

/** Collateral of 10 %: below it nothing is earned. A constant of the Staking contract, independent of the DAO's minimum. */
export const REWARDS_GATE_RATIO = WAD / 10n;

/** The least collateral (1e18 = 100 %) with which a minipool can be run and earns GGP. */
export function rewardsMinimumRatio({ minCollateralizationRatio: minimum }: CollateralTerms): bigint {
  return minimum > REWARDS_GATE_RATIO ? minimum : REWARDS_GATE_RATIO;
}

/**
 * GGP wei for the AVAX assigned to the operator. Source: `Staking.getMinimumGGPStake`. Two roundings down can leave it a wei
 * short of the minimum ratio; {@link ggpStakeForRatio} passes.
 * @throws RangeError when the price is 0 (InvalidGGPPrice).
 */
export function minimumGGPStake(staker: Pick<StakerCollateral, 'avaxAssigned'>, terms: CollateralTerms): bigint {
  return mulWad(divWad(staker.avaxAssigned, requirePrice(terms)), terms.minCollateralizationRatio);
}

/**
 * Value of the staked GGP over the assigned AVAX, as a fraction (1e18 = 100 %). Undefined when nothing is assigned: the
 * contract answers 2^256 − 1 then. Source: `Staking.getCollateralizationRatio`.
 * @throws RangeError when the price is 0 (InvalidGGPPrice) and anything is assigned.
 */
export function collateralizationRatio(
  staker: Pick<StakerCollateral, 'ggpStaked' | 'avaxAssigned'>,
  terms: CollateralTerms,
): bigint | undefined {
  if (staker.avaxAssigned === 0n) return undefined;
  return divWad(mulWad(staker.ggpStaked, requirePrice(terms)), staker.avaxAssigned);
}

/**
 * The fraction (1e18 = 100 %) of the high-water AVAX that earns GGP. Source: `Staking.getEffectiveRewardsRatio`. The gate
 * looks at the assigned AVAX, so an operator whose minipools have all ended passes it and is paid once more.
 * @throws RangeError when the price is 0 (InvalidGGPPrice) and there is any high water.
 */
export function effectiveRewardsRatio(staker: StakerCollateral, terms: CollateralTerms): bigint {
  if (staker.avaxValidatingHighWater === 0n) return 0n;
  const price = requirePrice(terms);
  const collateral = collateralizationRatio(staker, terms);
  if (collateral !== undefined && collateral < REWARDS_GATE_RATIO) return 0n;
  const ratio = divWad(mulWad(staker.ggpStaked, price), staker.avaxValidatingHighWater);
  return min(ratio, terms.maxCollateralizationRatio);
}

/**
 * GGP wei that take part in the next distribution. Source: `Staking.getEffectiveGGPStaked`.
 * @throws RangeError when the price is 0 (InvalidGGPPrice), even if nothing validated.
 */
export function effectiveGGPStaked(staker: StakerCollateral, terms: CollateralTerms): bigint {
  const price = requirePrice(terms);
  return divWad(mulWad(staker.avaxValidatingHighWater, effectiveRewardsRatio(staker, terms)), price);
}

/**
 * The least GGP wei with which `collateralizationRatio` reaches `ratio` (1e18 = 100 %): its inverse, so it rounds up twice.
 * @throws RangeError when the price is 0 (InvalidGGPPrice).
 */
export function ggpStakeForRatio(avaxAssigned: bigint, ratio: bigint, terms: GGPPrice): bigint {
  const price = requirePrice(terms);
  const collateralInAVAX = (avaxAssigned * ratio + WAD - 1n) / WAD;
  return (collateralInAVAX * WAD + price - 1n) / price;
}

/** Throws RangeError if the price is 0: the oracle reverts then, and so does every view that needs it. */
function requirePrice({ ggpPriceInAVAX }: GGPPrice): bigint {
  if (ggpPriceInAVAX === 0n) throw new RangeError('InvalidGGPPrice: the oracle has no GGP price');
  return ggpPriceInAVAX;
}
