import { distributionPercent } from '../lib/api/bodies/rewards-cycle-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { object } from '../lib/api/fields.ts';
import { avax, bips, block, decimal, flag, percent, seconds } from '../lib/api/units.ts';
import { claimantPercentages, currentDataset, type Overview } from '../lib/protocol/protocol.ts';

type Settings = Overview['settings'] & Pick<Overview, 'block' | 'claimingContractPct'>;

/** Older versions of the contract lack some of the views. */
const SETTINGS = object<Settings>()({
  rewardsEligibilityMinSeconds: seconds.optional('Minimum registration of a node operator before an eligible cycle.'),
  rewardsCycleSeconds: seconds.optional('Minimum length of a GGP rewards cycle.'),
  inflationIntervalSeconds: seconds.optional('Interval of compounding the GGP supply.'),
  inflationIntervalRate: decimal.optional('Growth factor of the GGP supply per interval; 1 is no inflation.'),
  distributionPercent: distributionPercent.optional('Split between the claiming contracts.', claimantPercentages),
  targetReservePercent: percent.optional("Share of ggAVAX's assets to reserve.", (own) => own.targetGGAVAXReserveRate),
  feePercent: bips.optional("Protocol's share of ggAVAX's rewards.", ({ feeBips }) => feeBips),
  minipoolMinAVAXStakingAmt: avax.optional('Minimum stake of a minipool, by operator and liquid stakers together.'),
  minipoolMinAVAXAssignment: avax.optional('Minimum AVAX of liquid stakers per minipool.'),
  minipoolMaxAVAXAssignment: avax.optional('Maximum AVAX of liquid stakers per minipool.'),
  minipoolNodeCommissionFeePercent: percent.optional(
    "Operator's commission on liquid stakers' rewards.",
    ({ minipoolNodeCommissionFeePct }) => minipoolNodeCommissionFeePct,
  ),
  minipoolMinDuration: seconds.optional('Minimum validation time of a minipool.'),
  minipoolMaxDuration: seconds.optional('Maximum validation time of a minipool.'),
  minipoolCycleDuration: seconds.optional("Length of a minipool's cycle."),
  minipoolCycleDelayTolerance: seconds.optional('Maximum delay with which a last cycle still fits the duration.'),
  minipoolCancelMoratoriumSeconds: seconds.optional('Time after creation before an operator can cancel a minipool.'),
  expectedAVAXRewardsPercent: percent.optional(
    'Assumed yearly reward of a validator as a share of its stake, which determines slashing.',
    ({ expectedAVAXRewardsRate }) => expectedAVAXRewardsRate,
  ),
  minCollateralPercent: percent.optional(
    "Minimum value of an operator's GGP as a share of the assigned AVAX.",
    ({ minCollateralizationRatio }) => minCollateralizationRatio,
  ),
  maxCollateralPercent: percent.optional(
    "Value of an operator's GGP as a share of the assigned AVAX, above which GGP earns no rewards.",
    ({ maxCollateralizationRatio }) => maxCollateralizationRatio,
  ),
  withdrawForDelegationEnabled: flag.optional("`true` if liquid stakers' AVAX may be delegated outside minipools."),
  block: block(),
});

export const settings = defineEndpoint({
  path: '/settings',
  tag: 'Service',
  summary: 'Settings of the protocol',
  description:
    'Settings of `ProtocolDAO` that determine amounts. Settings that the deployed version lacks are omitted. The delays of the withdrawal queue are in `/ggAvax`.',
  freshSeconds: 300,
  body: SETTINGS,
  exampleRequest: '/settings',
  async handle(_input, context) {
    const { settings, claimingContractPct, block } = await context.dataset(currentDataset);
    return { ...settings, claimingContractPct, block };
  },
});

export const handler = /* @__PURE__ */ createHandler(settings);
