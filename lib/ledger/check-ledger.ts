/** Compares the ledger with the contracts, as an alarm. A figure counts only if as many providers as the quorum return it. */

import type { Chain } from '../chain/chain.ts';
import { ifAnswered } from '../chain/contract.ts';
import { isPending } from '../runtime/clock.ts';
import { secondsNow } from '../runtime/context.ts';
import { inTime, withDeadline } from '../runtime/deadline.ts';
import { levelOf } from '../runtime/errors.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import { DAY, HOUR } from '../values/durations.ts';
import { CHECKS, type ChangesOf, type SumCheck } from './checks.ts';
import type { Coverage } from './coverage.ts';
import { type Entry, subjectOf } from './ledger-entry.ts';
import type { LedgerContext, LedgerStore } from './ledger-store.ts';
import type { Mismatch } from './mismatch.ts';
import type { LedgerRecorder } from './record-ledger.ts';
import { type Sources, TooFewSources } from './sources.ts';

/** Time limit in ms of a daily comparison: a recorder's run has at least 65 s left when it begins, and still reports afterwards. */
const LIMIT_MS = 60_000;

type Checking = Pick<LedgerContext, 'ledger' | 'clock'> & { recorder: LedgerRecorder };

/**
 * Compares a complete ledger with the contracts, if that is due. A comparison that does not end is repeated after an hour: it
 * reads all entries. Failures are logged, so that recording goes on.
 */
export async function checkIfDue({ telemetry, ...checking }: Checking & { telemetry: Telemetry }): Promise<void> {
  const { clock, ledger } = checking;
  try {
    const { coverage } = await ledger.progress.read();
    if (!coverage?.complete) return;
    const now = secondsNow(checking);
    const isDue = await ledger.progress.updateDoubts(coverage.generation, (doubts) =>
      isPending(doubts.dueAt ?? 0, DAY, now) ? undefined : { ...doubts, dueAt: now + HOUR },
    );
    if (isDue) await withDeadline(clock.now() + LIMIT_MS, () => inTime(checkLedger(checking), clock));
  } catch (error) {
    const level = error instanceof TooFewSources ? 'warn' : levelOf(error);
    telemetry[level]('the ledger could not be compared with the contracts', { error });
  }
}

/**
 * Compares the ledger with the contracts at its last block, and stores the result. Undefined while older blocks are still to be
 * indexed. Throws like {@link findMismatches}.
 */
export async function checkLedger({ ledger, clock, recorder }: Checking): Promise<Mismatch[] | undefined> {
  const { coverage } = await ledger.progress.latest();
  if (!coverage.complete) return undefined;
  const mismatches = await findMismatches(ledger, recorder.sources, coverage);
  const comparedAt = secondsNow({ clock });
  await ledger.progress.updateDoubts(coverage.generation, (doubts) => {
    const unknown = mismatches.filter(({ chain }) => chain === undefined);
    const kept = doubts.mismatches.filter(
      ({ contract, view, key, chain }) =>
        chain !== undefined &&
        unknown.some((one) => one.contract === contract && one.view === view && (one.key ?? key) === key),
    );
    return { ...doubts, comparedAt, dueAt: comparedAt + DAY, mismatches: [...kept, ...mismatches] };
  });
  return mismatches;
}

/** The figures that differ, or are not known, at the last block of `coverage`. Throws {@link TooFewSources}. */
export async function findMismatches(ledger: LedgerStore, sources: Sources, coverage: Coverage): Promise<Mismatch[]> {
  const sums = CHECKS.map((check) => ({ ...check, figures: new Map<string, bigint>() }));
  const addresses = new Map<string, string>();
  for await (const page of ledger.pages(subjectOf.protocol, coverage)) {
    for (const entry of page) {
      for (const sum of sums) addEntry(sum, entry);
      if (entry.type === 'minipoolCreated' && entry.owner) addresses.set(entry.nodeID, entry.owner);
      if (entry.type === 'unstakeRequested') addresses.set(String(entry.requestId), entry.requester);
    }
  }
  const { facts, disputed } = await sources.settle(({ chain }) => compare(sums, chain, coverage.toBlock, addresses));
  const unknown = [...disputed.values()].flatMap(([figure]) => (figure ? { ...figure, chain: undefined } : []));
  return [...facts.values(), ...unknown].filter(({ ledger, chain }) => ledger !== chain);
}

type Sum = SumCheck & { figures: Map<string, bigint> };

function addEntry({ changes, figures }: Sum, entry: Entry): void {
  // The entry's type is that of the function.
  const changesOf = changes[entry.type] as ChangesOf<Entry> | undefined;
  for (const [key, change] of changesOf?.(entry, figures) ?? []) {
    if (change === undefined) figures.delete(key);
    else figures.set(key, (figures.get(key) ?? 0n) + change);
  }
}

/** All figures of the ledger and of the contracts. Those of a view that does not answer are one. */
async function compare(sums: readonly Sum[], chain: Chain, block: number, addresses: ReadonlyMap<string, string>) {
  const state = await chain.at(block);
  const read = sums.map(async ({ contract, view, read, figures }) => {
    const answer = await ifAnswered(read(state, figures));
    if (answer === undefined) return [[`${contract} ${view}`, { contract, view, ledger: '', block }] as const];
    const known = typeof answer === 'bigint' ? new Map([['', answer]]) : answer;
    return Array.from(new Set([...figures.keys(), ...known.keys()]), (key) => {
      const address = contract === 'TokenggAVAX' || contract === 'Staking' ? key : addresses.get(key);
      const about = key && { key, ...(address && { address: address.toLowerCase() }) };
      const both = { ledger: String(figures.get(key) ?? 0n), chain: String(known.get(key) ?? 0n) };
      return [`${contract} ${view} ${key}`, { contract, view, ...about, ...both, block }] as const;
    });
  });
  return new Map<string, Mismatch>((await Promise.all(read)).flat());
}
