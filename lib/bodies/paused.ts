import * as z from 'zod/mini';
import { flag } from '../schemas.ts';

/** Contracts that the DAO has paused, in responses that depend on them. */

const pausedFlag = (meaning: string) => z.optional(flag(`\`true\` while ${meaning} Omitted otherwise.`));

/** `MinipoolManager`, in what an operator may earn. */
export const minipoolsPaused = () =>
  pausedFlag(
    'the minipool manager is paused: no minipool can be created, so only those who have one already can earn this.',
  );

/** `RewardsPool`. */
export const cyclesPaused = () => pausedFlag('the rewards pool is paused: nobody can start the next cycle.');
