import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { unmarshall } from '../../../lib/tables/attributes.ts';
import { bigintIn, countIn, intact, textIn, valuesIn } from '../../../lib/tables/rows.ts';
import type { Row, Value } from '../../../lib/tables/series-table.ts';

test('rows that cannot be read count as missing, with one warning for each kind of damage in a process', () => {
  const warnings: object[] = [];
  const parse = ({ n, text }: Row) => (textIn(text ?? 'x', /^x+$/) ? countIn(n) : 0);
  const warn = (_: string, fields: object) => void warnings.push(fields);
  const read = (...rows: Row[]) => intact(rows, parse, warn);
  expect([read({ n: 1 }), read()]).toEqual([[1], []]);
  expect(warnings).toEqual([]);
  expect(read({ n: 1 }, { n: -1, text: 'x'.repeat(600) }, { n: 2 }, {})).toEqual([1, 2]);
  const row = expect.stringMatching(/^\{"n":\{"N":"-1"\},"text":\{"S":"x{470}x*$/);
  expect(warnings).toEqual([{ count: 2, row, error: new RangeError('no count') }]);
  expect((warnings[0] as { row: string }).row).toHaveLength(500);
  read({ n: -2 });
  expect(warnings).toHaveLength(1);
  read({ n: 1, text: 'y' });
  expect(warnings).toHaveLength(2);
});

test.each<[string, AttributeValue, Value | undefined]>([
  ['an integer of 38 digits', { N: '9'.repeat(38) }, BigInt('9'.repeat(38))],
  ['a large integer as engines write it', { N: '1e+30' }, 1e30],
  ['a fraction', { N: '0.5' }, 0.5],
  ['of another kind', { NULL: true }, undefined],
  ['a list with values of other kinds', { L: [{ NULL: true }, { N: '1' }, { BOOL: true }] }, [1]],
])('an attribute can be read, whatever it is: %s', (_, attribute, value) => {
  expect(unmarshall({ a: attribute })).toEqual({ a: value });
});

type Read = (value: Value | undefined) => unknown;

test.each<[Read, good: [Value, unknown][], bad: (Value | undefined)[]]>([
  [textIn, [['ä', 'ä']], ['', 1, undefined]],
  [(value) => textIn(value, /^a$/), [['a', 'a']], ['b', undefined]],
  [countIn, [0, Number.MAX_SAFE_INTEGER].map((count) => [count, count]), [-1, 0.5, 2 ** 53, 2n ** 60n, '1', undefined]],
  [
    bigintIn,
    [
      ['115792089237316195423570985008687907853269984665640564039457584007913129639935', 2n ** 256n - 1n],
      ['-1', -1n],
    ],
    ['1.5', '0x1', '1 ', ' 1', '', 1, undefined],
  ],
  [valuesIn, [[{ a: 1 }, { a: 1 }]], ['a', [1], new Set(['a']), undefined]],
])('what is not of its kind is damaged: %p', (read, good, bad) => {
  for (const [value, expected] of good) expect(read(value)).toEqual(expected);
  for (const value of bad) expect(() => read(value)).toThrow(RangeError);
});
