import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { proxyEvent } from '../support/events.ts';
import { deadUrl } from '../support/servers.ts';
import { tablesForEachTest } from '../support/tables.ts';

/** The logs and metrics that a function writes to standard output, in a process of its own as on Lambda. */

const execute = promisify(execFile);

tablesForEachTest();

// biome-ignore lint/suspicious/noExplicitAny: JSON lines of several shapes
type Line = any;

/** Sends this many requests to the handler of `/ggAvax`, and returns the JSON lines it writes. */
function linesOf(requests: number, env: Record<string, string> = {}) {
  return linesOfScript(
    `const { handler } = await import('./functions/gg-avax.ts');
    for (let request = 0; request < ${requests}; request++) {
      await handler(${JSON.stringify(proxyEvent())}, { getRemainingTimeInMillis: () => 10_000 });
    }`,
    env,
  );
}

async function linesOfScript(code: string, env: Record<string, string>) {
  const script = `${code}; process.exit();`;
  const { stdout, stderr } = await execute(process.execPath, ['--input-type=module', '-e', script], {
    env: {
      ...process.env,
      ...{ NETWORK: 'devnet', RPC_URLS: process.env.DEVNET_RPC_URL, MAX_HEAD_AGE_SECONDS: '0' },
      ...{ POWERTOOLS_SERVICE_NAME: 'staking-data-test', POWERTOOLS_LOG_LEVEL: 'INFO' },
      POWERTOOLS_METRICS_DISABLED: 'false',
      ...env,
    },
  });
  const printed = `${stdout}${stderr}`.trim().split('\n');
  const lines: Line[] = printed.map((line) => JSON.parse(line));
  return { logs: lines.filter(({ level }) => level), metrics: lines.filter(({ _aws }) => _aws) };
}

/** The values of a metric in all lines of CloudWatch's embedded metric format. */
function valuesOf(metrics: Line[], name: string): { value: number; unit: string; dimensions: Line }[] {
  return metrics.flatMap((line) =>
    line._aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }: Line) => {
      expect(Namespace).toBe('StakingDataService');
      return Metrics.filter(({ Name }: Line) => Name === name).map(({ Unit }: Line) => ({
        value: [line[name]].flat()[0],
        unit: Unit,
        dimensions: Object.fromEntries(Dimensions[0].map((dimension: string) => [dimension, line[dimension]])),
      }));
    }),
  );
}

test('a miss and a hit are logged in one line each, without URLs, with the age of the block that was read as a metric', async () => {
  const { logs, metrics } = await linesOf(2);
  const requests = logs.filter(({ message }) => message === 'request');
  expect(requests).toMatchObject([
    {
      ...{ level: 'INFO', service: 'staking-data-test', method: 'GET', route: '/ggAvax', requestId: 'test-request' },
      ...{ status: 200, cache: 'miss', block: expect.any(Number), ms: expect.any(Number) },
      upstreamMs: expect.any(Number),
    },
    // The age depends on how fast the machine is.
    { status: 200, cache: 'hit', age: expect.any(Number) },
  ]);
  expect(JSON.stringify(logs)).not.toMatch(/https?:|127\.0\.0\.1/);

  const service = { service: 'staking-data-test' };
  const [headAge, ...others] = valuesOf(metrics, 'HeadAge');
  expect(others).toEqual([]);
  expect(headAge).toMatchObject({ unit: 'Seconds', dimensions: service });
  expect(headAge?.value).toBeGreaterThan(0);
});

test('if no provider answers, the error is counted and each attempt logged, without a URL', async () => {
  const url = await deadUrl();
  const { logs, metrics } = await linesOf(1, { RPC_URLS: `${url},${url}/second?key=secret` });
  expect(valuesOf(metrics, 'CacheError')).toMatchObject([{ value: 1 }]);
  const failed = logs.filter(({ message }) => message === 'upstream attempt failed');
  expect(new Set(failed.map(({ provider }) => provider)).size).toBe(2);
  expect(logs.find(({ message }) => message === 'request')).toMatchObject({ status: 503 });
  expect(logs.filter(({ level }) => level === 'WARN').length).toBeGreaterThanOrEqual(2);
  const port = new URL(url).port;
  expect(JSON.stringify(logs)).not.toMatch(new RegExp(`secret|:${port}`));
});

test.each([
  ['history-recorder', 'run failed', 'ERROR'],
  ['ledger-recorder', 'too few providers answer for events', 'WARN'],
])('if a run of the %s gets no answer, it logs "%s" with the cause, and without URLs', async (file, message, level) => {
  const url = await deadUrl();
  const { logs } = await linesOfScript(
    `const { handler } = await import('./functions/${file}.ts');
      await handler({}, { getRemainingTimeInMillis: () => 60_000 }).catch(() => {})`,
    { RPC_URLS: `${url}/first?key=secret` },
  );
  const { error, ...line } = logs.find((line) => line.message === message) ?? {};
  expect([line.level, error?.code]).toEqual([level, 'UPSTREAM_UNAVAILABLE']);
  expect(JSON.stringify(error.cause)).toContain('rpc: network');
  expect(JSON.stringify(logs)).not.toMatch(new RegExp(`secret|:${new URL(url).port}`));
});
