import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, systemClock } from './clock.ts';
import { ApiError } from './http/errors.ts';

/**
 * One deadline a request. It is set from the time that Lambda leaves and kept by whatever the request waits for (attempts at
 * endpoints, the steps of a block search, datasets), which look it up here: handed from call to call it would be a parameter
 * of every reader.
 */

interface Deadlines {
  at: number;
  /** The same for what the answer can do without. */
  optional: number;
}

const NONE: Deadlines = { at: Number.POSITIVE_INFINITY, optional: Number.POSITIVE_INFINITY };
const current = new AsyncLocalStorage<Deadlines>();

/** When the work at hand has to be done, unix milliseconds; Infinity where nobody waits for it. */
export function deadline(): number {
  return (current.getStore() ?? NONE).at;
}

/**
 * Runs `work`, and all it starts, with this deadline, and with an earlier one for what it reads optionally. A deadline that it is
 * under already and that is earlier stays.
 */
export function withDeadline<T>(at: number, work: () => T, optional = at): T {
  const around = current.getStore() ?? NONE;
  return current.run({ at: Math.min(at, around.at), optional: Math.min(optional, around.optional) }, work);
}

/** Runs `work`, whose result the answer can do without, with the deadline for that. */
export function optionally<T>(work: () => T): T {
  return withDeadline((current.getStore() ?? NONE).optional, work);
}

/** What `work` gives. Throws DEADLINE_EXCEEDED when the deadline is first: then nobody waits for it any more, nor will the next request. */
export async function inTime<T>(work: Promise<T>, clock: Clock = systemClock): Promise<T> {
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

/** What is said of a request that has run into its deadline. */
export function deadlineExceeded(options?: ErrorOptions): ApiError {
  const detail = 'The answer took too long to put together. Please try again shortly.';
  return new ApiError('DEADLINE_EXCEEDED', detail, options);
}
