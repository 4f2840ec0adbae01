/** Records the distributions of GGP (`distributions.ts`), from the states before and after each cycle. */

import type { Chain } from '../chain/chain.ts';
import { readRecords } from '../contracts/records.ts';
import type { Coverage } from '../ledger/coverage.ts';
import type { EntryOf } from '../ledger/ledger-entry.ts';
import type { LedgerContext } from '../ledger/ledger-store.ts';
import type { Refusal } from '../ledger/mismatch.ts';
import { FEWER_KEEP, Sources, TooFewSources } from '../ledger/sources.ts';
import { inParallel } from '../runtime/parallel.ts';
import type { BlockRef } from '../values/block.ts';
import { sum } from '../values/wad.ts';
import { CYCLE_SECONDS, type Distribution, readDistributions, seriesOf } from './distributions.ts';
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

const WRITES_AT_ONCE = 8;

/**
 * Records the cycles that are over, the oldest first, until `mayGoOn` is false; `left` cycles are not recorded, or lack shares
 * on which providers disagree. Nothing is recorded before the ledger covers the protocol's whole past. The states are read from
 * as many providers as the ledger's quorum; if fewer keep them, twice, `sources` of the ledger says so. Throws TooFewSources.
 */
export async function recordDistributions(
  recording: Recording,
  { mayGoOn, onCycle }: { mayGoOn: () => boolean; onCycle?: () => void },
) {
  const { chain, config, history, ledger } = recording;
  const { entries: started } = await ledger.ofType('rewardsCycleStarted');
  const { entries: claims, coverage } = await ledger.ofType('ggpRewardsClaimed');
  if (!coverage.complete) return { recorded: 0, left: 0 };
  const { progress } = ledger;
  const { generation } = coverage;
  const known = await readDistributions(history, generation);
  const { refused } = await progress.doubts(generation);
  const disputed = new Set(refused.flatMap(({ cycle, providers }) => (providers ? cycle : [])));
  const cycles = findUnrecorded(started, known, disputed, coverage);
  const sources = new Sources(chain, config.ledgerSources);
  let least = Math.min(sources.quorum, coverage.sources);
  const readAt = async (block: number): Promise<Rewards> => {
    const read = await sources.settle(({ chain }) => readRewards(chain, block), { mayLack: true });
    if (read.sources < least) {
      const isFirst = await progress.updateDoubts(generation, ({ scarceBlock, ...doubts }) =>
        scarceBlock === block ? undefined : { ...doubts, scarceBlock: block },
      );
      if (isFirst) throw new TooFewSources(FEWER_KEEP, { from: block, to: block });
      least = read.sources;
      await progress.update(generation, (state) => ({ ...state, sources: Math.min(state.sources, least) }));
    }
    const { [TIME]: timestamp, ...unclaimed } = Object.fromEntries(read.facts);
    const { providers } = read;
    return {
      ...{ number: block, timestamp: Number(timestamp) },
      unclaimed: new Map(Object.entries(unclaimed).map(([staker, ggp]) => [staker, BigInt(ggp)])),
      disputed: Array.from(read.disputed.keys(), (key) => ({ ...(key !== TIME && { staker: key }), block, providers })),
    };
  };
  let recorded = 0;
  let before: Rewards | undefined;
  for (const cycle of cycles) {
    if (!mayGoOn()) break;
    if (before?.number !== cycle.open) before = await readAt(cycle.open);
    const after = await readAt(cycle.close);
    const { started } = cycle;
    const isSettled = await recordCycle(recording, generation, { started, before, after, claims, readAt });
    before = after;
    if (isSettled) recorded += 1;
    onCycle?.();
  }
  return { recorded, left: cycles.length - recorded };
}

/**
 * The cycles that are over and not recorded yet, or `disputed`: a provider may have been added that decides. A cycle is over
 * before the next one begins, or once that could have begun: none follows the last one of all. Later payments count for the next.
 */
