/** The recorded points: prices, pool and metrics, of which each boundary has one row per kind and interval. */

import type { Point, PointValues } from '../../history/point.ts';
import { INTERVALS, type Interval } from '../../history/series.ts';
import { EXCHANGES } from '../../prices/exchanges.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import type { Column, Row } from '../column.ts';
import type { Kind } from '../kind.ts';

type ValueName = keyof PointValues & string;

/** A value of a point in a column. Values are scaled by 1e18 or, if the column is an integer, counts. */
type PointColumn = Column & { name: ValueName };

const AVAX = { type: 'decimal', unit: 'AVAX' } as const;
const USD = { type: 'decimal', unit: 'USD' } as const;

const PRICES: PointColumn[] = [
  { name: 'avaxInUSD', ...USD, meaning: 'USD for one AVAX, the best source of that block.' },
  { name: 'eurInUSD', ...USD, meaning: "USD for one euro, from Chainlink's feed." },
  { name: 'ggpInAVAX', ...AVAX, meaning: 'AVAX for one GGP, the best source of that block.' },
  { name: 'ggAvaxInAVAX', ...AVAX, meaning: 'AVAX for one ggAVAX, the redemption rate.' },
  { name: 'ggpOraclePriceInAVAX', ...AVAX, meaning: "AVAX for one GGP, as the protocol's own contracts saw it." },
  ...EXCHANGES.flatMap(({ code, name }): PointColumn[] => [
    { name: `${code}.avaxInUSD`, ...USD, meaning: `USD for one AVAX on ${name}.` },
    { name: `${code}.ggpInAVAX`, ...AVAX, meaning: `AVAX for one GGP on ${name}.` },
    { name: `${code}.ggAvaxInAVAX`, ...AVAX, meaning: `AVAX for one ggAVAX on ${name}.` },
  ]),
];

const POOL: PointColumn[] = [
  { name: 'avaxPerGgAvax', ...AVAX, meaning: 'AVAX for one ggAVAX: `convertToAssets(1e18)`.' },
  { name: 'totalAssets', ...AVAX, meaning: 'Assets of the liquid staking pool, including rewards streamed so far.' },
  { name: 'totalSupply', type: 'decimal', unit: 'ggAVAX', meaning: 'Supply of ggAVAX.' },
  { name: 'stakingTotalAssets', ...AVAX, meaning: 'AVAX of the pool that was staked.' },
];

const METRICS: PointColumn[] = [
  { name: 'valueLocked', ...AVAX, meaning: 'Value locked in the protocol, nothing counted twice.' },
  { name: 'totalGGPStaked', type: 'decimal', unit: 'GGP', meaning: 'GGP staked.' },
  { name: 'minipoolsStaking', type: 'integer', meaning: 'Minipools that were validating.' },
];

export const POINT_COLUMNS: readonly Column[] = [
  { name: 'timestamp', type: 'time', meaning: 'The full UTC hour or day.' },
  { name: 'block', type: 'integer', meaning: 'Number of the last block at or before it, whose state this is.' },
  { name: 'blockTimestamp', type: 'time', meaning: 'Time of that block.' },
];

const SUBJECTS = [
  ['prices', 'Prices', PRICES],
  ['pool', 'The liquid staking pool', POOL],
  ['metrics', 'The protocol', METRICS],
] as const;

const WORDS: Record<Interval, [adjective: string, boundary: string]> = {
  '1h': ['hourly', 'full hour'],
  '1d': ['daily', 'UTC midnight'],
};

export const POINT_KINDS = Object.fromEntries(
  INTERVALS.map((interval) => [interval, SUBJECTS.map((subject) => kindOf(interval, subject))]),
) as Record<Interval, Kind[]>;

function kindOf(interval: Interval, [name, title, columns]: (typeof SUBJECTS)[number]): Kind {
  const [adjective, boundary] = WORDS[interval];
  return {
    name: `${name}-${adjective}`,
    meaning: `${title} at each ${boundary}, sorted by time. What did not exist at that block, or could not be read, is empty.`,
    columns: [...POINT_COLUMNS, ...columns],
    ...(interval === '1h' && { yearOf: 'timestamp' }),
  };
}

const COLUMNS: ReadonlyMap<string, Column> = new Map(
  [...PRICES, ...POOL, ...METRICS].map((column) => [column.name, column]),
);

/** A point, with the values of all kinds. Throws RangeError if it has a value that no column holds. */
export function rowOf({ timestamp, block, values }: Point): Row {
  const cells = Object.entries(values).map(([name, value]) => {
    const column = COLUMNS.get(name);
    if (!column) throw new RangeError(`the history has a value that this release does not know: ${name}`);
    return [name, column.type === 'integer' ? ifKnown(Number, value) : value];
  });
  return { timestamp, block: block.number, blockTimestamp: block.timestamp, ...Object.fromEntries(cells) };
}

/** The point of a row that has the values of all kinds. */
export function pointOf({ timestamp, block, blockTimestamp, ...values }: Row): Point {
  return {
    timestamp: timestamp as number,
    block: { number: block as number, timestamp: blockTimestamp as number },
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, BigInt(value as bigint)])),
  };
}
