import { expect, test } from '@jest/globals';
import { createProgress } from '../../../infra/local/progress.ts';

test('writes a line with a percentage every five seconds and at the end', () => {
  let now = 0;
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const progress = createProgress(print, () => now);
  for (const [count, after] of Object.entries({ 50: 5, 1: 6, 49: 10, 900: 11 }).toSorted((a, b) => a[1] - b[1])) {
    now = after * 1_000;
    progress(Number(count), 1_000, '7 events');
  }
  const expected = ['5 % (50 of 1000)', '10 % (100 of 1000)', '100 % (1000 of 1000)'];
  expect(lines).toEqual(expected.map((line) => `${line}, 7 events`));
});
