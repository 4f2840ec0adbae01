/** Records the distributions of GGP (`distributions.ts`), from the states before and after each cycle. */

import type { Chain } from '../chain/chain.ts';
import { readRecords } from '../contracts/records.ts';
import type { EntryOf } from '../ledger/ledger-entry.ts';
import type { LedgerContext } from '../ledger/ledger-store.ts';
import type { Refusal } from '../ledger/mismatch.ts';
import { Sources } from '../ledger/sources.ts';
import { inParallel } from '../runtime/parallel.ts';
import type { BlockRef } from '../values/block.ts';
import { END_OF_TIME } from '../values/durations.ts';
import { sum } from '../values/wad.ts';
import { CYCLE_SECONDS, CYCLES, generationOf, seriesOf } from './distributions.ts';
import type { HistoryContext } from './history-store.ts';
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

/**
 * Records the cycles that are over, the oldest first, until `mayGoOn` is false; `left` cycles are not recorded, or lack shares
 * on which providers disagree. Nothing is recorded before the ledger covers the protocol's whole past. The states are read from
 * as many providers as the ledger's quorum; if fewer keep them, `sources` of the ledger says so. Throws TooFewSources.
 */
export async function recordDistributions(
  recording: Recording,
  { mayGoOn, onCycle }: { mayGoOn: () => boolean; onCycle?: () => void },
) {
  const { chain, config, history, ledger } = recording;
  const started = await ledger.ofType('rewardsCycleStarted');
  const { entries: claims, coverage } = await ledger.ofType('ggpRewardsClaimed');
  if (!coverage.complete) return { recorded: 0, left: 0 };
  const { generation } = coverage;
  const known = await history.of(CYCLES).points('1d', 0, END_OF_TIME);
  const { refused } = await ledger.progress.doubts(generation);
  const cycles = findUnrecorded(
    started.entries,
    known.filter(({ values }) => generationOf(values) >= generation),
    new Set(refused.flatMap(({ cycle, providers }) => (providers ? cycle : []))),
    { number: coverage.toBlock, timestamp: coverage.toTimestamp },
  );
  const sources = new Sources(chain, config.ledgerSources);
  const readAt = async (block: number): Promise<Rewards> => {
    const read = await sources.settle(({ chain }) => readRewards(chain, block), { mayLack: true });
    if (read.sources < sources.quorum)
      await ledger.progress.update(coverage.generation, (state) => ({
        ...state,
        sources: Math.min(state.sources, read.sources),
      }));
    const unclaimed = [...read.facts].filter(([key]) => key !== TIME);
    return {
      ...{ number: block, timestamp: Number(read.facts.get(TIME)), providers: read.providers },
      unclaimed: new Map(unclaimed.map(([staker, ggp]) => [staker, BigInt(ggp)])),
      disputed: new Set(read.disputed.keys()),
    };
  };
  let recorded = 0;
  let before: Rewards | undefined;
  for (const cycle of cycles) {
    if (!mayGoOn()) break;
    if (before?.number !== cycle.open) before = await readAt(cycle.open);
    const after = await readAt(cycle.close);
    const isSettled = await recordCycle(recording, { ...cycle, generation, before, after, claims, readAt });
    before = after;
    if (isSettled) recorded += 1;
    onCycle?.();
  }
  return { recorded, left: cycles.length - recorded };
}

/**
 * The cycles that are over and not recorded yet, or `disputed`: a provider may have been added that decides. A cycle is over before the next one begins, or once the next one could
 * have begun: no cycle follows the last one of all. Payments after that count for the cycle that follows.
 */
function findUnrecorded(
  started: readonly EntryOf<'rewardsCycleStarted'>[],
  known: readonly Point[],
  disputed: ReadonlySet<number>,
  head: BlockRef,
): Cycle[] {
  let open: number | undefined;
  return started.flatMap((entry, index) => {
    const before = open ?? entry.block - 1;
    const recorded = known.find((point) => point.timestamp === entry.timestamp);
    const next = started[index + 1];
    const isDue = head.timestamp >= entry.timestamp + CYCLE_SECONDS;
    const close = recorded?.block.number ?? (next ? next.block - 1 : isDue ? head.number : undefined);
    open = close;
    const isDone = recorded && !disputed.has(entry.number);
    return isDone || close === undefined ? [] : { started: entry, open: before, close };
  });
}

/** The unclaimed GGP rewards (wei) of stakers after a block. */
interface Rewards extends BlockRef {
  unclaimed: ReadonlyMap<string, bigint>;
  /** The stakers, or {@link TIME}, on whom these providers disagree. */
  disputed: ReadonlySet<string>;
  providers: string[];
}

/** Key of the block's time among facts about stakers. */
const TIME = 'timestamp';

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
 * Records a cycle as it was paid. Shares that are impossible (negative, or above the cycle's amount for operators) or disputed
 * are left out, and the doubts name their stakers. If the time of a block is disputed, the cycle is not recorded. Returns false
 * if something is disputed.
 */
async function recordCycle(
  { history, ledger }: Recording,
  { started, generation, before, after, claims, readAt }: PaidCycle,
): Promise<boolean> {
  const { number: cycle, timestamp } = started;
  const earned = [...earnedBetween(before, after, claims)];
  const isPossible = ([, ggp]: readonly [string, bigint]) => ggp >= 0n && ggp <= started.ClaimNodeOp;
  const payments = earned.filter((share) => isPossible(share) && share[1] > 0n);
  const readings = [before, after];
  const times = await findPaymentTimes(
    payments.map(([staker]) => staker),
    before,
    after,
    async (number) => {
      const block = await readAt(number);
      readings.push(block);
      return { block, earned: earnedBetween(before, block, claims) };
    },
  );
  const disputes = new Map(
    readings.flatMap(({ number: block, disputed, providers }) =>
      [...disputed].map((key) => [key, { cycle, ...(key !== TIME && { staker: key }), block, providers }] as const),
    ),
  );
  const isSettled = ([staker]: readonly [string, bigint]) => !disputes.has(staker);
  const impossible = earned.filter((share) => isSettled(share) && !isPossible(share));
  const refused: Refusal[] = [...disputes.values(), ...impossible.map(([staker]) => ({ cycle, staker }))];
  await ledger.progress.updateDoubts(generation, (doubts) => {
    const others = doubts.refused.filter((refusal) => refusal.cycle !== cycle);
    const isSame = refused.length === 0 && others.length === doubts.refused.length;
    return isSame ? undefined : { ...doubts, refused: [...others, ...refused] };
  });
  if (disputes.has(TIME)) return false;
  const pointOf = (ggp: bigint, paidTime = 0): Point => ({
    timestamp,
    block: { number: after.number, timestamp },
    values: {
      ...{ cycle: BigInt(cycle), ggp, generation: BigInt(generation) },
      ...(paidTime && { paidTime: BigInt(paidTime) }),
    },
  });
  const paid = payments.filter(isSettled);
  await inParallel(paid, WRITES_AT_ONCE, ([staker, ggp]) =>
    history.of(seriesOf(staker)).writeAll('1d', [pointOf(ggp, times.get(staker))]),
  );
  // The cycle comes last: a run that dies earlier starts over and writes the same.
  await history.of(CYCLES).writeAll('1d', [pointOf(sum(paid.map(([, ggp]) => ggp)))]);
  return disputes.size === 0;
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
