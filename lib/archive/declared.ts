/** Columns of values that are declared with unit and meaning, such as the events' fields and the values of points. */

import { MINIPOOL_STATUSES } from '../contracts/minipool-statuses.ts';
import { UNITS, type Unit, type UnitDeclaration } from '../values/units.ts';
import type { Column } from './column.ts';

/** A declared value: the unit in which it is stored, and its meaning. */
interface Declared {
  unit: Unit;
  meaning: string;
}

const STATUSES = `By number: ${MINIPOOL_STATUSES.map((name, of) => `${of} ${name}`).join(', ')}.`;

/** The columns of values, by their names. */
export function toColumns(declared: Readonly<Record<string, Declared>>): Column[] {
  return Object.entries(declared).map(([name, value]) => toColumn(name, value));
}

export function toColumn(name: string, { unit, meaning }: Declared): Column {
  const { column: type, symbol, note = '' }: UnitDeclaration = UNITS[unit];
  const format = unit === 'status' ? STATUSES : note;
  return { name, type, unit: symbol, meaning: `${meaning} ${format}`.trim() };
}
