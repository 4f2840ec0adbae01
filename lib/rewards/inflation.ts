/**
 * `lib/rewards`: the maths of rewards and yields, as in the contracts or the node software. Pure functions of bigints that
 * read nothing, so every layer may call them.
 */

import { mulWad, sum, WAD } from '../values/wad.ts';

/** State of RewardsPool and GGP, and the settings they follow. Times in unix seconds, durations in seconds. */
export interface GGPInflation {
  readonly rewardsCycleStartTime: number;
  readonly rewardsCycleSeconds: number;
  readonly inflationIntervalStartTime: number;
  readonly inflationIntervalSeconds: number;
  /** Growth of the supply in one interval, 1e18 = unchanged. The DAO never sets a lower rate. */
  readonly inflationIntervalRate: bigint;
  /** Wei. */
  readonly totalSupply: bigint;
}

/** The contracts that share a cycle's new GGP, by their names in the registry. */
export type Claimant = 'ClaimNodeOp' | 'ClaimProtocolDAO' | 'MultisigManager';

export type NextRewardsCycle = ReturnType<typeof nextRewardsCycle>;

/** GGP wei that can ever exist. Source: `TokenGGP.MAX_SUPPLY`. */
export const GGP_MAX_SUPPLY = 22_500_000n * WAD;

/**
 * GGP wei that a mint at `time` (unix seconds) creates: every whole interval since the last one multiplies the supply by the
 * rate and rounds down, up to `MAX_SUPPLY`. Sources: `RewardsPool.getInflationIntervalsElapsed`, `getInflationAmt`, `inflate`.
 * @throws RangeError where the contract reverts: not initialised, `time` before the last mint, an interval of 0, a rate that
 * would burn GGP, or a supply above the cap.
 */
export function newTokens(inflation: GGPInflation, time: number): bigint {
  const { totalSupply, inflationIntervalRate: rate } = inflation;
  const { inflationIntervalStartTime: start, inflationIntervalSeconds: seconds } = inflation;
  if (start === 0) throw new RangeError('ContractHasNotBeenInitialized: the inflation clock has never been started');
  if (time < start) throw new RangeError(`Time ${time} is before the last inflation at ${start}`);
  if (seconds <= 0) throw new RangeError('The inflation interval must be longer than 0 seconds');
  if (totalSupply > GGP_MAX_SUPPLY) throw new RangeError('The GGP supply exceeds MAX_SUPPLY');
  let supply = totalSupply;
  for (let left = Math.floor((time - start) / seconds); left > 0; left--) {
    const next = mulWad(supply, rate);
    if (next < supply) throw new RangeError('The inflation rate is below 1e18, but GGP is never burnt');
    if (next >= GGP_MAX_SUPPLY) return GGP_MAX_SUPPLY - totalSupply;
    // Once a step changes nothing, none will: without inflation a pool that is overdue for years costs one step.
    if (next === supply) break;
    supply = next;
  }
  return supply - totalSupply;
}

/** A cycle's new GGP (wei), split by fractions (1e18 = 100 %) and rounded down. `RewardsPool.getClaimingContractDistribution`. */
export function splitByClaimant(
  amount: bigint,
  claimingContractPct: Readonly<Record<Claimant, bigint>>,
): Record<Claimant, bigint> {
  return {
    ClaimNodeOp: mulWad(claimingContractPct.ClaimNodeOp, amount),
    ClaimProtocolDAO: mulWad(claimingContractPct.ClaimProtocolDAO, amount),
    MultisigManager: mulWad(claimingContractPct.MultisigManager, amount),
  };
}

/**
 * The coming rewards cycle, minted and split at the later of `now` (unix seconds) and the end of the running cycle. The
 * contract has no getter for it: its getters describe the last payout. Source: `RewardsPool.startRewardsCycle`.
 * @throws RangeError where {@link newTokens} does, and when the parts exceed the whole (IncorrectRewardsDistribution).
 */
export function nextRewardsCycle(
  inflation: GGPInflation,
  now: number,
  claimingContractPct: Readonly<Record<Claimant, bigint>>,
) {
  const due = inflation.rewardsCycleStartTime + inflation.rewardsCycleSeconds;
  const startsAt = Math.max(now, due);
  const minted = newTokens(inflation, startsAt);
  const distribution = splitByClaimant(minted, claimingContractPct);
  if (sum(Object.values(distribution)) > minted)
    throw new RangeError('IncorrectRewardsDistribution: the claimants are promised more than 100 %');
  return {
    startsAt,
    overdueSeconds: startsAt - due,
    /** Seconds since the running cycle began: more than a cycle if the start is late. */
    paysForSeconds: startsAt - inflation.rewardsCycleStartTime,
    /** GGP wei; 0 once the supply cap is reached (the contract cannot start a cycle then). */
    newTokens: minted,
    /** GGP wei of each claimant; `ClaimNodeOp` is the pool of the node operators. */
    distribution,
  };
}
