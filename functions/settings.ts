import * as z from 'zod/mini';
import { distributionPercent } from '../lib/api/bodies/distribution-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { fields } from '../lib/api/fields.ts';
import { avax, bips, block, decimal, flag, percent, seconds } from '../lib/api/units.ts';
import { claimantPercentages, currentDataset, type Overview } from '../lib/protocol/overview.ts';

/** Fields of the settings. Some of the views are missing in older versions of the contract. */
const SETTINGS = fields<Overview>()({
  rewardsEligibilityMinSeconds: seconds.optional(
    'Minimum registration of a node operator before an eligible cycle.',
    ({ settings }) => settings.rewardsEligibilityMinSeconds,
  ),
  rewardsCycleSeconds: seconds.optional(
    'Minimum length of a GGP rewards cycle.',
    ({ settings }) => settings.rewardsCycleSeconds,
  ),
  inflationIntervalSeconds: seconds.optional(
    'Interval of compounding the GGP supply.',
    ({ settings }) => settings.inflationIntervalSeconds,
  ),
  inflationIntervalRate: decimal.optional(
    'Growth factor of the GGP supply per interval; 1 is no inflation.',
    ({ settings }) => settings.inflationIntervalRate,
  ),
  distributionPercent: distributionPercent.optional(
    'Split of minted GGP between the claiming contracts.',
    claimantPercentages,
  ),
  targetReservePercent: percent.optional(
    "Share of ggAVAX's assets to reserve for withdrawals.",
    ({ settings }) => settings.targetReserveRate,
  ),
  feePercent: bips.optional("Protocol's share of ggAVAX's rewards.", ({ settings }) => settings.feeBips),
  minipoolMinAVAXStakingAmt: avax.optional(
    'Minimum stake of a minipool, by operator and liquid stakers together.',
    ({ limits }) => limits.minipoolMinAVAXStakingAmt,
  ),
  minipoolMinAVAXAssignment: avax.optional(
    'Minimum AVAX of liquid stakers per minipool.',
    ({ limits }) => limits.minipoolMinAVAXAssignment,
  ),
  minipoolMaxAVAXAssignment: avax.optional(
    'Maximum AVAX of liquid stakers per minipool.',
    ({ limits }) => limits.minipoolMaxAVAXAssignment,
  ),
  minipoolNodeCommissionFeePercent: percent.optional(
    "Operator's commission on liquid stakers' rewards.",
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
    'Maximum delay with which a last cycle still fits the duration of a minipool.',
    ({ limits }) => limits.minipoolCycleDelayTolerance,
  ),
  minipoolCancelMoratoriumSeconds: seconds.optional(
    'Time after creation before an operator can cancel a minipool.',
    ({ limits }) => limits.minipoolCancelMoratoriumSeconds,
  ),
  expectedAVAXRewardsPercent: percent.optional(
    'Assumed yearly reward of a validator as a share of its stake, which determines slashing.',
    ({ settings }) => settings.expectedAVAXRewardsRate,
  ),
  minCollateralPercent: percent.optional(
    "Minimum value of an operator's GGP as a share of the assigned AVAX.",
    ({ settings }) => settings.minCollateralizationRatio,
  ),
  maxCollateralPercent: percent.optional(
    "Value of an operator's GGP as a share of the assigned AVAX, above which GGP earns no rewards.",
    ({ settings }) => settings.maxCollateralizationRatio,
  ),
  withdrawForDelegationEnabled: flag.optional(
    "`true` if liquid stakers' AVAX may be delegated outside minipools.",
    ({ limits }) => limits.withdrawForDelegationEnabled,
  ),
  block: block(),
});

export const settings = defineEndpoint({
  path: '/settings',
  tag: 'Service',
  summary: 'Settings of the protocol',
  description:
    'Settings of `ProtocolDAO` that determine amounts. Settings that the deployed version lacks are omitted. The delays of the withdrawal queue are in `/ggAvax`.',
  freshSeconds: 300,
  input: z.object({}),
  response: () => z.object(SETTINGS.shape()),
  exampleRequest: '/settings',
  handle: async (_input, context) => SETTINGS.body(await context.dataset(currentDataset)),
});

export const handler = /* @__PURE__ */ createHandler(settings);
