/** The tables that are the only source of their data. `infra/stack/tables.ts` creates them. */

import { ApiError } from '../runtime/errors.ts';

export interface TableSchema {
  series: string;
  position: string;
  /** True if reads are strongly consistent. They cost twice as much. */
  isConsistent: boolean;
  /** Name of the table in errors that clients see, as the subject of a sentence. */
  what: string;
}

export const HISTORY: TableSchema = {
  series: 'series',
  position: 'timestamp',
  isConsistent: false,
  what: 'The recorded history',
};

/** Consistent, because an eventually consistent read could lack rows that are covered. */
export const LEDGER: TableSchema = { series: 'subject', position: 'position', isConsistent: true, what: 'The ledger' };

/** The result of a read. Throws UPSTREAM_UNAVAILABLE if the read failed. */
export async function orUnavailable<T>({ what }: TableSchema, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (cause) {
    throw new ApiError('UPSTREAM_UNAVAILABLE', `${what} could not be read. Please try again shortly.`, { cause });
  }
}
