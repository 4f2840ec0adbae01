import type { Minipool } from '../../contracts/minipool-manager.ts';
import { statusName } from '../../contracts/minipool-statuses.ts';
import { VALIDATING_STATUSES } from '../../protocol/operator-figures.ts';
import { neededUptimePercent } from '../../rewards/validation-reward.ts';
import type { Network } from '../../runtime/networks.ts';
import type { ValidatingMinipools } from '../../validators/validating-minipools.ts';
import { delegationCapacity, type Validator, weightOf } from '../../validators/validator.ts';
import type { ValidatorIndex } from '../../validators/validators-dataset.ts';
import { ratio } from '../../values/wad.ts';
import { choice, json, list, object } from '../fields.ts';
import { address, integer, nAVAX, nodeID, percent, percentNumber, text, unixTime } from '../units.ts';

type ValidatingStatus = (typeof VALIDATING_STATUSES)[number];
const validatingStatus = choice('ValidatingStatus', VALIDATING_STATUSES);

const potentialRewards = object<Validator>('PotentialRewards')({
  validation: nAVAX.optional("Reward for the validator's own stake.", ({ validationReward }) => validationReward),
  delegation: nAVAX.optional(
    "The validator's share of its delegators' rewards. Omitted if `source` is `p-chain`.",
    ({ delegationReward }) => delegationReward,
  ),
  addresses: list(text).optional('P-Chain addresses that get it.', ({ rewardAddresses }) => rewardAddresses),
});

const minipool = object<Minipool>('ValidatorMinipool')({
  index: integer('Index of the minipool in the contract.'),
  owner: address('Address of the node operator.'),
  status: validatingStatus('Status of the minipool.', ({ status }) => statusName(status) as ValidatingStatus),
});

/** The source of validators. `minipools` is undefined if they could not be read. */
export interface Provenance {
  index: ValidatorIndex;
  minipools?: ValidatingMinipools | undefined;
}

export interface ValidatorSource extends Validator, Provenance {
  network: Network;
}

export const VALIDATOR = object<ValidatorSource>('Validator')({
  nodeID: json(
    () => nodeID.schema(''),
    ({ nodeID }) => nodeID,
  ),
  txID: text('P-Chain transaction that started the validation, in CB58.'),
  startTime: unixTime('Start of the current validation period.'),
  endTime: unixTime('End of the current validation period.'),
  amountStaked: nAVAX("The validator's own stake."),
  amountDelegated: nAVAX('Stake delegated to the validator.'),
  delegationCapacity: nAVAX(
    'Stake that can still be delegated: the lower of 5 × `amountStaked` and 3,000,000 AVAX, minus `amountStaked` and `amountDelegated`; at least 0.',
    delegationCapacity,
  ),
  delegatorCount: integer.optional('Number of delegations.'),
  delegationFeePercent: percentNumber.optional("Share of its delegators' rewards that the validator keeps."),
  uptimePercent: percentNumber.optional('Uptime in the current validation period, observed by the source.'),
  neededUptimePercent: percentNumber(
    'Uptime required for any reward: 80 if the validation started before the Helicon network upgrade, or else 90.',
    ({ startTime, network }) => neededUptimePercent(startTime, network.heliconTime),
  ),
  stakePercent: percent(
    'Share of all stake, and so of all votes: (`amountStaked` + `amountDelegated`) / `totalStake`.',
    (validator) => ratio(weightOf(validator), validator.index.totalStake) ?? 0n,
  ),
  potentialRewards: potentialRewards('Rewards at the end, if the uptime is sufficient.', (validator) => validator),
  avalancheGoVersion: text.optional('Version of the node software. Omitted if `source` is `p-chain`.'),
  blsPublicKey: text.optional('BLS public key, 0x-prefixed hex.'),
  minipool: minipool.optional(
    'Minipool of the node. Omitted without a `launched` or `staking` minipool.',
    ({ nodeID, minipools }) => minipools?.get(nodeID),
    ({ minipools }) => (minipools ? undefined : 'SOURCE_UNAVAILABLE'),
  ),
});

/** The fields about the source of the data; a list has them once for all validators. */
export const provenance = {
  source: choice('ValidatorSource', ['data-api', 'p-chain'])(
    '`data-api`: the validator index (Avalanche Data API). `p-chain`: the P-Chain, if the index cannot be read completely.',
    ({ index }: Provenance) => index.source,
  ),
  asOf: unixTime('Time when the source was read.', ({ index }: Provenance) => index.asOf),
};
