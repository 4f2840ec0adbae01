import { expect, test } from '@jest/globals';
import { type PeriodLength, startOfPeriod } from '../../../lib/history/periods.ts';

const dayOf = (text: string) => Date.parse(text) / 1_000;

test.each<[string, PeriodLength, string, string]>([
  ['2024-02-29T12:00Z', '1d', '2024-02-29', '2024-03-01'],
  ['2024-02-29T12:00Z', '1mo', '2024-02-01', '2024-03-01'],
  ['2024-02-29T12:00Z', '1y', '2024-01-01', '2025-01-01'],
  ['2023-12-31T23:59:59Z', '1d', '2023-12-31', '2024-01-01'],
  ['2023-12-31T23:59:59Z', '1mo', '2023-12-01', '2024-01-01'],
  ['2024-01-01T00:00:00Z', '1mo', '2024-01-01', '2024-02-01'],
])('the start of the period of %s (%s) is %s, and that of the next one %s', (time, length, first, next) => {
  const starts = [0, 1].map((later) => startOfPeriod(dayOf(time), length, later));
  expect(starts).toEqual([dayOf(first), dayOf(next)]);
});
