/**
 * Missing is not zero: an unknown value is undefined, and left out of the body. The reasons, and the function for each:
 *
 * - the chain refused a call: `answered` and `ifAnswered` (lib/chain/answered.ts)
 * - it is computed from something unknown: {@link ifKnown}, {@link allKnown}
 * - the contracts' own maths would revert: {@link unlessReverted}
 * - its source is down or late, and the rest is worth answering: {@link ifAvailable}
 */

import type { Context } from './context.ts';
import { inTime, optionally, withDeadline } from './deadline.ts';
import { levelOf } from './errors.ts';

/** The result of `compute` on values that may be unknown: undefined if one of them is. */
export function ifKnown<Args extends unknown[], Result>(
  compute: (...args: Args) => Result,
  ...values: { [Index in keyof Args]: Args[Index] | undefined }
): Result | undefined {
  return values.includes(undefined) ? undefined : compute(...(values as Args));
}

/** The values, by name: undefined if one of them is. */
export function allKnown<Values extends object>(values: Values) {
  if (Object.values(values).includes(undefined)) return undefined;
  return values as { [Name in keyof Values]: Exclude<Values[Name], undefined> };
}

/**
 * The result of `compute`, or undefined if it throws a RangeError, as the reward maths does where the contracts would
 * revert: the guardian may choose settings that make them revert.
 */
export function unlessReverted<Result>(compute: () => Result): Result | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * The result of `read`, or undefined, with a log line that names `what`, if it fails or takes longer than an optional
 * part may: a partial answer is better than none or a late one. `withinMs` is a shorter limit in ms, for a read that has
 * a fallback.
 */
export async function ifAvailable<T>(
  { telemetry, clock }: Pick<Context, 'telemetry' | 'clock'>,
  what: string,
  read: () => Promise<T>,
  withinMs = Number.POSITIVE_INFINITY,
): Promise<T | undefined> {
  try {
    return await optionally(() => withDeadline(clock.now() + withinMs, () => inTime(read(), clock)));
  } catch (error) {
    telemetry[levelOf(error)](`${what} is not available`, { error });
    return undefined;
  }
}
