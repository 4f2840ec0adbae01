import { type Context, secondsNow } from '../runtime/context.ts';
import { badParameter } from '../runtime/errors.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { END_OF_TIME, HOUR } from '../values/durations.ts';
import { boundaryBefore, boundaryFrom, countBoundaries, INTERVAL_SECONDS, type Interval } from './series.ts';

export const MAX_POINTS = 1_000;
export const DEFAULT_INTERVALS = 30;
/** Blocks may be some seconds ahead of this machine's clock. */
const AHEAD_SECONDS = 60;

export interface RangeInput {
  interval: Interval;
  from?: number | undefined;
  to?: number | undefined;
  limit?: number | undefined;
  /** The boundary to continue from. */
  cursor?: number | undefined;
}

/** The range from boundary to boundary, so that ranges with the same points share a cached answer; unchanged if it has none. */
export function snapRange<Input extends RangeInput>(range: Input, now: number): Input {
  const newest = boundaryBefore(now, range.interval);
  const { from, to, cursor } = range;
  const first = from === undefined ? undefined : boundaryFrom(from, range.interval);
  const last = to === undefined ? newest : Math.min(boundaryBefore(to, range.interval), newest);
  if (first !== undefined && first > last) return range;
  return {
    ...range,
    from: first,
    // The newest boundary is the default.
    to: last === newest ? undefined : last,
    cursor: cursor === undefined ? undefined : boundaryFrom(cursor, range.interval),
  };
}

/**
 * A range of times (unix seconds, both included) in whole units of `unit` seconds, up to now: ranges with the same entries thereby
 * share cached responses.
 */
export function limitToPast<Input extends { from?: number | undefined; to?: number | undefined }>(
  input: Input,
  context: Pick<Context, 'clock'>,
  unit = 1,
): Input {
  const { from, to } = input;
  const startOfUnit = (time: number) => Math.floor(time / unit) * unit;
  const now = secondsNow(context);
  // This machine's clock may be late, but not by an hour: what begins later is empty.
  const isLater = from !== undefined && startOfUnit(from) > startOfUnit(now + HOUR);
  const isOpen = isLater || to === undefined || startOfUnit(to) >= startOfUnit(now + AHEAD_SECONDS);
  return {
    ...input,
    from: isLater ? END_OF_TIME : ifKnown(startOfUnit, from),
    to: isOpen ? undefined : startOfUnit(to),
  };
}

/**
 * The range asked for at `now` (unix seconds): without `to`, up to the newest boundary, and empty if `from` is newer; without
 * `from`, 30 intervals long. A page ends at `now` at the latest. Throws INVALID_REQUEST if the range has more than 1,000 boundaries
 * and the client does not page.
 */
export function toRange({ interval, limit, cursor, ...asked }: RangeInput, now: number) {
  const to = asked.to ?? Math.max(boundaryBefore(now, interval), asked.from ?? 0);
  const from = asked.from ?? Math.max(0, to - DEFAULT_INTERVALS * INTERVAL_SECONDS[interval]);
  const count = countBoundaries(interval, from, to);
  if (count > MAX_POINTS && limit === undefined && cursor === undefined) {
    throw badParameter(
      'from',
      `must be closer to the end of the range, or limit must be given: at most ${MAX_POINTS} points are returned at once, and the range has ${count} (interval ${interval})`,
    );
  }
  const seconds = INTERVAL_SECONDS[interval];
  const first = boundaryFrom(Math.max(from, cursor ?? 0), interval);
  const next = first + (limit ?? MAX_POINTS) * seconds;
  const end = Math.min(to, now);
  if (limit === 0) return { interval, from, to, page: { from: first, to: first - seconds } };
  if (next > end) return { interval, from, to, page: { from: first, to: end } };
  return { interval, from, to, page: { from: first, to: next - seconds }, next };
}
