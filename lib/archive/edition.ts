import type { Services } from '../api/services.ts';
import { readHistoryStart } from '../history/history-start.ts';
import { readMissingBoundaries } from '../history/record-history.ts';
import { subjectOf } from '../ledger/ledger-entry.ts';
import { readPage } from '../ledger/page.ts';
import type { BlockRef } from '../values/block.ts';
import { isoDay } from '../values/iso-time.ts';

export interface Edition {
  network: string;
  chainId: number;
  /** The block of the last state: nothing in the export is newer. */
  block: BlockRef;
  /** Time of the protocol's first event, unix seconds; of the first one that is known, if earlier ones are missing. */
  since: number;
  commit: string;
  /** Day on which it was made, UTC. */
  madeOn: string;
  /** The missing parts, as clauses. */
  missing: string[];
}

/** Seconds after a midnight until its point is expected: it is recorded with a delay. */
const LATE_SECONDS = 2 * 3_600;

/** Days are expected from the protocol's first event on. Throws UPSTREAM_UNAVAILABLE if a table does not answer. */
export async function readEdition(context: Services, block: BlockRef, commit: string): Promise<Edition> {
  const { history, ledger, config } = context;
  const { complete, fromBlock } = (await ledger.progress.latest()).coverage;
  const starts = await readHistoryStart(context);
  // Not since HISTORY_START: a recorder that was told to begin later lacks the days before.
  const { entries } = await readPage(ledger, subjectOf.protocol, { limit: 1, order: 'asc' });
  const since = (complete && entries[0]?.timestamp) || starts.days;
  const until = block.timestamp - LATE_SECONDS;
  const [days, hours] = await Promise.all([
    readMissingBoundaries(history, '1d', since, until),
    readMissingBoundaries(history, '1h', Math.max(since, starts.hours), until),
  ]);
  const missing = [
    !complete && `events are indexed from block ${fromBlock} on, and earlier ones are missing`,
    days.length > 0 && `${days.length} of the daily points since ${isoDay(since)} are not recorded`,
    hours.length > 0 &&
      `${hours.length} of the hourly points since ${isoDay(Math.max(since, starts.hours))} are not recorded`,
  ];
  return {
    ...{ network: config.network.name, chainId: config.network.chainId, block, since, commit },
    madeOn: isoDay(context.clock.now() / 1_000),
    missing: missing.filter((clause) => clause !== false),
  };
}
