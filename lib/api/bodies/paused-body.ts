/** Contracts that the DAO has paused, in responses that depend on them. */

import * as z from 'zod/mini';
import { flag } from '../schemas.ts';

const pausedFlag = (meaning: string) => z.optional(flag(`\`true\` while ${meaning} Omitted otherwise.`));

/** `MinipoolManager`, in what an operator may earn. */
export const minipoolsPaused = () =>
  pausedFlag(
    'the minipool manager is paused: no minipool can be created, so only those who have one already can earn this.',
  );

/** Whether an operator who has no minipool yet can earn this at all. */
export const minipoolsOpen = () =>
  z.optional(
    flag(
      'Whether new minipools can be created: not while the minipool manager is paused, or the flag `minipoolCreation` is off. The figures are what one would earn otherwise. Omitted if it cannot be told.',
    ),
  );

/** `Staking`: `withdrawGGP` and claims without a restake do not depend on it. */
export const restakingPaused = () =>
  pausedFlag(
    'the staking contract is paused: it refuses new stakes, so only all of `ggpRewards` can be claimed, with nothing restaked. Staked GGP can still be withdrawn.',
  );

/** `RewardsPool`. */
export const cyclesPaused = () => pausedFlag('the rewards pool is paused: nobody can start the next cycle.');
