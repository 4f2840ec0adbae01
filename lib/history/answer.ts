import * as z from 'zod/mini';
import { toNumber } from '../amounts.ts';
import type { Context } from '../context.ts';
import { ifKnown } from '../known.ts';
import type { ExchangePrices } from '../prices/market.ts';
import { mulWad } from '../rewards/wad.ts';
import { integer, quantity, unixTime } from '../schemas.ts';
import type { Point } from './point.ts';
import { type RangeInput, rangeOf } from './range.ts';
import { countBoundaries, INTERVALS } from './series.ts';
import { historyOf } from './store.ts';

/** What all history endpoints answer: the recorded points of a range. */

/** Points are added once an hour; a client need not wait long for a new one. */
export const HISTORY_FRESH_SECONDS = 60;

/** The schema of a body with points of these fields. */
export function historySchema<Fields extends z.core.$ZodShape>(fields: Fields) {
  return z.object({
    interval: z.enum(INTERVALS).check(z.describe('Distance of the points.')),
    from: unixTime('Start of the range.'),
    to: unixTime('End of the range.'),
    points: z
      .array(
        z.object({
          timestamp: unixTime('The boundary.'),
          block: integer('Last block at or before it: the values are its state.'),
          ...fields,
        }),
      )
      .check(z.describe('Recorded points, the oldest first. A point never changes.')),
    missing: integer('Boundaries of the range, up to now, without a recorded point.'),
  });
}

/** The point that was recorded so many seconds before another one. */
export type PointBefore = (seconds: number) => Point | undefined;

/**
 * The body of a range: one entry a point. `entryOf` may look up to `lookBackSeconds` back at older points. Throws
 * INVALID_REQUEST for a bad range and UPSTREAM_UNAVAILABLE if the table does not answer.
 */
export async function readHistory<Entry>(
  context: Context,
  input: RangeInput,
  entryOf: (point: Point, before: PointBefore) => Entry,
  lookBackSeconds = 0,
) {
  const now = Math.floor(Date.now() / 1_000);
  const { interval, from, to } = rangeOf(input, now);
  const last = Math.min(to, now);
  const recorded = await historyOf(context).points(interval, Math.max(0, from - lookBackSeconds), last);
  const byTime = new Map(recorded.map((point) => [point.timestamp, point]));
  const points = recorded
    .filter(({ timestamp }) => timestamp >= from)
    .map((point) => ({
      timestamp: point.timestamp,
      block: point.block.number,
      ...entryOf(point, (seconds) => byTime.get(point.timestamp - seconds)),
    }));
  return { interval, from, to, points, missing: countBoundaries(interval, from, last) - points.length };
}

/** The fields of a point of prices. */
export const priceFields = () => ({
  avaxInUSD: z.optional(quantity('USD', 'Price of one AVAX.')),
  ggpInAVAX: z.optional(quantity('AVAX', 'Price of one GGP.')),
  ggpInUSD: z.optional(quantity('USD', 'Price of one GGP: ggpInAVAX × avaxInUSD.')),
  ggAvaxInAVAX: z.optional(quantity('AVAX', 'Price of one ggAVAX.')),
});

/** Prices (scaled by 1e18) as the fields of a point. */
export function priceEntry({ avaxInUSD, ggpInAVAX, ggAvaxInAVAX }: ExchangePrices) {
  return {
    avaxInUSD: ifKnown(toNumber, avaxInUSD),
    ggpInAVAX: ifKnown(toNumber, ggpInAVAX),
    ggpInUSD: ifKnown(toNumber, ifKnown(mulWad, ggpInAVAX, avaxInUSD)),
    ggAvaxInAVAX: ifKnown(toNumber, ggAvaxInAVAX),
  };
}
