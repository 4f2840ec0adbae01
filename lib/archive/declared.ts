/** Columns of values that are declared with unit and meaning, such as the events' fields and the values of points. */

import { MINIPOOL_STATUSES } from '../contracts/minipool-statuses.ts';
import type { ValueUnit } from '../history/point-values.ts';
import type { FieldUnit } from '../ledger/events/entry-field.ts';
import { WEI_PER_NAVAX } from '../rewards/validation-reward.ts';
import { WAD } from '../values/wad.ts';
import type { Column } from './column.ts';

type Unit = FieldUnit | ValueUnit;

/** A declared value: the unit in which it is stored, and its meaning. */
interface Declared {
  unit: Unit;
  meaning: string;
}

interface Form extends Pick<Column, 'type' | 'unit' | 'scale'> {
  /** Format of the value in the column. It is appended to the meaning. */
  as?: string;
}

const FORMS: Record<Unit, Form> = {
  avax: { type: 'decimal', unit: 'AVAX' },
  ggp: { type: 'decimal', unit: 'GGP' },
  ggAvax: { type: 'decimal', unit: 'ggAVAX' },
  usd: { type: 'decimal', unit: 'USD' },
  nAVAX: { type: 'decimal', unit: 'AVAX', scale: WEI_PER_NAVAX },
  millionthsOfPercent: { type: 'decimal', unit: 'percent', scale: WAD / 1_000_000n },
  integer: { type: 'integer' },
  seconds: { type: 'integer', unit: 'seconds' },
  status: { type: 'integer', as: `By number: ${MINIPOOL_STATUSES.map((name, of) => `${of} ${name}`).join(', ')}.` },
  unixTime: { type: 'time' },
  address: { type: 'text' },
  hardwareProvider: { type: 'text', as: '32 bytes in 0x-hex.' },
  hash: { type: 'text' },
  nodeID: { type: 'text', as: "The node's 20 bytes in 0x-hex." },
  ownName: { type: 'text', as: 'as the contract names it, 32 bytes in 0x-hex.' },
  text: { type: 'text' },
  flag: { type: 'flag' },
};

/** The columns of values, by their names. */
export function columnsOf(declared: Readonly<Record<string, Declared>>): Column[] {
  return Object.entries(declared).map(([name, value]) => columnOf(name, value));
}

export function columnOf(name: string, { unit, meaning }: Declared): Column {
  const { as = '', ...form } = FORMS[unit];
  return { name, ...form, meaning: `${meaning} ${as}`.trim() };
}
