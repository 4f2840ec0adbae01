/** Flows and earnings of an address that holds, or has held, ggAVAX, from its ledger entries. */

import { endedRequest } from '../ledger/balance-changes.ts';
import type { Entry, EntryOf } from '../ledger/ledger-entry.ts';
import { annualRate, type Flow, type PoolMoment, type Span, spansBetween } from '../rewards/holder-yield.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { divWad, mulWad } from '../values/wad.ts';
import { boundaryBefore, INTERVAL_SECONDS } from './series.ts';

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

/**
 * The flows of an address (lower-case 0x-hex) in its entries, in order. Transfers to itself, or of no shares, are not
 * flows. If earlier entries of the address are left out, `promised` must also have the requests in them.
 */
export function flowsOf(
  holder: string,
  entries: readonly Entry[],
  withdrawQueue: string,
  promised: ReadonlyMap<number, bigint> = new Map(entries.flatMap(promiseIn)),
): HolderFlow[] {
  const queue = withdrawQueue.toLowerCase();
  const promises = promisesByTransfer(holder, entries, queue, promised);
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
function promisesByTransfer(
  holder: string,
  entries: readonly Entry[],
  queue: string,
  promised: ReadonlyMap<number, bigint>,
): ReadonlyMap<Entry, bigint> {
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

/** The ID of the withdrawal request that an entry creates, and the AVAX wei promised; empty for other entries. */
export function promiseIn(entry: Entry): [requestId: number, promised: bigint][] {
  return entry.type === 'unstakeRequested' ? [[entry.requestId, entry.expectedAssets]] : [];
}

/** The withdrawal requests of an address that have not been claimed, cancelled or, after they had expired, returned. */
export function openRequestsOf(holder: string, entries: readonly Entry[]): number[] {
  const open = new Set(entries.flatMap((entry) => (isRequestOf(holder, entry) ? entry.requestId : [])));
  for (const requestId of entries.flatMap((entry) => endedRequest(entry) ?? [])) open.delete(requestId);
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
  return entries.reduce((sum, entry) => (isPayment(entry) ? sum + entry.assets : sum), 0n);
}

function isPayment(entry: Entry): entry is EntryOf<'ggAvaxWithdrawn' | 'unstakeClaimed'> {
  return entry.type === 'ggAvaxWithdrawn' || entry.type === 'unstakeClaimed';
}

const DAY = INTERVAL_SECONDS['1d'];
const NOTHING = { totalAssets: 0n, totalSupply: 0n };

/** The pool at a moment, and the prices known then, scaled by 1e18. */
export interface PricedPoolMoment extends PoolMoment {
  /** Block of that state. */
  readonly block?: number | undefined;
  readonly avaxPerGgAvax?: bigint | undefined;
  readonly avaxInUSD?: bigint | undefined;
  readonly ggpInAVAX?: bigint | undefined;
  readonly eurInUSD?: bigint | undefined;
}

export type PricedSpan = Span<PricedPoolMoment>;

/**
 * The spans from the start of a holder's first day to the last of these moments (in order), split at each moment: one span
 * per day if every day is recorded. The pool's state at the start is not needed, because the holder held nothing then.
 */
export function holderSpans(flows: readonly Flow[], moments: readonly PricedPoolMoment[]): PricedSpan[] {
  const [first] = flows;
  if (!first) return [];
  // A flow in a boundary's own second belongs to the day that ends there.
  const start = boundaryBefore(first.time - 1, '1d');
  const known = moments.filter(({ time }) => time >= start);
  const opening = known[0]?.time === start ? [] : [{ time: start, totals: NOTHING }];
  return spansBetween(flows, [...opening, ...known]);
}

/**
 * USD (scaled by 1e18) of what a span earned, at the price at its end; undefined if that is unknown, or if the span is
 * longer than a day.
 */
export function rewardUSD({ open, close, reward }: PricedSpan): bigint | undefined {
  if (reward === 0n) return 0n;
  return close.time - open.time > DAY ? undefined : ifKnown(mulWad, reward, close.avaxInUSD);
}

/** EUR (scaled by 1e18) of what a span earned: {@link rewardUSD} at the price of the euro at its end. */
function rewardEUR(span: PricedSpan): bigint | undefined {
  return span.reward === 0n ? 0n : ifKnown(divWad, rewardUSD(span), span.close.eurInUSD);
}

/** A sum over spans: over all of them or, if some have no known value, over the spans after the last of these. */
export interface KnownSum {
  /** Scaled by 1e18. Undefined if the last value is unknown. */
  total?: bigint;
  /** Start of the sum's first span (unix seconds), if that is not the first of all spans. */
  from?: number | undefined;
}

/** Adds up the known values of {@link rewardUSD} or {@link rewardEUR} over several spans, in order. */
export function knownSum(spans: readonly PricedSpan[], amountIn: typeof rewardUSD): KnownSum {
  const values = spans.map(amountIn);
  const unknown = values.lastIndexOf(undefined) + 1;
  if (unknown > 0 && unknown === spans.length) return {};
  const total = values.slice(unknown).reduce<bigint>((sum, value = 0n) => sum + value, 0n);
  return { total, from: unknown > 0 ? spans[unknown]?.open.time : undefined };
}

/** True if no price is missing in a sum. */
export function isPriced({ total, from }: KnownSum): boolean {
  return total !== undefined && from === undefined;
}

export interface Earned {
  /** AVAX wei. */
  readonly reward: bigint;
  /** Scaled by 1e18, at the price at the end of each day. */
  readonly usd: KnownSum;
  readonly eur: KnownSum;
}

export function earnedIn(spans: readonly PricedSpan[]): Earned {
  return {
    reward: spans.reduce((sum, { reward }) => sum + reward, 0n),
    usd: knownSum(spans, rewardUSD),
    eur: knownSum(spans, rewardEUR),
  };
}

export interface Earnings extends Earned {
  /** ggAVAX wei that are left after all flows. */
  shares: bigint;
  /** Annual reward as a fraction of the average value, 1e18 = 100 %; undefined if too little was held. */
  annualRate: bigint | undefined;
}

/** The earnings of a holder up to `now`, day by day where boundaries before it are recorded. */
export function earningsOf(
  flows: readonly Flow[],
  recorded: readonly PricedPoolMoment[],
  now: PricedPoolMoment,
): Earnings {
  const spans = holderSpans(flows, [...recorded.filter(({ time }) => time < now.time), now]);
  const earned = earnedIn(spans);
  const valueTime = spans.reduce((sum, span) => sum + span.valueTime, 0n);
  return {
    ...earned,
    shares: spans.at(-1)?.closeShares ?? 0n,
    annualRate: annualRate({ reward: earned.reward, valueTime }),
  };
}
