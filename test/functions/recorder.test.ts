import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EventBridgeEvent } from 'aws-lambda';
import { createRecorder } from '../../functions/recorder.ts';
import { historyOf } from '../../lib/history/store.ts';
import { lambdaContext } from '../support/events.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { deadUrl } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { type Chain, newestHour, openChain } from './devnet.ts';

const HOUR = 3_600;
const RUN_MS = 300_000;
const EVENT = { 'detail-type': 'Scheduled Event', detail: {} } as EventBridgeEvent<'Scheduled Event', unknown>;

tablesForAllTests();
let chain: Chain;

beforeAll(async () => {
  chain = await openChain();
});
afterAll(() => chain.rpc.close());

test('a run fills the table back to HISTORY_START and says what it did', async () => {
  const newest = await newestHour(chain);
  const runtime = startOnDevnet({ HISTORY_START: String(newest - 5 * HOUR) });
  await createRecorder(runtime)(EVENT, lambdaContext(RUN_MS));
  expect(await historyOf(runtime.opened).timestamps('1h', 0, newest)).toHaveLength(6);
  const line = runtime.telemetry.lines.find(({ message }) => message === 'recorder');
  expect(line?.fields).toMatchObject({ newest, newestRecorded: true, recorded: 6, failed: 0, left: 0 });

  await createRecorder(runtime)(EVENT, lambdaContext(RUN_MS));
  expect(runtime.telemetry.lines.at(-1)?.fields).toMatchObject({ recorded: 0, newestRecorded: true });
});

test('a run that is short of time leaves the rest to the next one', async () => {
  const newest = await newestHour(chain);
  const runtime = startOnDevnet({ HISTORY_START: String(newest - 100 * HOUR) });
  await createRecorder(runtime)(EVENT, lambdaContext(30_100));
  const { fields } = runtime.telemetry.lines.at(-1) ?? {};
  expect(fields).toMatchObject({ stopped: 'limits', newestRecorded: true });
  expect(fields?.left).toBeGreaterThan(0);
});

test('without a chain the run fails, so that it is tried again and the alarm goes', async () => {
  const runtime = startOnDevnet({ RPC_URLS: await deadUrl() });
  await expect(createRecorder(runtime)(EVENT, lambdaContext(RUN_MS))).rejects.toThrow();
});
