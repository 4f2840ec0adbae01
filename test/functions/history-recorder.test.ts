import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { EventBridgeEvent, Context as LambdaContext } from 'aws-lambda';
import { createRecorder } from '../../functions/history-recorder.ts';
import { createLedgerRecorder } from '../../functions/ledger-recorder.ts';
import { HOUR } from '../../lib/values/durations.ts';
import { clockAt } from '../support/clock.ts';
import { lambdaContext } from '../support/events.ts';
import { cover } from '../support/log-chain.ts';
import { forgets, lagsBehind, proxyTo } from '../support/rpc-providers.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { deadUrl, stoppedAfterEach } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { chainForAllTests, newestHour } from './devnet.ts';

const RUN_MS = 75_000;
const EVENT = { 'detail-type': 'Scheduled Event', detail: {} } as EventBridgeEvent<'Scheduled Event', unknown>;

/** The lags that a recorder has reported. */
const lagsOf = ({ telemetry }: TestRuntime) => telemetry.records.filter(([metric]) => metric.endsWith('Lag'));

const tables = tablesForAllTests();
const keep = stoppedAfterEach();
const chain = chainForAllTests();
let newest: number;

beforeAll(async () => {
  newest = await newestHour(chain);
});
afterEach(() => {
  jest.restoreAllMocks();
});

// A minute after the full hour, as on AWS.
const clock = clockAt(() => (newest + 60) * 1_000);
const start = (env: Record<string, string> = {}) => startOnDevnet(env, undefined, { clock });

test('a run fills history back to HISTORY_START, and logs what it has done', async () => {
  const runtime = start({ HISTORY_START: String(newest - 5 * HOUR) });
  await createRecorder(runtime)(EVENT, lambdaContext(RUN_MS));
  expect(await runtime.opened.history.timestamps('1h', 0, newest)).toHaveLength(6);
  const line = runtime.telemetry.lines.find(({ message }) => message === 'recorder');
  expect(line?.fields).toMatchObject({ newest, newestRecorded: true, recorded: 6, failed: 0, left: 0 });

  await createRecorder(runtime)(EVENT, lambdaContext(RUN_MS));
  expect(runtime.telemetry.lines.at(-1)?.fields).toMatchObject({ recorded: 0, newestRecorded: true });
});

test('a run that is short of time leaves the rest for the next one', async () => {
  const runtime = start({ HISTORY_START: String(newest - 100 * HOUR) });
  let left = 30_100;
  const shortOfTime = { getRemainingTimeInMillis: () => (left -= 50) } as LambdaContext;
  await createRecorder(runtime)(EVENT, shortOfTime);
  const { fields } = runtime.telemetry.lines.at(-1) ?? {};
  expect(fields).toMatchObject({ stopped: 'limits', newestRecorded: true });
  expect(fields?.left).toBeGreaterThan(0);
});

test('a run that cannot record the newest boundary logs what it has done, records no lag, and fails', async () => {
  await tables.renew();
  const { number: head } = await chain.block('latest');
  const pruned = keep(await forgets(process.env.DEVNET_RPC_URL as string, head + 1));
  const runtime = start({ RPC_URLS: pruned.url, HISTORY_START: String(newest) });
  const run = createRecorder(runtime)(EVENT, lambdaContext(RUN_MS));
  await expect(run).rejects.toThrow(`the newest point, ${newest}, could not be recorded`);
  const line = runtime.telemetry.lines.find(({ message }) => message === 'recorder');
  expect(line?.fields).toMatchObject({ newest, newestRecorded: false, recorded: 0, failed: 1 });
  const seconds = line?.fields.seconds as number;
  expect(seconds < 100 && String(seconds)).toMatch(/^\d+(\.\d)?$/);
  expect(lagsOf(runtime)).toEqual([]);
});

test('a run without a chain is logged and fails, so that it is retried and raises an alarm', async () => {
  const runtime = start({ RPC_URLS: await deadUrl() });
  await expect(createRecorder(runtime)(EVENT, lambdaContext(RUN_MS))).rejects.toThrow();
  expect(runtime.telemetry.lines.at(-1)).toMatchObject({ level: 'error', message: 'run failed' });
});

