/** Figures of rewards in GGP, and of the settings that decide them. */

import type { ChainAt } from './chain.ts';
import { type Figure, type Figures, figures, integer, type Json, named, number, tokens, WAD } from './figure.ts';
import { isMeasurable } from './operators.ts';

const CLAIMANTS = ['ClaimNodeOp', 'ClaimProtocolDAO', 'MultisigManager'];

/** The cycle for which rewards are estimated; left out while something that it needs is unknown. */
async function nextCycle({ cycle }: Json, { read }: ChainAt): Promise<Figure[]> {
  if (!cycle) return [];
  const count: bigint | undefined = await read('RewardsPool', 'getRewardsCycleCount');
  return figures('cycle.', cycle, {
    number: count === undefined ? undefined : Number(count) + 1,
    seconds: integer(await read('ProtocolDAO', 'getRewardsCycleSeconds')),
  });
}

export const rewardsAddress: Figures = async (body, chain) => {
  const { read } = chain;
  const record = await read('Staking', 'getStaker', await read('Staking', 'getIndexOf', body.address));
  const compared = figures('', body, {
    ...named(record, tokens, 'ggpRewards'),
    ...named(record, Number, 'lastRewardsCycleCompleted', 'rewardsStartTime', 'ggpLockedUntil'),
    restakingPaused: (await read('ProtocolDAO', 'getContractPaused', 'Staking')) || undefined,
    effectiveGGPStaked: (await isMeasurable(chain))
      ? tokens(await read('Staking', 'getEffectiveGGPStaked', body.address))
      : undefined,
  });
  return [...compared, ...(await nextCycle(body, chain))];
};

export const rewardsCycle: Figures = async (body, { read }) => {
  const total = await read('RewardsPool', 'getRewardsCycleTotalAmt');
  const count: bigint | undefined = await read('RewardsPool', 'getRewardsCycleCount');
  const parts = await partsOf(read);
  const part = (fraction: bigint | undefined) =>
    total === undefined || fraction === undefined ? undefined : tokens((total * fraction) / WAD);
  return [
    ...figures('', body, {
      number: integer(count),
      startTime: integer(await read('RewardsPool', 'getRewardsCycleStartTime')),
      seconds: integer(await read('ProtocolDAO', 'getRewardsCycleSeconds')),
      totalAmt: tokens(total),
      ggpTotalSupply: tokens(await read('TokenGGP', 'totalSupply')),
    }),
    ...(body.next && count !== undefined ? figures('next.', body.next, { number: Number(count) + 1 }) : []),
    ...figures('distribution.', body.distribution, named(parts, part, ...CLAIMANTS)),
    ...figures('distributionPercent.', body.distributionPercent, named(parts, percent, ...CLAIMANTS)),
  ];
};

/** The fraction of a cycle's GGP that each claimant gets. */
async function partsOf(read: ChainAt['read']): Promise<Record<string, bigint | undefined>> {
  const parts = CLAIMANTS.map(async (name) => [name, await read('ProtocolDAO', 'getClaimingContractPct', name)]);
  return Object.fromEntries(await Promise.all(parts));
}

/** A fraction (1e18 = 100 %) as a percentage. */
function percent(fraction: bigint | undefined): number | undefined {
  return number(fraction, 16);
}

export const settings: Figures = async (body, { read }) => {
  const dao = (view: string, ...args: unknown[]) => read('ProtocolDAO', view, ...args);
  return [
    ...figures('', body, {
      rewardsEligibilityMinSeconds: integer(await dao('getRewardsEligibilityMinSeconds')),
      rewardsCycleSeconds: integer(await dao('getRewardsCycleSeconds')),
      inflationIntervalSeconds: integer(await dao('getInflationIntervalSeconds')),
      inflationIntervalRate: tokens(await dao('getInflationIntervalRate')),
      targetReservePercent: number(await dao('getTargetGGAVAXReserveRate'), 16),
      feePercent: number(await dao('getFeeBips'), 2),
      minipoolMinAVAXStakingAmt: tokens(await dao('getMinipoolMinAVAXStakingAmt')),
      minipoolMinAVAXAssignment: tokens(await dao('getMinipoolMinAVAXAssignment')),
      minipoolMaxAVAXAssignment: tokens(await dao('getMinipoolMaxAVAXAssignment')),
      minipoolNodeCommissionFeePercent: number(await dao('getMinipoolNodeCommissionFeePct'), 16),
      minipoolMinDuration: integer(await dao('getMinipoolMinDuration')),
      minipoolMaxDuration: integer(await dao('getMinipoolMaxDuration')),
      minipoolCycleDuration: integer(await dao('getMinipoolCycleDuration')),
      minipoolCycleDelayTolerance: integer(await dao('getMinipoolCycleDelayTolerance')),
      minipoolCancelMoratoriumSeconds: integer(await dao('getMinipoolCancelMoratoriumSeconds')),
      expectedAVAXRewardsPercent: number(await dao('getExpectedAVAXRewardsRate'), 16),
      minCollateralPercent: number(await dao('getMinCollateralizationRatio'), 16),
      maxCollateralPercent: number(await dao('getMaxCollateralizationRatio'), 16),
      withdrawForDelegationEnabled: await dao('getWithdrawForDelegationEnabled'),
    }),
    ...figures('distributionPercent.', body.distributionPercent, named(await partsOf(read), percent, ...CLAIMANTS)),
  ];
};

export const byStake: Figures = async (body, chain) => [
  ...figures('', body, {
    ggpPriceInAVAX: tokens((await chain.read('Oracle', 'getGGPPriceInAVAX'))?.price),
    minCollateralPercent: number(await chain.read('ProtocolDAO', 'getMinCollateralizationRatio'), 16),
    maxCollateralPercent: number(await chain.read('ProtocolDAO', 'getMaxCollateralizationRatio'), 16),
  }),
  ...(await nextCycle(body, chain)),
];
