/** Rows are checked when they are read: a bug of an older release, a restored backup or a hand may have damaged them. */

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Telemetry } from '../runtime/telemetry.ts';

export type Row = Record<string, AttributeValue>;

/** Where damage is reported. */
export type Warn = Telemetry['warn'];

/** As much of a damaged row as is logged, characters. */
const MAX_LOGGED = 500;

/** What `parse` makes of rows. Those that it throws on count as if they were not there, with one warning for all. */
export function intact<T>(rows: readonly Row[], parse: (row: Row) => T, warn: Warn): T[] {
  const damaged: { row: Row; error: unknown }[] = [];
  const parsed = rows.flatMap((row) => {
    try {
      return [parse(row)];
    } catch (error) {
      damaged.push({ row, error });
      return [];
    }
  });
  const [first] = damaged;
  if (first) {
    const row = JSON.stringify(first.row).slice(0, MAX_LOGGED);
    warn('damaged rows of a table are treated as missing', { count: damaged.length, row, error: first.error });
  }
  return parsed;
}

/** The text of an attribute. Throws RangeError if it has none, or one of another form. */
export function textIn(attribute: AttributeValue | undefined, form = /./): string {
  const text = attribute?.S;
  if (text === undefined || !form.test(text)) throw new RangeError(`no text like ${form}`);
  return text;
}

/** A count, block or time: a safe integer that is not negative. Throws RangeError otherwise. */
export function countIn(attribute: AttributeValue | undefined): number {
  const count = Number(attribute?.N);
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError('no count');
  return count;
}

/** An integer of any size, written as text. Throws RangeError otherwise. */
export function bigintIn(attribute: AttributeValue | undefined): bigint {
  return BigInt(textIn(attribute, /^-?\d+$/));
}
