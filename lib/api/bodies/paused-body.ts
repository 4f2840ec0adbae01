import type { RewardTerms } from '../../protocol/operator-reward.ts';
import { flag } from '../units.ts';

/** The fields that tell if an operator without a minipool can create one, and earn this. */
export const minipoolCreation = {
  open: flag.optional(
    'False while the minipool manager is paused or the flag `minipoolCreation` is off: no new minipools, and the figures are hypothetical. Omitted if unknown.',
    ({ isOpen }: RewardTerms) => isOpen,
  ),
  paused: flag.optional(
    '`true` while the minipool manager is paused: only those who have a minipool already can earn this. Omitted otherwise.',
    ({ protocol }: RewardTerms) => protocol.paused.MinipoolManager || undefined,
  ),
};
