import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accountsAddress } from '../../functions/accounts/address.ts';
import { accountsAddressCalendar } from '../../functions/accounts/address-calendar.ts';
import { minipools } from '../../functions/minipools.ts';
import { withdrawalsAddress } from '../../functions/withdrawals/address.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { toCalendar } from '../../lib/api/http/calendar.ts';
import type { Holdings } from '../../lib/protocol/accounts.ts';
import { type DeadlineSources, listDeadlines } from '../../lib/protocol/deadlines.ts';
import { WAD } from '../../lib/values/wad.ts';
import { type Body, bodyFrom, lambdaContext, proxyEvent } from '../support/events.ts';
import { recordLedger } from '../support/recorded.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { type Fork, forkDevnet, pass } from './devnet.ts';

/** The deadlines of everybody on the devnet are the dates of other answers. */

tablesForAllTests();
let fork: Fork;
let runtime: TestRuntime;

beforeAll(async () => {
  fork = await forkDevnet();
  runtime = startOnDevnet({ RPC_URLS: fork.url });
  await recordLedger();
  await recordLedger(runtime);
});
afterAll(() => fork.stop());

const get = async (
  endpoint: Endpoint,
  address: string,
  query: Record<string, string> = {},
  on = runtime,
): Promise<Body> => bodyFrom(endpoint, on, { params: { address }, query });
const deadlinesFor = async (address: string, on = runtime) =>
  (await get(accountsAddressCalendar, address, { format: 'json' }, on)).deadlines;

test('requests, cycles and locks have the dates of their own endpoints', async () => {
  const seen = { requests: 0, cycles: 0, locks: 0 };
  for (const address of Object.values(fork.people)) {
    const times = new Map<string, number>(
      (await deadlinesFor(address)).map(({ id, time }: Body) => [id.replace(`${address}-`, ''), time]),
    );
    const { requests } = await get(withdrawalsAddress, address);
    for (const { requestId, status, claimableTime, expirationTime } of requests) {
      const dates = ['claimable', 'expires'].map((what) => times.get(`withdrawal-${requestId}-${what}`));
      expect(dates).toEqual(status === 'expired' ? [undefined, undefined] : [claimableTime, expirationTime]);
      expect(times.has(`withdrawal-${requestId}-expired`)).toBe(status === 'expired');
      seen.requests += 1;
    }
    const owned = await get(minipools, address, { owner: address });
    for (const { nodeID, startTime, cycleEndTime } of owned.minipools) {
      expect(times.get(`${nodeID}-${startTime}`)).toBe(cycleEndTime);
      if (cycleEndTime) seen.cycles += 1;
    }
    const { locked, staking } = await get(accountsAddress, address);
    for (const { token, until } of locked) {
      expect(times.get(`lock-${token}`)).toBe(until);
      seen.locks += 1;
    }
    expect(times.has('ggp-rewards')).toBe(Number(staking?.ggpRewards ?? 0) > 0);
    expect(times.get('announced-2026-12-31')).toBe(Date.UTC(2026, 11, 31) / 1_000);
  }
  for (const [what, count] of Object.entries(seen)) expect([what, count > 0]).toEqual([what, true]);
});

test('it is a calendar unless JSON is asked for, with the same deadlines', async () => {
  const address = fork.people.ada;
  const handler = createHandler(accountsAddressCalendar, runtime);
  const { statusCode, headers, body } = await handler(proxyEvent({ params: { address } }), lambdaContext());
  expect([statusCode, headers?.['Content-Type']]).toEqual([200, 'text/calendar; charset=utf-8']);
  const unfolded = body.replaceAll('\r\n ', '');
  const deadlines = await deadlinesFor(address);
  expect(deadlines.length).toBeGreaterThan(1);
  expect([...unfolded.matchAll(/^UID:(.*)\r$/gm)].map(([, id]) => id)).toEqual(deadlines.map(({ id }: Body) => id));
});

test('an hour later, the same deadlines have the same UIDs', async () => {
  const address = fork.people.ada;
  const idsOf = (deadlines: Body[]) => deadlines.map(({ id }) => id).toSorted();
  const before = idsOf(await deadlinesFor(address));
  await pass(fork, 3_600);
  expect(idsOf(await deadlinesFor(address, startOnDevnet({ RPC_URLS: fork.url })))).toEqual(before);
});

test('what is never, and what was announced for no day, is no deadline', () => {
  // As far as the queue's own type reaches, if the DAO lets requests choose such a delay.
  const request = { requestId: 7, status: 'pending', claimableTime: 86_400, expirationTime: 2 ** 48 - 1 };
  const announced = { '2026-12-31': 'withdrawals', soon: 'claims' };
  const sources = { block: { number: 1, timestamp: 86_401 }, announced } as unknown as DeadlineSources;
  const found = listDeadlines({ withdrawals: [{ ...request, expectedAssets: WAD }] } as unknown as Holdings, sources);
  expect(found.map(({ id }) => id)).toEqual(['withdrawal-7-claimable', 'announced-2026-12-31']);
  expect(toCalendar('', found, 86_401)).toContain('UID:withdrawal-7-claimable');
});

test.each([
  [9n, 10],
  [19n, 20],
  [20n, undefined],
])('collateral of %s %% is announced as under %s', (percent, under) => {
  const staking = { ggpStaked: percent * WAD, avaxAssigned: 100n * WAD, ggpRewards: 0n };
  const holdings = { withdrawals: [], staking } as unknown as Holdings;
  const terms = { ggpPriceInAVAX: WAD, minCollateralizationRatio: WAD / 10n, maxCollateralizationRatio: WAD };
  const sources = { block: { number: 1, timestamp: 86_401 }, terms, announced: {} } as unknown as DeadlineSources;
  const found = listDeadlines(holdings, sources);
  expect(found.map(({ id, time, title }) => [id, time, title])).toEqual(
    under === undefined ? [] : [['collateral', 86_400, `Collateral under ${under} %`]],
  );
});
