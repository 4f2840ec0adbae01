/** The times for which there can be entries: from the protocol's first entry, once that is known, until now. */

import { secondsNow } from '../runtime/context.ts';
import { ifAvailable } from '../runtime/if-known.ts';
import { END_OF_TIME } from '../values/durations.ts';
import type { LedgerContext } from './ledger-store.ts';

/** Blocks may be some seconds ahead of this machine's clock. */
const AHEAD_SECONDS = 60;
/** All ranges that end before the first entry, and all that begin in the future: valid, and there are no entries. */
const BEFORE_ALL = { from: undefined, to: 0 };
const AFTER_ALL = { from: END_OF_TIME, to: undefined };

interface Times {
  /** Unix seconds, both included. */
  from?: number | undefined;
  to?: number | undefined;
}

/**
 * The same range in whole units of `unit` seconds, each named by its start: from the one that contains `from` to the one that
 * contains `to`, limited to the times for which there can be entries. Ranges with the same entries thereby share one cached
 * response.
 */
export async function limitToLedger<Input extends Times>(
  input: Input,
  context: LedgerContext,
  unit = 1,
): Promise<Input> {
  if (input.from === undefined && input.to === undefined) return input;
  const startOfUnit = (time: number) => Math.floor(time / unit) * unit;
  const first = Math.max(0, startOfUnit((await readFirstTime(context)) - 1));
  const last = startOfUnit(secondsNow(context) + AHEAD_SECONDS);
  const from = Math.max(startOfUnit(input.from ?? first), first);
  const to = Math.min(startOfUnit(input.to ?? last), last);
  if (to < first) return { ...input, ...BEFORE_ALL };
  if (from > last) return { ...input, ...AFTER_ALL };
  return { ...input, from: from === first ? undefined : from, to: to === last ? undefined : to };
}

/** 0 if it is unknown. If the table does not respond, reading the entries will report that. */
async function readFirstTime(context: LedgerContext): Promise<number> {
  const read = () => context.ledger.start();
  // Not for long, because the entries themselves have to be read in the remaining time.
  return (await ifAvailable(context, "the ledger's first entry", read, context.limits.durableTableMs)) ?? 0;
}
