/** The tables that are the only source of their data. `infra/stack/tables.ts` creates them. */

import { ApiError } from '../runtime/errors.ts';

/** How a table of series is made. */
export interface TableForm {
  /** The attributes that are the partition and the sort key. */
  series: string;
  position: string;
  /** Whether a read must have what was written just before. That costs twice as much. */
  isConsistent: boolean;
  /** In errors that clients see, as the subject of a sentence. */
  what: string;
}

export const HISTORY: TableForm = {
  series: 'series',
  position: 'timestamp',
  isConsistent: false,
  what: 'The recorded history',
};

/** An eventually consistent read could lack rows that are covered. */
export const LEDGER: TableForm = { series: 'subject', position: 'position', isConsistent: true, what: 'The ledger' };

/** What was read. Throws UPSTREAM_UNAVAILABLE if it was not. */
export async function orUnavailable<T>({ what }: TableForm, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (cause) {
    throw new ApiError('UPSTREAM_UNAVAILABLE', `${what} could not be read. Please try again shortly.`, { cause });
  }
}
