/**
 * The GGP that each distribution paid to each staker (`ClaimNodeOp.calculateAndDistributeRewards`). No event has these amounts,
 * so they are the growth of a staker's `ggpRewards` in a cycle, plus the staker's claims, read once when the cycle is over.
 */

import type { Dataset } from '../cache/cache.ts';
import { PARTIAL_FRESH_SECONDS } from '../cache/cache-entry.ts';
import { type Coverage, coverageAt } from '../ledger/coverage.ts';
import { blockOf } from '../ledger/ledger-entry.ts';
import type { LedgerContext } from '../ledger/ledger-store.ts';
import { isDoubted } from '../ledger/mismatch.ts';
import type { BlockRef } from '../values/block.ts';
import { END_OF_TIME } from '../values/durations.ts';
import type { HistoryContext, HistoryStore } from './history-store.ts';
import type { Point } from './point.ts';

/** The next cycle can start this many seconds after the last one. All stakers are paid long before. */
export const CYCLE_SECONDS = 30 * 86_400;

/** The series of cycles, and the series of each staker. A point is at the start of its cycle. */
export const CYCLES = 'distributions';
export const seriesOf = (staker: string) => `${CYCLES}#${staker.toLowerCase()}`;

export function generationOf({ generation = 0n }: Point['values']): number {
  return Number(generation);
}

export interface Distribution {
  cycle: number;
  /** Start of the cycle, unix seconds. */
  startTime: number;
  /** Time of the payment, unix seconds: at most an hour late, and in the right UTC day. For a cycle, its start. */
  paidTime: number;
  /** GGP wei. */
  ggp: bigint;
  block: number;
}

/** The recorded distributions to a staker, and the recorded cycles, oldest first. */
async function readDistributions(history: HistoryStore, staker: string) {
  const [paid = [], cycles = []] = await Promise.all(
    [seriesOf(staker), CYCLES].map((series) => history.of(series).points('1d', 0, END_OF_TIME)),
  );
  const made = new Map(cycles.map(({ timestamp, values }) => [timestamp, generationOf(values)]));
  // A share of an earlier generation that the cycle's own generation has not.
  const isCurrent = ({ timestamp, values }: Point) => generationOf(values) >= (made.get(timestamp) ?? 0);
  return { paid: paid.filter(isCurrent).map(toDistribution), cycles: cycles.map(toDistribution) };
}

/** The starts (unix seconds) of the cycles that have begun and are not recorded, oldest first. */
export async function readUnrecordedCycles({
  history,
  ledger,
}: Pick<HistoryContext & LedgerContext, 'history' | 'ledger'>) {
  const { entries, coverage } = await ledger.ofType('rewardsCycleStarted');
  const points = await history.of(CYCLES).points('1d', 0, END_OF_TIME);
  const recorded = points.filter(({ values }) => generationOf(values) >= coverage.generation);
  const known = new Set(recorded.map(({ timestamp }) => timestamp));
  return entries.map(({ timestamp }) => timestamp).filter((startTime) => !known.has(startTime));
}

/** The distributions to a staker, and the newest cycle that has started, read once for all ranges and pages. */
export function distributionsDataset(staker: string): Dataset<Distributions, HistoryContext & LedgerContext> {
  return {
    name: `distributions/${staker}`,
    freshSeconds: 300,
    // A recorder that is behind will probably catch up soon.
    freshFor: ({ cycles, newest }) => ((cycles.at(-1)?.cycle ?? 0) < newest - 1 ? PARTIAL_FRESH_SECONDS : undefined),
    async read({ history, ledger }) {
      const [recorded, started, doubts] = await Promise.all([
        readDistributions(history, staker),
        ledger.ofType('rewardsCycleStarted'),
        ledger.progress.doubts(),
      ]);
      const newest = started.entries.at(-1);
      const unrecorded = started.entries.find(({ timestamp }) =>
        recorded.cycles.every(({ startTime }) => startTime !== timestamp),
      );
      const { toTimestamp } = started.coverage;
      const isDue = (start: number) => start !== newest?.timestamp || toTimestamp >= start + CYCLE_SECONDS;
      return {
        ...recorded,
        isDoubted: isDoubted(doubts, staker, 'ggp'),
        isBehind: unrecorded !== undefined && isDue(unrecorded.timestamp),
        coverage: unrecorded ? coverageAt(blockOf(unrecorded), started.coverage) : started.coverage,
        block: newest && blockOf(newest),
        newest: newest?.number ?? 0,
      };
    },
  };
}

interface Distributions extends Awaited<ReturnType<typeof readDistributions>> {
  isDoubted: boolean;
  /** Up to the start of the first cycle that is not recorded. */
  coverage: Coverage;
  /** True if that cycle is over: the running one is not recorded. */
  isBehind: boolean;
  /** Block in which the newest cycle started. */
  block: BlockRef | undefined;
  /** The number of the newest cycle, or 0. */
  newest: number;
}

function toDistribution({ timestamp, block, values }: Point): Distribution {
  const { cycle = 0n, ggp = 0n, paidTime = timestamp } = values;
  return { cycle: Number(cycle), startTime: timestamp, paidTime: Number(paidTime), ggp, block: block.number };
}
