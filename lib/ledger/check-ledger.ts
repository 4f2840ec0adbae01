/**
 * Compares the ledger with the contracts once a day, as an alarm. A figure of the chain counts only if as many providers as
 * the quorum return it.
 */

import { ifAnswered } from '../chain/answered.ts';
import type { Chain } from '../chain/chain.ts';
import { contractAt } from '../chain/contract.ts';
import { secondsNow } from '../runtime/context.ts';
import { levelOf } from '../runtime/errors.ts';
import type { Telemetry } from '../runtime/telemetry.ts';
import type { BlockRef } from '../values/block.ts';
import { DAY } from '../values/durations.ts';
import { CHECKS } from './checks.ts';
import { type Entry, type EntryOf, subjectOf } from './ledger-entry.ts';
import type { Check } from './ledger-state.ts';
import type { LedgerContext } from './ledger-store.ts';
import type { Mismatch } from './mismatches.ts';
import type { LedgerRecorder } from './record-ledger.ts';
import type { Sources } from './sources.ts';

interface Checking extends Pick<LedgerContext, 'ledger' | 'clock'> {
  recorder: LedgerRecorder;
}

/** Seconds until the next comparison if too few providers keep the states: it reads all entries. */
const RETRY_SECONDS = 3_600;
/** Most mismatches that are stored: all share one row, which is read often and limited to 400 kB. */
const MOST_STORED = 500;

const STAKING_ABI = [
  'function getGGPRewards(address stakerAddr) view returns (uint256)',
  'function getLastRewardsCycleCompleted(address stakerAddr) view returns (uint256)',
] as const;

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
  const { coverage, check: last } = await ledger.progress.latestUncached();
  if (!coverage.complete) return undefined;
  const block = { number: coverage.toBlock, timestamp: coverage.toTimestamp };
  const sums = CHECKS.map(() => new Map<string, bigint>());
  const addresses = new Map<string, string>();
  const claims: EntryOf<'ggpRewardsClaimed'>[] = [];
  for await (const page of ledger.pages(subjectOf.protocol, coverage)) {
    for (const entry of page) {
      for (const [place, { fromLedger }] of CHECKS.entries()) fromLedger(sums[place] as Map<string, bigint>, entry);
      noteAddress(addresses, entry);
      if (entry.type === 'ggpRewardsClaimed' && entry.block > (last?.block.number ?? 0)) claims.push(entry);
    }
  }
  const [ofSums, ofClaims] = await Promise.all([
    compareSums(recorder.sources, sums, block),
    compareClaims(recorder.sources, claims),
  ]);
  const check = {
    block: ofSums ? block : (last?.block ?? { number: 0, timestamp: 0 }),
    dueAt: secondsNow({ clock }) + (ofSums ? DAY : RETRY_SECONDS),
    mismatches: [...(ofSums ?? last?.mismatches ?? []), ...(ofSums ? ofClaims : [])]
      .slice(0, MOST_STORED)
      .map((one) => ({ ...one, ...addressOf(one, addresses) })),
  };
  await ledger.progress.update(() => ({ check }));
  return ofSums && check;
}
function noteAddress(addresses: Map<string, string>, entry: Entry): void {
  if (entry.type === 'minipoolCreated' && entry.owner) addresses.set(entry.nodeID.toLowerCase(), entry.owner);
  if (entry.type === 'unstakeRequested') addresses.set(String(entry.requestId), entry.requester);
}

function addressOf({ key, contract }: Mismatch, addresses: ReadonlyMap<string, string>): { address?: string } {
  if (key === undefined) return {};
  const isItself = contract === 'TokenggAVAX' || contract === 'Staking';
  const address = isItself ? key : addresses.get(key);
  return address === undefined ? {} : { address: address.toLowerCase() };
}

/** The sums that differ; undefined if too few sources can read the contracts. */
async function compareSums(
  sources: Sources,
  sums: readonly ReadonlyMap<string, bigint>[],
  block: BlockRef,
): Promise<Mismatch[] | undefined> {
  const facts = await sources.figures(async (chain) => {
    const state = await chain.at(block.number);
    const read = CHECKS.map(async ({ fromContract }, place) => {
      const keys = [...(sums[place] ?? [])].filter(([, figure]) => figure !== 0n).map(([key]) => key);
      const figures = await ifAnswered(fromContract(state, keys));
      // The second part says that the check was answered: no figure is then 0.
      return figures && [...[...figures].map(([key, figure]) => [`${place} ${key}`, String(figure)]), [`${place}`, '']];
    });
    return new Map((await Promise.all(read)).flatMap((found) => (found ?? []) as [string, string][]));
  });
  if (!facts) return undefined;
  return CHECKS.flatMap(({ contract, view, isPartial }, place) => {
    if (!facts.has(`${place}`)) return [];
    const ledger = sums[place] as ReadonlyMap<string, bigint>;
    const ofCheck = [...facts.keys()].filter((key) => key.startsWith(`${place} `));
    const known = ofCheck.map((key) => key.slice(`${place} `.length));
    const keys = isPartial ? known.filter((key) => ledger.has(key)) : new Set([...ledger.keys(), ...known]);
    return [...keys].flatMap((key) => {
      const figures = { ledger: String(ledger.get(key) ?? 0n), chain: facts.get(`${place} ${key}`) ?? '0' };
      if (figures.ledger === figures.chain) return [];
      return { contract, view, ...(key && { key }), ...figures, block: block.number };
    });
  });
}

/**
 * The claims that differ from the unclaimed rewards in the state before: a claim takes them all. Unknown for a claim in the
 * block of its own distribution, and if too few sources keep the states.
 */
async function compareClaims(sources: Sources, claims: readonly EntryOf<'ggpRewardsClaimed'>[]): Promise<Mismatch[]> {
  const alone = claims.filter(
    ({ block, staker }) => claims.filter((one) => one.block === block && one.staker === staker).length === 1,
  );
  const readAt = async (chain: Chain, { block, staker }: (typeof claims)[number], offset: 0 | 1) => {
    const { runner, addresses } = await chain.at(block - offset);
    const { getGGPRewards, getLastRewardsCycleCompleted } = contractAt(addresses.Staking, STAKING_ABI, runner);
    const [given, cycle] = await Promise.all([
      ifAnswered(getGGPRewards(staker)),
      ifAnswered(getLastRewardsCycleCompleted(staker)),
    ]);
    return { given, cycle };
  };
  const facts = await sources.figures(async (chain) => {
    const read = alone.map(async (claim, place) => {
      const [before, after] = await Promise.all([readAt(chain, claim, 1), readAt(chain, claim, 0)]);
      const isOwn = before.given !== undefined && before.cycle === after.cycle;
      return isOwn ? ([[String(place), String(before.given)]] as const) : [];
    });
    return new Map((await Promise.all(read)).flat());
  });
  return alone.flatMap(({ block, staker, amount, restaked }, place) => {
    const [ledger, chain] = [String(amount + restaked), facts?.get(String(place))];
    if (chain === undefined || ledger === chain) return [];
    return { contract: 'Staking', view: 'getGGPRewards', key: staker, ledger, chain, block };
  });
}
