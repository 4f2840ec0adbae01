import { expect, test } from '@jest/globals';
import { createProgress } from '../../../infra/local/progress.ts';

test('writes a line with a percentage every five seconds and at the end', () => {
  let now = 0;
  const lines: string[] = [];
  const progress = createProgress(
    (line) => lines.push(line),
    () => now,
  );
  for (const [seconds, count] of [
    [5, 50],
    [1, 1],
    [4, 49],
    [1, 900],
  ] as const) {
    now += seconds * 1_000;
    progress(count, 1_000, '7 events');
  }
  expect(lines).toEqual([
    '5 % (50 of 1000), 7 events',
    '10 % (100 of 1000), 7 events',
    '100 % (1000 of 1000), 7 events',
  ]);
});
