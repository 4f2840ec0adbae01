/**
 * Missing is not zero: an unknown value is undefined, and left out of the body. The reasons, and the function for each:
 *
 * - the chain refused a call: `answered` and `ifAnswered` (lib/chain/contract.ts)
 * - it is computed from something unknown: {@link ifKnown}, {@link allKnown}
 * - the contracts' own maths would revert: {@link unlessReverted}
 * - its source is down or late, and the rest is worth answering: {@link ifAvailable}
 */

import type { Context } from './context.ts';
import { inTime, optionally, withDeadline } from './deadline.ts';
import { BlockLost, levelOf } from './errors.ts';

/** Undefined if one of the values is. */
export function ifKnown<Args extends unknown[], Result>(
  compute: (...args: Args) => Result,
  ...values: { [Index in keyof Args]: Args[Index] | undefined }
): Result | undefined {
  return values.includes(undefined) ? undefined : compute(...(values as Args));
}

/** Undefined if one of the values is. */
export function allKnown<Values extends object>(values: Values) {
  if (Object.values(values).includes(undefined)) return undefined;
  return values as { [Name in keyof Values]: Exclude<Values[Name], undefined> };
}

/** Undefined if `compute` throws a RangeError, as the maths does where the contracts would revert, by the guardian's settings. */
export function unlessReverted<Result>(compute: () => Result): Result | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Undefined, with a log line, if `read` fails or takes longer than an optional part may, or than `withinMs` if it has a fallback. */
export async function ifAvailable<T>(
  { telemetry, clock }: Pick<Context, 'telemetry' | 'clock'>,
  what: string,
  read: () => Promise<T>,
  withinMs = Number.POSITIVE_INFINITY,
): Promise<T | undefined> {
  try {
    return await optionally(() => withDeadline(clock.now() + withinMs, () => inTime(read(), clock)));
  } catch (error) {
    if (error instanceof BlockLost) throw error;
    telemetry[levelOf(error)](`${what} is not available`, { error });
    return undefined;
  }
}
