/**
 * Rewards that the streams of ggAVAX have released, by source. A stream's rewards are those received since the previous
 * sync. They are released evenly from the stream's own sync to its end. The amount released between two times equals the
 * growth of the pool's `totalAssets`, without deposits and withdrawals, to the wei. Source: `TokenggAVAX.totalAssets`,
 * `syncRewards`.
 */

import { mulDiv } from '../values/wad.ts';

export const YIELD_SOURCES = ['minipools', 'delegation', 'mev', 'other'] as const;

export type YieldSource = (typeof YIELD_SOURCES)[number];

type BySource = Record<YieldSource, bigint>;

/** Amounts in AVAX wei, times in unix seconds. */
export interface Stream {
  start: number;
  end: number;
  /** Rewards of the stream, net of the fee. */
  amount: bigint;
  /** Fee that was taken from these rewards before. */
  fee: bigint;
  /** Parts of `amount` by source. They add up to `amount`. */
  bySource: BySource;
}

/** Rewards that streams released, AVAX wei: net of `fee`, and by source. */
export interface Released {
  net: bigint;
  fee: bigint;
  bySource: BySource;
}

/** The part of a stream's rewards (AVAX wei) that is released at a time, rounded down, like the contract. */
export function releasedAt({ start, end, amount }: Stream, time: number): bigint {
  if (time <= start) return 0n;
  return time >= end ? amount : mulDiv(amount, BigInt(time - start), BigInt(end - start));
}

/**
 * Rewards that streams release from one time to another. Parts are rounded so that consecutive periods add up to the whole,
 * and all sources add up to the net amount.
 */
export function releasedBetween(streams: readonly Stream[], from: number, to: number): Released {
  const total: Released = { net: 0n, fee: 0n, bySource: { minipools: 0n, delegation: 0n, mev: 0n, other: 0n } };
  for (const stream of streams) {
    const [before, after] = [releasedAt(stream, from), releasedAt(stream, to)];
    if (before === after) continue;
    const part = (whole: bigint) => mulDiv(whole, after, stream.amount) - mulDiv(whole, before, stream.amount);
    const net = after - before;
    total.net += net;
    total.fee += part(stream.fee);
    let rest = net;
    for (const source of YIELD_SOURCES) {
      const amount = source === 'other' ? rest : part(stream.bySource[source]);
      total.bySource[source] += amount;
      rest -= amount;
    }
  }
  return total;
}
