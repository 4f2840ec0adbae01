/** GGP of rewards cycles: the last one, the next one, and what a staker was paid. */

import {
  type Claimant,
  type NextRewardsCycle,
  nextRewardsCycle,
  splitByClaimant,
} from '../../lib/rewards/inflation.ts';
import type { ChainAt } from './chain.ts';
import { each, type Figures, figures, integer, type Json, named, number, tokens } from './figure.ts';
import { stakerAt } from './operators.ts';

/** The contracts that get GGP of each rewards cycle. */
const CLAIMANTS: readonly Claimant[] = ['ClaimNodeOp', 'ClaimProtocolDAO', 'MultisigManager'];
/** Precision of the time at which a distribution paid a staker, in seconds. */
const HOUR = 3_600;

type Parts = Record<Claimant, bigint>;

const byClaimant = <Form>(parts: Json, form: (value: bigint) => Form) => named(parts, form, ...CLAIMANTS);

/** The next cycle if it starts at its earliest time from `now` on. Undefined if the contract could not start it. */
async function nextCycleAt({ read }: ChainAt, now: number, parts: Parts): Promise<NextRewardsCycle | undefined> {
  const seconds = async (contract: 'RewardsPool' | 'ProtocolDAO', view: string) => Number(await read(contract, view));
  const inflation = {
    rewardsCycleStartTime: await seconds('RewardsPool', 'getRewardsCycleStartTime'),
    rewardsCycleSeconds: await seconds('ProtocolDAO', 'getRewardsCycleSeconds'),
    inflationIntervalStartTime: await seconds('RewardsPool', 'getInflationIntervalStartTime'),
    inflationIntervalSeconds: await seconds('ProtocolDAO', 'getInflationIntervalSeconds'),
    inflationIntervalRate: await read('ProtocolDAO', 'getInflationIntervalRate'),
    totalSupply: await read('TokenGGP', 'totalSupply'),
  };
  try {
    return nextRewardsCycle(inflation, now, parts);
  } catch {
    return undefined;
  }
}

export const rewardsCycle: Figures = async (body, chain) => {
  const { read } = chain;
  const count: bigint | undefined = await read('RewardsPool', 'getRewardsCycleCount');
  const total: bigint | undefined = await read('RewardsPool', 'getRewardsCycleTotalAmt');
  const shares = CLAIMANTS.map(async (name) => [name, await read('ProtocolDAO', 'getClaimingContractPct', name)]);
  const parts = Object.fromEntries(await Promise.all(shares));
  const next = body.next && (await nextCycleAt(chain, body.block.timestamp, parts));
  const paid = total !== undefined && parts.ClaimNodeOp !== undefined && splitByClaimant(total, parts);
  return [
    ...figures('', body, {
      number: integer(count),
      startTime: integer(await read('RewardsPool', 'getRewardsCycleStartTime')),
      seconds: integer(await read('ProtocolDAO', 'getRewardsCycleSeconds')),
      totalAmt: tokens(total),
      ggpTotalSupply: tokens(await read('TokenGGP', 'totalSupply')),
      ggpMaxSupply: tokens(await read('TokenGGP', 'MAX_SUPPLY')),
    }),
    ...figures('distribution.', body.distribution, paid ? byClaimant(paid, tokens) : {}),
    ...figures(
      'distributionPercent.',
      body.distributionPercent,
      byClaimant(parts, (part) => number(part, 16)),
    ),
    ...(body.next
      ? [
          ...figures('next.', body.next, {
            number: Number(count) + 1,
            startsAt: next?.startsAt,
            overdueSeconds: next?.overdueSeconds || undefined,
            totalAmt: tokens(next?.newTokens),
          }),
          ...figures('next.distribution.', body.next.distribution, byClaimant(next?.distribution ?? {}, tokens)),
        ]
      : []),
  ];
};

/** What each cycle paid a staker, found within an hour before the time that the answer names. */
export const stakerCycles: Figures = async ({ address, cycles }, _chain, source) =>
  each('cycles', cycles, async (cycle: Json, at) => {
    const paid = await source.lastBlockBy(cycle.paidTime);
    const before = Math.min(await source.lastBlockBy(cycle.paidTime - HOUR), paid - 1);
    const [start, end] = await Promise.all([before, paid].map((block) => stakerAt(source.at(block), address)));
    const { read } = source.at(paid);
    // All that was claimed before, within that hour, is not part of the growth.
    const amounts = [end.ggpRewards - (start?.ggpRewards ?? 0n), end.ggpRewards].map((wei) => tokens(wei));
    return figures(at, cycle, {
      number: Number(await read('RewardsPool', 'getRewardsCycleCount')),
      startTime: Number(await read('RewardsPool', 'getRewardsCycleStartTime')),
      paidTime: await source.timeOf(paid),
      ggp: amounts.includes(cycle.ggp) ? cycle.ggp : amounts[0],
    });
  });
