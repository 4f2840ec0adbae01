/**
 * Compares the ledger with the contracts once a day, as an alarm. A figure of the chain counts only if as many providers as
 * the quorum return it.
 */

import { ifAnswered } from '../chain/answered.ts';
import type { Chain } from '../chain/chain.ts';
import { secondsNow } from '../runtime/context.ts';
import { levelOf } from '../runtime/errors.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import { DAY } from '../values/durations.ts';
import { CHECKS, type Figures } from './checks.ts';
import { type Entry, subjectOf } from './ledger-entry.ts';
import type { Check } from './ledger-state.ts';
import type { LedgerContext } from './ledger-store.ts';
import type { Mismatch } from './mismatches.ts';
import type { LedgerRecorder } from './record-ledger.ts';

interface Checking extends Pick<LedgerContext, 'ledger' | 'clock'> {
  recorder: LedgerRecorder;
}

/** Seconds until the next comparison if too few providers keep the states: it reads all entries. */
const RETRY_SECONDS = 3_600;
/** Most mismatches that are stored: all share one row, which is read often and limited to 400 kB. */
const MOST_STORED = 500;
const NOT_CHECKED: Check = { block: { number: 0, timestamp: 0 }, dueAt: 0, mismatches: [] };

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
  const { coverage, check: last = NOT_CHECKED } = await ledger.progress.latestUncached();
  if (!coverage.complete) return undefined;
  const sums = CHECKS.map(() => new Map<string, bigint>());
  const addresses = new Map<string, string>();
  for await (const page of ledger.pages(subjectOf.protocol, coverage)) {
    for (const entry of page) {
      for (const [place, figures] of sums.entries()) addEntry(figures, place, entry);
      if (entry.type === 'minipoolCreated' && entry.owner) addresses.set(entry.nodeID, entry.owner);
      if (entry.type === 'unstakeRequested') addresses.set(String(entry.requestId), entry.requester);
    }
  }
  const facts = await recorder.sources.figures((chain) =>
    readFigures(chain, coverage.toBlock, sums, last.block.number),
  );
  const found = facts && compare(sums, facts, coverage.toBlock, addresses).slice(0, MOST_STORED);
  const block = { number: coverage.toBlock, timestamp: coverage.toTimestamp };
  const dueAt = secondsNow({ clock }) + (found ? DAY : RETRY_SECONDS);
  const check = found ? { block, dueAt, mismatches: found } : { ...last, dueAt };
  await ledger.progress.update(() => ({ check }));
  return found && check;
}

function addEntry(figures: Map<string, bigint>, place: number, entry: Entry): void {
  // The entry's type is that of the function.
  const changesOf = CHECKS[place]?.changes[entry.type] as ((entry: Entry, known: Figures) => Changed) | undefined;
  for (const [key, change] of changesOf?.(entry, figures) ?? []) {
    if (change === undefined) figures.delete(key);
    else figures.set(key, (figures.get(key) ?? 0n) + change);
  }
}

type Changed = (readonly [key: string, change: bigint | undefined])[];

/** The contracts' figures, by the place of their check and their key. A check that was answered has a fact of its own. */
async function readFigures(chain: Chain, block: number, sums: readonly Figures[], since: number) {
  const state = await chain.at(block);
  const read = CHECKS.map(async ({ read }, place): Promise<[string, string][]> => {
    const keys = [...(sums[place] ?? [])].filter(([, figure]) => figure !== 0n).map(([key]) => key);
    const figures = await ifAnswered(read(state, keys, chain, since));
    if (!figures) return [];
    return [
      [`${place}`, ''],
      ...[...figures].map(([key, figure]): [string, string] => [`${place} ${key}`, `${figure}`]),
    ];
  });
  return new Map((await Promise.all(read)).flat());
}

function compare(
  sums: readonly Figures[],
  facts: ReadonlyMap<string, string>,
  atBlock: number,
  addresses: ReadonlyMap<string, string>,
): Mismatch[] {
  return CHECKS.flatMap(({ contract, view, isPartial }, place) => {
    if (!facts.has(`${place}`)) return [];
    const known = [...facts.keys()].flatMap((key) =>
      key.startsWith(`${place} `) ? key.slice(`${place} `.length) : [],
    );
    const sum = sums[place] as Figures;
    const keys = isPartial ? known.filter((key) => sum.has(key)) : new Set([...sum.keys(), ...known]);
    return [...keys].flatMap((key) => {
      const figures = { ledger: String(sum.get(key) ?? 0n), chain: facts.get(`${place} ${key}`) ?? '0' };
      if (figures.ledger === figures.chain) return [];
      const [name = '', block = atBlock] = key.split('@');
      const address = contract === 'TokenggAVAX' || contract === 'Staking' ? name : addresses.get(name);
      const about = name && { key: name, ...(address && { address: address.toLowerCase() }) };
      return { contract, view, ...about, ...figures, block: Number(block) };
    });
  });
}
