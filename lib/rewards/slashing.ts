import { divWad, min, mulDiv, mulWad, SECONDS_PER_YEAR } from '../values/wad.ts';

/** Amounts in wei. `duration` of the validation in seconds. `expectedAVAXRewardsRate`: fraction (1e18 = 100 %) a year. */
interface SlashingInput {
  readonly ggpStaked: bigint;
  readonly avaxLiquidStakerAmt: bigint;
  readonly duration: bigint;
  readonly expectedAVAXRewardsRate: bigint;
  /** AVAX wei for one GGP, the oracle's. */
  readonly ggpPriceInAVAX: bigint;
}

/**
 * GGP wei that the operator loses when a validation ends without a reward: the expected reward of the liquid stakers, valued
 * in GGP, but at most the stake. Source: `MinipoolManager.slash`, with its rounding (`calculateGGPSlashAmt` of
 * `getExpectedAVAXRewardsAmt`).
 * @throws RangeError when the price is 0, where the contract reverts.
 */
export function slashAmount(input: SlashingInput): bigint {
  const { ggpStaked, avaxLiquidStakerAmt, duration, expectedAVAXRewardsRate, ggpPriceInAVAX } = input;
  const ofOneYear = mulWad(avaxLiquidStakerAmt, expectedAVAXRewardsRate);
  const expected = mulDiv(ofOneYear, duration, BigInt(SECONDS_PER_YEAR));
  return min(ggpStaked, divWad(expected, ggpPriceInAVAX));
}
