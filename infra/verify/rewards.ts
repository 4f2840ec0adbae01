/** Figures of rewards in GGP, and of the settings that decide them. */

import type { ChainAt } from './chain.ts';
import { each, type Figure, type Figures, figures, integer, type Json, named, number, tokens, WAD } from './figure.ts';
import { lastBlockFigure } from './history.ts';
import { CLAIMANTS, type NextCycle, nextCycleAt, partsAt } from './next-cycle.ts';

/** The distribution for which rewards are estimated; left out while something that it needs is unknown. */
export function distributionFigures({ cycle }: Json, next: NextCycle | undefined): Figure[] {
  if (!cycle) return [];
  return figures('cycle.', cycle, {
    number: next?.number,
    seconds: next?.seconds,
    startsAt: next?.startsAt,
    overdueSeconds: next?.overdueSeconds || undefined,
    nodeOpPool: tokens(next?.parts.ClaimNodeOp),
  });
}

/** GGP wei of the newest cycle at a block, in total and by claimant. */
export async function distributionAt(chain: ChainAt) {
  const total: bigint | undefined = await chain.read('RewardsPool', 'getRewardsCycleTotalAmt');
  const part = (fraction: bigint | undefined) =>
    total === undefined || fraction === undefined ? undefined : (total * fraction) / WAD;
  return { total, parts: named(await partsAt(chain), part, ...CLAIMANTS) };
}

export const rewardsCycle: Figures = async (body, chain) => {
  const { read } = chain;
  const { total, parts } = await distributionAt(chain);
  const next = await nextCycleAt(chain, body.block.timestamp);
  return [
    ...figures('', body, {
      number: integer(await read('RewardsPool', 'getRewardsCycleCount')),
      startTime: integer(await read('RewardsPool', 'getRewardsCycleStartTime')),
      seconds: integer(await read('ProtocolDAO', 'getRewardsCycleSeconds')),
      totalAmt: tokens(total),
      ggpTotalSupply: tokens(await read('TokenGGP', 'totalSupply')),
      ggpMaxSupply: tokens(await read('TokenGGP', 'MAX_SUPPLY')),
    }),
    ...(body.next
      ? figures('next.', body.next, {
          number: next?.number,
          startsAt: next?.startsAt,
          overdueSeconds: next?.overdueSeconds || undefined,
          totalAmt: tokens(next?.minted),
        })
      : []),
    ...(body.next
      ? figures('next.distribution.', body.next.distribution, named(next?.parts ?? {}, tokens, ...CLAIMANTS))
      : []),
    ...figures('distribution.', body.distribution, named(parts, tokens, ...CLAIMANTS)),
    ...figures('distributionPercent.', body.distributionPercent, named(await partsAt(chain), percent, ...CLAIMANTS)),
  ];
};

/** Each cycle, by the state of the block in which it started. */
export const rewardsCycles: Figures = async ({ cycles, nextCursor, coverage }, _chain, source) => {
  const count = async (block: number) => integer(await source.at(block).read('RewardsPool', 'getRewardsCycleCount'));
  const isWhole = coverage.complete && nextCursor === undefined && cycles.length > 0;
  const newest = isWhole ? await count(coverage.toBlock) : undefined;
  return [
    ...(newest === undefined ? [] : figures('', { newest: cycles[0].number }, { newest })),
    ...(await each('cycles', cycles, async (cycle: Json, at) => {
      const chain = source.at(cycle.blockNumber);
      const { total, parts } = await distributionAt(chain);
      return [
        await lastBlockFigure(at, { ...cycle, timestamp: cycle.startTime }, source),
        ...figures(at, cycle, {
          number: await count(cycle.blockNumber),
          startTime: integer(await chain.read('RewardsPool', 'getRewardsCycleStartTime')),
          totalAmt: tokens(total),
        }),
        ...figures(`${at}distribution.`, cycle.distribution, named(parts, tokens, ...CLAIMANTS)),
      ];
    })),
  ];
};

/** A fraction (1e18 = 100 %) as a percentage. */
function percent(fraction: bigint | undefined): number | undefined {
  return number(fraction, 16);
}

export const settings: Figures = async (body, chain) => {
  const { read } = chain;
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
    ...figures('distributionPercent.', body.distributionPercent, named(await partsAt(chain), percent, ...CLAIMANTS)),
  ];
};
