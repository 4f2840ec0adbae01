/** The reward for given amounts of GGP and AVAX, by the formulas of the contracts and of the P-Chain. */

import { parseUnits } from 'ethers';
import type { ChainAt } from './chain.ts';
import { about, type Figures, figures, type Json, number, smaller, tokens, WAD } from './figure.ts';
import { type NextCycle, nextCycleAt } from './next-cycle.ts';
import { effectiveStake } from './operators.ts';
import { over } from './prices.ts';
import { distributionFigures } from './rewards.ts';

const YEAR = 31_536_000n;
const NAVAX = 10n ** 9n;
/** Collateral below which nothing is earned, whatever the DAO's minimum. */
const GATE = WAD / 10n;

interface Terms {
  now: number;
  /** AVAX wei for one GGP. */
  price: bigint;
  /** Fractions, 1e18 = 100 %. */
  minimum: bigint;
  maximum: bigint;
  next: NextCycle;
  /** Effective GGP wei of all others in the next distribution. */
  others: bigint;
  cycleSeconds: bigint;
  commission: bigint;
  feeBips: bigint;
  slashRate: bigint;
  heliconTime: number;
}

async function termsAt(chain: ChainAt, now: number): Promise<Terms | undefined> {
  const dao = (view: string): Promise<bigint | undefined> => chain.read('ProtocolDAO', view);
  const { price } = (await chain.read('Oracle', 'getGGPPriceInAVAX')) ?? {};
  const next = await nextCycleAt(chain, now);
  const minimum = await dao('getMinCollateralizationRatio');
  const maximum = await dao('getMaxCollateralizationRatio');
  if (!price || !next || minimum === undefined || maximum === undefined) return undefined;
  return {
    ...{ now, price, minimum, maximum, next, heliconTime: chain.heliconTime },
    others: await effectiveStake(chain, next.startsAt),
    cycleSeconds: (await dao('getMinipoolCycleDuration')) ?? 0n,
    commission: (await dao('getMinipoolNodeCommissionFeePct')) ?? 0n,
    feeBips: (await dao('getFeeBips')) ?? 0n,
    slashRate: (await dao('getExpectedAVAXRewardsRate')) ?? 0n,
  };
}

/** The GGP side of the reward for these amounts (wei). */
function ggpReward({ price, maximum, next, others }: Terms, ggp: bigint, avax: bigint) {
  const worth = (ggp * price) / WAD;
  const collateral = avax === 0n ? undefined : (worth * WAD) / avax;
  const counted = collateral === undefined || collateral < GATE ? 0n : smaller(collateral, maximum);
  const effective = (((avax * counted) / WAD) * WAD) / price;
  const total = others + effective;
  const share = effective === 0n ? 0n : (effective * WAD) / total;
  const reward = (share * (next.parts.ClaimNodeOp as bigint)) / WAD;
  const perYear = (reward * YEAR) / BigInt(next.paysForSeconds);
  const putIn = avax + worth;
  const percent = putIn === 0n ? 0 : ratioPercent((perYear * price) / WAD, putIn);
  return { collateral, effective, total, reward, perYear, putIn, percent };
}

/** A part of a whole in percent, for computing with doubles. */
const ratioPercent = (part: bigint, whole: bigint) => (part === 0n ? 0 : Number((part * WAD) / whole) / 1e16);

/** nAVAX that the P-Chain pays for a validation. Source: avalanchego `vms/platformvm/reward/calculator.go`, ACP-285. */
function validationReward({ now, cycleSeconds, heliconTime }: Terms, stake: bigint, supply: bigint): bigint {
  const [cap, nanosecond, year] = [720_000_000n * NAVAX, 10n ** 9n, 365n * 86_400n * 10n ** 9n];
  const ramp = 90 * 86_400;
  const passed = Math.min(Math.max(now - heliconTime, 0), ramp);
  const least = 100_000n - (25_000n * BigInt(passed)) / BigInt(ramp);
  const duration = cycleSeconds * nanosecond;
  const rate = (120_000n - least) * duration + least * year;
  return ((cap - supply) * rate * stake * duration) / (year * 1_000_000n) / supply / year;
}

/** The AVAX side of the reward for one minipool cycle, in wei. */
function avaxReward(terms: Terms, avax: bigint, supply: bigint) {
  const { cycleSeconds, commission, feeBips } = terms;
  const perCycle = validationReward(terms, (2n * avax) / NAVAX, supply) * NAVAX;
  const half = perCycle / 2n;
  const restaked = half - (half * commission) / WAD;
  const fee = (restaked * feeBips) / 10_000n;
  const nodeOperator = perCycle - restaked;
  const perYear = (wei: bigint) => (wei * YEAR) / cycleSeconds;
  const cycles = Number(YEAR) / Number(cycleSeconds);
  const compounded = Math.expm1(cycles * Math.log1p(ratioPercent(restaked, avax) / 100)) * 100;
  return {
    ...{ perCycle, nodeOperator, protocolFee: fee, liquidStakers: restaked - fee },
    apr: ratioPercent(perYear(nodeOperator), avax),
    apy: compounded + ratioPercent(perYear(nodeOperator - restaked), avax),
  };
}

