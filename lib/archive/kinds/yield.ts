import { YIELD_FIGURES } from '../../history/yield-streams-dataset.ts';
import { flag, unixTime } from '../../values/units.ts';
import { toColumns } from '../declared.ts';
import type { TableSpec } from '../table-spec.ts';

/** Daily earnings of ggAVAX by source, computed from the events. */
export const YIELD_DAILY: TableSpec = {
  name: 'yield-daily',
  meaning:
    'Yield of ggAVAX on each UTC day since the first yield, by source, and GGP minted, sorted by time. Yield counts when a rewards stream releases it. `minipools`, `delegation`, `mev` and `other` add up to `netYield`.',
  columns: toColumns({
    timestamp: unixTime('Start of the day.'),
    ...YIELD_FIGURES,
    partial: flag('Whether the day had not ended at the block of this archive.'),
  }),
};
