import { expect, test } from '@jest/globals';
import { atRest, type RunUse } from '../../../infra/bench/at-rest.ts';
import { PROD, synthesize } from '../../support/stack.ts';

/** More than `npm run cost` measures: a second for each run. */
const use = (...metrics: string[]): RunUse => ({
  ms: 1_000,
  reads: 5,
  writes: 1,
  logBytes: 2_000,
  metrics: new Set(metrics),
});
const USES = {
  'Records the points of the history endpoints': use('HeadAge'),
  "Records the protocol's events": use('LedgerLag', 'LedgerStuck', 'LedgerMismatch', 'HeadAge'),
};

async function billOf(context: Record<string, string>): Promise<Record<string, number>> {
  const bill = atRest((await synthesize(context)).json, USES);
  return Object.fromEntries([...bill].map(([item, dollars]) => [item, Math.round(dollars * 100) / 100]));
}

test('dev costs less than two dollars, without firewall, alarms and custom metrics', async () => {
  const { total, ...items } = await billOf({});
  // The ledger's has half a gigabyte.
  expect(items).toEqual({ recorders: 0.41, 'recorded data': 0.45, secrets: 0.4 });
  expect(total).toBeLessThan(2);
});

test('prod costs less than 13.50 dollars with slow recorders, of which seven are its firewall', async () => {
  const { total, ...items } = await billOf({ ...PROD, secret: 'staking-data/prod' });
  expect(items).toMatchObject({ firewall: 7, alarms: 2.7, 'custom metrics': 1.2, secrets: 0.8 });
  expect(total).toBeLessThan(13.5);
});

test('reminders of the end cost nothing; a schedule of unknown use is an error, not nothing', async () => {
  expect((await billOf({ ...PROD, endsOn: '2099-12-31' })).total).toBe((await billOf(PROD)).total);
  const { json } = await synthesize();
  expect(() => atRest(json, {})).toThrow(/unknown: "/);
});
