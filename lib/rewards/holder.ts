import { convertToAssets, DUST, type VaultTotals } from './gg-avax.ts';
import { mulDiv, SECONDS_PER_YEAR, WAD } from './wad.ts';

/**
 * What an address earns by holding ggAVAX. Shares earn while they are held: what comes in and goes out is set off at the rate of its
 * own block. A reward over a span is
 *
 *   value at its end − value at its begin + Σ outflows − Σ inflows
 *
 * where a value is `convertToAssets` of the shares. The values in between cancel out, so the rewards of the parts of a span add up to
 * the reward of the whole to the wei, however it is divided.
 */

/** ggAVAX wei that came to an address (above 0) or left it (below 0), with their AVAX wei at that block, of the same sign. */
export interface Flow {
  /** Of its block, unix seconds. */
  readonly time: number;
  readonly shares: bigint;
  readonly assets: bigint;
}

/** The pool at a moment (unix seconds). */
export interface Moment {
  readonly time: number;
  readonly totals: VaultTotals;
}

/** A span of time that an address lived through. Amounts in wei. */
export interface Span<At extends Moment = Moment> {
  readonly open: At;
  readonly close: At;
  readonly openShares: bigint;
  readonly closeShares: bigint;
  /** AVAX of what came in and of what went out, both at least 0. */
  readonly inflow: bigint;
  readonly outflow: bigint;
  /** AVAX. Below 0 where the rate fell. */
  readonly reward: bigint;
  /** ∫ value dt, AVAX wei · seconds: between flows the rate is taken as linear. */
  readonly valueTime: bigint;
}

/** The span from `open` to `close` of an address that begins it with `openShares`; `flows` are those of the span, in order. */
export function spanOf<At extends Moment>(openShares: bigint, flows: readonly Flow[], open: At, close: At): Span<At> {
  const integral = integrate(open);
  let shares = openShares;
  let [inflow, outflow] = [0n, 0n];
  for (const flow of flows) {
    integral.advance(flow.time, shares, rateOf(flow));
    shares += flow.shares;
    if (flow.shares > 0n) inflow += flow.assets;
    else outflow -= flow.assets;
  }
  integral.advance(close.time, shares, rateAt(close));
  const gain = convertToAssets(shares, close.totals) - convertToAssets(openShares, open.totals);
  return {
    open,
    close,
    openShares,
    closeShares: shares,
    inflow,
    outflow,
    reward: gain + outflow - inflow,
    valueTime: integral.total(),
  };
}

/**
 * The spans between consecutive moments, in order. A flow belongs to the span that ends at or after its block: a moment is the state
 * after all blocks of its time. Flows after the last moment are in none; those up to the first one are what the address begins with.
 */
export function spansBetween<At extends Moment>(flows: readonly Flow[], moments: readonly At[]): Span<At>[] {
  const spans: Span<At>[] = [];
  let next = 0;
  const upTo = (time: number): readonly Flow[] => {
    const first = next;
    while (next < flows.length && (flows[next] as Flow).time <= time) next++;
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

/** Shares that flows leave. */
export function sharesOf(flows: readonly Flow[]): bigint {
  return flows.reduce((sum, { shares }) => sum + shares, 0n);
}

/** The reward of a span over a year, as a fraction (1e18 = 100 %) of the average value; undefined where nothing was held. */
export function annualRate({ reward, valueTime }: Pick<Span, 'reward' | 'valueTime'>): bigint | undefined {
  return valueTime > 0n ? mulDiv(reward * BigInt(SECONDS_PER_YEAR), WAD, valueTime) : undefined;
}

/** AVAX wei for one ggAVAX at a moment. */
export function rateAt({ totals }: Moment): bigint {
  return convertToAssets(WAD, totals);
}

function rateOf({ shares, assets }: Flow): bigint | undefined {
  const size = shares < 0n ? -shares : shares;
  return size < DUST ? undefined : mulDiv(assets, WAD, shares);
}

/** Sums trapezoids from a moment on. A point without a rate has the one before it. */
function integrate(open: Moment) {
  let { time } = open;
  let rate = rateAt(open);
  /** Twice the integral, times 1e18. */
  let sum = 0n;
  return {
    advance(to: number, shares: bigint, rateThen = rate): void {
      sum += shares * (rate + rateThen) * BigInt(to - time);
      time = to;
      rate = rateThen;
    },
    total: () => sum / (2n * WAD),
  };
}
