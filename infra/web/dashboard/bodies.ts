/** The parts of the API's responses that this page uses. Optional values may be unknown. */

export interface Block {
  number: number;
  timestamp: number;
}

/** Which blocks have been searched, for responses from the event ledger. */
export interface Coverage {
  from: number;
  to: number;
  complete: boolean;
}

export interface Flags {
  flags: Record<string, { enabled: boolean; [attribute: string]: unknown }>;
}

export interface Health {
  network: string;
}

export interface Contracts {
  contracts: { name: string; address: string }[];
}

export interface Metrics {
  ggavax_apy?: number;
  total_assets?: number;
  total_supply?: number;
  exchange_rate?: number;
  tvl_avax?: number;
  tvl_usd?: number;
  total_ggp_staked?: number;
  node_operator_count?: number;
  minipools?: Record<string, number>;
  ggp_price_in_usd?: number;
  avax_price_in_usd?: number;
  ggp_total_supply?: number;
  status?: 'active' | 'winding_down' | 'paused';
  block: Block;
}

export interface History<Point> {
  points: (Point & { timestamp: number })[];
  nextCursor?: string;
}

export interface MetricsPoint {
  exchange_rate?: number;
  tvl_avax?: number;
  tvl_usd?: number;
}

export interface ApyPoint {
  apy_7d?: number;
  apy_28d?: number;
}

export interface PricesPoint {
  avaxInUSD?: number;
  ggpInUSD?: number;
}

export interface GgAvax {
  liquidAssets?: string;
  paused?: boolean;
  withdrawQueue?: { paused?: boolean };
  block: Block;
}

export interface Cycle {
  number?: number;
  startTime?: number;
  seconds?: number;
  totalAmt?: string;
  distributionPercent?: Record<string, number>;
  next?: { startsAt: number; overdueSeconds?: number; totalAmt?: string };
  block: Block;
}

export interface Cycles {
  cycles: { number: number; startTime: number; totalAmt: string }[];
  coverage: Coverage;
}

export interface Withdrawal {
  requestId: number;
  requester: string;
  shares: string;
  expectedAssets: string;
  requestTime: number;
  claimableTime: number;
  expirationTime: number;
  status: 'pending' | 'fulfilled' | 'expired';
  allocatedFunds: string;
}

export interface Withdrawals {
  withdrawQueue?: {
    pendingRequests?: number;
    pendingAVAX?: string;
    fulfilledRequests?: number;
    allocatedAVAX?: string;
    unstakeDelay?: number;
  };
  requests: Withdrawal[];
  total: number;
  block: Block;
}

export interface Estimate {
  avax: string;
  ahead: { requests: number; avax: string };
  claimableTime?: number;
  expirationTime?: number;
  paused?: boolean;
  block: Block;
}

export interface Minipool {
  index: number;
  nodeID: string;
  status: string;
  owner: string;
  avaxNodeOpAmt: string;
  avaxLiquidStakerAmt: string;
  startTime: number;
  endTime: number;
  expectedEndTime?: number;
  duration: number;
  avaxNodeOpRewardAmt: string;
  avaxNodeOpLifetimeRewardAmt: string;
  ggpSlashAmt: string;
  errorCode?: string;
  txID?: string;
}

export interface Staker {
  ggpStaked: string;
  avaxStaked: string;
  avaxAssigned: string;
  collateralPercent?: number;
  minimumGGPStake?: string;
  eligible?: boolean;
  minipools?: Minipool[];
  block: Block;
}

export interface Stakers {
  stakers: Staker[];
  total: number;
}

export interface Validator {
  nodeID: string;
  startTime: number;
  endTime: number;
  amountStaked: string;
  amountDelegated?: string;
  delegatorCount?: number;
  delegationFeePercent?: number;
  uptimePercent?: number;
  neededUptimePercent?: number;
  potentialRewards?: { validation?: string };
  avalancheGoVersion?: string;
  minipool?: { owner: string; status: string };
}

/** One that was asked for by its ID. */
export interface ValidatorAt extends Validator {
  /** When its source was asked, Unix seconds. */
  asOf: number;
}

export interface Validators {
  validators: Validator[];
  total: number;
  asOf: number;
}

export interface UptimePoint {
  uptimePercent?: number;
}

export interface Reward {
  avaxStaked: string;
  ggpPriceInAVAX: string;
  collateralPercent?: number;
  minCollateralPercent: number;
  maxCollateralPercent: number;
  effectiveGGPStaked: string;
  totalEffectiveGGPStaked: string;
  eligible: boolean;
  reason?: string;
  cycle: { nodeOpPool?: string };
  ggpReward: string;
  ggpRewardPerYear: string;
  ggpAprPercent: number;
  avaxReward?: { nodeOperator: string; cycleSeconds: number };
  ggpSlashAmt?: string;
  apy?: number;
  block: Block;
}

export interface AddressRewards {
  ggpRewards: string;
  eligible?: boolean;
  eligibleAt?: number;
  effectiveGGPStaked?: string;
  sharePercent?: number;
  estimatedGGPReward?: string;
  undistributedGGPReward?: string;
  aprPercent?: number;
  ggpLockedUntil: number;
  cycle?: { startsAt: number };
  claims?: { timestamp: number; amount: string; restaked?: string; txHash: string }[];
  claimedTotal?: string;
  coverage?: Coverage;
  block: Block;
}

/** An address's ggAVAX, now and in the past. */
export interface Position {
  ggAvax: string;
  avax: string;
  usd?: number;
  sharePercent?: number;
  unstaking: { ggAvax: string; expectedAVAX: string; requests: number };
  deposited: string;
  receivedAVAX: string;
  /** Including `returned`. */
  transferredIn: string;
  /** By the withdrawal queue, for canceled and expired requests. */
  returned: string;
  transferredOut: string;
  rewardsAVAX?: string;
  rewardsUSD?: number;
  averageAprPercent?: number;
  since?: number;
  coverage: Coverage;
  /** Fields that may lack what happened last. */
  partial?: string[];
  block: Block;
}

export interface RewardDays {
  days: {
    timestamp: number;
    closeTimestamp: number;
    closeGgAvax: string;
    rateClose?: string;
    inflowAVAX: string;
    outflowAVAX: string;
    rewardAVAX: string;
    aprPercent?: number;
    rewardUSD?: number;
  }[];
  coverage: Coverage;
}

export interface Entry {
  block: number;
  logIndex: number;
  timestamp: number;
  txHash: string;
  type: string;
  [field: string]: unknown;
}

export interface Activity {
  activity: Entry[];
  nextCursor?: string;
  coverage: Coverage;
}
