/** What each distribution of GGP paid to whom, which no event says (lib/history/distributions.ts). */

import { CYCLES, seriesOf as seriesOfStaker } from '../../history/distributions.ts';
import type { Point } from '../../history/point.ts';
import type { Column, Row } from '../column.ts';
import type { SeriesKind } from '../kind.ts';

const CYCLE: Column[] = [
  { name: 'cycle', type: 'integer', meaning: 'Number of the rewards cycle.' },
  { name: 'startTime', type: 'time', meaning: 'Start of the cycle.' },
  {
    name: 'block',
    type: 'integer',
    meaning: 'Number of the last block of the cycle, at which it was found out what it had paid.',
  },
];

const INTERVALS = ['1d'] as const;
const GGP = { type: 'decimal', unit: 'GGP' } as const;
/** The series of a staker, without the address. */
const OF_A_STAKER = seriesOfStaker('');

export const DISTRIBUTIONS: SeriesKind = {
  name: 'distributions',
  meaning:
    "What each rewards cycle paid to each staker: what the contracts' record of their rewards has grown by, plus what they claimed meanwhile. Sorted by staker and time.",
  columns: [
    { name: 'staker', type: 'text', meaning: 'Address of the staker.' },
    ...CYCLE,
    { name: 'ggp', ...GGP, meaning: 'What the staker was paid.' },
  ],
  intervals: INTERVALS,
  holds: (name) => name.startsWith(OF_A_STAKER),
  rowOf: ({ name }, point) => ({ staker: name.slice(OF_A_STAKER.length), ...rowOf(point) }),
  seriesOf: ({ staker }) => ({ name: seriesOfStaker(staker as string), interval: '1d' }),
  pointOf,
};

export const DISTRIBUTED_CYCLES: SeriesKind = {
  name: 'distributed-cycles',
  meaning:
    'The rewards cycles that `distributions` knows, sorted by time: a cycle without a row here has not been looked at.',
  columns: [...CYCLE, { name: 'ggp', ...GGP, meaning: 'What all stakers together were paid.' }],
  intervals: INTERVALS,
  holds: (name) => name === CYCLES,
  rowOf: (_, point) => rowOf(point),
  seriesOf: () => ({ name: CYCLES, interval: '1d' }),
  pointOf,
};

function rowOf({ timestamp, block, values: { cycle, ggp, ...others } }: Point): Row {
  const [unknown] = Object.keys(others);
  if (unknown) throw new RangeError(`a distribution has a value that this release does not know: ${unknown}`);
  return { cycle: Number(cycle), startTime: timestamp, block: block.number, ggp };
}

function pointOf({ cycle, startTime, block, ggp }: Row): Point {
  const timestamp = startTime as number;
  return {
    timestamp,
    block: { number: block as number, timestamp },
    values: { cycle: BigInt(cycle as number), ggp: ggp as bigint },
  };
}
