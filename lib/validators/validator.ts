/**
 * `lib/validators`: validators of the primary network, and their minipools. The source is Ava Labs' Data API or, if it
 * fails, the P-Chain.
 */

import { WEI_PER_NAVAX } from '../values/amounts.ts';
import { min, WAD } from '../values/wad.ts';

/** An active validator of the primary network, from either source. Amounts are nAVAX, times unix seconds. */
export interface Validator {
  /** `NodeID-…` */
  nodeID: string;
  /** cb58. */
  txID: string;
  startTime: number;
  endTime: number;
  amountStaked: bigint;
  amountDelegated: bigint;
  delegatorCount?: number | undefined;
  delegationFeePercent?: number | undefined;
  /** Uptime in percent, as observed by a single node: the index's own, or the P-Chain node that answered. */
  uptimePercent?: number | undefined;
  validationReward?: bigint | undefined;
  /** The validator's cut of its delegators' rewards. Only from the index: the P-Chain just has the settled part. */
  delegationReward?: bigint | undefined;
  /** P-Chain addresses that receive the reward: `P-avax1…`. */
  rewardAddresses?: string[] | undefined;
  /** Version that the node announces: `avalanchego/1.15.0`. */
  avalancheGoVersion?: string | undefined;
  /** 0x-hex. */
  blsPublicKey?: string | undefined;
}

/** Maximum stake of a validator, delegations included. Source: avalanchego, `MaxValidatorWeightFactor`, `MaxValidatorStake`. */
const MAX_WEIGHT_FACTOR = 5n;
const MAX_WEIGHT_NAVAX = (3_000_000n * WAD) / WEI_PER_NAVAX;

/** nAVAX of a validator and its delegators: its voting weight. */
export function weightOf({ amountStaked, amountDelegated }: Validator): bigint {
  return amountStaked + amountDelegated;
}

/** nAVAX that may still be delegated to a validator. */
export function delegationCapacity(validator: Validator): bigint {
  const left = min(MAX_WEIGHT_FACTOR * validator.amountStaked, MAX_WEIGHT_NAVAX) - weightOf(validator);
  return left > 0n ? left : 0n;
}
