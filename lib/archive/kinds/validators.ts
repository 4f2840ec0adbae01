/** The recorded points of the protocol's own validators, whose past nobody else keeps. */

import type { Point } from '../../history/point.ts';
import { INTERVALS, type Interval } from '../../history/series.ts';
import { WEI_PER_NAVAX } from '../../rewards/validation-reward.ts';
import { ifKnown } from '../../runtime/if-known.ts';
import { UPTIME_SCALE } from '../../validators/validator-history.ts';
import { WAD } from '../../values/wad.ts';
import type { Row } from '../column.ts';
import type { Series, SeriesKind } from '../kind.ts';
import { POINT_COLUMNS } from './points.ts';

export const VALIDATORS_HISTORY: SeriesKind = {
  name: 'validators-history',
  meaning:
    "The protocol's own validators at each full hour and UTC midnight, as the index of validators saw them. Sorted by node, interval and time. No other source keeps this past.",
  yearOf: 'timestamp',
  columns: [
    { name: 'nodeID', type: 'text', meaning: 'The node.' },
    { name: 'interval', type: 'text', meaning: '`1h` or `1d`: a midnight is in both series.' },
    ...POINT_COLUMNS,
    { name: 'uptimePercent', type: 'decimal', unit: 'percent', meaning: 'Uptime of the node.' },
    { name: 'amountStaked', type: 'decimal', unit: 'AVAX', meaning: 'Its own stake.' },
    { name: 'amountDelegated', type: 'decimal', unit: 'AVAX', meaning: 'What others delegated to it.' },
    { name: 'delegatorCount', type: 'integer', meaning: 'Number of delegators.' },
    { name: 'connected', type: 'flag', meaning: 'Whether the P-Chain node that was asked was connected to it.' },
  ],
  intervals: INTERVALS,
  holds: (name) => name.startsWith('NodeID-'),
  rowOf,
  seriesOf: ({ nodeID, interval }) => ({ name: nodeID as string, interval: interval as Interval }),
  pointOf,
};

/** Uptimes are recorded in millionths of a percent, amounts in nAVAX. */
const UPTIME_UNIT = WAD / BigInt(UPTIME_SCALE);

/** A point of a node. */
function rowOf({ name: nodeID, interval }: Series, { timestamp, block, values }: Point): Row {
  const { uptime, amountStaked, amountDelegated, delegatorCount, connected, ...others } = values;
  const [unknown] = Object.keys(others);
  if (unknown) throw new RangeError(`a validator's history has a value that this release does not know: ${unknown}`);
  return {
    nodeID,
    interval,
    timestamp,
    block: block.number,
    blockTimestamp: block.timestamp,
    uptimePercent: ifKnown((value) => value * UPTIME_UNIT, uptime),
    amountStaked: ifKnown((value) => value * WEI_PER_NAVAX, amountStaked),
    amountDelegated: ifKnown((value) => value * WEI_PER_NAVAX, amountDelegated),
    delegatorCount: ifKnown(Number, delegatorCount),
    connected: ifKnown((value) => value === 1n, connected),
  };
}

function pointOf(row: Row): Point {
  return {
    timestamp: row.timestamp as number,
    block: { number: row.block as number, timestamp: row.blockTimestamp as number },
    values: {
      uptime: ifKnown((value) => value / UPTIME_UNIT, row.uptimePercent as bigint | undefined),
      amountStaked: ifKnown((value) => value / WEI_PER_NAVAX, row.amountStaked as bigint | undefined),
      amountDelegated: ifKnown((value) => value / WEI_PER_NAVAX, row.amountDelegated as bigint | undefined),
      delegatorCount: ifKnown(BigInt, row.delegatorCount as number | undefined),
      connected: ifKnown((is) => (is ? 1n : 0n), row.connected as boolean | undefined),
    },
  };
}
