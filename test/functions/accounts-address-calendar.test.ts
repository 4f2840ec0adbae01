import { beforeAll, expect, test } from '@jest/globals';
import { accountsAddress } from '../../functions/accounts/address.ts';
import { accountsAddressCalendar } from '../../functions/accounts/address-calendar.ts';
import { accountsCalendar } from '../../functions/accounts/calendar.ts';
import type { Bodies } from '../../functions/index.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { bodyFrom, lambdaContext, proxyEvent } from '../support/events.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { chainForAllTests, forkDevnet, pass, setStaker } from './devnet.ts';

/** The calendars of the devnet's people have the dates of their claims. */

type Deadline = Bodies['/accounts/{address}/calendar.ics']['deadlines'][number];
const WEEK = 7 * 86_400;

tablesForAllTests();
const chain = chainForAllTests();
const keep = stoppedAfterEach();
let runtime: TestRuntime;
beforeAll(() => {
  runtime = startOnDevnet();
});

const deadlinesFor = async (address: string, on = runtime): Promise<Deadline[]> =>
  (await bodyFrom(accountsAddressCalendar, on, { params: { address }, query: { format: 'json' } })).deadlines;
type Request = Parameters<typeof proxyEvent>[0];
const fileOf = async (request: Request, endpoint: Endpoint = accountsAddressCalendar, on = runtime) => {
  const { headers, body } = await createHandler(endpoint, on)(proxyEvent(request), lambdaContext());
  expect(headers?.['Content-Type']).toBe('text/calendar; charset=utf-8');
  return body.replaceAll('\r\n ', '');
};
const valuesOf = (text: string, name: string) =>
  [...text.matchAll(new RegExp(`^${name}:(.*)\r$`, 'gm'))].map(([, value = '']) => value);

test('each dated claim has its entries, and open claims last from this Monday to the end of the next week', async () => {
  const kinds = new Set<string>();
  for (const address of Object.values(chain.people)) {
    const { availableNow, availableLater, block } = await bodyFrom(accountsAddress, runtime, { params: { address } });
    const deadlines = await deadlinesFor(address);
    const open = deadlines.filter((deadline) => deadline.open);
    for (const { time, endTime = 0 } of open) {
      expect([new Date(time * 1_000).getUTCDay(), endTime - time]).toEqual([1, 2 * WEEK]);
      expect(time <= block.timestamp && block.timestamp < time + WEEK).toBe(true);
    }
    for (const { title, until, what } of availableNow) {
      if (['redeem', 'cancelUnstake', 'withdrawPstAvax', 'redeemXGgp', 'redeemXAvax'].includes(what)) continue;
      kinds.add(what);
      expect(open.filter((deadline) => deadline.title.startsWith(title)).length).toBeGreaterThan(0);
      if (until === undefined) continue;
      expect(deadlines).toContainEqual(
        expect.objectContaining({ time: until, open: false, title: expect.stringMatching(/^Last day, .* 20\d\d: /) }),
      );
    }
    for (const { title, from, detail, what } of availableLater) {
      if (from === undefined) continue;
      kinds.add(`${what} later`);
      expect(deadlines).toContainEqual(
        expect.objectContaining({ time: from, detail, title: expect.stringContaining(title) }),
      );
    }
    const announced = { time: Date.UTC(2026, 11, 31) / 1_000, endTime: Date.UTC(2027, 0, 1) / 1_000 };
    expect(deadlines).toContainEqual(expect.objectContaining({ id: 'announced-2026-12-31', ...announced }));
  }
  expect([...kinds].sort()).toEqual([
    ...['cancelMinipool later', 'claimRewards', 'claimUnstake', 'claimUnstake later', 'reclaimExpired'],
    ...['reclaimExpired later', 'withdrawGgp', 'withdrawGgp later', 'withdrawLocked'],
    ...['withdrawLocked later', 'withdrawMinipool', 'withdrawMinipool later'],
  ]);
});

test('two subscriptions share neither name nor IDs, and titles name the address if there are several', async () => {
  const { ada, alba } = chain.people;
  const [one, two] = [
    await fileOf({ params: { address: ada } }),
    await fileOf({ query: { address: `${ada},${alba}` } }, accountsCalendar),
  ];
  expect(valuesOf(one, 'NAME')).not.toEqual(valuesOf(two, 'NAME'));
  const ids = valuesOf(one, 'UID');
  expect([ids.length > 1, valuesOf(two, 'UID').filter((id) => ids.includes(id))]).toEqual([true, []]);
  const titles = valuesOf(two, 'SUMMARY').filter((title) => title !== 'Announced end of withdrawals');
  expect(titles.filter((title) => !/\(0x\w{4}…\w{4}\)$/.test(title))).toEqual([]);
  expect(valuesOf(one, 'SUMMARY').filter((title) => title.includes('0x'))).toEqual([]);
});

test('an hour later, the file is the same', async () => {
  const fork = keep(await forkDevnet());
  const on = () => startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' });
  const read = () => fileOf({ params: { address: fork.people.rosa } }, undefined, on());
  const before = await read();
  await pass(fork, 3_600);
  expect(await read()).toBe(before);
});

test('while minipools are unknown, JSON says so and there is no calendar', async () => {
  const fork = keep(await forkDevnet());
  const { ada } = fork.people;
  const index = Number(await fork.read('Staking', 'getIndexOf', [ada]));
  const staked = (await fork.read('Staking', 'getAVAXStake', [ada])) as bigint;
  await setStaker(fork, index, 'avaxStaked', staked + 1n);
  const on = startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' });
  const handle = createHandler(accountsAddressCalendar, on);
  expect((await handle(proxyEvent({ params: { address: ada } }), lambdaContext())).statusCode).toBe(503);
  const asked = { params: { address: ada }, query: { format: 'json' } };
  expect((await bodyFrom(accountsAddressCalendar, on, asked)).partial).toEqual(['deadlines']);
});
