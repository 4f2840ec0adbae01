import { beforeAll, expect, jest, test } from '@jest/globals';
import { metricsName } from '../../functions/metrics/name.ts';
import { metrics } from '../../functions/metrics.ts';
import { supplyGgpTotal } from '../../functions/supply/ggp-total.ts';
import { METRIC_NAMES } from '../../lib/api/bodies/metrics-body.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { protocolDataset } from '../../lib/protocol/protocol.ts';
import { EMPTY_PROTOCOL } from '../lib/protocol/empty-protocol.ts';
import { sendTo } from '../support/events.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';

tablesForAllTests();
let runtime: TestRuntime;

beforeAll(async () => {
  runtime = startOnDevnet();
});

const figure = (name: string) => sendTo(metricsName, runtime, { params: { name } });

/** The numbers in a body by their paths, without those of its block. */
function numbersIn(body: object, prefix = ''): [string, number][] {
  return Object.entries(body).flatMap(([name, value]): [string, number][] => {
    if (typeof value === 'number') return [[prefix + name, value]];
    return typeof value === 'object' && name !== 'block' ? numbersIn(value, `${name}.`) : [];
  });
}

test('each figure of /metrics is returned as a bare number, at the same block', async () => {
  const all = await sendTo(metrics, runtime);
  const numbers = numbersIn(all.body);
  expect(numbers.length).toBeGreaterThan(30);
  for (const [name, value] of numbers) {
    const { status, body, headers } = await figure(name);
    expect([name, status, body]).toEqual([name, 200, value]);
    expect(headers['X-Block-Number']).toBe(String(all.body.block.number));
  }
  expect(METRIC_NAMES).toEqual(expect.arrayContaining(numbers.map(([name]) => name)));
});

test('a bare number is plain text for those who ask for it', async () => {
  const typeFor = async (accept: string, endpoint: Endpoint = supplyGgpTotal) => {
    const { headers } = await sendTo(endpoint, runtime, { headers: { accept } });
    return [headers['Content-Type'], headers.Vary];
  };
  expect(await typeFor('text/plain')).toEqual(['text/plain; charset=utf-8', 'Accept, Accept-Encoding']);
  expect(await typeFor('application/json, text/plain, */*')).toEqual(['application/json', 'Accept, Accept-Encoding']);
  expect(await typeFor('text/plain', metrics)).toEqual(['application/json', 'Accept-Encoding']);
});

test.each(['total_asset', 'status', 'block', 'block.number', 'minipools', 'constructor'])(
  '%s is not a figure, but a 404 that lists the figures',
  async (name) => {
    const { status, body } = await figure(name);
    expect([status, body.code]).toEqual([404, 'METRIC_NOT_FOUND']);
    for (const known of METRIC_NAMES) expect(body.detail).toContain(known);
  },
);

test('a figure without a value is a 404 of its own, one whose source fails a 503, and one that is 0 neither', async () => {
  jest.spyOn(protocolDataset, 'read').mockResolvedValue({ ...EMPTY_PROTOCOL, pool: { avaxPerGgAvax: 10n ** 18n } });
  // The yields need a past rate, and no provider answers.
  const alone = startOnDevnet({ RPC_URLS: 'http://127.0.0.1:9', CACHE_TABLE: 'no-cache', HISTORY_TABLE: 'no-history' });
  const ask = async (name: string) => {
    const { status, body } = await sendTo(metricsName, alone, { params: { name } });
    return [status, body.code ?? body];
  };
  for (const name of ['tvl_usd', 'rewards_cycle.number']) expect(await ask(name)).toEqual([404, 'NO_VALUE']);
  expect(await ask('ggavax_apy')).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
  expect(await ask('staker_count')).toEqual([200, 0]);
  jest.restoreAllMocks();
});
