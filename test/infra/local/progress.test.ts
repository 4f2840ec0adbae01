import { expect, test } from '@jest/globals';
import { createProgress, describeProgress } from '../../../infra/local/progress.ts';

test.each([
  [120, 480, 12, '120/480   25 %  12.0/s  0:30 left'],
  [480, 480, 8, '480/480  100 %  8.0/s  0:00 left'],
  [1, 7_201, 1, '   1/7201    0 %  1.0/s  2:00:00 left'],
  [1, 2, 0, '1/2   50 %  0.0/s  unknown time left'],
])('describes %d of %d at %d a second', (done, total, rate, expected) => {
  expect(describeProgress(done, total, rate)).toBe(expected);
});

test('writes a line every five seconds and at the end, with a time left that one stall does not change', () => {
  let now = 0;
  const lines: string[] = [];
  const progress = createProgress(
    (line) => lines.push(line),
    () => now,
  );
  const after = (seconds: number, count: number) => {
    now += seconds * 1_000;
    progress(count, 1_000);
  };
  for (let interval = 0; interval < 3; interval++) after(5, 50);
  after(1, 1);
  after(300, 9);
  after(5, 840);
  expect(lines).toEqual([
    '  50/1000    5 %',
    ' 100/1000   10 %  10.0/s  1:30 left',
    ' 150/1000   15 %  10.0/s  1:25 left',
    ' 160/1000   16 %  10.0/s  1:24 left',
    '1000/1000  100 %  10.0/s  0:00 left',
  ]);
});
