/**
 * The GGP that each distribution paid to each staker (`ClaimNodeOp.calculateAndDistributeRewards`). No event has these amounts,
 * so they are the growth of a staker's `ggpRewards` in a cycle, plus the staker's claims, read once when the cycle is over.
 */

import type { Dataset } from '../cache/cache.ts';
import { PARTIAL_FRESH_SECONDS } from '../cache/cache-entry.ts';
import { coverageAt } from '../ledger/coverage.ts';
import { blockOf } from '../ledger/ledger-entry.ts';
import type { LedgerContext } from '../ledger/ledger-store.ts';
import { isDoubted } from '../ledger/mismatch.ts';
import { END_OF_TIME } from '../values/durations.ts';
import type { HistoryContext, HistoryStore } from './history-store.ts';
import type { Point } from './point.ts';

/** The next cycle can start this many seconds after the last one. All stakers are paid long before. */
export const CYCLE_SECONDS = 30 * 86_400;

/** The series of the cycles of a generation, or of what these paid to a staker. A point is at the start of its cycle. */
export function seriesOf(generation: number, staker?: string): string {
  const cycles = generation > 0 ? `distributions.${generation}` : 'distributions';
  return staker ? `${cycles}#${staker.toLowerCase()}` : cycles;
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

/** The recorded cycles of a generation, or distributions to a staker, oldest first. */
export async function readDistributions(history: HistoryStore, generation: number, staker?: string) {
  const points = await history.of(seriesOf(generation, staker)).points('1d', 0, END_OF_TIME);
  return points.map(toDistribution);
}

type CyclesContext = Pick<HistoryContext & LedgerContext, 'history' | 'ledger'>;

/** The cycles that have begun, those that are recorded, and those that are not, oldest first. */
async function readCycles({ history, ledger }: CyclesContext) {
  const { entries: started, coverage } = await ledger.ofType('rewardsCycleStarted');
  const recorded = await readDistributions(history, coverage.generation);
  const known = new Set(recorded.map(({ startTime }) => startTime));
  return { started, coverage, recorded, unrecorded: started.filter(({ timestamp }) => !known.has(timestamp)) };
}

/** The starts (unix seconds) of the cycles that have begun and are not recorded, oldest first. */
export async function readUnrecordedCycles(context: CyclesContext): Promise<number[]> {
  return (await readCycles(context)).unrecorded.map(({ timestamp }) => timestamp);
}

type StakersCycles = Awaited<ReturnType<typeof readStakersCycles>>;

/** The distributions to a staker, and the newest cycle that has started, read once for all ranges and pages. */
export function distributionsDataset(staker: string): Dataset<StakersCycles, HistoryContext & LedgerContext> {
  return {
    name: `distributions/${staker}`,
    freshSeconds: 300,
    // A recorder that is behind will probably catch up soon.
    freshFor: ({ cycles, newest }) => ((cycles.at(-1)?.cycle ?? 0) < newest - 1 ? PARTIAL_FRESH_SECONDS : undefined),
    read: (context) => readStakersCycles(context, staker),
  };
}

export type Distributions = Awaited<ReturnType<typeof readStakersCycles>>;

async function readStakersCycles({ history, ledger }: CyclesContext, staker: string) {
  const { started, coverage, recorded: cycles, unrecorded } = await readCycles({ history, ledger });
  const [paid, doubts] = await Promise.all([
    readDistributions(history, coverage.generation, staker),
    ledger.progress.doubts(coverage.generation),
  ]);
  const [newest, [missing]] = [started.at(-1), unrecorded];
  const isOver = missing && (missing !== newest || coverage.toTimestamp >= missing.timestamp + CYCLE_SECONDS);
  return {
    ...{ paid, cycles },
    isDoubted: isDoubted(doubts, staker, 'ggp'),
    /** True if a cycle that is over is not recorded. */
    isBehind: isOver === true,
    /** Up to the start of the first cycle that is not recorded. */
    coverage: missing ? coverageAt(blockOf(missing), coverage) : coverage,
    /** Block and number of the newest cycle. */
    block: newest && blockOf(newest),
    newest: newest?.number ?? 0,
  };
}

function toDistribution({ timestamp, block, values }: Point): Distribution {
  const { cycle = 0n, ggp = 0n, paidTime = timestamp } = values;
  return { cycle: Number(cycle), startTime: timestamp, paidTime: Number(paidTime), ggp, block: block.number };
}
