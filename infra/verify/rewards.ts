/** GGP of rewards cycles: the last one, and what a staker was paid. */

import { type Claimant, splitByClaimant } from '../../lib/rewards/inflation.ts';
import { type Expected, firstItems, type Json, named, number, tokens } from './figure.ts';
import { stakerAt } from './operators.ts';

const CLAIMANTS: readonly Claimant[] = ['ClaimNodeOp', 'ClaimProtocolDAO', 'MultisigManager'];

export const rewardsCycle: Expected = async (_body, { read }) => {
  const total: bigint | undefined = await read('RewardsPool', 'getRewardsCycleTotalAmt');
  const shares = CLAIMANTS.map(async (name) => [name, await read('ProtocolDAO', 'getClaimingContractPct', name)]);
  const parts = Object.fromEntries(await Promise.all(shares));
  const isKnown = total !== undefined && parts.ClaimNodeOp !== undefined;
  return {
    number: number(await read('RewardsPool', 'getRewardsCycleCount'), 0),
    startTime: number(await read('RewardsPool', 'getRewardsCycleStartTime'), 0),
    seconds: number(await read('ProtocolDAO', 'getRewardsCycleSeconds'), 0),
    totalAmt: tokens(total),
    ggpTotalSupply: tokens(await read('TokenGGP', 'totalSupply')),
    ggpMaxSupply: tokens(await read('TokenGGP', 'MAX_SUPPLY')),
    distribution: isKnown ? named(splitByClaimant(total, parts), tokens, ...CLAIMANTS) : {},
    distributionPercent: named(parts, (part) => number(part, 16), ...CLAIMANTS),
  };
};

/** The amount that each cycle paid a staker, found within an hour before the time that the answer names. */
export const stakerCycles: Expected = async ({ address, cycles }, _chain, source) => ({
  cycles: await firstItems(cycles, async ({ paidTime, ggp, number }: Json) => {
    const last = await source.lastBlockBy(paidTime);
    const first = Math.min((await source.lastBlockBy(paidTime - 1)) + 1, last);
    const before = Math.min(await source.lastBlockBy(paidTime - 3_600), first - 1);
    const start = await stakerAt(source.at(before), address);
    // The payment is in one of the blocks of that second.
    const ends = Array.from({ length: last - first + 1 }, async (_, index) => {
      const end = source.at(first + index);
      const { ggpRewards } = await stakerAt(end, address);
      // All that was claimed before, within that hour, is not part of the growth.
      const amounts = [ggpRewards - (start?.ggpRewards ?? 0n), ggpRewards].map((wei) => tokens(wei));
      const cycle = Number(await end.read('RewardsPool', 'getRewardsCycleCount'));
      return { number: cycle, ggp: amounts.includes(ggp) ? ggp : amounts[0] };
    });
    const all = await Promise.all(ends);
    return all.find((end) => end.ggp === ggp && end.number === number) ?? all.at(-1);
  }),
});
