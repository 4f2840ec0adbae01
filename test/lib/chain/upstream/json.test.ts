import { expect, test } from '@jest/globals';
import { parseJson } from '../../../../lib/chain/upstream/json.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const numbers = (count: number) => `[${Array(count).fill(1)}]`;
const oversized = expect.objectContaining({ outcome: 'oversized' });

test('is parsed, whatever its strings hold', () => {
  const value = { '[{,"': ['\\"[', '\\', ',"'.repeat(100), [{}, null, -1.5e3, true]] };
  expect(parseJson(JSON.stringify(value))).toEqual(value);
  const text = JSON.stringify(['"[\\'.repeat(600_000), nested(100), ','.repeat(2_000_000)]);
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test.each([nested(64), numbers(1_000_000), `[${`{"a":${nested(62)}},`.repeat(100)}0]`])(
  'of the largest allowed size is parsed',
  (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  },
);

test.each([nested(65), numbers(1_000_001), `[${'{},'.repeat(500_000)}0]`, `["\\\\",${nested(64)}]`])(
  'that is deeper or has more values is not',
  (text) => {
    expect(() => parseJson(text)).toThrow(oversized);
  },
);

test.each(['', '{', '"', '"\\', '"\\"', 'nothing', ']]]'])('%j is none', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});
