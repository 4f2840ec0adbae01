import { expect, test } from '@jest/globals';
import { percent, withUnit } from '../../infra/site/pages/dashboard/format.ts';

/** Numbers as the dashboard writes them. */

test.each([
  [1070.604, '1,070.60 AVAX'],
  [1070.6, '1,070.6 AVAX'],
  [65.969999, '65.970 AVAX'],
  [65.97, '65.97 AVAX'],
  [0.5, '0.5 AVAX'],
  [65, '65 AVAX'],
  [0, '0 AVAX'],
])('rounded numbers keep their zeros, so that columns line up: %d is %s', (value, text) => {
  expect(withUnit(value, 'AVAX')).toBe(text);
});

test.each([
  [99.4, '99.40%'],
  [99.456, '99.46%'],
  [100, '100%'],
  // Not 0: most holders have less of all ggAVAX.
  [0.00067, '< 0.01%'],
])('%d percent is %s', (value, text) => {
  expect(percent(value)).toBe(text);
});
