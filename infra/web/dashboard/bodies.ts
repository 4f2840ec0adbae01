/** The parts of the API's bodies that this page shows; the reference describes them all. What is optional may be unknown. */

export interface Block {
  number: number;
  timestamp: number;
}

export interface Metrics {
  ggavax_apy?: number;
  total_assets?: number;
  exchange_rate?: number;
  tvl_avax?: number;
  tvl_usd?: number;
  total_ggp_staked?: number;
  total_avax_staked: number;
  staker_count: number;
  node_operator_count: number;
  minipools: Record<string, number>;
  ggp_price_in_usd?: number;
  avax_price_in_usd?: number;
  status: 'active' | 'winding_down' | 'paused';
  block: Block;
}

export interface History<Point> {
  points: (Point & { timestamp: number; block: number })[];
  missing: number;
}

export interface MetricsPoint {
  exchange_rate?: number;
}

export interface ApyPoint {
  apy_7d?: number;
  apy_28d?: number;
}

export interface PricesPoint {
  avaxInUSD?: number;
  ggpInUSD?: number;
}

export interface Cycle {
  number?: number;
  startTime?: number;
  seconds?: number;
  totalAmt?: string;
  next?: { startsAt: number; totalAmt?: string; overdueSeconds?: number };
  block: Block;
}

export interface Withdrawal {
  requestId: number;
  expectedAssets: string;
  claimableTime: number;
  status: string;
}

export interface Withdrawals {
  withdrawQueue?: {
    pendingRequests?: number;
    pendingAVAX?: string;
    fulfilledRequests?: number;
    allocatedAVAX?: string;
  };
  requests: Withdrawal[];
  total: number;
}

export interface Staker {
  ggpStaked: string;
  avaxStaked: string;
  collateralPercent?: number;
  eligible: boolean;
  minipools?: { index: number; nodeID: string; status: string; avaxNodeOpAmt: string }[];
}

export interface Validators {
  validators: { nodeID: string; amountStaked: string; uptimePercent?: number }[];
  total: number;
}

export interface Reward {
  ggpPriceInAVAX: string;
  collateralPercent?: number;
  eligible: boolean;
  reason?: string;
  ggpReward: string;
  ggpRewardPerYear: string;
  avaxReward?: { perCycle: string; nodeOperator: string; cycleSeconds: number };
  apy?: number;
  block: Block;
}

export interface AddressRewards {
  ggpRewards: string;
  eligible: boolean;
  estimatedGGPReward: string;
  claims?: { timestamp: number; amount: string; txHash: string }[];
}
