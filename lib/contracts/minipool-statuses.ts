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

export type MinipoolStatus = (typeof MINIPOOL_STATUSES)[number];

export function statusName(status: number): MinipoolStatus {
  return MINIPOOL_STATUSES[status] as MinipoolStatus;
}
