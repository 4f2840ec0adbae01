/**
 * The GGP that each distribution paid to each staker (`ClaimNodeOp.calculateAndDistributeRewards`). No event has these amounts,
 * so they are the growth of a staker's `ggpRewards` in a cycle, plus the staker's claims, read once when the cycle is over.
 */

import { PARTIAL_FRESH_SECONDS } from '../cache/cache-entry.ts';
import type { Dataset } from '../cache/dataset.ts';
import type { Chain } from '../chain/chain.ts';
import { readRecords } from '../contracts/records.ts';
import { type Coverage, coverageAt } from '../ledger/coverage.ts';
import { blockOf, type EntryOf } from '../ledger/ledger-entry.ts';
import type { LedgerContext } from '../ledger/ledger-store.ts';
import { Sources } from '../ledger/sources.ts';
import { inParallel } from '../runtime/parallel.ts';
import type { BlockRef } from '../values/block.ts';
import { END_OF_TIME } from '../values/durations.ts';
import { sum } from '../values/wad.ts';
import type { HistoryContext, HistoryStore } from './history-store.ts';
import { findPaymentTimes } from './payment-times.ts';
import type { Point } from './point.ts';

type Recording = Pick<HistoryContext & LedgerContext, 'chain' | 'config' | 'history' | 'ledger'>;

interface Cycle {
  started: EntryOf<'rewardsCycleStarted'>;
  /** The states of the last block before the cycle and of its last block are compared. */
  open: number;
  close: number;
}

/** A cycle may have thousands of stakers. */
const WRITES_AT_ONCE = 8;
/** The next cycle can start this many seconds after the last one. All stakers are paid long before. */
export const CYCLE_SECONDS = 30 * 86_400;

/**
 * Records the cycles that are over, the oldest first, until `mayGoOn` is false; `left` cycles are not recorded. Nothing is recorded
 * before the ledger covers the protocol's whole past. The states are read from as many providers as the ledger's quorum; if
 * fewer keep them, `sources` of the ledger says so. Throws TooFewSources or Disputed.
 */
export async function recordDistributions(
  recording: Recording,
  { mayGoOn, onCycle }: { mayGoOn: () => boolean; onCycle?: () => void },
) {
  const { chain, config, history, ledger } = recording;
  const started = await ledger.ofType('rewardsCycleStarted');
  const { entries: claims, coverage } = await ledger.ofType('ggpRewardsClaimed');
  if (!coverage.complete) return { recorded: 0, left: 0 };
  const { generation } = await ledger.progress.latest();
  const known = await history.of(CYCLES).points('1d', 0, END_OF_TIME);
  const cycles = findUnrecorded(
    started.entries,
    known.filter(({ values }) => generationOf(values) >= generation),
    { number: coverage.toBlock, timestamp: coverage.toTimestamp },
  );
  const sources = new Sources(chain, config.ledgerSources);
  const readAt = async (block: number): Promise<Rewards> => {
    const read = await sources.readStates({ from: block, to: block }, (source) => readRewards(source, block));
    await ledger.progress.update((state) => (read.sources < state.sources ? { sources: read.sources } : undefined));
    const { [TIME]: time, ...unclaimed } = Object.fromEntries(read.facts);
    return { number: block, timestamp: Number(time), unclaimed: new Map(Object.entries(unclaimed).map(toWei)) };
  };
  let recorded = 0;
  let before: Rewards | undefined;
  for (const cycle of cycles) {
    if (!mayGoOn()) break;
    if (before?.number !== cycle.open) before = await readAt(cycle.open);
    const after = await readAt(cycle.close);
    await recordCycle(recording, { ...cycle, generation, before, after, claims, readAt });
    before = after;
    recorded += 1;
    onCycle?.();
  }
  return { recorded, left: cycles.length - recorded };
}

/**
 * The cycles that are over and not recorded yet. A cycle is over before the next one begins, or once the next one could
 * have begun: no cycle follows the last one of all. Payments after that count for the cycle that follows.
 */
function findUnrecorded(
  started: readonly EntryOf<'rewardsCycleStarted'>[],
  known: readonly Point[],
  head: { number: number; timestamp: number },
): Cycle[] {
  let open: number | undefined;
  return started.flatMap((entry, index) => {
    const before = open ?? entry.block - 1;
    const recorded = known.find((point) => point.timestamp === entry.timestamp);
    const next = started[index + 1];
    const isDue = head.timestamp >= entry.timestamp + CYCLE_SECONDS;
    const close = recorded?.block.number ?? (next ? next.block - 1 : isDue ? head.number : undefined);
    open = close;
    return recorded || close === undefined ? [] : { started: entry, open: before, close };
  });
}

/** The series of cycles, and the series of each staker. A point is at the start of its cycle. */
export const CYCLES = 'distributions';
export const seriesOf = (staker: string) => `${CYCLES}#${staker.toLowerCase()}`;

/** The unclaimed GGP rewards (wei) of stakers after a block. */
interface Rewards extends BlockRef {
  unclaimed: ReadonlyMap<string, bigint>;
}

