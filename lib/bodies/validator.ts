import * as z from 'zod/mini';
import { formatNAVAX, percentOf, roundNumber } from '../amounts.ts';
import { checksumAddress } from '../checksum.ts';
import { MINIPOOL_STATUSES, type Minipool } from '../contracts/minipool-manager.ts';
import { ifKnown } from '../known.ts';
import type { Network } from '../networks.ts';
import { neededUptimePercent } from '../rewards/validation-reward.ts';
import { address, integer, model, nodeID, percent, text, unixTime } from '../schemas.ts';
import type { ValidatorIndex } from '../validators/dataset.ts';
import { VALIDATING_STATUSES, type ValidatingMinipools } from '../validators/minipools.ts';
import { delegationCapacity, type Validator, weightOf } from '../validators/validator.ts';

/** How a validator is answered, alone or in a list. */

/** AVAX of the P-Chain. */
export function pChainAVAX(meaning: string) {
  return z
    .string()
    .check(z.regex(/^\d+(\.\d{1,9})?$/), z.describe(`${meaning} AVAX, exact decimal string of up to 9 places.`));
}

/** Fields that say where validators come from; the same for all of them. */
export const provenance = () => ({
  source: model('ValidatorSource', z.enum(['data-api', 'p-chain'])).check(
    z.describe('The validator index, or the P-Chain itself when the index is not available as a whole.'),
  ),
  asOf: unixTime('When the source was read.'),
  partial: z.optional(
    z
      .array(z.literal('minipool'))
      .check(z.describe('Fields that are missing because their source could not be read this time.')),
  ),
});

export const validatorFields = () => ({
  nodeID: nodeID(),
  txID: text('The transaction that staked it, cb58.'),
  startTime: unixTime('When this validation began.'),
  endTime: unixTime('When it ends.'),
  amountStaked: pChainAVAX("The validator's own stake."),
  amountDelegated: pChainAVAX('What others have delegated to it.'),
  delegationCapacity: pChainAVAX(
    'What may still be delegated to it: the lesser of five times its own stake and 3 M AVAX, less what is staked already.',
  ),
  delegatorCount: z.optional(integer('How many delegations it has.')),
  delegationFeePercent: z.optional(percent("Its part of its delegators' rewards.")),
  uptimePercent: z.optional(percent('Its uptime in this validation, as the source sees it.')),
  neededUptimePercent: percent(
    'The uptime it needs for its reward: 80 if it began before the Helicon upgrade of the network, 90 since; with less there is none.',
  ),
  stakePercent: percent('(amountStaked + amountDelegated) / totalStake: its part of all votes.'),
  potentialRewards: model(
    'PotentialRewards',
    z.object({
      validation: z.optional(pChainAVAX('Reward of its own stake.')),
      delegation: z.optional(pChainAVAX("Its part of its delegators' rewards; the P-Chain does not tell.")),
      addresses: z.optional(z.array(text('P-Chain address.')).check(z.describe('Who the reward goes to.'))),
    }),
  ).check(z.describe('What it gets at the end, if its uptime is found sufficient.')),
  avalancheGoVersion: z.optional(text('Software of the node; only the index knows it.')),
  blsPublicKey: z.optional(text('0x-hex.')),
  minipool: z.optional(
    model(
      'ValidatorMinipool',
      z.object({
        index: integer('Index of the minipool in the contract.'),
        owner: address('The node operator.'),
        status: model('ValidatingStatus', z.enum(VALIDATING_STATUSES)).check(z.describe('Status of the minipool.')),
      }),
    ).check(z.describe("The protocol's minipool that it validates for.")),
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
    delegationFeePercent: ifKnown(roundNumber, validator.delegationFeePercent),
    uptimePercent: ifKnown(roundNumber, validator.uptimePercent),
    neededUptimePercent: neededUptimePercent(startTime, heliconTime),
    stakePercent: percentOf(weightOf(validator), totalStake) ?? 0,
    potentialRewards: {
      validation: ifKnown(formatNAVAX, validator.validationReward),
      delegation: ifKnown(formatNAVAX, validator.delegationReward),
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
    owner: checksumAddress(owner),
    status: MINIPOOL_STATUSES[status] as (typeof VALIDATING_STATUSES)[number],
  };
}

export function provenanceBody({ source, asOf }: ValidatorIndex, minipools: ValidatingMinipools | undefined) {
  return { source, asOf, partial: minipools ? undefined : ['minipool' as const] };
}
