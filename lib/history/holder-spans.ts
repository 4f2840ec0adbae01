/**
 * Earnings of an address from holding ggAVAX. Inflows and outflows count at the rate of their own block; shares that the
 * withdrawal queue gives back count at the promised AVAX. The reward over a span is
 *
 *   value at its end − value at its start + Σ outflows − Σ inflows
 *
 * where a value is `convertToAssets` of the shares. The rewards of the parts of a span add up to that of the span, to the wei.
 */

import { convertToAssets, MIN_SHARES, type VaultTotals } from '../rewards/gg-avax-shares.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { DAY } from '../values/durations.ts';
import { divWad, mulDiv, mulWad, SECONDS_PER_YEAR, sum, WAD } from '../values/wad.ts';
import { type PeriodLength, startOfPeriod } from './periods.ts';
import type { PointValues } from './point-values.ts';
import { boundaryBefore } from './series.ts';

/** ggAVAX wei that an address received (positive) or gave (negative), and their AVAX wei at that block. */
export interface Flow {
  /** Time of the flow's block, unix seconds. */
  readonly time: number;
  readonly shares: bigint;
  readonly assets: bigint;
  /** AVAX wei for one ggAVAX at that block, if `assets` is not the value of `shares`. */
  readonly rate?: bigint;
}

/** The pool after all blocks of a second (unix), and the prices known then, scaled by 1e18. */
export interface Moment extends Pick<PointValues, 'avaxPerGgAvax' | 'avaxInUSD' | 'ggpInAVAX' | 'eurInUSD'> {
  readonly time: number;
  /** Number of the block. */
  readonly block: number;
  readonly totals: VaultTotals;
}

export type Span = ReturnType<typeof spanOf>;

/** Flows (in order) and reward of an address's ggAVAX between two moments. Amounts in wei; flows are not negative. */
export function spanOf(openShares: bigint, flows: readonly Flow[], open: Moment, close: Moment) {
  let [shares, inflow, outflow] = [openShares, 0n, 0n];
  let [time, rate] = [open.time, convertToAssets(WAD, open.totals)];
  /** Twice the integral of value over time, times 1e18, by the trapezoidal rule. */
  let area = 0n;
  const advance = (to: number, rateThen: bigint) => {
    area += shares * (rate + rateThen) * BigInt(to - time);
    [time, rate] = [to, rateThen];
  };
  for (const flow of flows) {
    advance(flow.time, rateOf(flow) ?? rate);
    shares += flow.shares;
    if (flow.shares > 0n) inflow += flow.assets;
    else outflow -= flow.assets;
  }
  advance(close.time, convertToAssets(WAD, close.totals));
  const gain = convertToAssets(shares, close.totals) - convertToAssets(openShares, open.totals);
  return {
    ...{ open, close, openShares, closeShares: shares, inflow, outflow },
    /** Negative if the rate fell. */
    reward: gain + outflow - inflow,
    /** ∫ value dt, AVAX wei · seconds; the rate is interpolated linearly between flows. */
    valueTime: area / (2n * WAD),
  };
}

function rateOf({ shares, assets, rate }: Flow): bigint | undefined {
  if (rate !== undefined) return rate;
  const size = shares < 0n ? -shares : shares;
  return size < MIN_SHARES ? undefined : mulDiv(assets, WAD, shares);
}

const NOTHING = { totalAssets: 0n, totalSupply: 0n };

/**
 * The spans from the start of a holder's first day, when nothing was held yet, to the last of these moments (in order), split at
 * each: one per day if every day is recorded. A flow in a moment's own second belongs to the span that ends there.
 */
export function holderSpans(flows: readonly Flow[], moments: readonly Moment[]): Span[] {
  const [first] = flows;
  if (!first) return [];
  const start = boundaryBefore(first.time - 1, '1d');
  const known = moments.filter(({ time }) => time >= start);
  const all = known[0]?.time === start ? known : [{ time: start, block: 0, totals: NOTHING }, ...known];
  let [shares, next] = [0n, 0];
  return all.slice(1).map((close, index) => {
    const begin = next;
    while ((flows[next]?.time ?? Number.POSITIVE_INFINITY) <= close.time) next++;
    const span = spanOf(shares, flows.slice(begin, next), all[index] as Moment, close);
    shares = span.closeShares;
    return span;
  });
}

