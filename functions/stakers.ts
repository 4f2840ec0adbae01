import * as z from 'zod/mini';
import { STAKER } from '../lib/api/bodies/staker-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { nextCursor, page, pageParams, type SortKeys, sorted, sortParams } from '../lib/api/lists.ts';
import { amountParam, flagParam } from '../lib/api/params.ts';
import { blockRef, integer, model } from '../lib/api/schemas.ts';
import { required } from '../lib/chain/answered.ts';
import type { Staker } from '../lib/contracts/staking.ts';
import { figuresOf } from '../lib/protocol/staker-figures.ts';
import { stakingDataset } from '../lib/protocol/staking-dataset.ts';
import { SUPPLY_CAP_WEI } from '../lib/rewards/validation-reward.ts';
import { ApiError } from '../lib/runtime/errors.ts';

const SORT_KEYS = {
  ggpStaked: ({ ggpStaked }) => ggpStaked,
  avaxStaked: ({ avaxStaked }) => avaxStaked,
  index: ({ index }) => index,
} satisfies SortKeys<Staker, string>;

const response = () =>
  z.object({
    stakers: z
      .array(model('Staker', z.object(STAKER.shape())))
      .check(z.describe('The requested stakers, in the requested order.')),
    total: integer('Number of stakers that match the filters, on all pages.'),
    nextCursor: nextCursor(),
    block: blockRef(),
  });

export const stakers = defineEndpoint({
  path: '/stakers',
  tag: 'Stakers',
  summary: 'GGP stakers',
  description:
    "All addresses that have ever staked GGP, including those with nothing staked now. Liquid stakers are not included. Sorted by `index` unless `sort` is given. Each entry has the fields of the contract's record, figures that the contract's views derive from them at the oracle's GGP price, and an estimate of the next reward. Derived figures are omitted if the contracts do not provide what they depend on, such as the price.",
  freshSeconds: 60,
  input: z.object({
    minAvaxValidating: z.optional(
      amountParam(SUPPLY_CAP_WEI, 'Return only stakers with at least this `avaxValidating`, in whole AVAX (not wei).'),
    ),
    eligible: z.optional(
      flagParam('`true` returns only stakers who are eligible for rewards now, `false` only those who are not.'),
    ),
    ...sortParams(SORT_KEYS),
    ...pageParams,
  }),
  response,
  rows: 'stakers',
  exampleRequest: '/stakers?eligible=true&sort=ggpStaked&limit=5',
  async handle({ minAvaxValidating = 0n, eligible, sort, order, ...paging }, context) {
    const staking = await context.dataset(stakingDataset);
    if (eligible !== undefined && staking.settings.rewardsEligibilityMinSeconds === undefined)
      throw new ApiError('UPSTREAM_UNAVAILABLE', 'Eligibility cannot be determined at this block.');
    const figures = figuresOf(staking);
    const wanted = required(staking.stakers).filter(
      (staker) =>
        staker.avaxValidating >= minAvaxValidating && (eligible === undefined || eligible === figures(staker).eligible),
    );
    const { entries, nextCursor } = page(
      sorted(wanted, SORT_KEYS, { sort, order }),
      paging,
      ({ index }) => index,
      (staker) => STAKER.body({ staker, figures: figures(staker) }),
    );
    return {
      stakers: entries,
      total: wanted.length,
      nextCursor,
      block: staking.block,
    };
  },
});

export const handler = createHandler(stakers);
