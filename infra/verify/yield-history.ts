/** Yield of each period, from the states of the contracts at the start of each rewards stream and rewards cycle. */

import type { ChainSource } from './chain.ts';
import { about, each, type Figures, figures, type Json, number } from './figure.ts';
import { distributionAt } from './rewards.ts';

/** Only this many periods are compared: each needs a search for the blocks in which its streams and cycles began. */
const PERIODS = 3;

export const yieldHistory: Figures = async ({ interval, points, coverage }, _chain, source) =>
  each('newestPoints', points.toReversed().slice(0, PERIODS), async (point: Json, at) => {
    const { net_yield_avax: net, fee_avax: fee, gross_yield_avax: gross, by_source } = point;
    const start = startOfPeriod(point.timestamp, interval);
    const end = startOfPeriod(point.timestamp, interval, 1);
    const sources = Object.values<number>(by_source).reduce((sum, part) => sum + part, 0);
    const minted = await mintedIn(source, start, Math.min(end - 1, coverage.toTimestamp));
    return figures(
      at,
      { ...point, 'sum of by_source': net },
      {
        timestamp: start,
        net_yield_avax: number(await releasedIn(source, start, Math.min(end, coverage.toTimestamp))),
        gross_yield_avax: about(net + fee, gross),
        'sum of by_source': about(sources, net),
        ...(minted && {
          ggp_minted: number(minted.total),
          ggp_to_operators: number(minted.ClaimNodeOp),
          ggp_to_dao: number(minted.ClaimProtocolDAO),
          ggp_to_multisigs: number(minted.MultisigManager),
        }),
      },
    );
  });

/** The start of the UTC day, month or year of a time, or of a later one. Unix seconds. */
export function startOfPeriod(time: number, interval: string, later = 0): number {
  const date = new Date(time * 1_000);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (interval === '1y') return Date.UTC(year + later, 0) / 1_000;
  return (interval === '1mo' ? Date.UTC(year, month + later) : Date.UTC(year, month, day + later)) / 1_000;
}

/** AVAX wei that rewards streams release from one time to another. A stream begins when the one before has ended. */
async function releasedIn(source: ChainSource, from: number, to: number): Promise<bigint> {
  let released = 0n;
  for (let time = to; ; ) {
    const { read } = source.at(await source.lastBlockBy(time));
    const start = Number((await read('TokenggAVAX', 'lastSync')) ?? 0n);
    const [end, amount]: [bigint, bigint] = [
      (await read('TokenggAVAX', 'rewardsCycleEnd')) ?? 0n,
      (await read('TokenggAVAX', 'lastRewardsAmt')) ?? 0n,
    ];
    const releasedBy = (moment: number) => {
      if (moment <= start) return 0n;
      return moment >= Number(end) ? amount : (amount * BigInt(moment - start)) / BigInt(Number(end) - start);
    };
    released += releasedBy(to) - releasedBy(from);
    if (start <= from) return released;
    time = start - 1;
  }
}

/** GGP wei that rewards cycles minted from one time to another, in total and by claimant; undefined if the pool is silent. */
async function mintedIn(source: ChainSource, from: number, to: number): Promise<Record<string, bigint> | undefined> {
  const minted: Record<string, bigint> = { total: 0n, ClaimNodeOp: 0n, ClaimProtocolDAO: 0n, MultisigManager: 0n };
  for (let time = to; ; ) {
    const { read } = source.at(await source.lastBlockBy(time));
    const count: bigint | undefined = await read('RewardsPool', 'getRewardsCycleCount');
    const start = Number(await read('RewardsPool', 'getRewardsCycleStartTime'));
    if (count === undefined) return undefined;
    if (start < from || count === 0n) return minted;
    const { total, parts } = await distributionAt(source.at(await source.lastBlockBy(start)));
    for (const [name, amount = 0n] of Object.entries({ total, ...parts })) minted[name] = (minted[name] ?? 0n) + amount;
    time = start - 1;
  }
}
