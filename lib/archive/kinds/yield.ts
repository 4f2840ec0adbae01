import { YIELD_FIGURES } from '../../history/yield-streams-dataset.ts';
import { flag, unixTime } from '../../values/in-unit.ts';
import { columnsOf } from '../declared.ts';
import type { TableSpec } from '../table-spec.ts';

/** Daily earnings of ggAVAX by source, computed from the events. */
export const YIELD_DAILY: TableSpec = {
  name: 'yield-daily',
  meaning:
    'What ggAVAX earned on each UTC day since the first yield, by source, and the GGP that was minted, sorted by time. Yield that comes in is released over the rewards stream that follows, which is when it counts here. `minipools`, `delegation`, `mev` and `other` add up to `netYield`.',
  columns: columnsOf({
    timestamp: unixTime('Start of the day.'),
    ...YIELD_FIGURES,
    partial: flag('Whether the day was not over at the block of this archive.'),
  }),
};
