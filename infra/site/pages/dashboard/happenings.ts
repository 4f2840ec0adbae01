/** Events as rows of a list: what happened, and its amount. */

import { declarationOf, ENTRY_TYPES } from '../../../../lib/ledger/events/entry-types.ts';
import { UNITS, type UnitDeclaration } from '../../../../lib/values/units.ts';
import type { Entry } from './bodies.ts';

const NEXT_CYCLE = 'next cycle';

/** Smaller transfers, in ggAVAX, are bait for people who copy addresses, or rounding. */
const DUST = 0.01;

/** Merges events about the same change; entries are ordered newest first. */
export function happenings(activity: readonly Entry[], isOfAllKinds: boolean): Entry[] {
  const least = isOfAllKinds ? DUST : Number.MIN_VALUE;
  return mergeChanges(
    mergeMoves(activity.filter(({ type, shares }) => type !== 'ggAvaxTransferred' || Number(shares) >= least)),
  );
}

/** Changes of withdrawals, and the end at which a transfer that is part of them has the requester. */
const MOVES: Partial<Record<Entry['type'], 'from' | 'to'>> = {
  unstakeRequested: 'from',
  unstakeCancelled: 'to',
  unstakeReturned: 'to',
};

/** A request transfers ggAVAX to the queue, its cancellation or return transfers it back: an event of its own. */
function mergeMoves(activity: readonly Entry[]): Entry[] {
  const keyOf = (entry: Entry, end: string, address: unknown) => [entry.txHash, end, address, entry.shares].join();
  const moves = activity.flatMap((entry) => {
    const end = MOVES[entry.type];
    return end === undefined ? [] : keyOf(entry, end, entry.requester);
  });
  const isPart = (entry: Entry) => {
    const keys = (['from', 'to'] as const).map((end) => keyOf(entry, end, entry[end]));
    const move = moves.findIndex((key) => keys.includes(key));
    if (move >= 0) moves.splice(move, 1);
    return move >= 0;
  };
  return activity.filter((entry) => entry.type !== 'ggAvaxTransferred' || !isPart(entry));
}

/** Events about a minipool's status. */
const CHANGES: readonly Entry['type'][] = ['minipoolStatusChanged', 'minipoolLaunched'];

/**
 * A launch emits an event of its own in addition to the change of status, and a new cycle begins with three changes at
 * once. Of the events of one minipool in one transaction, only the last is kept.
 */
function mergeChanges(activity: readonly Entry[]): Entry[] {
  const told = new Map<string, Entry>();
  return activity.flatMap((entry) => {
    if (!CHANGES.includes(entry.type)) return entry;
    const key = `${entry.txHash} ${entry.nodeID}`;
    const last = told.get(key);
    // Only a further cycle goes back to prelaunch: a new minipool is created in that status.
    if (last && entry.status === 'prelaunch') last.status = NEXT_CYCLE;
    if (last) return [];
    const made = { ...entry };
    told.set(key, made);
    return made;
  });
}

/** The title of an event: `Minipool: launched`. */
export function titleOf({ type, status }: Entry): string {
  // A page that was loaded before an upgrade does not know the types that are new.
  return `${ENTRY_TYPES[type]?.label ?? type}${typeof status === 'string' ? `: ${status}` : ''}`;
}

/** Fields with amounts, the most relevant first. */
const AMOUNTS = ['assets', 'baseAmt', 'expectedAssets', 'rewardsAmt', 'price', 'totalAmt', 'amount', 'shares'] as const;

/** The most relevant amount of an event. Undefined if it has none. */
export function amountIn(entry: Entry): { amount: string; token: string | undefined } | undefined {
  // For a transfer, the amount of ggAVAX, as in wallets, not its value.
  const told = entry.type === 'ggAvaxTransferred' ? { shares: entry.shares } : entry;
  const field = AMOUNTS.find((name) => name in told);
  const unit = field && ENTRY_TYPES[entry.type] && declarationOf(entry.type).fields[field]?.unit;
  if (!unit) return undefined;
  const { symbol }: UnitDeclaration = UNITS[unit];
  return { amount: entry[field] as string, token: symbol };
}
