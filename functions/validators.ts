import * as z from 'zod/mini';
import { provenance, provenanceBody, VALIDATOR } from '../lib/api/bodies/validator-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { nextCursor, page, pageParams, type SortKeys, sorted, sortParams } from '../lib/api/lists.ts';
import { flagParam, percentParam } from '../lib/api/params.ts';
import { integer, model, pChainAVAX } from '../lib/api/schemas.ts';
import { readValidatingMinipools, readValidatingMinipoolsIfAvailable } from '../lib/validators/validating-minipools.ts';
import { type Validator, weightOf } from '../lib/validators/validator.ts';
import { validatorsDataset } from '../lib/validators/validators-dataset.ts';
import { formatNAVAX } from '../lib/values/amounts.ts';

const SORT_KEYS = {
  stake: weightOf,
  uptime: ({ uptimePercent }) => uptimePercent,
  delegationFee: ({ delegationFeePercent }) => delegationFeePercent,
  // The remaining time is counted from the same moment for all, so it sorts like the end time.
  timeRemaining: ({ endTime }) => endTime,
} satisfies SortKeys<Validator, string>;

const response = () =>
  z.object({
    validators: z
      .array(model('Validator', z.object(VALIDATOR.shape())))
      .check(z.describe('The requested validators, in the requested order.')),
    total: integer('Number of validators that match the filters, on all pages.'),
    nextCursor: nextCursor(),
    totalStake: pChainAVAX('Total stake of all active validators, including delegations. Filters do not apply.'),
    ...provenance(),
  });

export const validators = defineEndpoint({
  path: '/validators',
  tag: 'Validators',
  summary: 'Active validators of the Primary Network',
  description:
    'All currently active validators, read completely from the validator index or, if that fails, from the P-Chain. Sorted by node ID unless `sort` is given; `sort=stake` includes delegations. `minUptime` and `maxFee` exclude validators whose value is unknown. If the minipools cannot be read, `minipool` is omitted from all validators and listed in `partial`, and requests with `protocol` fail.',
  freshSeconds: 300,
  input: z.object({
    protocol: z.optional(
      flagParam(
        "`true` returns only the protocol's own validators (those with a `minipool`), `false` only the others.",
      ),
    ),
    minUptime: z.optional(percentParam('Return only validators with at least this `uptimePercent`.')),
    maxFee: z.optional(percentParam('Return only validators with at most this `delegationFeePercent`.')),
    ...sortParams(SORT_KEYS),
    ...pageParams,
  }),
  response,
  rows: 'validators',
  exampleRequest: '/validators?limit=1&sort=stake',
  async handle({ protocol, minUptime, maxFee, sort, order, ...paging }, context) {
    const [index, minipools] = await Promise.all([
      context.dataset(validatorsDataset),
      protocol === undefined ? readValidatingMinipoolsIfAvailable(context) : readValidatingMinipools(context),
    ]);
    // Comparisons with NaN are false, so unknown values pass no filter.
    const wanted = index.validators.filter(
      ({ nodeID, uptimePercent = Number.NaN, delegationFeePercent = Number.NaN }) =>
        (protocol === undefined || protocol === minipools?.has(nodeID)) &&
        (minUptime === undefined || uptimePercent >= minUptime) &&
        (maxFee === undefined || delegationFeePercent <= maxFee),
    );
    const { entries, nextCursor } = page(
      sorted(wanted, SORT_KEYS, { sort, order }),
      paging,
      ({ nodeID }) => nodeID,
      (validator) => VALIDATOR.body({ validator, index, network: context.config.network, minipools }),
    );
    return {
      validators: entries,
      total: wanted.length,
      nextCursor,
      totalStake: formatNAVAX(index.totalStake),
      ...provenanceBody(index, minipools),
    };
  },
});

export const handler = createHandler(validators);
