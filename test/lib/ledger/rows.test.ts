import { expect, test } from '@jest/globals';
import { EventFragment } from 'ethers';
import { EVENTS } from '../../../lib/ledger/event-abis.ts';
import type { EntryField } from '../../../lib/ledger/events/entry-field.ts';
import { declarationOf } from '../../../lib/ledger/events/entry-types.ts';
import { type EntryOf, subjectOf, typedSubject } from '../../../lib/ledger/ledger-entry.ts';
import { CURSOR, END, endOf, keyOf, nextTo, positionOf, startOf, toEntry, toRow } from '../../../lib/ledger/rows.ts';
import { NETWORKS } from '../../../lib/runtime/networks.ts';
import { marshall } from '../../../lib/tables/attributes.ts';
import type { Row } from '../../../lib/tables/series-table.ts';
import { UNITS } from '../../../lib/values/units.ts';
import { entriesFrom } from '../../support/ledger-entries.ts';

test('an entry of every type is read back from its row as it was, to the wei', () => {
  for (const entry of entriesFrom(10)) expect(toEntry(toRow(entry))).toStrictEqual(entry);
});

test('a field without a value is not stored', () => {
  const { owner, ...known } = slashed;
  expect(toEntry(toRow({ ...known, owner: undefined }))).toStrictEqual(known);
});

test('a row takes one write unit, whatever somebody writes into an event: its parameters have a fixed size', () => {
  for (const { event } of EVENTS)
    for (const { type } of EventFragment.from(event).inputs)
      expect([event, type]).toEqual([event, expect.stringMatching(/^(address|bool|bytes32|u?int\d+)$/)]);
  const longestKey = keyOf(
    { network: NETWORKS.avalanche },
    typedSubject(subjectOf.holder('0x'), 'minipoolStatusChanged'),
  );
  for (const entry of entriesFrom(10)) {
    const bytes = JSON.stringify(marshall({ subject: longestKey.padEnd(120), ...toRow(entry) })).length;
    expect([entry.type, bytes < 1_024]).toEqual([entry.type, true]);
  }
});

test('positions are sorted like the chain, and between the ends of their time', () => {
  const place = { timestamp: 1_700_000_000, block: 95_044_397, logIndex: 9 };
  const position = '1700000000-000095044397-000009';
  expect(positionOf(place)).toBe(position);
  const later = [{ logIndex: 10 }, { block: 95_044_398, logIndex: 0 }, { timestamp: 1_700_000_001, logIndex: 0 }];
  const sorted = [
    startOf(1_700_000_000),
    ...[nextTo(position, false), position, nextTo(position, true)],
    ...[later[0], later[1]].map((more) => positionOf({ ...place, ...more })),
    ...[endOf(1_700_000_000), startOf(1_700_000_001), positionOf({ ...place, ...later[2] }), END],
  ];
  expect(sorted.toSorted()).toEqual(sorted);
  expect(new Set(sorted).size).toBe(sorted.length);
  expect(nextTo(position, false)).toBe('1700000000-000095044397-000008');
  expect(nextTo(positionOf({ ...place, logIndex: 0 }), false)).toBe('1700000000-000095044397-');
  expect([position, endOf(5)].map((text) => CURSOR.test(text))).toEqual([true, true]);
  expect([`0${position}`, `${position}0`, startOf(5), 'x'].some((text) => CURSOR.test(text))).toBe(false);
  expect(keyOf({ network: NETWORKS.fuji }, 'protocol')).toMatch(/^fuji#\d+\.\d+#protocol$/);
});

const slashed: EntryOf<'ggpSlashed'> = {
  ...{ block: 7, logIndex: 3, timestamp: 1_700_000_014, txHash: `0x${'7e'.repeat(32)}` },
  type: 'ggpSlashed',
  ...{ nodeID: `0x${'0d'.repeat(20)}`, owner: `0x${'a1'.repeat(20)}`, amount: 5n },
};
const row = toRow(slashed);
const fields = row.fields as Row;

test.each<[string, Row]>([
  ['without a transaction', { txHash: undefined }],
  ['with a hash that is cut off', { txHash: '0x7e' }],
  ['of another block than its position', { block: 8 }],
  ['of another time', { timestamp: 1_700_000_015 }],
  ['at another position', { position: endOf(5) }],
  ['of a type that there is not', { type: 'toString' }],
  ['without fields', { fields: undefined }],
  ['without an amount', { fields: { ...fields, amount: undefined } as never }],
  ['with half a wei', { fields: { ...fields, amount: '0.5' } as never }],
])('a row %s is damaged', (_, change) => {
  expect(toEntry(row)).toEqual(slashed);
  expect(() => toEntry({ ...row, ...change })).toThrow(RangeError);
});

test('a row is damaged if a field of any type has more around it than its form allows', () => {
  for (const entry of entriesFrom(10)) {
    const row = toRow(entry);
    for (const [name, value] of Object.entries(row.fields as Row)) {
      const { unit } = declarationOf(entry.type).fields[name] as EntryField;
      // Other programs take these for hexadecimal and exponential numbers.
      for (const other of UNITS[unit].ledger === 'text' ? [''] : [`0x${value}`, `${value}e1`])
        expect(() => toEntry({ ...row, fields: { ...(row.fields as Row), [name]: other } as never })).toThrow(
          RangeError,
        );
    }
  }
});
