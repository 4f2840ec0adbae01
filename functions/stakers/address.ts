import * as z from 'zod/mini';
import { minipoolBody, minipoolFields } from '../../lib/api/bodies/minipool-body.ts';
import { STAKER } from '../../lib/api/bodies/staker-body.ts';
import { createHandler, defineEndpoint } from '../../lib/api/endpoint.ts';
import { addressParam } from '../../lib/api/params.ts';
import { blockRef, model } from '../../lib/api/schemas.ts';
import { operatorsDataset } from '../../lib/protocol/operators-dataset.ts';
import { figuresOf, requireStaker } from '../../lib/protocol/staker-figures.ts';

const response = () =>
  model(
    'StakerDetails',
    z.object({
      ...STAKER.shape(),
      minipools: z.optional(
        z
          .array(model('Minipool', z.object(minipoolFields())))
          .check(
            z.describe(
              'Minipools that the staker owns now. Nodes since reused by another owner are not included. Omitted if the protocol has no MinipoolManager contract.',
            ),
          ),
      ),
      block: blockRef(),
    }),
  );

export const stakersAddress = defineEndpoint({
  path: '/stakers/{address}',
  tag: 'Stakers',
  summary: 'One GGP staker and their minipools',
  description: 'A staker as in `/stakers` and all their minipools as in `/minipools`, at the same block.',
  freshSeconds: 60,
  datasets: [operatorsDataset],
  input: z.object({ address: addressParam('Address of the staker.') }),
  response,
  exampleRequest: '/stakers/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a',
  example: {
    index: 0,
    stakerAddr: '0xF29Bce5F34a74301eB0dE716d5194E4a4aEA5d7A',
    ggpStaked: '12345.678901234567890123',
    avaxStaked: '0',
    avaxAssigned: '0',
    avaxValidating: '0',
    avaxValidatingHighWater: '0',
    effectiveRewardsPercent: 0,
    effectiveGGPStaked: '0',
    minimumGGPStake: '0',
    eligible: false,
    estimatedGGPReward: '0',
    ggpRewards: '294.529028089721464681',
    lastRewardsCycleCompleted: 40,
    rewardsStartTime: 0,
    ggpLockedUntil: 0,
    minipools: [],
    block: { number: 95_044_397, timestamp: 1_789_158_328 },
  },
  notFound: ['STAKER_NOT_FOUND'],
  async handle({ address }, context) {
    const operators = await context.dataset(operatorsDataset);
    const staker = requireStaker(operators, address);
    const minipools = operators.minipools?.filter(({ owner }) => owner === staker.stakerAddr);
    const { minipoolCycleDuration: cycleDuration } = operators.settings;
    return {
      ...STAKER.body({ staker, figures: figuresOf(operators)(staker) }),
      minipools: minipools?.map((minipool) => minipoolBody(minipool, context.config.network, cycleDuration)),
      block: operators.block,
    };
  },
});

export const handler = createHandler(stakersAddress);
