import * as z from 'zod/mini';
import { ApiError } from '../http/errors.ts';
import { choice, param } from '../params.ts';
import { boundaryBefore, countBoundaries, INTERVAL_SECONDS, INTERVALS, type Interval } from './series.ts';

/** Which points a client asks for. */

const MAX_POINTS = 1_000;
const DEFAULT_INTERVALS = 30;

/** Ten digits reach to the year 2286; a time in milliseconds has thirteen. */
function unixTime(description: string) {
  return param({
    description,
    accepted: 'a time in unix seconds (not milliseconds), at most ten digits',
    parse: (text) => (/^\d{1,10}$/.test(text) ? Number(text) : undefined),
    schema: { pattern: '^\\d{1,10}$', examples: ['1789084800'] },
  });
}

/** The parameters of all history endpoints. */
export const rangeParams = {
  interval: z._default(
    choice(INTERVALS, 'Distance of the points: a UTC hour or a UTC day; `1d` unless told otherwise.'),
    '1d',
  ),
  from: z.optional(
    unixTime(
      `Oldest boundary to answer, unix seconds; ${DEFAULT_INTERVALS} intervals before \`to\` unless told otherwise.`,
    ),
  ),
  to: z.optional(unixTime('Newest boundary to answer, unix seconds; the newest there is unless told otherwise.')),
};

export interface RangeInput {
  interval: Interval;
  from?: number | undefined;
  to?: number | undefined;
}

export interface Range {
  interval: Interval;
  from: number;
  to: number;
}

/**
 * The range that is asked for at `now` (unix seconds): without `to` up to the newest boundary, without `from` over 30 intervals.
 * The newest boundary is told by the clock, not by the chain, whose head is a second or two older; so no request for recorded
 * points waits for the chain. Throws INVALID_REQUEST if `from` is after `to` or the range has more than 1,000 boundaries.
 */
export function rangeOf({ interval, ...asked }: RangeInput, now: number): Range {
  const to = asked.to ?? boundaryBefore(now, interval);
  const from = asked.from ?? Math.max(0, to - DEFAULT_INTERVALS * INTERVAL_SECONDS[interval]);
  if (from > to) throw badFrom(`must not be after to (${to})`);
  const count = countBoundaries(interval, from, to);
  if (count > MAX_POINTS) {
    throw badFrom(
      `must be nearer to to: at most ${MAX_POINTS} points are answered, and these are ${count} of ${interval}`,
    );
  }
  return { interval, from, to };
}

function badFrom(message: string): ApiError {
  return new ApiError('INVALID_REQUEST', `from ${message}.`, { errors: [{ parameter: 'from', message }] });
}
