import * as z from 'zod/mini';
import type { PChain } from '../upstream/p-chain.ts';
import {
  countText,
  detail,
  details,
  essential,
  nAVAX,
  nodeID,
  pChainAddresses,
  percentText,
  someText,
  understood,
} from './fields.ts';
import type { Validator } from './validator.ts';

/** Validators as the P-Chain itself lists them. */

const CurrentValidator = z.object({
  nodeID: essential(nodeID),
  txID: essential(someText),
  startTime: essential(countText),
  endTime: essential(countText),
  weight: essential(nAVAX),
  delegatorWeight: essential(nAVAX),
  delegatorCount: detail(countText),
  delegationFee: detail(percentText),
  uptime: detail(percentText),
  connected: details(z.boolean()),
  potentialReward: detail(nAVAX),
  validationRewardOwner: details(z.object({ addresses: detail(pChainAddresses) })),
  signer: details(z.object({ publicKey: detail(someText) })),
});

/** The primary network cannot be without validators, so a node that knows none is not in sync. */
const CurrentValidators = z.object({ validators: z.array(CurrentValidator).check(z.minLength(1)) });

/**
 * All validators of the primary network, in no particular order. The answer is about 1 MB. Throws UPSTREAM_UNAVAILABLE.
 */
export function currentValidators(pChain: PChain): Promise<Validator[]> {
  return pChain.call('platform.getCurrentValidators', (result) =>
    understood(CurrentValidators, result).validators.map(toValidator),
  );
}

function toValidator(current: z.output<typeof CurrentValidator>): Validator {
  return {
    nodeID: current.nodeID,
    txID: current.txID,
    startTime: current.startTime,
    endTime: current.endTime,
    amountStaked: current.weight,
    amountDelegated: current.delegatorWeight,
    delegatorCount: current.delegatorCount,
    delegationFeePercent: current.delegationFee,
    uptimePercent: current.uptime,
    connected: current.connected,
    validationReward: current.potentialReward,
    rewardAddresses: current.validationRewardOwner?.addresses,
    blsPublicKey: current.signer?.publicKey,
  };
}
