import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { validatorsNodeIDHistory } from '../../functions/validators/node-id-history.ts';
import { validators } from '../../functions/validators.ts';
import { createHandler } from '../../lib/endpoint.ts';
import { newestBoundary, runRecorder } from '../../lib/history/recorder.ts';
import { historyOf } from '../../lib/history/store.ts';
import { recordValidators } from '../../lib/validators/history.ts';
import { send } from '../support/events.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies as clients see them
type Body = any;

tablesForAllTests();
let runtime: TestRuntime;
let newest: number;
let listed: Body[];

beforeAll(async () => {
  runtime = startOnDevnet();
  const { chain } = runtime.opened;
  newest = newestBoundary(await chain.head());
  // What is read an hour after a boundary is not recorded, and an hour may begin between the devnet's start and here.
  jest.spyOn(Date, 'now').mockReturnValue((newest + 1_800) * 1_000);
  let boundaries = 0;
  await runRecorder({ chain, telemetry: runtime.telemetry, store: historyOf(runtime.opened) }, newest, {
    parallel: 1,
    mayGoOn: () => boundaries++ < 1,
  });
  listed = (await send(createHandler(validators, runtime))).body.validators;
});
afterAll(() => {
  jest.restoreAllMocks();
});

const history = async (nodeID: string, query: Record<string, string> = {}) => {
  const { status, body } = await send(createHandler(validatorsNodeIDHistory, startOnDevnet()), {
    params: { nodeID },
    query: { interval: '1h', from: String(newest - 3_600), to: String(newest), ...query },
  });
  expect(status).toBe(200);
  expect(validatorsNodeIDHistory.response().parse(body)).toEqual(body);
  return body;
};

test('the protocol’s own validators are recorded at a boundary, as the list answers them, and no others', async () => {
  const own = listed.filter(({ minipool }) => minipool);
  expect(own.length).toBeGreaterThan(5);
  expect(await recordValidators(runtime.opened, newest)).toBe(own.length);
  const [point] = await historyOf(runtime.opened).points('1h', newest, newest);
  for (const { nodeID, uptimePercent, amountStaked, amountDelegated, delegatorCount } of own) {
    const { points } = await history(nodeID);
    expect(points).toEqual([
      {
        timestamp: newest,
        block: point?.block.number,
        uptimePercent,
        amountStaked,
        amountDelegated,
        delegatorCount,
      },
    ]);
  }
  const foreign = listed.find(({ minipool }) => !minipool);
  expect(await history(foreign.nodeID)).toMatchObject({ points: [], missing: 2 });
});

test('a point is written once', async () => {
  const [{ nodeID }] = listed.filter(({ minipool }) => minipool);
  const before = await history(nodeID);
  await recordValidators(runtime.opened, newest);
  expect((await history(nodeID)).points).toEqual(before.points);
});

test('what is read an hour after a boundary, or for one without a point, is not recorded', async () => {
  expect(await recordValidators(runtime.opened, newest - 3_600)).toBe(0);
  const late = { ...runtime.opened, cache: startOnDevnet().opened.cache };
  const asOf = Math.floor(Date.now() / 1_000);
  const store = historyOf(runtime.opened);
  const hourAgo = Math.floor((asOf - 3_600) / 3_600) * 3_600;
  await store.write('1h', { timestamp: hourAgo, block: { number: 1, timestamp: hourAgo }, values: {} });
  expect(await recordValidators(late, hourAgo)).toBe(0);
});
