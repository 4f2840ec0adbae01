/** Validators from the P-Chain itself (`platform.getCurrentValidators`). */

import type { PChain } from '../chain/upstream/p-chain.ts';
import {
  countText,
  essential,
  type Fields,
  malformed,
  nAVAX,
  nodeID,
  part,
  pChainAddresses,
  percentText,
  someText,
  validatorsIn,
} from './fields.ts';
import type { Validator } from './validator.ts';

/** All validators of the primary network, in no particular order: about 1 MB. Throws UPSTREAM_UNAVAILABLE. */
export function readCurrentValidators(pChain: PChain): Promise<Validator[]> {
  return pChain.call('platform.getCurrentValidators', (result) => {
    const validators = validatorsIn(result, toValidator);
    // The primary network cannot be without validators, so a node that returns none is not in sync.
    if (validators.length === 0) throw malformed('validators', validators);
    return validators;
  });
}

function toValidator(record: Fields): Validator {
  return {
    nodeID: essential(record, 'nodeID', nodeID),
    txID: essential(record, 'txID', someText),
    startTime: essential(record, 'startTime', countText),
    endTime: essential(record, 'endTime', countText),
    amountStaked: essential(record, 'weight', nAVAX),
    amountDelegated: essential(record, 'delegatorWeight', nAVAX),
    delegatorCount: countText(record.delegatorCount),
    delegationFeePercent: percentText(record.delegationFee),
    uptimePercent: percentText(record.uptime),
    validationReward: nAVAX(record.potentialReward),
    rewardAddresses: pChainAddresses(part(record.validationRewardOwner).addresses),
    blsPublicKey: someText(part(record.signer).publicKey),
  };
}
