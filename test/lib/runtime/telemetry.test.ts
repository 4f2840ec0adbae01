import { expect, jest, test } from '@jest/globals';
import { powertoolsTelemetry } from '../../../lib/runtime/telemetry.ts';

test('a metric has its unit, and a request without metrics writes none', () => {
  // It writes to the console of the test then.
  Object.assign(process.env, { POWERTOOLS_METRICS_DISABLED: 'false', POWERTOOLS_DEV: 'true' });
  const written = jest.spyOn(console, 'log').mockImplementation(() => {});
  const telemetry = powertoolsTelemetry();
  telemetry.flush();
  expect(written).not.toHaveBeenCalled();
  telemetry.count('TableError');
  telemetry.record('HeadAge', 3);
  for (const metric of ['LedgerLag', 'LedgerStuck', 'LedgerMismatch'] as const) telemetry.record(metric, 2);
  telemetry.flush();
  const [request] = written.mock.calls.map(([line]) => JSON.parse(line));
  written.mockRestore();
  expect(request).toMatchObject({ TableError: 1, HeadAge: 3, LedgerLag: 2 });
  const [{ Namespace, Metrics }] = request._aws.CloudWatchMetrics;
  const units = Metrics.map(({ Name, Unit }: Record<string, string>) => `${Name} ${Unit}`);
  const counts = ['TableError', 'LedgerLag', 'LedgerStuck', 'LedgerMismatch'].map((name) => `${name} Count`);
  expect(units.toSorted()).toEqual([...counts, 'HeadAge Seconds'].toSorted());
  expect(Namespace).toBe('StakingDataService');
});
