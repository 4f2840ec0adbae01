/**
 * Earnings of an address from holding ggAVAX. Shares earn while they are held: inflows and outflows count at the rate of
 * their own block. Shares that the withdrawal queue gives back count at the promised AVAX. The reward over a span is
 *
 *   value at its end − value at its start + Σ outflows − Σ inflows
 *
 * where a value is `convertToAssets` of the shares. The rewards of the parts of a span add up to that of the span, to the wei.
 */

import { mulDiv, SECONDS_PER_YEAR, WAD } from '../values/wad.ts';
import { convertToAssets, MIN_SHARES, type VaultTotals } from './gg-avax-shares.ts';

/** ggAVAX wei that an address received (positive) or gave (negative), and their AVAX wei at that block. */
export interface Flow {
  /** Time of the flow's block, unix seconds. */
  readonly time: number;
  readonly shares: bigint;
  readonly assets: bigint;
  /** AVAX wei for one ggAVAX at that block, if `assets` is not the value of `shares`. */
  readonly rate?: bigint;
}

export interface PoolMoment {
  /** Unix seconds. */
  readonly time: number;
  readonly totals: VaultTotals;
}

/** Flows and reward of an address's ggAVAX between two moments. Amounts in wei. */
export interface Span<At extends PoolMoment = PoolMoment> {
  readonly open: At;
  readonly close: At;
  readonly openShares: bigint;
  readonly closeShares: bigint;
  /** AVAX wei of the ggAVAX that came in, not negative. `outflow`: of the ggAVAX that went out, not negative. */
  readonly inflow: bigint;
  readonly outflow: bigint;
  /** AVAX wei earned. Negative if the rate fell. */
  readonly reward: bigint;
  /** ∫ value dt, AVAX wei · seconds; the rate is interpolated linearly between flows. */
  readonly valueTime: bigint;
}

/** `flows` in order. */
export function spanOf<At extends PoolMoment>(
  openShares: bigint,
  flows: readonly Flow[],
  open: At,
  close: At,
): Span<At> {
  let [shares, inflow, outflow] = [openShares, 0n, 0n];
  let [time, rate] = [open.time, rateAt(open)];
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
  advance(close.time, rateAt(close));
  const gain = convertToAssets(shares, close.totals) - convertToAssets(openShares, open.totals);
  const reward = gain + outflow - inflow;
  return { open, close, openShares, closeShares: shares, inflow, outflow, reward, valueTime: area / (2n * WAD) };
}

/**
 * The spans between consecutive moments, in order. A moment is the state after all blocks of its second, so a flow in
 * that second belongs to the span that ends there. Flows up to the first moment make up the opening shares; flows after
 * the last moment are in no span.
 */
export function spansBetween<At extends PoolMoment>(flows: readonly Flow[], moments: readonly At[]): Span<At>[] {
  const spans: Span<At>[] = [];
  let next = 0;
  const upTo = (time: number) => {
    const first = next;
    while ((flows[next]?.time ?? Number.POSITIVE_INFINITY) <= time) next++;
    return flows.slice(first, next);
  };
  const [first] = moments;
  let shares = first ? sharesOf(upTo(first.time)) : 0n;
  for (const [index, close] of moments.slice(1).entries()) {
    const span = spanOf(shares, upTo(close.time), moments[index] as At, close);
    spans.push(span);
    shares = span.closeShares;
  }
  return spans;
}

function sharesOf(flows: readonly Flow[]): bigint {
  return flows.reduce((sum, { shares }) => sum + shares, 0n);
}

/** Minimum of AVAX wei · seconds: above it, a wei of rounding changes a reward's rate by less than a billionth. */
const LEAST_VALUE_TIME = MIN_SHARES * BigInt(SECONDS_PER_YEAR);

/** Reward of a year over the average value (1e18 = 100 %). Undefined if the value was so small that rounding dominates. */
export function annualRate({ reward, valueTime }: Pick<Span, 'reward' | 'valueTime'>): bigint | undefined {
  return valueTime >= LEAST_VALUE_TIME ? mulDiv(reward * BigInt(SECONDS_PER_YEAR), WAD, valueTime) : undefined;
}

function rateAt({ totals }: PoolMoment): bigint {
  return convertToAssets(WAD, totals);
}

function rateOf({ shares, assets, rate }: Flow): bigint | undefined {
  if (rate !== undefined) return rate;
  const size = shares < 0n ? -shares : shares;
  return size < MIN_SHARES ? undefined : mulDiv(assets, WAD, shares);
}
