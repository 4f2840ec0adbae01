import * as z from 'zod/mini';
import { distributionPercentBody, distributionPercentSchema } from '../lib/api/bodies/distribution-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { blockRef, decimal, flag, percent, seconds, tokens } from '../lib/api/schemas.ts';
import { chainOf } from '../lib/chain/chain.ts';
import { readClaimingContractPct, readLimits, readSettings } from '../lib/contracts/protocol-dao.ts';
import { claimantPercentages } from '../lib/protocol/staking-dataset.ts';
import { ifKnown } from '../lib/runtime/if-known.ts';
import { formatAmount, percentFrom, toNumber } from '../lib/values/amounts.ts';

/** All optional: older versions of the contract lack some of the views. */
const fields = () =>
  z.partial(
    z.object({
      rewardsEligibilityMinSeconds: seconds(
        'How long before a rewards cycle a node operator must have registered to be eligible for it.',
      ),
      rewardsCycleSeconds: seconds('Minimum length of a GGP rewards cycle.'),
      inflationIntervalSeconds: seconds('Interval at which the GGP supply is compounded.'),
      inflationIntervalRate: decimal('Factor by which the GGP supply grows in one interval; 1 means no inflation.'),
      distributionPercent: distributionPercentSchema('How newly minted GGP is split between the claiming contracts.'),
      targetReservePercent: percent('Share of the assets of ggAVAX to keep in reserve for withdrawals.'),
      feePercent: percent('Share of the rewards of ggAVAX that the protocol keeps.'),
      minipoolMinAVAXStakingAmt: tokens(
        'AVAX',
        'Minimum stake of a minipool: the AVAX of its operator and of liquid stakers.',
      ),
      minipoolMinAVAXAssignment: tokens('AVAX', "Minimum of liquid stakers' AVAX for a minipool."),
      minipoolMaxAVAXAssignment: tokens('AVAX', "Maximum of liquid stakers' AVAX for a minipool."),
      minipoolNodeCommissionFeePercent: percent(
        "Commission of a minipool's operator on the rewards of liquid stakers.",
      ),
      minipoolMinDuration: seconds('Minimum validation time of a minipool.'),
      minipoolMaxDuration: seconds('Maximum validation time of a minipool.'),
      minipoolCycleDuration: seconds("Length of a minipool's cycle."),
      minipoolCycleDelayTolerance: seconds("How late a minipool's last cycle may begin and still fit its duration."),
      minipoolCancelMoratoriumSeconds: seconds(
        'How long after it was created a minipool cannot be canceled by its operator.',
      ),
      expectedAVAXRewardsPercent: percent(
        'Yearly reward of a validator, as a share of its stake, that the protocol assumes: a minipool without a reward is slashed by it.',
      ),
      minCollateralPercent: percent("Minimum value of an operator's GGP, as a share of the AVAX assigned to them."),
      maxCollateralPercent: percent(
        "Value of an operator's GGP, as a share of the AVAX assigned to them, above which GGP earns no rewards.",
      ),
      withdrawForDelegationEnabled: flag(
        "Whether liquid stakers' AVAX may be delegated to validators outside minipools.",
      ),
    }),
  );

export const settings = defineEndpoint({
  path: '/settings',
  tag: 'Service',
  summary: 'Settings of the protocol',
  description:
    "Settings of the protocol's DAO that decide amounts (`ProtocolDAO`), at one block. Settings that the deployed contract does not provide are omitted. The delays of the withdrawal queue are in `/ggAvax`.",
  freshSeconds: 300,
  inTable: true,
  input: z.object({}),
  response: () => z.extend(fields(), { block: blockRef() }),
  exampleRequest: '/settings',
  example: {
    rewardsEligibilityMinSeconds: 1_296_000,
    rewardsCycleSeconds: 2_592_000,
    inflationIntervalSeconds: 86_400,
    inflationIntervalRate: '1.0001336806171135',
    distributionPercent: { ClaimNodeOp: 70, ClaimProtocolDAO: 20, MultisigManager: 10 },
    targetReservePercent: 0.658455,
    feePercent: 10,
    minipoolMinAVAXStakingAmt: '2000',
    minipoolMinAVAXAssignment: '1000',
    minipoolMaxAVAXAssignment: '1000',
    minipoolNodeCommissionFeePercent: 0,
    minipoolMinDuration: 1_296_000,
    minipoolMaxDuration: 31_536_000,
    minipoolCycleDuration: 1_296_000,
    minipoolCycleDelayTolerance: 86_400,
    minipoolCancelMoratoriumSeconds: 432_000,
    expectedAVAXRewardsPercent: 10,
    minCollateralPercent: 10,
    maxCollateralPercent: 150,
    withdrawForDelegationEnabled: true,
    block: { number: 95_044_397, timestamp: 1_789_158_328 },
  },
  async handle(_input, context) {
    const state = await chainOf(context).latest();
    const [known, limits, claimingContractPct, block] = await Promise.all([
      readSettings(state),
      readLimits(state),
      readClaimingContractPct(state),
      state.block(),
    ]);
    return {
      rewardsEligibilityMinSeconds: ifKnown(Number, known.getRewardsEligibilityMinSeconds),
      rewardsCycleSeconds: ifKnown(Number, known.getRewardsCycleSeconds),
      inflationIntervalSeconds: ifKnown(Number, known.getInflationIntervalSeconds),
      inflationIntervalRate: ifKnown(formatAmount, known.getInflationIntervalRate),
      distributionPercent: ifKnown(distributionPercentBody, claimantPercentages({ claimingContractPct })),
      targetReservePercent: ifKnown(percentFrom, known.getTargetGGAVAXReserveRate),
      feePercent: ifKnown(toNumber, known.getFeeBips, 2),
      minipoolMinAVAXStakingAmt: ifKnown(formatAmount, limits.getMinipoolMinAVAXStakingAmt),
      minipoolMinAVAXAssignment: ifKnown(formatAmount, limits.getMinipoolMinAVAXAssignment),
      minipoolMaxAVAXAssignment: ifKnown(formatAmount, limits.getMinipoolMaxAVAXAssignment),
      minipoolNodeCommissionFeePercent: ifKnown(percentFrom, known.getMinipoolNodeCommissionFeePct),
      minipoolMinDuration: ifKnown(Number, limits.getMinipoolMinDuration),
      minipoolMaxDuration: ifKnown(Number, limits.getMinipoolMaxDuration),
      minipoolCycleDuration: ifKnown(Number, known.getMinipoolCycleDuration),
      minipoolCycleDelayTolerance: ifKnown(Number, limits.getMinipoolCycleDelayTolerance),
      minipoolCancelMoratoriumSeconds: ifKnown(Number, limits.getMinipoolCancelMoratoriumSeconds),
      expectedAVAXRewardsPercent: ifKnown(percentFrom, known.getExpectedAVAXRewardsRate),
      minCollateralPercent: ifKnown(percentFrom, known.getMinCollateralizationRatio),
      maxCollateralPercent: ifKnown(percentFrom, known.getMaxCollateralizationRatio),
      withdrawForDelegationEnabled: limits.getWithdrawForDelegationEnabled,
      block,
    };
  },
});

export const handler = createHandler(settings);
