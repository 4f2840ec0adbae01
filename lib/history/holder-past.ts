import { ofHolder } from '../ledger/concerns.ts';
import { type Entry, subjectOf } from '../ledger/ledger-entry.ts';
import type { Coverage } from '../ledger/ledger-progress.ts';
import { ledgerOf } from '../ledger/ledger-store.ts';
import type { FlowGroup } from '../rewards/holder-yield.ts';
import type { Context } from '../runtime/context.ts';
import { END_OF_TIME } from '../values/durations.ts';
import { fromText, type HolderDay, sumsOf } from './holder-day.ts';
import {
  assetsOf,
  endedRequests,
  flowsOf,
  type HolderFlow,
  type PricedPoolMoment,
  receivedAssets,
  requestsOf,
} from './holder-flows.ts';
import { boundaryBefore } from './series.ts';

/**
 * Everything that an address has done with ggAVAX, in as many queries for an exchange as for anybody else: its days as
 * far as they are summed up, and the entries since then.
 */
export interface HolderPast {
  coverage: Coverage;
  days: readonly HolderDay[];
  /** Until when days are summed up, unix seconds: the end of a day, or 0. */
  summedTo: number;
  /** Its later entries in the searched blocks, oldest first. */
  entries: readonly Entry[];
}

/** What an address has done up to a block. */
export interface HolderTotals extends Pick<HolderDay, 'assets' | 'received'> {
  /** In order; days that are over are one each. */
  flows: (FlowGroup | HolderFlow)[];
  /** Requests that have not been claimed, cancelled or, after they had expired, returned. */
  openRequests: number[];
}

/**
 * The past of an address (lower-case 0x-hex). Only days that end at or before `until` (unix seconds) are summed up.
 * Throws UPSTREAM_UNAVAILABLE if the table does not answer.
 */
export async function readHolderPast(context: Context, holder: string, until: number): Promise<HolderPast> {
  const ledger = ledgerOf(context);
  const { coverageOf, summedTo: summed = 0 } = await ledger.progress.latest();
  const coverage = coverageOf(ofHolder(holder));
  const summedTo = boundaryBefore(Math.min(summed, until), '1d');
  const days = await ledger.sums.days(holder, summedTo, fromText);
  const entries = await ledger.between(subjectOf.holder(holder), coverage, summedTo + 1);
  return { coverage, summedTo, days, entries };
}

/** What an address has done up to a block, which must not be before the days that are summed up. */
export function totalsOf(
  holder: string,
  { days, entries }: HolderPast,
  withdrawQueue: string,
  upTo = Number.POSITIVE_INFINITY,
): HolderTotals {
  const known = entries.filter(({ block }) => block <= upTo);
  const earlier = new Map(days.flatMap(({ requested }) => requested));
  const flows = flowsOf(holder, known, withdrawQueue, earlier);
  const open = new Set([...earlier.keys(), ...requestsOf(holder, known).map(([requestId]) => requestId)]);
  for (const requestId of [...days.flatMap(({ ended }) => ended), ...endedRequests(known)]) open.delete(requestId);
  return {
    flows: [...days.flatMap((day) => day.flows ?? []), ...flows],
    assets: sumsOf((kind) => days.reduce((sum, day) => sum + day.assets[kind], assetsOf(flows, kind))),
    received: days.reduce((sum, day) => sum + day.received, receivedAssets(known)),
    openRequests: [...open],
  };
}

/** The last time at which no moment can divide a day that ends there: the start of the last one's own day. */
export function wholeDaysUntil(moments: readonly PricedPoolMoment[]): number {
  const last = moments.at(-1);
  return last ? boundaryBefore(last.time, '1d') : END_OF_TIME;
}
