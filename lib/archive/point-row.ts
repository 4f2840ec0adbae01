/** Conversion of recorded points to rows, and back. */

import type { Point } from '../history/point.ts';
import { ifKnown } from '../runtime/if-known.ts';
import type { Column, Row, Value } from './column.ts';

/** The columns of points. */
export interface PointColumns {
  columns: readonly Column[];
  /** Name of the point's value by the column's name, where the two differ. */
  recordedAs?: Readonly<Record<string, string>>;
}

/** Converters of a kind's points to rows, and back. */
export function pointRows({ columns, recordedAs = {} }: PointColumns) {
  // Text names the series: no point has any.
  const ofPoint = columns.filter(({ type }) => type !== 'text');
  const byValue = new Map(ofPoint.map((column) => [recordedAs[column.name] ?? column.name, column]));
  return {
    /** The row of a point, without the name of its series. Throws RangeError if the point has a value without a column. */
    rowOf({ timestamp, block, values }: Point): Row {
      const own = { timestamp, block: block.number, blockTimestamp: block.timestamp };
      const recorded: Record<string, bigint | number | undefined> = { ...own, ...values };
      const unknown = Object.keys(values).find((name) => !byValue.has(name));
      if (unknown) throw new RangeError(`the history has a value that this release does not know: ${unknown}`);
      const cells = [...byValue].map(([name, column]): [string, Value] => [
        column.name,
        ifKnown((value) => toCell(column, value), recorded[name]),
      ]);
      return Object.fromEntries(cells);
    },
    /** The point of a row. */
    pointOf(row: Row): Point {
      const recorded = [...byValue].map(([value, { name }]): [string, bigint | undefined] => [
        value,
        ifKnown(BigInt, row[name]),
      ]);
      const { timestamp, block, blockTimestamp = timestamp, ...values } = Object.fromEntries(recorded);
      return {
        timestamp: Number(timestamp),
        block: { number: Number(block), timestamp: Number(blockTimestamp) },
        values,
      };
    },
  };
}

function toCell({ type }: Column, value: bigint | number): Value {
  if (type === 'decimal') return BigInt(value);
  return type === 'flag' ? value === 1n : Number(value);
}