/** Key of the block's time among facts about stakers. */
const TIME = 'timestamp';
const toWei = ([staker, ggp]: [string, string]) => [staker, BigInt(ggp)] as const;

async function readRewards(chain: Chain, block: number): Promise<Map<string, string>> {
  const state = await chain.at(block);
  const [unclaimed = [], { timestamp }] = await Promise.all([
    readRecords(state, 'staker', ['ggpRewards']),
    state.block(),
  ]);
  return new Map([[TIME, `${timestamp}`], ...Array.from(unclaimed, ([staker, ggp]) => [staker, `${ggp}`] as const)]);
}

interface PaidCycle extends Pick<Cycle, 'started'> {
  generation: number;
  before: Rewards;
  after: Rewards;
  claims: readonly EntryOf<'ggpRewardsClaimed'>[];
  readAt: (block: number) => Promise<Rewards>;
}

/**
 * Records a cycle as it was paid. An impossible share, which is negative or above the cycle's amount for operators, is left
 * out, and the ledger's state names its staker.
 */
async function recordCycle(
  { history, ledger }: Recording,
  { started, generation, before, after, claims, readAt }: PaidCycle,
): Promise<void> {
  const earned = [...earnedBetween(before, after, claims)];
  const isPossible = ([, ggp]: readonly [string, bigint]) => ggp >= 0n && ggp <= started.ClaimNodeOp;
  const paid = earned.filter((share) => isPossible(share) && share[1] > 0n);
  const refused = earned.filter((share) => !isPossible(share)).map(([staker]) => ({ cycle: started.number, staker }));
  const times = await findPaymentTimes(
    paid.map(([staker]) => staker),
    before,
    after,
    async (number) => {
      const block = await readAt(number);
      return { block, earned: earnedBetween(before, block, claims) };
    },
  );
  const pointOf = (ggp: bigint, paidTime = 0): Point => ({
    timestamp: started.timestamp,
    block: { number: after.number, timestamp: started.timestamp },
    values: {
      ...{ cycle: BigInt(started.number), ggp, generation: BigInt(generation) },
      ...(paidTime && { paidTime: BigInt(paidTime) }),
    },
  });
  await inParallel(paid, WRITES_AT_ONCE, ([staker, ggp]) =>
    history.of(seriesOf(staker)).writeAll('1d', [pointOf(ggp, times.get(staker))]),
  );
  if (refused.length > 0)
    await ledger.progress.update((state) => ({
      refused: [...state.refused.filter(({ cycle }) => cycle !== started.number), ...refused],
    }));
  // The cycle comes last: a run that dies earlier starts over and writes the same.
  await history.of(CYCLES).writeAll('1d', [pointOf(sum(paid.map(([, ggp]) => ggp)))]);
}

function generationOf({ generation = 0n }: Point['values']): number {
  return Number(generation);
}

function earnedBetween(
  before: Rewards,
  after: Rewards,
  claims: readonly EntryOf<'ggpRewardsClaimed'>[],
): Map<string, bigint> {
  const earned = new Map(after.unclaimed);
  const add = (staker: string, ggp: bigint) => earned.set(staker, (earned.get(staker) ?? 0n) + ggp);
  for (const [staker, ggp] of before.unclaimed) add(staker, -ggp);
  for (const { block, staker, amount, restaked } of claims) {
    if (block > before.number && block <= after.number) add(staker, amount + restaked);
  }
  return earned;
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

/** The distributions to a staker, and the newest cycle that has started, read once for all ranges and pages. */
export function distributionsDataset(staker: string): Dataset<Distributions, HistoryContext & LedgerContext> {
  return {
    name: `distributions/${staker}`,
    freshSeconds: 300,
    // A recorder that is behind will probably catch up soon.
    freshFor: ({ cycles, newest }) => ((cycles.at(-1)?.cycle ?? 0) < newest - 1 ? PARTIAL_FRESH_SECONDS : undefined),
    async read({ history, ledger }) {
      const [recorded, started] = await Promise.all([
        readDistributions(history, staker),
        ledger.ofType('rewardsCycleStarted'),
      ]);
      const newest = started.entries.at(-1);
      const unrecorded = started.entries.find(({ timestamp }) =>
        recorded.cycles.every(({ startTime }) => startTime !== timestamp),
      );
      return {
        ...recorded,
        coverage: unrecorded ? coverageAt(blockOf(unrecorded), started.coverage) : started.coverage,
        block: newest && blockOf(newest),
        newest: newest?.number ?? 0,
      };
    },
  };
}

interface Distributions extends Awaited<ReturnType<typeof readDistributions>> {
  /** Up to the start of the first cycle that is not recorded. */
  coverage: Coverage;
  /** Block in which the newest cycle started. */
  block: BlockRef | undefined;
  /** The number of the newest cycle, or 0. */
  newest: number;
}

function toDistribution({ timestamp, block, values }: Point): Distribution {
  const { cycle = 0n, ggp = 0n, paidTime = timestamp } = values;
  return { cycle: Number(cycle), startTime: timestamp, paidTime: Number(paidTime), ggp, block: block.number };
}
