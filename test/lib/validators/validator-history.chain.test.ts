import { beforeAll, expect, test } from '@jest/globals';
import { validatorsNodeIDHistory } from '../../../functions/validators/node-id-history.ts';
import { validators } from '../../../functions/validators.ts';
import { newestBoundary, runRecorder } from '../../../lib/history/record-history.ts';
import { recordValidators, toValues, uptimeOf, writeValidator } from '../../../lib/validators/validator-history.ts';
import { formatNodeID } from '../../../lib/values/cb58.ts';
import { DAY } from '../../../lib/values/durations.ts';
import { clockAt } from '../../support/clock.ts';
import { type Body, bodyFrom, sendTo } from '../../support/events.ts';
import { startOnDevnet, type TestRuntime } from '../../support/runtime.ts';
import { deadUrl } from '../../support/servers.ts';
import { tablesForAllTests } from '../../support/tables.ts';

const VALIDATOR = { nodeID: 'NodeID-A', txID: '', startTime: 0, endTime: 0 };

tablesForAllTests();
let runtime: TestRuntime;
let newest: number;
let listed: Body[];

beforeAll(async () => {
  newest = newestBoundary(await startOnDevnet().opened.chain.head());
  // Half an hour after the boundary, because values read an hour after it are not recorded.
  runtime = containerAt(newest + 1_800);
  await runRecorder(runtime.opened, newest, {
    most: 1,
    mayGoOn: () => true,
  });
  listed = (await sendTo(validators, runtime)).body.validators;
});
/** A container whose time is this, unix seconds. */
const containerAt = (time: number, env?: Record<string, string>) =>
  startOnDevnet(env, undefined, { clock: clockAt(() => time * 1_000) });

const history = (nodeID: string, query: Record<string, string> = {}) =>
  bodyFrom(validatorsNodeIDHistory, containerAt(newest + 1_800), {
    params: { nodeID },
    query: { interval: '1h', from: String(newest - 3_600), to: String(newest), ...query },
  });

test("the protocol's own validators, and no others, are recorded at a boundary with the values of /validators", async () => {
  const own = listed.filter(({ minipool }) => minipool);
  expect(own.length).toBeGreaterThan(5);
  expect(await recordValidators(runtime.opened, newest)).toBe(own.length);
  const [point] = await runtime.opened.history.points('1h', newest, newest);
  for (const { nodeID, uptimePercent, amountStaked, amountDelegated, delegatorCount } of own) {
    const { points } = await history(nodeID);
    expect(points).toEqual([
      {
        timestamp: newest,
        blockNumber: point?.block.number,
        uptimePercent,
        amountStaked,
        amountDelegated,
        delegatorCount,
      },
    ]);
  }
  // Only its own history counts: the hour before is not missing.
  expect(await history(own[0].nodeID)).toMatchObject({ recordedFrom: newest, missing: 0 });
  const foreign = listed.find(({ minipool }) => !minipool);
  const never = await history(foreign.nodeID);
  expect(never).toMatchObject({ points: [], missing: 2 });
  expect(never).not.toHaveProperty('recordedFrom');
});

test('a point is in the hourly series, and also in the daily one at midnight only', async () => {
  const store = runtime.opened.history.of('NodeID-A');
  for (const timestamp of [DAY, DAY + 3_600]) {
    await writeValidator(runtime.opened.history, 'NodeID-A', {
      timestamp,
      block: { number: 1, timestamp },
      values: {},
    });
  }
  expect(await store.timestamps('1h', 0, 2 * DAY)).toEqual([DAY, DAY + 3_600]);
  expect(await store.timestamps('1d', 0, 2 * DAY)).toEqual([DAY]);
});

test('a point has the known values of a validator', () => {
  const staked = { ...VALIDATOR, amountStaked: 5n, amountDelegated: 6n };
  expect(toValues({ ...staked, uptimePercent: 99.123456, delegatorCount: 7, connected: false })).toEqual({
    uptime: 99_123_456n,
    amountStaked: 5n,
    amountDelegated: 6n,
    delegatorCount: 7n,
    connected: 0n,
  });
  expect(toValues({ ...staked, connected: true })).toEqual({ amountStaked: 5n, amountDelegated: 6n, connected: 1n });
  expect(uptimeOf(toValues({ ...staked, uptimePercent: 99.123456 }))).toBe(99.123456);
  expect(uptimeOf({})).toBeUndefined();
});

test.each([true, false])('a point says whether the node was connected, if that is known (%s)', async (connected) => {
  const nodeID = formatNodeID(`0x${'c0'.repeat(19)}0${Number(connected)}`);
  const values = toValues({ ...VALIDATOR, amountStaked: 2_000_000_000_000n, amountDelegated: 0n, connected });
  const block = { number: 1, timestamp: newest };
  await writeValidator(runtime.opened.history, nodeID, { timestamp: newest, block, values });
  expect((await history(nodeID)).points).toEqual([
    { timestamp: newest, blockNumber: 1, amountStaked: '2000', amountDelegated: '0', connected },
  ]);
});

test('no validators are recorded for a boundary without a point of its own, and an hour or more after one that fails', async () => {
  expect(await recordValidators(runtime.opened, newest - 3_600)).toBe(0);
  const hourAgo = newest - 3_600;
  const store = runtime.opened.history;
  await store.write('1h', { timestamp: hourAgo, block: { number: 1, timestamp: hourAgo }, values: {} });
  // With an empty cache.
  const readAt = (time: number) =>
    recordValidators(containerAt(time, { CACHE_TABLE: `cache-${time}` }).opened, hourAgo);
  expect(await readAt(hourAgo + 3_599)).toBeGreaterThan(5);
  await expect(readAt(hourAgo + 3_600)).rejects.toMatchObject({
    code: 'UPSTREAM_UNAVAILABLE',
    cause: { message: 'the validators were read 3600 s after the boundary' },
  });
});

test('stale validators, read long before a boundary, are not recorded for it, which fails', async () => {
  const later = newest + 3 * 3_600;
  const store = runtime.opened.history;
  await store.write('1h', { timestamp: later, block: { number: 1, timestamp: later }, values: {} });
  // The cache table has the list from half an hour after the first boundary.
  const withoutSources = { DATA_API_URL: await deadUrl(), P_CHAIN_URLS: await deadUrl() };
  const stale = recordValidators(containerAt(later + 60, withoutSources).opened, later);
  await expect(stale).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
});
