import { inTime, optionally, withDeadline } from './deadline.ts';
import type { Telemetry } from './telemetry.ts';

/**
 * `compute` of values that the chain may not have answered: what is made from a missing value is missing too, and is then left
 * out of the body. Missing is not zero.
 */
export function ifKnown<Args extends unknown[], Result>(
  compute: (...args: Args) => Result,
  ...values: { [Index in keyof Args]: Args[Index] | undefined }
): Result | undefined {
  return values.includes(undefined) ? undefined : compute(...(values as Args));
}

/**
 * What `compute` gives, or undefined where it throws a RangeError, as the maths of rewards does where the contracts revert: the guardian
 * may have settings for a while, or for good, with which they do.
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
 * What `read` gives, or undefined, with a warning that names `what`, if its source fails or takes longer than an optional part may:
 * half an answer beats none, and one that comes late. `withinMs` is less than that, for what has a stand-in that takes time as well.
 */
export async function ifAvailable<T>(
  telemetry: Telemetry,
  what: string,
  read: () => Promise<T>,
  withinMs = Number.POSITIVE_INFINITY,
): Promise<T | undefined> {
  try {
    return await optionally(() => withDeadline(Date.now() + withinMs, () => inTime(read())));
  } catch (error) {
    telemetry.warn(`${what} is not available`, { error });
    return undefined;
  }
}
