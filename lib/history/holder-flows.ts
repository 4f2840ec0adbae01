/** Flows of an address that holds, or has held, ggAVAX, from its ledger entries. */

import type { EntryType } from '../ledger/events/entry-types.ts';
import type { Entry, EntryOf } from '../ledger/ledger-entry.ts';
import { sum } from '../values/wad.ts';
import type { Flow } from './holder-spans.ts';

const FLOW_KINDS = ['deposited', 'withdrawn', 'transferredIn', 'returned', 'transferredOut'] as const;

/**
 * The kind of a flow of ggAVAX. `withdrawn` are shares that were redeemed, or that their holder put into the withdrawal
 * queue for themselves: the queue promises AVAX at that block's rate, and the shares earn nothing from then on. `returned`
 * are shares from the queue: it gives shares only for a request that was cancelled or has expired. They count as the AVAX
 * that the request promised, the amount at which they left: any value beyond it was earned in the queue. Shares burnt as
 * a donation are `transferredOut`.
 */
export type FlowKind = (typeof FLOW_KINDS)[number];

export interface HolderFlow extends Flow {
  readonly kind: FlowKind;
}

/** The flows of an address (lower-case 0x-hex) in its entries, in order. Transfers to itself, or of no shares, are not flows. */
export function flowsOf(holder: string, entries: readonly Entry[], withdrawQueue: string): HolderFlow[] {
  const queue = withdrawQueue.toLowerCase();
  const promises = promisesByTransfer(holder, entries, queue);
  const flowOf = (entry: Entry): Omit<HolderFlow, 'time'> | undefined => {
    switch (entry.type) {
      case 'ggAvaxDeposited':
        return { kind: 'deposited', shares: entry.shares, assets: entry.assets };
      case 'ggAvaxWithdrawn':
        return { kind: 'withdrawn', shares: -entry.shares, assets: -entry.assets };
      case 'ggAvaxTransferred': {
        const { from, to, shares, assets, rate } = entry;
        if (from === to) return undefined;
        if (to === holder && from === queue)
          return { kind: 'returned', shares, assets: promises.get(entry) ?? assets, rate };
        if (to === holder) return { kind: 'transferredIn', shares, assets };
        const promise = promises.get(entry);
        if (promise === undefined) return { kind: 'transferredOut', shares: -shares, assets: -assets };
        // Other transactions of the block may have changed the rate since.
        return { kind: 'withdrawn', shares: -shares, assets: -promise };
      }
      case 'yieldAdded': {
        const { shares = 0n, amount } = entry;
        return { kind: 'transferredOut', shares: -shares, assets: -amount };
      }
      default:
        return undefined;
    }
  };
  return entries.flatMap((entry) => {
    const flow = flowOf(entry);
    return flow && flow.shares !== 0n ? { time: entry.timestamp, ...flow } : [];
  });
}

/**
 * The AVAX wei promised for shares that the queue took or gave back, by their transfer. In its transaction, a request comes
 * after the transfer of its shares, and the end of a request before it.
 */
function promisesByTransfer(holder: string, entries: readonly Entry[], queue: string): ReadonlyMap<Entry, bigint> {
  const requests = entries.filter((entry) => entry.type === 'unstakeRequested');
  const promised = new Map(requests.map(({ requestId, expectedAssets }) => [requestId, expectedAssets]));
  const promises = new Map<Entry, bigint>();
  for (const transaction of Map.groupBy(entries, ({ txHash }) => txHash).values()) {
    for (const [place, entry] of transaction.entries()) {
      const isEnd = entry.type === 'unstakeCancelled' || entry.type === 'unstakeReturned';
      if (!isEnd && !isRequestOf(holder, entry)) continue;
      const transfer = (isEnd ? transaction.slice(place + 1) : transaction.slice(0, place).toReversed()).find(
        (each) =>
          each.type === 'ggAvaxTransferred' &&
          (isEnd ? each.from : each.to) === queue &&
          each.shares === entry.shares &&
          !promises.has(each),
      );
      const assets = isEnd ? promised.get(entry.requestId) : entry.expectedAssets;
      if (transfer && assets !== undefined) promises.set(transfer, assets);
    }
  }
  return promises;
}

const ENDS: readonly EntryType[] = ['unstakeClaimed', 'unstakeCancelled', 'unstakeReturned'];

/** The withdrawal requests of an address that have not been claimed, cancelled or, after they had expired, returned. */
export function openRequestsOf(holder: string, entries: readonly Entry[]): number[] {
  const open = new Set(entries.flatMap((entry) => (isRequestOf(holder, entry) ? entry.requestId : [])));
  for (const entry of entries) if ('requestId' in entry && ENDS.includes(entry.type)) open.delete(entry.requestId);
  return [...open];
}

function isRequestOf(holder: string, entry: Entry): entry is EntryOf<'unstakeRequested'> {
  return entry.type === 'unstakeRequested' && entry.requester === holder;
}

export function assetsOf(flows: readonly HolderFlow[]): Record<FlowKind, bigint> {
  const totals = Object.fromEntries(FLOW_KINDS.map((kind) => [kind, 0n])) as Record<FlowKind, bigint>;
  for (const { kind, assets } of flows) totals[kind] += assets < 0n ? -assets : assets;
  return totals;
}

/** AVAX wei paid out according to a holder's entries: for shares redeemed without the queue, and for claims. */
export function receivedAssets(entries: readonly Entry[]): bigint {
  return sum(
    entries.map((entry) => (entry.type === 'ggAvaxWithdrawn' || entry.type === 'unstakeClaimed' ? entry.assets : 0n)),
  );
}
