/** Checks rows when they are read: a bug of an older release, a restored backup or an edit may have damaged them. */

import type { Telemetry } from '../runtime/telemetry.ts';
import { marshall } from './attributes.ts';
import type { Row, Value } from './series-table.ts';

export type Warn = Telemetry['warn'];

/** The kinds of damage that each process has reported: every later request reads the same rows. */
const reported = new WeakMap<Warn, Set<string>>();

/** Rows on which `parse` throws count as missing. The first one of each kind of damage is logged, once per process. */
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
  const known = reported.get(warn) ?? new Set();
  if (first && !known.has(String(first.error))) {
    reported.set(warn, known.add(String(first.error)));
    const row = JSON.stringify(marshall(first.row)).slice(0, 500);
    warn('damaged rows of a table are treated as missing', { count: damaged.length, row, error: first.error });
  }
  return parsed;
}

/** A text of the given form. Throws RangeError otherwise. */
export function textIn(value: Value | undefined, form = /./): string {
  if (typeof value !== 'string' || !form.test(value)) throw new RangeError(`no text like ${form}`);
  return value;
}

/** A count, block or time: a safe integer that is not negative. Throws RangeError otherwise. */
export function countIn(value: Value | undefined): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new RangeError('no count');
  return value as number;
}

/** An integer of any size, written as text. Throws RangeError otherwise. */
export function bigintIn(value: Value | undefined): bigint {
  return BigInt(textIn(value, /^-?\d+$/));
}

export function valuesIn(value: Value | undefined): Row {
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) throw new RangeError('no values');
  return value as Row;
}
