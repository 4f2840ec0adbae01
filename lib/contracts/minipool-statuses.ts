/** The contract's `MinipoolStatus`, by its number. */
export const MINIPOOL_STATUSES = [
  'prelaunch',
  'launched',
  'staking',
  'withdrawable',
  'finished',
  'canceled',
  'error',
] as const;
