/**
 * `lib/validators`: validators of the primary network, from Ava Labs' Data API or the P-Chain, whichever answers,
 * and which minipool each belongs to. Used by `functions/`, `lib/api` and
 * `lib/archive`.
 */

import { WEI_PER_NAVAX } from '../rewards/validation-reward.ts';
import { min, WAD } from '../values/wad.ts';

/**
 * An active validator of the primary network, whichever source it was read from. Amounts are nAVAX, times unix seconds.
 */
export interface Validator {
  /** `NodeID-…` */
  nodeID: string;
  /** The transaction that staked it, cb58. */
  txID: string;
  startTime: number;
  endTime: number;
  /** Its own stake. */
  amountStaked: bigint;
  amountDelegated: bigint;
  delegatorCount?: number | undefined;
  delegationFeePercent?: number | undefined;
  /** As a single node sees it: the index's own, or the P-Chain node that was asked. */
  uptimePercent?: number | undefined;
  /** Whether the P-Chain node that was asked is connected to it; the index does not say. */
  connected?: boolean | undefined;
  /** What its own stake earns if it is rewarded. */
  validationReward?: bigint | undefined;
  /** Its cut of what its delegators earn if rewarded. Only the index knows: the P-Chain just names the settled part. */
  delegationReward?: bigint | undefined;
  /** P-Chain addresses that its reward goes to: `P-avax1…`. */
  rewardAddresses?: string[] | undefined;
  /** As its node announces it: `avalanchego/1.15.0`. */
  avalancheGoVersion?: string | undefined;
  /** 0x-hex. */
  blsPublicKey?: string | undefined;
}

/**
 * Most that may be staked with one validator, delegations included: five times its own stake, up to 3 M AVAX
 * (avalanchego, `MaxValidatorWeightFactor` and `MaxValidatorStake`).
 */
const MAX_WEIGHT_FACTOR = 5n;
const MAX_WEIGHT_NAVAX = (3_000_000n * WAD) / WEI_PER_NAVAX;

/** All that is staked with a validator, nAVAX: its own stake and its delegators'. It is also its voting weight. */
export function weightOf({ amountStaked, amountDelegated }: Validator): bigint {
  return amountStaked + amountDelegated;
}

/** What may still be delegated to a validator, nAVAX. */
export function delegationCapacity(validator: Validator): bigint {
  const left = min(MAX_WEIGHT_FACTOR * validator.amountStaked, MAX_WEIGHT_NAVAX) - weightOf(validator);
  return left > 0n ? left : 0n;
}
