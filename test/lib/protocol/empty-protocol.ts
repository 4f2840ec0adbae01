import type { Protocol } from '../../../lib/protocol/protocol.ts';

/** A protocol whose contracts answer nothing, without stakers and minipools. */
export const EMPTY_PROTOCOL: Protocol = {
  block: { number: 1, timestamp: 0 },
  ...{ pool: {}, redemption: {}, settings: {}, paused: {}, claimingContractPct: {}, rewardsPool: {} },
  ...{ ggpSupply: undefined, oracle: undefined, queue: {}, queuedShares: undefined },
  ...{ stakers: [], minipools: [], prices: {} },
  ...{ totalGGPStake: undefined, liquidStakerAmt: undefined, nodeOpCycleTotal: undefined },
};
