/** The recorded points: prices, pool and metrics. Each boundary has one row per kind and interval. */

import { METRIC_VALUES, POOL_VALUES, PRICE_NAMES, PRICE_VALUES } from '../../history/point-values.ts';
import { INTERVALS, type Interval } from '../../history/series.ts';
import { EXCHANGES } from '../../prices/exchanges.ts';
import { integer, unixTime } from '../../values/units.ts';
import { toColumn, toColumns } from '../declared.ts';
import type { PointColumns } from '../point-row.ts';
import type { TableSpec } from '../table-spec.ts';

/** Time and block of a point. */
export const POINT_COLUMNS = toColumns({
  timestamp: unixTime('The full UTC hour or day.'),
  block: integer('Last block at or before it. The values are its state.'),
  blockTimestamp: unixTime('Time of that block.'),
});

const PRICES = [
  ...toColumns(PRICE_VALUES),
  ...EXCHANGES.flatMap(({ code, name: exchange }) =>
    PRICE_NAMES.map((name) => {
      const { unit, meaning } = PRICE_VALUES[name];
      return toColumn(`${code}.${name}`, { unit, meaning: `On ${exchange}: ${meaning}` });
    }),
  ),
];

const SUBJECTS = [
  ['prices', 'Prices, the best source of that block (of ggAVAX the redemption rate) and each exchange,', PRICES],
  ['pool', 'The liquid staking pool', toColumns(POOL_VALUES)],
  ['metrics', 'The protocol', toColumns(METRIC_VALUES)],
] as const;

const WORDS: Record<Interval, [adjective: string, boundary: string]> = {
  '1h': ['hourly', 'full hour'],
  '1d': ['daily', 'UTC midnight'],
};

export const POINT_KINDS = Object.fromEntries(
  INTERVALS.map((interval) => [interval, SUBJECTS.map((subject) => createSpec(interval, subject))]),
) as Record<Interval, TableSpec[]>;

function createSpec(interval: Interval, [name, title, columns]: (typeof SUBJECTS)[number]): TableSpec {
  const [adjective, boundary] = WORDS[interval];
  return {
    name: `${name}-${adjective}`,
    meaning: `${title} at each ${boundary}, sorted by time. Values that did not exist at that block, or could not be read, are empty.`,
    columns: [...POINT_COLUMNS, ...columns],
    ...(interval === '1h' && { yearOf: 'timestamp' }),
  };
}

/** The columns of all kinds together: a row of them is a complete point. */
export const POINTS: PointColumns = { columns: [...POINT_COLUMNS, ...SUBJECTS.flatMap(([, , columns]) => columns)] };