describe('the ledger recorder', () => {
  beforeAll(() => tables.renew());

  /** The URL of a provider that refuses `eth_getLogs` from before a block. */
  const withoutLogs = async (before = Number.POSITIVE_INFINITY) => {
    const error = { code: -32_005, message: 'limit' };
    const proxy = await proxyTo(process.env.DEVNET_RPC_URL as string, (answers, requests) =>
      requests.map(({ id, method, params }, index) =>
        method === 'eth_getLogs' && Number((params as { fromBlock: string }[])[0]?.fromBlock) < before
          ? { jsonrpc: '2.0', id, error }
          : answers[index],
      ),
    );
    return keep(proxy).url;
  };

  test('records every event, and then only new ones', async () => {
    const { number: head, timestamp: toTimestamp } = await chain.block('latest');
    const runtime = start();
    const run = createLedgerRecorder(runtime);
    await run(EVENT, lambdaContext(RUN_MS));
    expect((await runtime.opened.ledger.progress.latest()).coverage).toEqual({
      ...{ fromBlock: 1, toBlock: head, toTimestamp },
      ...{ sources: 2, complete: true, generation: 0 },
    });
    const { fields } = runtime.telemetry.lines.find(({ message }) => message === 'ledger') ?? {};
    expect(fields).toMatchObject({ blocks: head, added: expect.any(Number) });
    expect(fields?.added).toBeGreaterThan(100);
    expect(String(fields?.seconds)).toMatch(/^\d+(\.\d)?$/);
    expect(runtime.telemetry.records).toContainEqual(['LedgerStuck', 0]);
    await run(EVENT, lambdaContext(RUN_MS));
    expect(runtime.telemetry.lines.at(-1)).toMatchObject({ message: 'ledger', fields: { added: 0 } });
  });

  test('uses the current providers in each run, which can change with the secret', async () => {
    const { telemetry, opened: withOldKey } = start({ RPC_URLS: await deadUrl() });
    const { opened: withNewKey, telemetry: own } = start();
    let context = withOldKey;
    const run = createLedgerRecorder({ telemetry, clock, context: async () => context });
    await run(EVENT, lambdaContext(RUN_MS));
    context = withNewKey;
    await run(EVENT, lambdaContext(RUN_MS));
    expect(own.attempts).toContain('rpc-1 ok');
  });

  test.each([
    ['its own time limit', RUN_MS, 55_000, false],
    ['its own time limit less a millisecond', RUN_MS, 54_999, true],
    ["30 s before the function's time limit", 30_000, 0, false],
    ["30 s and a millisecond before the function's time limit", 30_001, 0, true],
  ])('may search at %s (%d ms left, %d ms passed): %s', async (_, remaining, passed, begins) => {
    const runtime = start();
    await runtime.opened.ledger.progress.update(
      0,
      ({ blocks, ...state }) => blocks && { ...state, blocks: { ...blocks, from: 50, parentHash: undefined } },
    );
    let calls = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (calls++ === 0 ? 0 : passed));
    const time = { getRemainingTimeInMillis: () => remaining } as LambdaContext;
    await createLedgerRecorder(runtime)(EVENT, time);
    const { fields = {} } = runtime.telemetry.lines.find(({ message }) => message === 'ledger') ?? {};
    expect(Number(fields.blocks) > 0).toBe(begins);
  });

  test('records before each run how many blocks it is behind: all if it has not begun, 0 if the provider lags', async () => {
    await tables.renew();
    const { number: head } = await chain.block('latest');
    const runtime = start();
    const run = createLedgerRecorder(runtime);
    const noTime = lambdaContext(0);
    await run(EVENT, noTime);
    expect(lagsOf(runtime)).toEqual([['LedgerLag', head]]);
    await tables.renew();
    const other = start();
    await cover(other.opened.ledger, head - 100, head - 7, 0);
    await createLedgerRecorder(other)(EVENT, noTime);
    expect(lagsOf(other)).toEqual([['LedgerLag', 7]]);
    const behind = keep(await lagsBehind(process.env.DEVNET_RPC_URL as string, 50));
    const late = start({ RPC_URLS: behind.url });
    await createLedgerRecorder(late)(EVENT, noTime);
    expect(lagsOf(late)).toEqual([['LedgerLag', 0]]);
  });

  test('says after each run whether the past, as long as it is not whole, has grown', async () => {
    const { number: head } = await chain.block('latest');
    const runWith = async (env: Record<string, string>, searched: [number, number]) => {
      await tables.renew();
      const runtime = start(env);
      await cover(runtime.opened.ledger, ...searched, 0);
      const run = createLedgerRecorder(runtime)(EVENT, lambdaContext(RUN_MS));
      await run.catch(() => {});
      return runtime.telemetry.records.filter(([metric]) => metric === 'LedgerStuck').map(([, value]) => value);
    };
    expect(await runWith({ RPC_URLS: await withoutLogs(head - 200) }, [head - 9, head - 3])).toEqual([1]);
    expect(await runWith({}, [50, head - 3])).toEqual([0]);
  });

  test('reports a ledger that never begins as stuck and behind, because no provider answers eth_getLogs', async () => {
    await tables.renew();
    const { number: head } = await chain.block('latest');
    const runtime = start({ RPC_URLS: await withoutLogs() });
    await createLedgerRecorder(runtime)(EVENT, lambdaContext(RUN_MS));
    const { records } = runtime.telemetry;
    for (const record of [['LedgerLag', head] as const, ['LedgerStuck', 1] as const])
      expect(records).toContainEqual(record);
  });

  test('records its lag even if too few providers answer', async () => {
    await tables.renew();
    const { number: head } = await chain.block('latest');
    const runtime = start({ RPC_URLS: await withoutLogs() });
    await cover(runtime.opened.ledger, head - 9, head - 3, 0);
    await createLedgerRecorder(runtime)(EVENT, lambdaContext(RUN_MS));
    expect(lagsOf(runtime)).toEqual([['LedgerLag', 3]]);
    expect(runtime.telemetry.flushes).toBe(1);
    const waiting = { level: 'warn', message: 'too few providers answer for events' };
    expect(runtime.telemetry.lines).toContainEqual(expect.objectContaining(waiting));
    expect(await runtime.opened.ledger.progress.read()).toMatchObject({ waitingSince: expect.any(Number) });
  });
});