function findUnrecorded(
  started: readonly EntryOf<'rewardsCycleStarted'>[],
  known: readonly Distribution[],
  disputed: ReadonlySet<number>,
  { toBlock, toTimestamp }: Coverage,
): Cycle[] {
  let open: number | undefined;
  return started.flatMap((entry, index) => {
    const before = open ?? entry.block - 1;
    const recorded = known.find(({ startTime }) => startTime === entry.timestamp);
    const next = started[index + 1];
    const isDue = toTimestamp >= entry.timestamp + CYCLE_SECONDS;
    open = recorded?.block ?? (next ? next.block - 1 : isDue ? toBlock : undefined);
    const isDone = recorded && !disputed.has(entry.number);
    return isDone || open === undefined ? [] : { started: entry, open: before, close: open };
  });
}

/** The unclaimed GGP rewards (wei) of stakers after a block. */
interface Rewards extends BlockRef {
  unclaimed: ReadonlyMap<string, bigint>;
  /** Stakers on whose shares providers disagree; without a staker, they disagree on the block's time. */
  disputed: Omit<Refusal, 'cycle'>[];
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
  generation: number,
  { started, before, after, claims, readAt }: PaidCycle,
): Promise<boolean> {
  const { number: cycle, timestamp } = started;
  const earned = [...earnedBetween(before, after, claims)];
  const payments = earned.filter(([, ggp]) => ggp > 0n && isPossible(ggp, started));
  const readings = [before, after];
  const stakers = payments.map(([staker]) => staker);
  const times = await findPaymentTimes(stakers, before, after, async (number) => {
    const block = await readAt(number);
    readings.push(block);
    return { block, earned: earnedBetween(before, block, claims) };
  });
  const disputes = new Map(
    readings.flatMap(({ disputed }) => disputed.map((one) => [one.staker, { cycle, ...one }] as const)),
  );
  const isSettled = ([staker]: readonly [string, bigint]) => !disputes.has(staker);
  const impossible = earned.filter((share) => isSettled(share) && !isPossible(share[1], started));
  const refused: Refusal[] = [...disputes.values(), ...impossible.map(([staker]) => ({ cycle, staker }))];
  await ledger.progress.updateDoubts(generation, (doubts) => {
    const others = doubts.refused.filter((refusal) => refusal.cycle !== cycle);
    const isSame = refused.length === 0 && others.length === doubts.refused.length;
    return isSame ? undefined : { ...doubts, refused: [...others, ...refused] };
  });
  if (disputes.has(undefined)) return false;
  const pointOf = (ggp: bigint, paidTime = 0): Point => ({
    timestamp,
    block: { number: after.number, timestamp },
    values: { cycle: BigInt(cycle), ggp, ...(paidTime && { paidTime: BigInt(paidTime) }) },
  });
  const paid = payments.filter(isSettled);
  await inParallel(paid, WRITES_AT_ONCE, ([staker, ggp]) =>
    history.of(seriesOf(generation, staker)).writeAll('1d', [pointOf(ggp, times.get(staker))]),
  );
  // The cycle comes last: a run that dies earlier starts over and writes the same.
  await history.of(seriesOf(generation)).writeAll('1d', [pointOf(sum(paid.map(([, ggp]) => ggp)))]);
  return disputes.size === 0;
}

/** All of the operators' GGP may be one operator's. */
export const isPossible = (ggp: bigint, of: { ClaimNodeOp: bigint }) => ggp >= 0n && ggp <= of.ClaimNodeOp;

export function earnedBetween(
  before: Pick<Rewards, 'number' | 'unclaimed'>,
  after: Pick<Rewards, 'number' | 'unclaimed'>,
  claims: readonly Pick<EntryOf<'ggpRewardsClaimed'>, 'block' | 'staker' | 'amount' | 'restaked'>[],
): Map<string, bigint> {
  const earned = new Map(after.unclaimed);
  const add = (staker: string, ggp: bigint) => earned.set(staker, (earned.get(staker) ?? 0n) + ggp);
  for (const [staker, ggp] of before.unclaimed) add(staker, -ggp);
  for (const { block, staker, amount, restaked } of claims) {
    if (block > before.number && block <= after.number) add(staker, amount + restaked);
  }
  return earned;
}
