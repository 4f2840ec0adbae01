import { beforeAll, expect, test } from '@jest/globals';
import { metricsName } from '../../functions/metrics/name.ts';
import { metrics } from '../../functions/metrics.ts';
import { FIGURES } from '../../lib/bodies/metrics.ts';
import { createHandler } from '../../lib/endpoint.ts';
import { send } from '../support/events.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';

tablesForAllTests();
let runtime: TestRuntime;

beforeAll(async () => {
  runtime = startOnDevnet();
});

const figure = (name: string) => send(createHandler(metricsName, runtime), { params: { name } });

/** The numbers of a body by their paths; its block is no figure. */
function numbersIn(body: object, prefix = ''): [string, number][] {
  return Object.entries(body).flatMap(([name, value]): [string, number][] => {
    if (typeof value === 'number') return [[prefix + name, value]];
    return typeof value === 'object' && name !== 'block' ? numbersIn(value, `${name}.`) : [];
  });
}

test('each figure of /metrics comes as a bare number, of the same block', async () => {
  const all = await send(createHandler(metrics, runtime));
  const numbers = numbersIn(all.body);
  expect(numbers.length).toBeGreaterThan(30);
  for (const [name, value] of numbers) {
    const { status, body, headers } = await figure(name);
    expect([name, status, body]).toEqual([name, 200, value]);
    expect(headers['X-Block-Number']).toBe(String(all.body.block.number));
  }
  expect(FIGURES).toEqual(expect.arrayContaining(numbers.map(([name]) => name)));
});

test.each(['total_asset', 'status', 'block', 'block.number', 'minipools', 'constructor'])(
  '%s is no figure: a 404 that names those there are',
  async (name) => {
    const { status, body } = await figure(name);
    expect([status, body.code]).toEqual([404, 'METRIC_NOT_FOUND']);
    for (const known of FIGURES) expect(body.detail).toContain(known);
  },
);

test('a figure without a source is a 503', async () => {
  const figures = { tvl_usd: undefined, rewards_cycle: {}, staker_count: 0 };
  const context = { dataset: async () => figures };
  const ask = (name: string) => metricsName.handle({ name }, context as never);
  await expect(ask('tvl_usd')).rejects.toMatchObject({ status: 503, message: expect.stringMatching(/^tvl_usd /) });
  await expect(ask('rewards_cycle.number')).rejects.toMatchObject({ status: 503 });
  expect(await ask('staker_count')).toBe(0);
});
