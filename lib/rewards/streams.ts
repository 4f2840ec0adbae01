/**
 * What the rewards streams of ggAVAX have released, and where that came from. A stream's rewards are what came in since
 * the sync before; they are released evenly from its own sync to its end. So what streams release between two times is
 * what the pool's `totalAssets` grow by, less what was deposited and withdrawn, to the wei. Source:
 * `TokenggAVAX.totalAssets`, `syncRewards`.
 */

import { mulDiv } from '../values/wad.ts';

export const YIELD_SOURCES = ['minipools', 'delegation', 'mev', 'other'] as const;

export type YieldSource = (typeof YIELD_SOURCES)[number];

type BySource = Record<YieldSource, bigint>;

/** Amounts in AVAX wei, times in unix seconds. */
export interface Stream {
  start: number;
  end: number;
  /** Net of the fee. */
  amount: bigint;
  /** Fee that was taken of these rewards before. */
  fee: bigint;
  /** Parts of `amount`, which they add up to. */
  bySource: BySource;
}

/** What streams released: net of `fee`, and by source. */
export interface Released {
  net: bigint;
  fee: bigint;
  bySource: BySource;
}

/** What of a stream is released at a time, rounded down, like the contract. */
export function releasedAt({ start, end, amount }: Stream, time: number): bigint {
  if (time <= start) return 0n;
  return time >= end ? amount : mulDiv(amount, BigInt(time - start), BigInt(end - start));
}

/**
 * What streams release from one time to another. Parts are rounded so that those of consecutive periods add up to those
 * of the whole, and those of all sources to the net amount.
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
