import { expect, test } from '@jest/globals';
import * as z from 'zod/mini';
import { toCSV } from '../../../../lib/api/http/csv.ts';
import { avax, avaxNumber, flag, ggp, text, unixTime } from '../../../../lib/api/units.ts';
import { LAST_TIME } from '../../../../lib/values/iso-time.ts';

const list = z.array(
  z.object({
    name: text.schema('Name.'),
    amount: avax.schema('Amount.'),
    change: z.optional(avaxNumber.schema('Change.')),
    endTime: unixTime.schema('End.'),
    owner: z.optional(z.object({ isKnown: flag.schema('Known.'), since: z.optional(unixTime.schema('Since.')) })),
    tags: z.array(text.schema('Tag.')),
  }),
);
const HEADER = 'name,amount,change,endTime,endTime.iso,owner.isKnown,owner.since,owner.since.iso,tags\r\n';

test('an empty list still has a header row', () => {
  expect(toCSV(list, [])).toBe(HEADER);
});

test('entries are rows, with columns for nested fields and ISO times, and empty cells for what is missing', () => {
  const entries = [
    {
      name: 'Ada',
      amount: '395844.636186841582735523',
      change: -1e-7,
      endTime: 1_789_158_328,
      owner: { isKnown: true, since: 0 },
      tags: ['a', 'b'],
    },
    { name: '', amount: '0', endTime: 0, owner: { isKnown: false, since: LAST_TIME }, tags: [] },
  ];
  expect(toCSV(list, entries)).toBe(
    `${HEADER}Ada,395844.636186841582735523,-1e-7,1789158328,2026-09-11T20:25:28Z,true,0,,"a;b"\r\n,0,,0,,false,${LAST_TIME},9999-12-31T23:59:59Z,\r\n`,
  );
});

test.each([
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\rlines', '"two\rlines"'],
  // Where a comma is the decimal sign, a semicolon separates cells.
  ['a;=1+1', '"a;=1+1"'],
  ['é 🚀', 'é 🚀'],
  ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ['@cmd', "'@cmd"],
  ['+1 555', "'+1 555"],
  ['-1.5', '-1.5'],
  ['-', "'-"],
  ['\n=1+1', `"'\n=1+1"`],
  ['＝1+1', "'＝1+1"],
])('the text %j becomes the cell %s, which no spreadsheet takes for a formula', (name, cell) => {
  expect(toCSV(z.array(z.object({ name: text.schema('Name.') })), [{ name }])).toBe(`name\r\n${cell}\r\n`);
});

test('all cells of a missing object are empty', () => {
  const owned = z.array(
    z.object({ owner: z.optional(z.object({ name: text.schema('Name.'), since: unixTime.schema('Since.') })) }),
  );
  expect(toCSV(owned, [{}])).toBe('owner.name,owner.since,owner.since.iso\r\n,,\r\n');
});

test('a list with several kinds of entries has the columns of all kinds, each once', () => {
  const kinds = z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('paid'), timestamp: unixTime.schema('When.'), amount: ggp.schema('What.') }),
      z.object({ type: z.literal('seen'), timestamp: unixTime.schema('When.'), by: text.schema('Who.') }),
    ]),
  );
  expect(toCSV(kinds, [{ type: 'seen', timestamp: 1, by: 'Bo' }])).toBe(
    'type,timestamp,timestamp.iso,amount,by\r\nseen,1,1970-01-01T00:00:01Z,,Bo\r\n',
  );
});

test('named values share a cell, each behind its name', () => {
  const list = z.array(z.object({ reasons: z.record(z.string(), z.string()) }));
  expect(toCSV(list, [{ reasons: { usd: 'UNKNOWN', eur: 'LATE' } }, {}])).toBe(
    'reasons\r\n"usd: UNKNOWN;eur: LATE"\r\n\r\n',
  );
});