/** Minimum of AVAX wei · seconds: above it, a wei of rounding changes a reward's rate by less than a billionth. */
const LEAST_VALUE_TIME = MIN_SHARES * BigInt(SECONDS_PER_YEAR);

/** Reward of a year over the average value (1e18 = 100 %). Undefined if the value was so small that rounding dominates. */
export function annualRate({ reward, valueTime }: Pick<Span, 'reward' | 'valueTime'>): bigint | undefined {
  return valueTime >= LEAST_VALUE_TIME ? mulDiv(reward * BigInt(SECONDS_PER_YEAR), WAD, valueTime) : undefined;
}

/** True if one UTC day has all that a span earned. Other growth belongs to no day, month or year, and has no price. */
export function isDated({ open, close, reward }: Span): boolean {
  return reward === 0n || close.time - open.time <= DAY;
}

/** USD (scaled by 1e18) of what a span earned, at the price at its end; undefined if that is unknown, or the span has no date. */
export function rewardUSD(span: Span): bigint | undefined {
  if (span.reward === 0n) return 0n;
  return isDated(span) ? ifKnown(mulWad, span.reward, span.close.avaxInUSD) : undefined;
}

/** EUR (scaled by 1e18) of what a span earned: {@link rewardUSD} at the price of the euro at its end. */
function rewardEUR(span: Span): bigint | undefined {
  return span.reward === 0n ? 0n : ifKnown(divWad, rewardUSD(span), span.close.eurInUSD);
}

/** A sum over spans, or over those after the last one without a known value. */
export interface KnownSum {
  /** Scaled by 1e18. Undefined if the last value is unknown. */
  total?: bigint;
  /** Start of the sum's first span (unix seconds), if that is not the first of all spans. */
  from?: number | undefined;
}

/** Adds up the known values of {@link rewardUSD} or {@link rewardEUR} over several spans, in order. */
export function knownSum(spans: readonly Span[], amountIn: typeof rewardUSD): KnownSum {
  const values = spans.map(amountIn);
  const unknown = values.lastIndexOf(undefined) + 1;
  if (unknown > 0 && unknown === spans.length) return {};
  const total = values.slice(unknown).reduce<bigint>((sum, value = 0n) => sum + value, 0n);
  return { total, from: unknown > 0 ? spans[unknown]?.open.time : undefined };
}

/** True if no price is missing in a sum. */
export function isPriced({ total, from }: KnownSum): boolean {
  return total !== undefined && from === undefined;
}

/** Sums over spans; USD and EUR at the prices at the end of each day. */
export function earnedIn(spans: readonly Span[]) {
  return {
    reward: sum(spans.map(({ reward }) => reward)),
    valueTime: sum(spans.map(({ valueTime }) => valueTime)),
    usd: knownSum(spans, rewardUSD),
    eur: knownSum(spans, rewardEUR),
  };
}

/** The sum of the spans in a UTC day, month or year. Days without ggAVAX are in no span, so it may be shorter. */
export type HolderPeriod = ReturnType<typeof rangeOf>['periods'][number];

/** Rewards by period from `first` to `end`, from spans (in order) known up to `until` (unix seconds). No period counts `undated`. */
export function rangeOf(
  spans: readonly Span[],
  { length, first, end }: { length: PeriodLength; first: number; end: number },
  until: number,
) {
  const wanted = spans.filter(({ open, close }) => open.time < end && close.time > first);
  const dated = wanted.filter(isDated);
  const undated = wanted.filter((span) => !isDated(span));
  const periods = [...Map.groupBy(dated, ({ close }) => startOfPeriod(close.time - 1, length))].map(
    ([start, group]) => {
      const [{ open, openShares }, { close, closeShares }] = [group[0] as Span, group.at(-1) as Span];
      const next = startOfPeriod(start, length, 1);
      return {
        /** Unix seconds. */
        start,
        /** True if the period is over, and all that was earned in it is counted. */
        isWhole: next <= until && !undated.some((span) => span.open.time < next && span.close.time > start),
        ...{ open, openShares, close, closeShares },
        inflow: sum(group.map(({ inflow }) => inflow)),
        outflow: sum(group.map(({ outflow }) => outflow)),
        ...earnedIn(group),
      };
    },
  );
  return { ...earnedIn(dated), periods, undated };
}
