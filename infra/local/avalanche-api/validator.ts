/** A validator of the local network. Amounts are nAVAX, times unix seconds. */
export interface DevnetValidator {
  /** `NodeID-…` */
  nodeID: string;
  /** cb58. */
  txID: string;
  startTime: number;
  endTime: number;
  stake: bigint;
  delegated: bigint;
  delegatorCount: number;
  delegationFeePercent: number;
  uptimePercent: number;
  potentialReward: bigint;
  /** `P-avax1…` */
  rewardAddress: string;
  blsPublicKey?: string | undefined;
  /** `avalanchego/1.15.0` */
  version?: string | undefined;
}

/** All that is staked with the validators, delegations included, nAVAX. */
export function totalStake(validators: readonly DevnetValidator[]): bigint {
  return validators.reduce((total, { stake, delegated }) => total + stake + delegated, 0n);
}

/** A proof of possession as it looks: twice as long as its key. Nobody checks it here. */
export function proofOfPossession(blsPublicKey: string): string {
  return blsPublicKey + blsPublicKey.slice(2);
}
