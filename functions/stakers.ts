import * as z from 'zod/mini';
import { STAKER, type StakerSource } from '../lib/api/bodies/staker-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { list, object } from '../lib/api/fields.ts';
import { type Page, page, pageFields, pageParams, sorted, sortParams } from '../lib/api/lists.ts';
import { amountParam, flagParam } from '../lib/api/params.ts';
import { block } from '../lib/api/units.ts';
import { required } from '../lib/chain/contract.ts';
import { protocolDataset } from '../lib/protocol/protocol.ts';
import { figuresOf } from '../lib/protocol/staker-figures.ts';
import { SUPPLY_CAP_WEI } from '../lib/rewards/validation-reward.ts';
import { ApiError } from '../lib/runtime/errors.ts';
import type { BlockRef } from '../lib/values/block.ts';

const STAKERS = object<Page<StakerSource> & { block: BlockRef }>()({
  stakers: list(STAKER)('As sorted.', ({ items }) => items),
  ...pageFields('Number of stakers that match the filters.'),
  block: block(),
});

const SORT_KEYS = {
  ggpStaked: ({ ggpStaked }: StakerSource) => ggpStaked,
  avaxStaked: ({ avaxStaked }: StakerSource) => avaxStaked,
  index: ({ index }: StakerSource) => index,
};

export const stakers = defineEndpoint({
  path: '/stakers',
  tag: 'Stakers',
  summary: 'GGP stakers',
  description:
    "All addresses that have ever staked GGP. By default sorted by `index`. Derived figures are omitted if the contracts lack an input, such as the oracle's GGP price. Liquid stakers are in `/holders`.",
  exampleRequest: '/stakers?eligible=true&sort=ggpStaked&limit=5',
  freshSeconds: 60,
  params: {
    minAvaxValidating: z.optional(amountParam(SUPPLY_CAP_WEI, 'Only stakers with at least this `avaxValidating`.')),
    eligible: z.optional(flagParam('`true`: only stakers eligible for rewards now. `false`: only others.')),
    ...sortParams(SORT_KEYS),
    ...pageParams,
  },
  async handle({ minAvaxValidating = 0n, eligible, sort, order, ...paging }, context) {
    const staking = await context.dataset(protocolDataset);
    if (eligible !== undefined && staking.settings.rewardsEligibilityMinSeconds === undefined)
      throw new ApiError('UPSTREAM_UNAVAILABLE', 'Eligibility cannot be determined at this block.');
    const figures = figuresOf(staking);
    const items = required(staking.stakers)
      .filter(({ avaxValidating }) => avaxValidating >= minAvaxValidating)
      .map((staker) => ({ ...staker, ...figures(staker) }))
      .filter((staker) => eligible === undefined || eligible === staker.eligible);
    const inOrder = sorted(items, SORT_KEYS, { sort, order });
    return { ...page(inOrder, paging, ({ index }) => index), block: staking.block };
  },
  body: STAKERS,
  rows: 'stakers',
});

export const handler = /* @__PURE__ */ createHandler(stakers);
