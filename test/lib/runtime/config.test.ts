import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { readConfig } from '../../../lib/runtime/config.ts';

beforeEach(() => {
  jest.useFakeTimers({ now: Date.UTC(2026, 10, 23, 23, 59, 59) });
});
afterEach(() => {
  jest.useRealTimers();
});

test('mainnet is another name for avalanche', () => {
  const tables = { CACHE_TABLE: 'cache', HISTORY_TABLE: 'history', LEDGER_TABLE: 'ledger' };
  expect(readConfig({ ...tables, NETWORK: 'mainnet' })).toEqual(readConfig({ ...tables, NETWORK: 'avalanche' }));
});

test('unless HOURLY_START is set, hours begin with the day that was 90 days ago; days, with the protocol', () => {
  const startWith = (HOURLY_START?: string) =>
    readConfig({
      NETWORK: 'fuji',
      CACHE_TABLE: 'cache',
      HISTORY_TABLE: 'history',
      LEDGER_TABLE: 'ledger',
      HOURLY_START,
    }).hourlyStart;
  expect(startWith()).toBe(Date.UTC(2026, 7, 25) / 1_000);
  expect(startWith('1700000000')).toBe(1_700_000_000);
});

test.each(['31.12.2026', '2026-13-01', 'soon'])('ENDS_ON=%s is no day', (ENDS_ON) => {
  const tables = { CACHE_TABLE: 'cache', HISTORY_TABLE: 'history', LEDGER_TABLE: 'ledger' };
  expect(() => readConfig({ ...tables, ENDS_ON })).toThrow('ENDS_ON: must be a day, such as 2026-12-31');
  expect(() => readConfig({ ...tables, ENDS_ON: '2026-12-31' })).not.toThrow();
});
