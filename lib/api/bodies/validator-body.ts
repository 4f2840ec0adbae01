/** How a validator looks in responses, alone or in a list. */

import { getAddress } from 'ethers';
import * as z from 'zod/mini';
import type { Minipool } from '../../contracts/minipool-manager.ts';
import { statusName } from '../../contracts/minipool-statuses.ts';
import { neededUptimePercent } from '../../rewards/validation-reward.ts';
import type { Network } from '../../runtime/networks.ts';
import { VALIDATING_STATUSES, type ValidatingMinipools } from '../../validators/validating-minipools.ts';
import { delegationCapacity, type Validator, weightOf } from '../../validators/validator.ts';
import type { ValidatorIndex } from '../../validators/validators-dataset.ts';
import { formatNAVAX, percentOf, roundNumber } from '../../values/amounts.ts';
import { address, integer, model, nodeID, pChainAVAX, percent, text, unixTime } from '../schemas.ts';
import { partialBody, partialSchema } from './partial-body.ts';

/** Fields that say where the data comes from; a list has them once for all validators. */
export const provenance = () => ({
  source: model('ValidatorSource', z.enum(['data-api', 'p-chain'])).check(
    z.describe(
      '`data-api`: the validator index (Avalanche Data API). `p-chain`: the P-Chain itself, when the index cannot be read completely.',
    ),
  ),
  asOf: unixTime('When the source was read.'),
  ...partialSchema(['minipool'], 'ValidatorField'),
});

export const validatorFields = () => ({
  nodeID: nodeID(),
  txID: text('P-Chain transaction that started the validation, in CB58.'),
  startTime: unixTime('Start of the current validation period.'),
  endTime: unixTime('End of the current validation period.'),
  amountStaked: pChainAVAX("The validator's own stake."),
  amountDelegated: pChainAVAX('Stake delegated to the validator.'),
  delegationCapacity: pChainAVAX(
    'Stake that can still be delegated: the lower of five times `amountStaked` and 3,000,000 AVAX, minus `amountStaked` and `amountDelegated`; at least 0.',
  ),
  delegatorCount: z.optional(integer('Number of delegations.')),
  delegationFeePercent: z.optional(percent("Share of its delegators' rewards that the validator keeps.")),
  uptimePercent: z.optional(percent('Uptime in the current validation period, as observed by the source.')),
  neededUptimePercent: percent(
    'Uptime required for any reward: 80 if the validation started before the Helicon network upgrade, 90 otherwise.',
  ),
  stakePercent: percent(
    "The validator's share of all stake, and so of all votes: (`amountStaked` + `amountDelegated`) / `totalStake`.",
  ),
  potentialRewards: model(
    'PotentialRewards',
    z.object({
      validation: z.optional(pChainAVAX("Reward for the validator's own stake.")),
      delegation: z.optional(
        pChainAVAX("The validator's share of its delegators' rewards. Omitted when `source` is `p-chain`."),
      ),
      addresses: z.optional(z.array(text('P-Chain address.')).check(z.describe('Addresses that receive the reward.'))),
    }),
  ).check(z.describe('Rewards at the end of the validation, if the uptime is sufficient.')),
  avalancheGoVersion: z.optional(text('Version of the node software. Omitted when `source` is `p-chain`.')),
  blsPublicKey: z.optional(text('BLS public key, 0x-prefixed hex.')),
  minipool: z.optional(
    model(
      'ValidatorMinipool',
      z.object({
        index: integer('Index of the minipool in the contract.'),
        owner: address('Address of the node operator.'),
        status: model('ValidatingStatus', z.enum(VALIDATING_STATUSES)).check(z.describe('Status of the minipool.')),
      }),
    ).check(
      z.describe('Minipool that the node validates for. Omitted for nodes without a `launched` or `staking` minipool.'),
    ),
  ),
});

export function validatorBody(
  validator: Validator,
  { totalStake }: ValidatorIndex,
  { heliconTime }: Network,
  minipools?: ValidatingMinipools,
) {
  const { nodeID, txID, startTime, endTime, amountStaked, amountDelegated, delegatorCount } = validator;
  const minipool = minipools?.get(nodeID);
  return {
    nodeID,
    txID,
    startTime,
    endTime,
    amountStaked: formatNAVAX(amountStaked),
    amountDelegated: formatNAVAX(amountDelegated),
    delegationCapacity: formatNAVAX(delegationCapacity(validator)),
    delegatorCount,
    delegationFeePercent: roundNumber(validator.delegationFeePercent),
    uptimePercent: roundNumber(validator.uptimePercent),
    neededUptimePercent: neededUptimePercent(startTime, heliconTime),
    stakePercent: percentOf(weightOf(validator), totalStake) ?? 0,
    potentialRewards: {
      validation: formatNAVAX(validator.validationReward),
      delegation: formatNAVAX(validator.delegationReward),
      addresses: validator.rewardAddresses,
    },
    avalancheGoVersion: validator.avalancheGoVersion,
    blsPublicKey: validator.blsPublicKey,
    minipool: minipool && minipoolBody(minipool),
  };
}

function minipoolBody({ index, owner, status }: Minipool) {
  return {
    index,
    owner: getAddress(owner),
    status: statusName(status) as (typeof VALIDATING_STATUSES)[number],
  };
}

export function provenanceBody({ source, asOf }: ValidatorIndex, minipools: ValidatingMinipools | undefined) {
  return { source, asOf, ...partialBody({ minipool: minipools ? undefined : 'SOURCE_UNAVAILABLE' }) };
}
