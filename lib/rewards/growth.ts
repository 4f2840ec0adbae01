import { BPS, divWad, mulDiv, perYear, SECONDS_PER_YEAR, WAD, wadToPercent } from '../values/wad.ts';

/** The rewards stream of ggAVAX, by the getters' names: AVAX wei, unix seconds. */
export interface RewardsStream {
  /** Without the rewards of this stream. */
  readonly totalReleasedAssets: bigint;
  /** Rewards that this stream releases from `lastSync` to `rewardsCycleEnd`. */
  readonly lastRewardsAmt: bigint;
  readonly lastSync: number;
  readonly rewardsCycleEnd: number;
}

/**
 * Yearly yields in percent of an exchange rate that went from `from` to `to` (same unit, e.g. `convertToAssets(1e18)` in wei) in
 * `seconds`: with G = to / from, apr = (G − 1) · year / seconds and apy = G^(year / seconds) − 1. G − 1 is computed from the
 * integers: a double could not hold it next to G. An absurd growth in a short window overflows apy to Infinity.
 * @throws RangeError when `seconds` or `from` is not above 0, or `to` is negative.
 */
export function annualYield(from: bigint, to: bigint, seconds: number): { apr: number; apy: number } {
  if (!(seconds > 0)) throw new RangeError(`A yield needs a window longer than 0 seconds, not ${seconds}`);
  if (from <= 0n || to < 0n) throw new RangeError('A yield needs a rate above 0 to start from, and none below 0');
  const growth = Number(divWad(to - from, from)) / 1e18;
  const windowsPerYear = SECONDS_PER_YEAR / seconds;
  return { apr: growth * windowsPerYear * 100, apy: compound(growth, windowsPerYear) * 100 };
}

/** (1 + growth)^times − 1, exact for growth so small that 1 + growth would lose its digits. */
export function compound(growth: number, times: number): number {
  return Math.expm1(times * Math.log1p(growth));
}

/**
 * The rate `to` without the protocol's fee, `feeBips` (of 10,000) of the rewards: growth / (1 − fee). A loss stays as it is.
 * Source: `TokenggAVAX.depositFromStaking`.
 * @throws RangeError when the fee is negative, or 100 % or more: the rewards cannot be inferred from the growth.
 */
export function rateBeforeFee(from: bigint, to: bigint, feeBips: bigint): bigint {
  if (feeBips < 0n || feeBips >= BPS) throw new RangeError(`no rewards can be inferred from a fee of ${feeBips} bips`);
  return to <= from ? to : from + mulDiv(to - from, BPS, BPS - feeBips);
}

/**
 * Simple yearly yield, in percent, of the rewards ggAVAX is streaming at `now` (unix seconds): lastRewardsAmt over
 * totalReleasedAssets, repeated every nominal cycle, because a late sync shortens the stream. 0 once the cycle has ended
 * without a new sync; undefined when rewards stream to no assets.
 * @throws RangeError when the cycle length is 0 or not an integer.
 */
export function currentStreamApr(stream: RewardsStream, rewardsCycleLength: number, now: number): number | undefined {
  const { lastRewardsAmt, totalReleasedAssets, rewardsCycleEnd } = stream;
  if (now >= rewardsCycleEnd || lastRewardsAmt === 0n) return 0;
  if (totalReleasedAssets === 0n) return undefined;
  return wadToPercent(mulDiv(perYear(lastRewardsAmt, rewardsCycleLength), WAD, totalReleasedAssets));
}
