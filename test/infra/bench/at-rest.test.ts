import { expect, test } from '@jest/globals';
import { atRest, type RunUse } from '../../../infra/bench/at-rest.ts';
import { PROD, synthesize } from '../../support/stack.ts';

/** What a stage costs a month without one request. */

/** More than `npm run cost` measures: a second for each run, and five custom metrics. */
const use = (...metrics: string[]): RunUse => ({
  ms: 1_000,
  reads: 5,
  writes: 1,
  logBytes: 2_000,
  metrics: new Set(metrics),
});
const USES = {
  'Records the points of the history endpoints': use('HistoryLag', 'HeadAge', 'RpcAttempt ok', 'RpcAttempt no_state'),
  "Records the protocol's events": use('LedgerLag', 'LedgerStuck', 'LedgerMismatch', 'HeadAge', 'RpcAttempt ok'),
  "Writes each day's archive": use('ArchiveAge'),
};

async function billOf(context: Record<string, string>): Promise<Record<string, number>> {
  const bill = atRest((await synthesize(context)).json, USES);
  return Object.fromEntries([...bill].map(([item, dollars]) => [item, Math.round(dollars * 100) / 100]));
}

test('dev costs less than six dollars, with neither firewall nor dashboard nor secret', async () => {
  const { total, ...items } = await billOf({ stage: 'dev' });
  expect(items).toEqual({
    alarms: 1.9,
    recorders: expect.any(Number),
    'custom metrics': 2.1,
    'recorded data': 0.45,
  });
  expect(total).toBeLessThan(6);
});

test('prod costs less than sixteen dollars, of which nine are its firewall', async () => {
  const { total, ...items } = await billOf({ ...PROD, secret: 'staking-data/prod' });
  expect(items).toMatchObject({ firewall: 9, alarms: 1.8, secrets: 0.8, archives: 0.29 });
  expect(total).toBeLessThan(16);
});

test('a frozen prod costs about a dollar: nothing runs, and no firewall guards it', async () => {
  const { total, ...items } = await billOf({ ...PROD, archive: 'any' });
  expect(items).toEqual({ alarms: 0.3, secrets: 0.4, archives: 0.08, 'recorded data': 0.25 });
  expect(total).toBeLessThan(1.1);
});

test('a dashboard adds three dollars; what a schedule of unknown use adds is an error, not nothing', async () => {
  const { total } = await billOf({});
  expect((await billOf({ dashboard: 'on' })).total).toBeCloseTo((total as number) + 3);
  await expect(billOf({ warm: 'prices' })).rejects.toThrow(/unknown: "Best current prices"/);
});

test('an alarm on an expression costs as much as its metrics', () => {
  const metric = { MetricStat: {} };
  const resources = { Alarm: { Type: 'AWS::CloudWatch::Alarm', Properties: { Metrics: [{}, metric, metric] } } };
  expect(atRest({ Resources: resources }, {}).get('alarms')).toBe(0.2);
});
