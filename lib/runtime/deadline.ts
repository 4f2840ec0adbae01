/** One deadline per request, derived from Lambda's remaining time. Passed along, it would be a parameter of every reader. */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from './clock.ts';
import { ApiError } from './errors.ts';

/** `optional`: the earlier deadline of optional parts. */
type Deadlines = { at: number; optional: number };

const NONE: Deadlines = { at: Number.POSITIVE_INFINITY, optional: Number.POSITIVE_INFINITY };
const current = new AsyncLocalStorage<Deadlines>();

/** The deadline of the current work, unix milliseconds; Infinity if no request waits for it. */
export function deadline(): number {
  return (current.getStore() ?? NONE).at;
}

/** Runs `work` under this deadline, and its {@link optionally} parts under an earlier one. Earlier deadlines stay in force. */
export function withDeadline<T>(at: number, work: () => T, optional = at): T {
  const around = current.getStore() ?? NONE;
  return current.run({ at: Math.min(at, around.at), optional: Math.min(optional, around.optional) }, work);
}

/** Runs `work`, which is an optional part of the answer, under the deadline for optional parts. */
export function optionally<T>(work: () => T): T {
  return withDeadline((current.getStore() ?? NONE).optional, work);
}

/** Throws DEADLINE_EXCEEDED if the deadline comes first: neither this request nor one that joins it waits for work that hangs. */
export async function inTime<T>(work: Promise<T>, clock: Clock): Promise<T> {
  const left = deadline() - clock.now();
  if (left === Number.POSITIVE_INFINITY) return work;
  const done = new AbortController();
  const late = clock.wait(Math.max(0, left), done.signal).then(() => {
    throw deadlineExceeded();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}

export function deadlineExceeded(options?: ErrorOptions): ApiError {
  const detail = 'The response took too long to prepare. Please try again shortly.';
  return new ApiError('DEADLINE_EXCEEDED', detail, options);
}
