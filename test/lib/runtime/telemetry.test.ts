import { expect, jest, test } from '@jest/globals';
import { outcomeName, powertoolsTelemetry } from '../../../lib/runtime/telemetry.ts';

/** Outcomes with a metric of their own: results of requests, and error codes of many providers. */
const KNOWN = [
  ...['ok', 'timeout', 'network', 'lagging', 'incomplete', 'no_state', 'wrong_chain', 'rejected', 'too_large'],
  ...['malformed', 'oversized', 'http_401', 'http_403', 'http_429', 'rpc_429', 'rpc_-32005', 'rpc_-32603'],
];

test.each([
  ...KNOWN.map((outcome) => [outcome, outcome]),
  ['http_502', 'http_other'],
  ['rpc_12345', 'rpc_other'],
  ['an http_502', 'other'],
  ['anything\nelse', 'other'],
])('the outcome %j is the metric of %s: providers cannot invent metrics', (outcome, name) => {
  expect(outcomeName(outcome)).toBe(name);
});

test('a metric has its unit, an attempt its provider and outcome, and a request without metrics writes none', () => {
  // It writes to the console of the test then.
  Object.assign(process.env, { POWERTOOLS_METRICS_DISABLED: 'false', POWERTOOLS_DEV: 'true' });
  const written = jest.spyOn(console, 'log').mockImplementation(() => {});
  const telemetry = powertoolsTelemetry();
  telemetry.flush();
  expect(written).not.toHaveBeenCalled();
  telemetry.attempt('rpc-1', 'http_502');
  telemetry.count('CacheHit');
  telemetry.record('UpstreamMs', 7);
  telemetry.record('HeadAge', 3);
  for (const metric of ['LedgerLag', 'LedgerStuck', 'LedgerMismatch'] as const) telemetry.record(metric, 2);
  telemetry.flush();
  const [attempt, request] = written.mock.calls.map(([line]) => JSON.parse(line));
  written.mockRestore();
  expect(attempt).toMatchObject({ provider: 'rpc-1', outcome: 'http_other', RpcAttempt: 1 });
  expect(request).toMatchObject({ CacheHit: 1, UpstreamMs: 7, HeadAge: 3, LedgerLag: 2 });
  const [{ Namespace, Metrics }] = request._aws.CloudWatchMetrics;
  const units = Metrics.map(({ Name, Unit }: Record<string, string>) => `${Name} ${Unit}`);
  const counts = ['CacheHit', 'LedgerLag', 'LedgerStuck', 'LedgerMismatch'].map((name) => `${name} Count`);
  expect(units.toSorted()).toEqual([...counts, 'HeadAge Seconds', 'UpstreamMs Milliseconds'].toSorted());
  expect(Namespace).toBe('StakingDataService');
});
