/** Rewards in GGP of one staker: the estimate for the next distribution, past distributions, and claims. */

import { parseUnits } from 'ethers';
import type { ChainAt, ChainSource } from './chain.ts';
import { each, type Figure, type Figures, figures, type Json, named, number, tokens, WAD } from './figure.ts';
import { nextCycleAt } from './next-cycle.ts';
import { effectiveStake, eligibleBy, isMeasurable, stakerAt, stakersAt } from './operators.ts';
import { over, pricesAt, times } from './prices.ts';
import { distributionFigures } from './rewards.ts';

const YEAR = 31_536_000n;
const DAY = 86_400;
/** Precision of the time at which a distribution paid a staker. */
const HOUR = 3_600;

/** Returns a staker's estimates. Values that all stakers share are computed once. */
export async function estimator(chain: ChainAt, now: number): Promise<(staker: Json) => Promise<Json>> {
  const { read } = chain;
  const next = await nextCycleAt(chain, now);
  if (!next || !(await isMeasurable(chain))) return async () => ({});
  const takesPart = await eligibleBy(chain, next.startsAt);
  const isEligible = await eligibleBy(chain, now);
  const total = await effectiveStake(chain, next.startsAt);
  const pool = await undistributed(chain);
  const totalNow = pool === undefined ? 0n : await effectiveStake(chain, now);
  return async (staker) => {
    const effective: bigint = await read('Staking', 'getEffectiveGGPStaked', staker.stakerAddr);
    const share = takesPart(staker) && effective > 0n ? (effective * WAD) / total : 0n;
    const reward = (share * (next.parts.ClaimNodeOp as bigint)) / WAD;
    const shareNow = effective > 0n && totalNow > 0n ? (effective * WAD) / totalNow : 0n;
    return {
      share,
      reward,
      undistributed: pool !== undefined && isEligible(staker) ? (shareNow * pool) / WAD : undefined,
      yearly: next.paysForSeconds > 0 ? (reward * YEAR) / BigInt(next.paysForSeconds) : undefined,
    };
  };
}

/** GGP wei of the current cycle for node operators, while none of them has been paid. */
async function undistributed(chain: ChainAt): Promise<bigint | undefined> {
  const count: bigint | undefined = await chain.read('RewardsPool', 'getRewardsCycleCount');
  const isPaid = (await stakersAt(chain)).some(({ lastRewardsCycleCompleted }) => lastRewardsCycleCompleted === count);
  return count && !isPaid ? chain.read('ClaimNodeOp', 'getRewardsCycleTotal') : undefined;
}

export const rewardsAddress: Figures = async (body, chain, source) => {
  const { read } = chain;
  const { timestamp } = body.block;
  const record = await stakerAt(chain, body.address);
  const { share, reward, undistributed, yearly } = await (await estimator(chain, timestamp))(record);
  const wait: bigint | undefined = await read('ProtocolDAO', 'getRewardsEligibilityMinSeconds');
  const canBeEligible = record.rewardsStartTime > 0n && record.avaxValidatingHighWater > 0n && wait !== undefined;
  const { claims, claimedTotal } = body;
  return [
    ...figures('', body, {
      ...named(record, tokens, 'ggpRewards'),
      ...named(record, Number, 'lastRewardsCycleCompleted', 'rewardsStartTime', 'ggpLockedUntil'),
      restakingPaused: (await read('ProtocolDAO', 'getContractPaused', 'Staking')) || undefined,
      effectiveGGPStaked: (await isMeasurable(chain))
        ? tokens(await read('Staking', 'getEffectiveGGPStaked', body.address))
        : undefined,
      eligibleAt: canBeEligible ? Number(record.rewardsStartTime + wait) : undefined,
      sharePercent: number(share, 16),
      estimatedGGPReward: tokens(reward),
      undistributedGGPReward: tokens(undistributed),
      aprPercent: record.ggpStaked > 0n ? number(over(yearly, record.ggpStaked), 16) : undefined,
    }),
    ...distributionFigures(body, await nextCycleAt(chain, timestamp)),
    ...(await each('claims', claims ?? [], (claim: Json, at) => claimFigures(at, claim, body.address, source))),
    ...(claimedTotal === undefined ? [] : figures('', body, { claimedTotal: tokens(sumOf(claims)) })),
  ];
};

const sumOf = (claims: readonly Json[]): bigint =>
  claims.reduce((sum, { amount, restaked }) => sum + parseUnits(amount) + parseUnits(restaked), 0n);

/** A claim, by the staker's record before and after its block. */
async function claimFigures(at: string, claim: Json, address: string, source: ChainSource): Promise<Figure[]> {
  const [before, after] = await Promise.all(
    [claim.blockNumber - 1, claim.blockNumber].map((block) => stakerAt(source.at(block), address)),
  );
  const growth = (field: string): bigint => BigInt(after[field]) - BigInt(before[field]);
  const [claimed, restaked] = [-growth('ggpRewards'), growth('ggpStaked')];
  return [
    ...figures(at, claim, {
      timestamp: await source.timestamp(claim.blockNumber),
      amount: tokens(claimed - restaked),
      restaked: tokens(restaked),
    }),
    ...(await worthFigures(at, claim, claimed, claim.timestamp, source)),
  ];
}

/** The value of GGP wei at the prices at the end of a UTC day; nothing if the answer has none, because the day is not recorded. */
async function worthFigures(
  at: string,
  served: Json,
  ggp: bigint,
  time: number,
  source: ChainSource,
): Promise<Figure[]> {
  if (served.usd === undefined) return [];
  const block = await source.lastBlockBy(Math.ceil(time / DAY) * DAY);
  const { ggpInAVAX, avaxInUSD, eurInUSD } = await pricesAt(source.at(block), (await source.timestamp(block)) ?? 0);
  if (avaxInUSD === undefined) return [];
  const price = times(ggpInAVAX, avaxInUSD);
  const usd = times(ggp, price);
  return figures(at, served, {
    ...(served.ggpInUSD !== undefined && { ggpInUSD: number(price), ggpInEUR: number(over(price, eurInUSD)) }),
    usd: number(usd),
    eur: number(over(usd, eurInUSD)),
  });
}

/** The distribution of each cycle, found within an hour before the time that the answer names. */
export const stakerCycles: Figures = async ({ address, cycles, total, recordedCycles, nextCursor }, _chain, source) => [
  ...(nextCursor === undefined ? figures('', { total, recordedCycles }, { total: cycles.length }) : []),
  ...(await each('cycles', cycles, async (cycle: Json, at) => {
    const paid = await source.lastBlockBy(cycle.paidTime);
    const before = Math.min(await source.lastBlockBy(cycle.paidTime - HOUR), paid - 1);
    const [start, end] = await Promise.all([before, paid].map((block) => stakerAt(source.at(block), address)));
    const { read } = source.at(paid);
    // All that was claimed before, within that hour, is not part of the growth.
    const amounts = [end.ggpRewards - (start?.ggpRewards ?? 0n), end.ggpRewards].map((wei) => tokens(wei));
    const figuresOfCycle = figures(at, cycle, {
      number: Number(await read('RewardsPool', 'getRewardsCycleCount')),
      startTime: Number(await read('RewardsPool', 'getRewardsCycleStartTime')),
      paidTime: await source.timestamp(paid),
      ggp: amounts.includes(cycle.ggp) ? cycle.ggp : amounts[0],
    });
    const worth = await worthFigures(at, cycle, parseUnits(cycle.ggp), cycle.paidTime, source);
    return [...figuresOfCycle, ...worth];
  })),
];
