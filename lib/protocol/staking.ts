import { ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { readNodeOpCycleTotal } from '../contracts/ggp.ts';
import { readStakers, type Staker } from '../contracts/staking.ts';
import { totalEffectiveGGPStaked } from '../rewards/distribution.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { collateralTerms, type Overview, readOverview } from './overview.ts';

/** The stakers, and everything that determines their GGP rewards, at one block. Unanswered fields are missing. */
export interface Staking extends Overview {
  /** All stakers. Missing if no registered contract lists stakers. */
  stakers?: Staker[] | undefined;
  /** GGP wei of the current cycle for all node operators. */
  nodeOpCycleTotal?: bigint | undefined;
}

export async function readStaking(state: ProtocolState): Promise<Staking> {
  const [overview, stakers, nodeOpCycleTotal] = await Promise.all([
    readOverview(state),
    ifAnswered(readStakers(state)),
    readNodeOpCycleTotal(state),
  ]);
  return { ...overview, stakers, nodeOpCycleTotal };
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
