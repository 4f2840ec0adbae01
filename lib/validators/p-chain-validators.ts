/** Validators from the P-Chain itself (`platform.getCurrentValidators`). */

import type { PChain } from '../chain/upstream/p-chain.ts';
import * as fields from './fields.ts';
import type { Validator } from './validator.ts';

/** All validators of the primary network, in no particular order: about 1 MB. Throws UPSTREAM_UNAVAILABLE. */
export function readCurrentValidators(pChain: PChain): Promise<Validator[]> {
  return pChain.call('platform.getCurrentValidators', (result) => {
    const validators = fields.validatorsIn(result, toValidator);
    // The primary network cannot be without validators, so a node that returns none is not in sync.
    if (validators.length === 0) throw fields.malformed('validators', validators);
    return validators;
  });
}

function toValidator(record: fields.Fields): Validator {
  return {
    nodeID: fields.essential(record, 'nodeID', fields.nodeID),
    txID: fields.essential(record, 'txID', fields.someText),
    startTime: fields.essential(record, 'startTime', fields.countText),
    endTime: fields.essential(record, 'endTime', fields.countText),
    amountStaked: fields.essential(record, 'weight', fields.nAVAX),
    amountDelegated: fields.essential(record, 'delegatorWeight', fields.nAVAX),
    delegatorCount: fields.countText(record.delegatorCount),
    delegationFeePercent: fields.percentText(record.delegationFee),
    uptimePercent: fields.percentText(record.uptime),
    validationReward: fields.nAVAX(record.potentialReward),
    rewardAddresses: fields.pChainAddresses(fields.part(record.validationRewardOwner).addresses),
    blsPublicKey: fields.someText(fields.part(record.signer).publicKey),
  };
}
