/** Contracts that the DAO has paused, in responses that depend on them. */

import type { RewardTerms } from '../../protocol/operator-reward.ts';
import type { Overview } from '../../protocol/overview.ts';
import { flag } from '../units.ts';

type Paused = Pick<Overview, 'paused'>;

const pausedWhile = <Source>(meaning: string, value: (source: Source) => boolean | undefined) =>
  flag.optional(`\`true\` while ${meaning} Omitted otherwise.`, (source: Source) => value(source) || undefined);

/** The fields that tell if an operator without a minipool can create one, and earn this. */
export const minipoolCreation = {
  open: flag.optional(
    'False while the minipool manager is paused or the flag `minipoolCreation` is off: no new minipools, and the figures are hypothetical. Omitted if unknown.',
    ({ isOpen }: RewardTerms) => isOpen,
  ),
  paused: pausedWhile(
    'the minipool manager is paused: only those who have a minipool already can earn this.',
    ({ protocol }: RewardTerms) => protocol.paused.MinipoolManager,
  ),
};

/** The pause of `Staking`. It does not affect `withdrawGGP` and claims without a restake. */
export const restakingPaused = pausedWhile(
  'the staking contract is paused: it refuses stakes, so only all of `ggpRewards` can be claimed, with nothing restaked. Staked GGP can still be withdrawn.',
  ({ paused }: Paused) => paused.Staking,
);

/** The pause of `RewardsPool`. */
export const cyclesPaused = pausedWhile(
  'the rewards pool is paused: nobody can start the next cycle.',
  ({ paused }: Paused) => paused.RewardsPool,
);
