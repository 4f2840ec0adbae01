import { expect, test } from '@jest/globals';
import { bigintIn, countIn, intact, textIn, valuesIn } from '../../../lib/tables/rows.ts';
import type { Row, Value } from '../../../lib/tables/series-table.ts';

test('rows that cannot be read count as missing, with one warning for all of them', () => {
  const warnings: object[] = [];
  const parse = ({ n }: Row) => countIn(n);
  const read = (...rows: Row[]) => intact(rows, parse, (_, fields) => warnings.push(fields));
  expect([read({ n: 1 }), read()]).toEqual([[1], []]);
  expect(warnings).toEqual([]);
  expect(read({ n: 1 }, { n: -1, text: 'x'.repeat(600) }, { n: 2 }, {})).toEqual([1, 2]);
  const row = expect.stringMatching(/^\{"n":\{"N":"-1"\},"text":\{"S":"x{470}x*$/);
  expect(warnings).toEqual([{ count: 2, row, error: new RangeError('no count') }]);
  expect((warnings[0] as { row: string }).row).toHaveLength(500);
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
