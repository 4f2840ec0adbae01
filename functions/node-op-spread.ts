import * as z from 'zod/mini';
import { forAll, partialBody, partialSchema } from '../lib/api/bodies/partial-body.ts';
import { minipoolsOpen, minipoolsPaused } from '../lib/api/bodies/paused-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { blockRef, model, percent, quantity } from '../lib/api/schemas.ts';
import { operatorReward, readRewardTerms } from '../lib/protocol/operator-reward.ts';
import { ggpStakeForRatio, rewardsMinimumRatio } from '../lib/rewards/collateral.ts';
import { percentFrom, roundUp, roundYield, toNumber } from '../lib/values/amounts.ts';
import { WAD } from '../lib/values/wad.ts';

/** The operator's AVAX in one minipool. */
const AVAX_STAKED = 1_000n * WAD;

const end = (meaning: string) =>
  model(
    'SpreadEnd',
    z.object({
      apy: z.optional(
        percent(
          'Annual return on all GGP and AVAX put in, valued in AVAX: `apy` of `/rewards/byStake`. Omitted while the AVAX reward is unknown.',
        ),
      ),
      collateralPercent: percent("Value of the operator's GGP as a share of their AVAX."),
      ggpStaked: quantity('GGP', 'GGP needed for that collateral, rounded up.'),
    }),
    'Yield of a node operator at a given collateral.',
  ).check(z.describe(meaning));

const YIELDS = ['min.apy', 'max.apy'] as const;

const response = () =>
  z.object({
    min: end('Operator at the minimum collateral that runs a minipool and earns GGP rewards, currently 10%.'),
    max: end('Operator at the maximum collateral that earns GGP rewards, currently 150%.'),
    avaxStaked: quantity('AVAX', "Operator's own AVAX in both cases."),
    open: minipoolsOpen(),
    paused: minipoolsPaused(),
    ...partialSchema(YIELDS, 'SpreadYield'),
    block: blockRef(),
  });

export const nodeOpSpread = defineEndpoint({
  path: '/nodeOpSpread',
  tag: 'Metrics',
  summary: 'Node operator yield at minimum and maximum collateral',
  description:
    '`/rewards/byStake` for one minipool at the minimum and at the maximum collateral that earns GGP rewards, each for a new operator in addition to the existing ones.',
  freshSeconds: 60,
  reads: ['flags'],
  input: z.object({}),
  response,
  exampleRequest: '/nodeOpSpread',
  async handle(_input, context) {
    const rewardTerms = await readRewardTerms(context);
    const { terms } = rewardTerms;
    const spreadEnd = (ratio: bigint) => {
      // Staking the number in the response must be enough to reach the ratio, so it is rounded up.
      const ggpStaked = roundUp(ggpStakeForRatio(AVAX_STAKED, ratio, terms));
      const { apy } = operatorReward(rewardTerms, { ggpStaked, avaxStaked: AVAX_STAKED });
      // Without the AVAX reward, the figure would be misleading.
      return {
        apy: rewardTerms.validation && roundYield(apy),
        collateralPercent: percentFrom(ratio),
        ggpStaked: toNumber(ggpStaked),
      };
    };
    return {
      min: spreadEnd(rewardsMinimumRatio(terms)),
      max: spreadEnd(terms.maxCollateralizationRatio),
      avaxStaked: toNumber(AVAX_STAKED),
      open: rewardTerms.isOpen,
      paused: rewardTerms.staking.paused.MinipoolManager || undefined,
      ...(!rewardTerms.validation && partialBody(forAll(YIELDS, 'SOURCE_UNAVAILABLE'))),
      block: rewardTerms.staking.block,
    };
  },
});

export const handler = createHandler(nodeOpSpread);
