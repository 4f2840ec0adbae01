import * as z from 'zod/mini';
import { type Provenance, provenance, VALIDATOR, type ValidatorSource } from '../lib/api/bodies/validator-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { list, partialObject } from '../lib/api/fields.ts';
import { type Page, page, pageFields, pageParams, sorted, sortParams } from '../lib/api/lists.ts';
import { flagParam, percentParam } from '../lib/api/params.ts';
import { nAVAX } from '../lib/api/units.ts';
import { ifAvailable } from '../lib/runtime/if-known.ts';
import { readValidatingMinipools } from '../lib/validators/validating-minipools.ts';
import { weightOf } from '../lib/validators/validator.ts';
import { validatorsDataset } from '../lib/validators/validators-dataset.ts';

const VALIDATORS = partialObject<Page<ValidatorSource> & Provenance>('ValidatorField')({
  validators: list(VALIDATOR)('As sorted.', ({ items }) => items),
  ...pageFields('Number of validators that match the filters.'),
  totalStake: nAVAX(
    'Stake of all active validators, with delegations, without filters.',
    ({ index }) => index.totalStake,
  ),
  ...provenance,
});

const SORT_KEYS = {
  stake: (validator: ValidatorSource) => weightOf(validator),
  uptime: ({ uptimePercent }: ValidatorSource) => uptimePercent,
  delegationFee: ({ delegationFeePercent }: ValidatorSource) => delegationFeePercent,
  // The remaining time is counted from the same moment for all, so it sorts like the end time.
  timeRemaining: ({ endTime }: ValidatorSource) => endTime,
};

export const validators = defineEndpoint({
  path: '/validators',
  tag: 'Validators',
  summary: 'Active validators of the Primary Network',
  description:
    'All active validators, from the validator index or, if that fails, from the P-Chain. By default sorted by node ID; `sort=stake` includes delegations. `minUptime` and `maxFee` exclude unknown values. If minipools cannot be read, `minipool` is omitted and listed in `partial`, and requests with `protocol` fail.',
  exampleRequest: '/validators?limit=1&sort=stake',
  freshSeconds: 300,
  params: {
    protocol: z.optional(flagParam("`true`: only the protocol's, with a `minipool`. `false`: only others.")),
    minUptime: z.optional(percentParam('Minimum `uptimePercent`.')),
    maxFee: z.optional(percentParam('Maximum `delegationFeePercent`.')),
    ...sortParams(SORT_KEYS),
    ...pageParams,
  },
  async handle({ protocol, minUptime, maxFee, sort, order, ...paging }, context) {
    const readMinipools = () => readValidatingMinipools(context);
    const [index, minipools] = await Promise.all([
      context.dataset(validatorsDataset),
      protocol === undefined ? ifAvailable(context, 'minipools', readMinipools) : readMinipools(),
    ]);
    // Comparisons with NaN are false, so unknown values pass no filter.
    const wanted = index.validators.filter(
      ({ nodeID, uptimePercent = Number.NaN, delegationFeePercent = Number.NaN }) =>
        (protocol === undefined || protocol === minipools?.has(nodeID)) &&
        (minUptime === undefined || uptimePercent >= minUptime) &&
        (maxFee === undefined || delegationFeePercent <= maxFee),
    );
    const { network } = context.config;
    const items = wanted.map((validator) => ({ ...validator, index, network, minipools }));
    const inOrder = sorted(items, SORT_KEYS, { sort, order });
    return { ...page(inOrder, paging, ({ nodeID }) => nodeID), index, minipools };
  },
  body: VALIDATORS,
  rows: 'validators',
});

export const handler = /* @__PURE__ */ createHandler(validators);
