/**
 * Compares the ledger with the contracts once a day, as an alarm. A figure of the chain counts only if as many providers as
 * the quorum return it.
 */

import type { Chain } from '../chain/chain.ts';
import { ifAnswered } from '../chain/contract.ts';
import { secondsNow } from '../runtime/context.ts';
import { levelOf } from '../runtime/errors.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import { DAY } from '../values/durations.ts';
import { CHECKS, type ChangesOf, type SumCheck } from './checks.ts';
import { type Entry, subjectOf } from './ledger-entry.ts';
import type { LedgerContext } from './ledger-store.ts';
import type { Check, Mismatch } from './mismatch.ts';
import type { LedgerRecorder } from './record-ledger.ts';

type Checking = Pick<LedgerContext, 'ledger' | 'clock'> & { recorder: LedgerRecorder };

/** Seconds until the next comparison if too few providers keep the states: it reads all entries. */
const RETRY_SECONDS = 3_600;
/** Most mismatches that are stored: all share one row, which is read often and limited to 400 kB. */
const MOST_STORED = 500;

/** Returns the last comparison, or makes a new one if it is due. Failures are logged, so that recording goes on. */
export async function checkIfDue({ telemetry, ...checking }: Checking & { telemetry: Telemetry }) {
  const { check } = await checking.ledger.progress.read();
  if (check && secondsNow(checking) < check.dueAt) return check;
  return checkLedger(checking).catch((error: unknown) => {
    telemetry[levelOf(error)]('the ledger could not be compared with the contracts', { error });
    return check;
  });
}

/**
 * Compares the ledger with the contracts at its last block, and stores the result. Undefined while older blocks are still to
 * be indexed, or if too few providers keep the states.
 */
export async function checkLedger({ ledger, clock, recorder }: Checking): Promise<Check | undefined> {
  const { coverage, check: last } = await ledger.progress.latest();
  if (!coverage.complete) return undefined;
  const sums = CHECKS.map((check) => ({ check, figures: new Map<string, bigint>() }));
  const addresses = new Map<string, string>();
  for await (const page of ledger.pages(subjectOf.protocol, coverage)) {
    for (const entry of page) {
      for (const sum of sums) addEntry(sum, entry);
      if (entry.type === 'minipoolCreated' && entry.owner) addresses.set(entry.nodeID, entry.owner);
      if (entry.type === 'unstakeRequested') addresses.set(String(entry.requestId), entry.requester);
    }
  }
  const compared = await recorder.sources.figures(({ chain }) => compare(sums, chain, coverage.toBlock, addresses));
  const mismatches = compared && [...compared.values()].filter(({ ledger, chain }) => ledger !== chain);
  const dueAt = secondsNow({ clock }) + (mismatches ? DAY : RETRY_SECONDS);
  const check = { dueAt, mismatches: mismatches?.slice(0, MOST_STORED) ?? last?.mismatches ?? [] };
  const { generation } = coverage;
  await ledger.progress.update((state) => (state.generation === generation ? { ...state, check } : undefined));
  return mismatches && check;
}

type Sum = { check: SumCheck; figures: Map<string, bigint> };

function addEntry({ check, figures }: Sum, entry: Entry): void {
  // The entry's type is that of the function.
  const changesOf = check.changes[entry.type] as ChangesOf<Entry> | undefined;
  for (const [key, change] of changesOf?.(entry, figures) ?? []) {
    if (change === undefined) figures.delete(key);
    else figures.set(key, (figures.get(key) ?? 0n) + change);
  }
}

/** All figures of the ledger and of the contracts, without those of contracts that do not answer. */
async function compare(sums: readonly Sum[], chain: Chain, block: number, addresses: ReadonlyMap<string, string>) {
  const state = await chain.at(block);
  const read = sums.map(async ({ check: { contract, view, read }, figures }) => {
    const known = await ifAnswered(read(state, figures));
    const keys = known ? new Set([...figures.keys(), ...known.keys()]) : [];
    return Array.from(keys, (key): [string, Mismatch] => {
      const address = contract === 'TokenggAVAX' || contract === 'Staking' ? key : addresses.get(key);
      const about = key && { key, ...(address && { address: address.toLowerCase() }) };
      const both = { ledger: String(figures.get(key) ?? 0n), chain: String(known?.get(key) ?? 0n) };
      return [`${contract} ${view} ${key}`, { contract, view, ...about, ...both, block }];
    });
  });
  return new Map((await Promise.all(read)).flat());
}
