import { minipoolCreation } from '../lib/api/bodies/minipool-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { json, object, partialObject } from '../lib/api/fields.ts';
import { avaxNumber, block, ggpNumber, percent, percentNumber } from '../lib/api/units.ts';
import { operatorReward, type RewardTerms, readRewardTerms } from '../lib/protocol/operator-reward.ts';
import { ggpStakeForRatio, rewardsMinimumRatio } from '../lib/rewards/collateral.ts';
import { roundUp, roundYield } from '../lib/values/amounts.ts';
import { WAD } from '../lib/values/wad.ts';

/** The operator's AVAX wei in one minipool. */
const AVAX_STAKED = 1_000n * WAD;

interface Collateral {
  terms: RewardTerms;
  /** Collateralization ratio, 1e18 = 100 %. */
  ratio: bigint;
}

/** GGP that reaches the ratio. Rounded up, so that staking the number in the response is enough. */
const stakeFor = ({ terms, ratio }: Collateral) => roundUp(ggpStakeForRatio(AVAX_STAKED, ratio, terms.terms));

const endWith = object<Collateral>('SpreadEnd', 'Yield of a node operator at some collateral.');
const end = endWith({
  apy: percentNumber.optional(
    '`apy` of `/rewards/byStake`. Omitted while the AVAX reward is unknown.',
    (source) =>
      // Without the AVAX reward, the figure would be misleading.
      source.terms.validation &&
      roundYield(operatorReward(source.terms, { ggpStaked: stakeFor(source), avaxStaked: AVAX_STAKED }).apy),
    ({ terms }) => (terms.validation ? undefined : 'SOURCE_UNAVAILABLE'),
  ),
  collateralPercent: percent("Value of the operator's GGP as a share of their AVAX.", ({ ratio }) => ratio),
  ggpStaked: ggpNumber('GGP for that collateral, rounded up.', stakeFor),
});

type Ratio = (terms: RewardTerms['terms']) => bigint;
const at =
  (ratioOf: Ratio) =>
  (terms: RewardTerms): Collateral => ({ terms, ratio: ratioOf(terms.terms) });

const SPREAD = partialObject<RewardTerms>('SpreadYield')({
  min: end('Minimum collateral that runs a minipool and earns GGP rewards, currently 10%.', at(rewardsMinimumRatio)),
  max: end(
    'Maximum that earns GGP rewards, currently 150%.',
    at((terms) => terms.maxCollateralizationRatio),
  ),
  avaxStaked: avaxNumber("Operator's own AVAX in both cases.", () => AVAX_STAKED),
  ...minipoolCreation,
  block: json(block().schema, ({ protocol }) => protocol.block),
});

export const nodeOpSpread = defineEndpoint({
  path: '/nodeOpSpread',
  tag: 'Metrics',
  summary: 'Node operator yield at minimum and maximum collateral',
  description: '`/rewards/byStake` for one minipool of a new operator, at the minimum and the maximum collateral.',
  freshSeconds: 60,
  reads: ['flags'],
  body: SPREAD,
  exampleRequest: '/nodeOpSpread',
  handle: (_input, context) => readRewardTerms(context),
});

export const handler = /* @__PURE__ */ createHandler(nodeOpSpread);
