import { potentialReward } from '../../../lib/rewards/validation-reward.ts';
import { NETWORKS } from '../../../lib/runtime/networks.ts';

/** AVAX in existence on the devnet's P-Chain, in nAVAX. Held constant; every reward of the scenario is computed with it. */
export const P_CHAIN_SUPPLY = 460_000_000n * 10n ** 9n;

/** Reward of a stake on the devnet's P-Chain. Amounts in nAVAX, times in unix seconds. */
export function stakingReward(stake: bigint, startTime: number, duration: number): bigint {
  const { heliconTime } = NETWORKS.devnet;
  return potentialReward({ stake, supply: P_CHAIN_SUPPLY, startTime, duration, heliconTime });
}
