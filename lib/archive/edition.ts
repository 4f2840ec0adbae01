import type { Services } from '../api/services.ts';
import { CYCLE_SECONDS, readUnrecordedCycles } from '../history/distributions.ts';
import { readHistoryStart } from '../history/history-start.ts';
import { readMissingBoundaries } from '../history/record-history.ts';
import { findMismatches } from '../ledger/check-ledger.ts';
import { subjectOf } from '../ledger/ledger-entry.ts';
import type { LedgerState } from '../ledger/ledger-state.ts';
import type { Mismatch, Refusal } from '../ledger/mismatch.ts';
import { readPage } from '../ledger/page.ts';
import { Sources, TooFewSources } from '../ledger/sources.ts';
import { secondsNow } from '../runtime/context.ts';
import type { BlockRef } from '../values/block.ts';
import { DAY, END_OF_TIME } from '../values/durations.ts';
import { isoDay, isoTime } from '../values/iso-time.ts';
import { pinnedServices, readPin } from './pinned.ts';

export interface Edition {
  network: string;
  chainId: number;
  /** The block of the last state: nothing in the export is newer. */
  block: BlockRef;
  /** Time of the protocol's first event, unix seconds; of the first one that is known, if earlier ones are missing. */
  since: number;
  /** URL of the program that made it, if it is known, and its commit. */
  repository?: string | undefined;
  commit: string;
  /** Day on which it was made, UTC. */
  madeOn: string;
  /** The least number of providers that agreed on a part of the events. */
  sources: number;
  missing: Gap[];
}

/** A sentence about what an export lacks. */
export interface Gap {
  text: string;
  /** The subjects whose pages have the sentence: `holder`, `staker`, an address or a node (lower-case hex). By default all. */
  about?: string[];
}

/** Seconds after a boundary until its point is expected: it is recorded with a delay. */
const LATE_SECONDS = 2 * 3_600;
/** Most seconds by which the last block may be older than the export. */
const MAX_AGE_SECONDS = 900;

/** Reads what an export of the last indexed block lacks. Throws UPSTREAM_UNAVAILABLE if a table or the chain does not answer. */
export async function readEdition(services: Services, origin: Pick<Edition, 'repository' | 'commit'>) {
  const pin = await readPin(services);
  const { block } = pin;
  const context = pinnedServices(services, pin);
  const { history, ledger, config } = context;
  const { coverage, ...state } = await ledger.progress.latest();
  const starts = await readHistoryStart(context);
  // Not since HISTORY_START: a recorder that was told to begin later lacks the days before.
  const { entries } = await readPage(ledger, subjectOf.protocol, { limit: 1, order: 'asc' });
  const since = (coverage.complete && entries[0]?.timestamp) || starts.days;
  const now = secondsNow(services);
  const until = Math.min(block.timestamp, now - LATE_SECONDS);
  const hoursSince = Math.max(since, starts.hours);
  const sources = new Sources(context.chain, config.ledgerSources);
  const comparing = coverage.complete ? findMismatches(ledger, sources, coverage) : undefined;
  const [days, hours, laterDays, cycles, compared] = await Promise.all([
    readMissingBoundaries(history, '1d', since, until),
    readMissingBoundaries(history, '1h', hoursSince, until),
    services.history.timestamps('1d', block.timestamp + 1, END_OF_TIME),
    readUnrecordedCycles(context),
    comparing?.catch((error: unknown) => (error instanceof TooFewSources ? undefined : Promise.reject(error))),
  ]);
  const doubts = { ...pin.doubts, ...(compared && { mismatches: compared }) };
  const gaps: (Gap | string | false)[] = [
    !coverage.complete && `Events before block ${coverage.fromBlock} are missing: they are not indexed yet.`,
    ...findStandstill(state, block, now, config.endsOn),
    coverage.sources < sources.quorum &&
      `Some events rest on one RPC provider, although ${sources.quorum} have to agree (npm run backfill -- --again).`,
    !compared &&
      `The events are not compared with the contracts at block ${block.number}: too few RPC providers have its state.`,
    ...doubts.mismatches.map(toGap),
    ...doubts.refused.map(toRefusalGap),
    ...cycles.map((startTime) => toCycleGap(startTime, block.timestamp)),
    days.length > 0 && `${days.length} of the daily points since ${isoDay(since)} are not recorded.`,
    hours.length > 0 && `${hours.length} of the hourly points since ${isoDay(hoursSince)} are not recorded.`,
    laterDays.length > 0 && `${laterDays.length} daily points after the last block are left out.`,
  ];
  const missing = gaps.flatMap((gap) => (typeof gap === 'string' ? { text: gap } : gap || []));
  const { name: network, chainId } = config.network;
  const range = { network, chainId, block, since, sources: coverage.sources, missing };
  const edition: Edition = { ...range, ...origin, madeOn: isoDay(now) };
  return { pin: { ...pin, doubts }, edition };
}

/** Why the last block is not the last one. `endsOn`: the service's last day, if it is known. */
export function findStandstill(
  { waitingSince, disputed }: Pick<LedgerState, 'waitingSince' | 'disputed'>,
  block: BlockRef,
  now: number,
  endsOn?: string,
): string[] {
  const end = endsOn === undefined ? END_OF_TIME : Date.parse(endsOn) / 1_000 + DAY;
  const isOver = now >= end;
  const expected = isOver ? `the last day ends at ${isoTime(end)}` : `it is now ${isoTime(now)}`;
  return [
    block.timestamp < (isOver ? end : now - MAX_AGE_SECONDS) &&
      `The last indexed block is ${block.number} of ${isoTime(block.timestamp)}: ${expected}.`,
    waitingSince && `Too few RPC providers answer for events since ${isoTime(waitingSince)}.`,
    disputed && `Blocks ${disputed.fromBlock} to ${disputed.toBlock} are not indexed: ${disputed.reason}.`,
  ].filter((gap) => typeof gap === 'string');
}

export function toGap({ contract, view, key, address, chain = 'not known', ledger, block }: Mismatch): Gap {
  const text = `${contract}.${view}(${key ?? ''}) is ${chain} at block ${block}, but ${ledger} by the events.`;
  // Mismatches have lower-case addresses.
  return key ? { text, about: address ? [key, address] : [key] } : { text };
}

export function toRefusalGap({ cycle, staker, providers = ['its figures'] }: Refusal): Gap {
  const text = `The GGP that rewards cycle ${cycle} paid to ${staker ?? 'stakers'} is unknown: ${providers.join(' and ')} disagree.`;
  return { text, about: [staker ?? 'staker'] };
}

/** The gap of a rewards cycle that has begun, and is not recorded. `indexedTo`: time of the last indexed block, unix seconds. */
export function toCycleGap(startTime: number, indexedTo: number): Gap {
  const due = startTime + CYCLE_SECONDS;
  const when = indexedTo < due ? `it is recorded from ${isoTime(due)} on` : 'run npm run backfill -- --all';
  const text = `The GGP of the rewards cycle that began on ${isoDay(startTime)} is missing: ${when}.`;
  return { text, about: ['staker'] };
}
