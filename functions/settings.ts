import * as z from 'zod/mini';
import { distributionPercent } from '../lib/api/bodies/distribution-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { fields } from '../lib/api/fields.ts';
import { avax, bips, block, decimal, flag, percent, seconds } from '../lib/api/units.ts';
import { currentDataset } from '../lib/protocol/current-dataset.ts';
import { claimantPercentages, type Overview } from '../lib/protocol/overview.ts';

/** Fields of the settings. Some of the views are missing in older versions of the contract. */
const SETTINGS = fields<Overview>()({
  rewardsEligibilityMinSeconds: seconds.optional(
    'How long before a rewards cycle a node operator must have registered to be eligible for it.',
    ({ settings }) => settings.rewardsEligibilityMinSeconds,
  ),
  rewardsCycleSeconds: seconds.optional(
    'Minimum length of a GGP rewards cycle.',
    ({ settings }) => settings.rewardsCycleSeconds,
  ),
  inflationIntervalSeconds: seconds.optional(
    'Interval at which the GGP supply is compounded.',
    ({ settings }) => settings.inflationIntervalSeconds,
  ),
  inflationIntervalRate: decimal.optional(
    'Factor by which the GGP supply grows in one interval; 1 means no inflation.',
    ({ settings }) => settings.inflationIntervalRate,
  ),
  distributionPercent: distributionPercent.optional(
    'How newly minted GGP is split between the claiming contracts.',
    claimantPercentages,
  ),
  targetReservePercent: percent.optional(
    'Share of the assets of ggAVAX to keep in reserve for withdrawals.',
    ({ settings }) => settings.targetReserveRate,
  ),
  feePercent: bips.optional(
    'Share of the rewards of ggAVAX that the protocol keeps.',
    ({ settings }) => settings.feeBips,
  ),
  minipoolMinAVAXStakingAmt: avax.optional(
    'Minimum stake of a minipool: the AVAX of its operator and of liquid stakers.',
    ({ limits }) => limits.minipoolMinAVAXStakingAmt,
  ),
  minipoolMinAVAXAssignment: avax.optional(
    "Minimum of liquid stakers' AVAX for a minipool.",
    ({ limits }) => limits.minipoolMinAVAXAssignment,
  ),
  minipoolMaxAVAXAssignment: avax.optional(
    "Maximum of liquid stakers' AVAX for a minipool.",
    ({ limits }) => limits.minipoolMaxAVAXAssignment,
  ),
  minipoolNodeCommissionFeePercent: percent.optional(
    "Commission of a minipool's operator on the rewards of liquid stakers.",
    ({ settings }) => settings.minipoolNodeCommissionFee,
  ),
  minipoolMinDuration: seconds.optional(
    'Minimum validation time of a minipool.',
    ({ limits }) => limits.minipoolMinDuration,
  ),
  minipoolMaxDuration: seconds.optional(
    'Maximum validation time of a minipool.',
    ({ limits }) => limits.minipoolMaxDuration,
  ),
  minipoolCycleDuration: seconds.optional(
    "Length of a minipool's cycle.",
    ({ settings }) => settings.minipoolCycleDuration,
  ),
  minipoolCycleDelayTolerance: seconds.optional(
    "How late a minipool's last cycle may begin and still fit its duration.",
    ({ limits }) => limits.minipoolCycleDelayTolerance,
  ),
  minipoolCancelMoratoriumSeconds: seconds.optional(
    'How long after it was created a minipool cannot be canceled by its operator.',
    ({ limits }) => limits.minipoolCancelMoratoriumSeconds,
  ),
  expectedAVAXRewardsPercent: percent.optional(
    'Yearly reward of a validator, as a share of its stake, that the protocol assumes: a minipool without a reward is slashed by it.',
    ({ settings }) => settings.expectedAVAXRewardsRate,
  ),
  minCollateralPercent: percent.optional(
    "Minimum value of an operator's GGP, as a share of the AVAX assigned to them.",
    ({ settings }) => settings.minCollateralizationRatio,
  ),
  maxCollateralPercent: percent.optional(
    "Value of an operator's GGP, as a share of the AVAX assigned to them, above which GGP earns no rewards.",
    ({ settings }) => settings.maxCollateralizationRatio,
  ),
  withdrawForDelegationEnabled: flag.optional(
    "Whether liquid stakers' AVAX may be delegated to validators outside minipools.",
    ({ limits }) => limits.withdrawForDelegationEnabled,
  ),
  block: block(),
});

export const settings = defineEndpoint({
  path: '/settings',
  tag: 'Service',
  summary: 'Settings of the protocol',
  description:
    "Settings of the protocol's DAO that decide amounts (`ProtocolDAO`), at one block. Settings that the deployed contract does not provide are omitted. The delays of the withdrawal queue are in `/ggAvax`.",
  freshSeconds: 300,
  input: z.object({}),
  response: () => z.object(SETTINGS.shape()),
  exampleRequest: '/settings',
  handle: async (_input, context) => SETTINGS.body(await context.dataset(currentDataset)),
});

export const handler = createHandler(settings);
