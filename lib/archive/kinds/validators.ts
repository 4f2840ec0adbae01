/** The recorded points of the protocol's own validators. No other source keeps their past. */

import { VALIDATOR_VALUES } from '../../history/point-values.ts';
import { INTERVALS, type Interval } from '../../history/series.ts';
import { text } from '../../values/units.ts';
import { toColumns } from '../declared.ts';
import type { SeriesTableSpec } from '../table-spec.ts';
import { POINT_COLUMNS } from './points.ts';

const { uptime, ...others } = VALIDATOR_VALUES;

export const VALIDATORS_HISTORY: SeriesTableSpec = {
  name: 'validators-history',
  meaning:
    "The protocol's own validators at each full hour and UTC midnight, as the index of validators saw them. Sorted by node, interval and time. No other source keeps them.",
  yearOf: 'timestamp',
  columns: [
    ...toColumns({ nodeID: text('The node.'), interval: text('`1h` or `1d`: a midnight is in both series.') }),
    ...POINT_COLUMNS,
    ...toColumns({ uptimePercent: uptime, ...others }),
  ],
  recordedAs: { uptimePercent: 'uptime' },
  intervals: INTERVALS,
  holds: (name) => name.startsWith('NodeID-'),
  cellsOf: ({ name, interval }) => ({ nodeID: name, interval }),
  seriesOf: ({ nodeID, interval }) => ({ name: nodeID as string, interval: interval as Interval }),
};
