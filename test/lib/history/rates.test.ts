import { expect, test } from '@jest/globals';
import type { Point } from '../../../lib/history/point.ts';
import { readRecordedRates } from '../../../lib/history/rates.ts';
import { DAY, HOUR } from '../../../lib/values/durations.ts';
import { startContainer } from '../../support/runtime.ts';
import { tablesForEachTest } from '../../support/tables.ts';

/** The recorded rates, from which all holders' earnings are computed, of points in a real table. */

const DAY_0 = 1_789_084_800; // 2026-09-11 00:00 UTC
const TOTALS = { totalAssets: 12n, totalSupply: 10n };

tablesForEachTest();

async function ratesOf(points: readonly [interval: '1h' | '1d', timestamp: number, values: Point['values']][]) {
  const { opened } = startContainer({ NETWORK: 'devnet', RPC_URLS: 'http://127.0.0.1:9' });
  for (const [interval, timestamp, values] of points) {
    await opened.history.write(interval, { timestamp, block: { number: timestamp / 10, timestamp }, values });
  }
  return readRecordedRates(opened);
}

test('recorded rates are the daily ones, and the newest hourly one after the last day', async () => {
  const rates = await ratesOf([
    ['1d', DAY_0, { ...TOTALS, avaxPerGgAvax: 7n, avaxInUSD: 8n, valueLocked: 9n }],
    ['1d', DAY_0 + 2 * DAY, TOTALS],
    ['1h', DAY_0 + 2 * DAY, TOTALS],
    ['1h', DAY_0 + 2 * DAY + HOUR, TOTALS],
    ['1h', DAY_0 + 2 * DAY + 3 * HOUR, { totalAssets: 13n, totalSupply: 11n }],
  ]);
  const at = (time: number) => ({ time, block: time / 10 });
  expect(rates).toEqual([
    { ...at(DAY_0), totals: TOTALS, avaxPerGgAvax: 7n, avaxInUSD: 8n },
    { ...at(DAY_0 + 2 * DAY), totals: TOTALS },
    { ...at(DAY_0 + 2 * DAY + 3 * HOUR), totals: { totalAssets: 13n, totalSupply: 11n } },
  ]);
});

test('recorded rates have no hour up to the last day, and omit points without the totals of the pool', async () => {
  const rates = await ratesOf([
    ['1d', DAY_0, { totalAssets: 1n }],
    ['1d', DAY_0 + DAY, { totalSupply: 1n }],
    ['1d', DAY_0 + 2 * DAY, { totalAssets: 0n, totalSupply: 0n }],
    ['1h', DAY_0 + 2 * DAY, TOTALS],
    ['1h', DAY_0 + 2 * DAY - HOUR, TOTALS],
  ]);
  expect(rates.map(({ time }) => time)).toEqual([DAY_0 + 2 * DAY]);
});
