/** Payments of each distribution of GGP by staker. No event has them (lib/history/distributions.ts). */

import { CYCLES, seriesOf as seriesOfStaker } from '../../history/distributions.ts';
import { DISTRIBUTION_VALUES } from '../../history/point-values.ts';
import { address, ggp, integer, unixTime } from '../../values/units.ts';
import { toColumns } from '../declared.ts';
import type { SeriesTableSpec } from '../table-spec.ts';

const CYCLE = {
  cycle: DISTRIBUTION_VALUES.cycle,
  startTime: unixTime('Start of the cycle.'),
  block: integer('Last block of the cycle, at which its payments were determined.'),
};

/** A point is at the start of its cycle. */
const OF_CYCLES = { recordedAs: { startTime: 'timestamp' }, intervals: ['1d'] } as const;
/** The series of a staker, without the address. */
const OF_A_STAKER = seriesOfStaker('');

export const DISTRIBUTIONS: SeriesTableSpec = {
  name: 'distributions',
  meaning:
    'GGP that each rewards cycle paid to each staker: growth of their recorded rewards, plus claims meanwhile. Sorted by staker and time.',
  columns: toColumns({
    staker: address('Address of the staker.'),
    ...CYCLE,
    ggp: DISTRIBUTION_VALUES.ggp,
    paidTime: DISTRIBUTION_VALUES.paidTime,
  }),
  ...OF_CYCLES,
  holds: (name) => name.startsWith(OF_A_STAKER),
  cellsOf: ({ name }) => ({ staker: name.slice(OF_A_STAKER.length) }),
  seriesOf: ({ staker }) => ({ name: seriesOfStaker(staker as string), interval: '1d' }),
};

export const DISTRIBUTED_CYCLES: SeriesTableSpec = {
  name: 'distributed-cycles',
  meaning: 'Rewards cycles in `distributions`, sorted by time. A cycle without a row here was not read.',
  columns: toColumns({ ...CYCLE, ggp: ggp('GGP paid to all stakers together.') }),
  ...OF_CYCLES,
  holds: (name) => name === CYCLES,
  cellsOf: () => ({}),
  seriesOf: () => ({ name: CYCLES, interval: '1d' }),
};