export const byStake: Figures = async (body, chain) => {
  const terms = await termsAt(chain, body.block.timestamp);
  if (!terms) return [];
  const [ggp, avax] = [parseUnits(body.ggpStaked), parseUnits(body.avaxStaked)];
  const { price, minimum, maximum, next, cycleSeconds, slashRate } = terms;
  const reward = ggpReward(terms, ggp, avax);
  const slash = (((((avax * slashRate) / WAD) * cycleSeconds) / YEAR) * WAD) / price;
  const common = [
    ...figures('', body, {
      ggpPriceInAVAX: tokens(price),
      minCollateralPercent: number(minimum, 16),
      maxCollateralPercent: number(maximum, 16),
      collateralPercent: number(reward.collateral, 16),
      effectiveGGPStaked: tokens(reward.effective),
      totalEffectiveGGPStaked: tokens(reward.total),
      ggpReward: tokens(reward.reward),
      ggpRewardPerYear: tokens(reward.perYear),
      ggpAprPercent: number(over(reward.perYear, ggp) ?? 0n, 16),
      ggpSlashAmt: tokens(smaller(slash, ggp)),
    }),
    ...distributionFigures(body, next),
  ];
  if (!body.avaxReward) return common;
  const paid = avaxReward(terms, avax, parseUnits(body.avaxReward.supply, 9));
  const { perCycle, nodeOperator, liquidStakers, protocolFee } = paid;
  const weight = weightOf(terms, reward, avax);
  return [
    ...common,
    ...figures('avaxReward.', body.avaxReward, {
      perCycle: tokens(perCycle),
      nodeOperator: tokens(nodeOperator),
      liquidStakers: tokens(liquidStakers),
      protocolFee: tokens(protocolFee),
      cycleSeconds: Number(cycleSeconds),
      aprPercent: about(paid.apr, body.avaxReward.aprPercent),
    }),
    ...figures('', body, {
      aprPercent: about(reward.percent + weight * paid.apr, body.aprPercent),
      apy: about(reward.percent + weight * paid.apy, body.apy),
    }),
  ];
};

/** The part of the AVAX in everything put in; 0 if the collateral is not enough for a minipool. */
function weightOf({ minimum }: Terms, { collateral, putIn }: ReturnType<typeof ggpReward>, avax: bigint): number {
  return collateral !== undefined && collateral >= minimum ? ratioPercent(avax, putIn) / 100 : 0;
}

/** AVAX wei of an operator in one minipool. */
const MINIPOOL_AVAX = 1_000n * WAD;

/**
 * The reward at the minimum and at the maximum collateral. The P-Chain's supply is not in the answer: the yield of AVAX that
 * one end implies has to be that of the other.
 */
export const nodeOpSpread: Figures = async (body, chain) => {
  const terms = await termsAt(chain, body.block.timestamp);
  if (!terms) return [];
  const ends = (['min', 'max'] as const).map((name) => {
    const ratio = name === 'max' ? terms.maximum : terms.minimum > GATE ? terms.minimum : GATE;
    const inAVAX = (MINIPOOL_AVAX * ratio + WAD - 1n) / WAD;
    const ggp = roundUp((inAVAX * WAD + terms.price - 1n) / terms.price);
    const reward = ggpReward(terms, ggp, MINIPOOL_AVAX);
    const weight = weightOf(terms, reward, MINIPOOL_AVAX);
    const served: Json = body[name];
    // Without enough collateral, AVAX earns nothing.
    const avaxApy = weight === 0 ? undefined : (served.apy - reward.percent) / weight;
    return { name, ratio, ggp, reward, weight, served, avaxApy };
  });
  const compared = ends.flatMap(({ name, ratio, ggp, reward, weight, served }, index) => {
    const avaxApy = weight === 0 ? 0 : ends[1 - index]?.avaxApy;
    const isKnown = served.apy !== undefined && avaxApy !== undefined;
    return figures(`${name}.`, served, {
      collateralPercent: number(ratio, 16),
      ggpStaked: number(ggp),
      ...(isKnown && { apy: about(reward.percent + weight * avaxApy, served.apy) }),
    });
  });
  return [...compared, ...figures('', body, { avaxStaked: number(MINIPOOL_AVAX) })];
};

/** The smallest amount from `wei` upwards that has 12 digits. */
function roundUp(wei: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, wei.toString().length - 12));
  return ((wei + unit - 1n) / unit) * unit;
}
