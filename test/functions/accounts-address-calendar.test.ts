import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ZeroAddress } from 'ethers';
import { accountsAddress } from '../../functions/accounts/address.ts';
import { accountsAddressCalendar } from '../../functions/accounts/address-calendar.ts';
import { accountsCalendar } from '../../functions/accounts/calendar.ts';
import { minipools } from '../../functions/minipools.ts';
import { withdrawalsAddress } from '../../functions/withdrawals/address.ts';
import { textOf } from '../../lib/api/bodies/deadline-texts.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { readDataset } from '../../lib/cache/dataset.ts';
import { flagsDataset } from '../../lib/flags/flags-dataset.ts';
import type { Account } from '../../lib/protocol/accounts.ts';
import { type DeadlineSources, listDeadlines } from '../../lib/protocol/deadlines.ts';
import type { WayOut } from '../../lib/protocol/ways-out.ts';
import type { Withdrawal } from '../../lib/protocol/withdrawals.ts';
import { WAD } from '../../lib/values/wad.ts';
import { type Body, bodyFrom, lambdaContext, proxyEvent } from '../support/events.ts';
import { recordLedger } from '../support/recorded.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { deadUrl } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { type Fork, forkDevnet, pass, setStaker } from './devnet.ts';

/** The deadlines of all people on the devnet equal the dates of other responses. */

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
const fileOf = async (
  request: Parameters<typeof proxyEvent>[0],
  endpoint: Endpoint = accountsAddressCalendar,
  on = runtime,
) => createHandler(endpoint, on)(proxyEvent(request), lambdaContext());
const deadlinesFor = async (address: string, on = runtime) =>
  (await get(accountsAddressCalendar, address, { format: 'json' }, on)).deadlines;

test('requests, cycles and locks have the dates of their own endpoints', async () => {
  const seen = { requests: 0, cycles: 0, locks: 0, waiting: 0 };
  const { timestamp } = await fork.block('latest');
  const today = timestamp - (timestamp % 86_400);
  for (const address of Object.values(fork.people)) {
    const times = new Map<string, number>(
      (await deadlinesFor(address)).map(({ id, time }: Body) => [id.replace(`${address}-`, ''), time]),
    );
    const { requests } = await get(withdrawalsAddress, address);
    for (const { requestId, status, claimableTime, expirationTime } of requests) {
      const dates = ['claimable', 'expires'].map((what) => times.get(`withdrawal-${requestId}-${what}`));
      const due = status === 'fulfilled' || claimableTime <= timestamp ? today : claimableTime;
      expect(dates).toEqual(status === 'expired' ? [undefined, undefined] : [due, expirationTime]);
      expect(times.has(`withdrawal-${requestId}-expired`)).toBe(status === 'expired');
      seen.requests += 1;
    }
    const { minipools: owned } = await bodyFrom(minipools, runtime, { query: { owner: address } });
    for (const { nodeID, startTime, cycleEndTime } of owned) {
      expect(times.get(`${nodeID}-${startTime}`)).toBe(cycleEndTime);
      if (cycleEndTime) seen.cycles += 1;
    }
    const { locked, staking, availableLater } = await get(accountsAddress, address);
    for (const { what, nodeID, from } of availableLater) {
      if (what !== 'cancelMinipool') continue;
      expect(times.get(`${nodeID}-cancelable`)).toBe(from);
      seen.waiting += 1;
    }
    for (const { token, until } of locked) {
      expect(times.get(`lock-${token}`)).toBe(until <= timestamp ? today : until);
      seen.locks += 1;
    }
    expect(times.has('ggp-rewards')).toBe(Number(staking?.ggpRewards ?? 0) > 0);
    expect(times.get('announced-2026-12-31')).toBe(Date.UTC(2026, 11, 31) / 1_000);
  }
  for (const [what, count] of Object.entries(seen)) expect([what, count > 0]).toEqual([what, true]);
});

test('it is a calendar unless JSON is asked for, with the same deadlines', async () => {
  const address = fork.people.ada;
  const { statusCode, headers, body } = await fileOf({ params: { address } });
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

test('several addresses share one calendar, whose titles name theirs', async () => {
  const { ada, alba } = fork.people;
  const query = { address: `${ada},${alba}`, format: 'json' };
  const { deadlines } = await bodyFrom(accountsCalendar, runtime, { query });
  const [own, other] = [await deadlinesFor(ada), await deadlinesFor(alba)];
  const byID = (all: Body[]) => new Map(all.map((deadline) => [deadline.id, deadline]));
  expect(byID(deadlines)).toEqual(byID([...own, ...other]));
  expect(deadlines.length).toBe(own.length + other.length - 1);
  const { body } = await fileOf({ query: { address: query.address } }, accountsCalendar);
  const titles = [...body.replaceAll('\r\n ', '').matchAll(/^SUMMARY:(.*)\r$/gm)].map(([, title]) => title);
  const short = (address: string) => `(${address.slice(0, 6)}…${address.slice(-4)})`;
  for (const [at, { address }] of deadlines.entries())
    expect(titles[at]?.endsWith(address ? short(address) : 'Announced end of withdrawals')).toBe(true);
});

test('while minipools or uptimes are unknown, JSON says so and there is no calendar', async () => {
  const broken = await forkDevnet();
  try {
    const { ada, alba } = broken.people;
    const withoutIndex = startOnDevnet({
      ...{ RPC_URLS: broken.url, CACHE_TABLE: 'no-cache' },
      ...{ DATA_API_URL: await deadUrl(), P_CHAIN_URLS: await deadUrl() },
    });
    const statusOf = async (address: string, on: TestRuntime) =>
      (await fileOf({ params: { address } }, accountsAddressCalendar, on)).statusCode;
    const partialOf = async (address: string, on: TestRuntime) =>
      (await get(accountsAddressCalendar, address, { format: 'json' }, on)).partial;
    const operator = await validatingOwner();
    expect([await statusOf(operator, withoutIndex), await partialOf(operator, withoutIndex)]).toEqual([
      503,
      ['deadlines'],
    ]);
    expect([await statusOf(alba, withoutIndex), await partialOf(alba, withoutIndex)]).toEqual([200, undefined]);
    const index = Number(await broken.read('Staking', 'getIndexOf', [ada]));
    const staked = (await broken.read('Staking', 'getAVAXStake', [ada])) as bigint;
    await setStaker(broken, index, 'avaxStaked', staked + 1n);
    const on = startOnDevnet({ RPC_URLS: broken.url, CACHE_TABLE: 'no-cache' });
    expect([await statusOf(ada, on), await partialOf(ada, on)]).toEqual([503, ['deadlines']]);
  } finally {
    await broken.stop();
  }
});

/** Address of a person whose minipool validates. */
async function validatingOwner(): Promise<string> {
  const { minipools: list } = await bodyFrom(minipools, runtime, { query: { status: 'staking' } });
  return list[0]?.owner as string;
}

const TODAY = 86_400;
const NOBODY: Account = {
  address: ZeroAddress,
  ggAvax: { balance: 0n, avax: 0n, redemption: undefined },
  pstAvax: undefined,
  xGgp: undefined,
  xAvax: undefined,
  locks: [],
  staking: undefined,
  minipools: [],
  withdrawals: [],
  waysOut: [],
  waysLater: [],
};
const STAKE = { ggpRewards: 0n, avaxStaked: 0n, lockedUntil: 0, canClaim: true, ggpUnneeded: 0n };
const POOL = { totalAssets: WAD, totalSupply: WAD, stakingTotalAssets: 0n, totalReleasedAssets: WAD };
/** At block 1, a second after the start of a day, while ggAVAX accepts deposits. */
const SOURCES: DeadlineSources = {
  block: { number: 1, timestamp: TODAY + 1 },
  queued: { pool: { ...POOL, held: 0n }, deposits: POOL },
  terms: { ggpPriceInAVAX: WAD, minCollateralizationRatio: WAD / 10n, maxCollateralizationRatio: WAD },
  cancelMoratorium: undefined,
  minipoolCycle: undefined,
  uptimes: new Map(),
  announcedEnd: undefined,
};
const CLOSED: DeadlineSources = { ...SOURCES, queued: { ...SOURCES.queued, deposits: undefined } };

function requestOf(given: Partial<Withdrawal>): Withdrawal {
  return {
    ...{ requestId: 7, requester: ZeroAddress, shares: WAD, expectedAssets: WAD, requestTime: 0, allocatedFunds: 0n },
    ...{ claimableTime: 2 * TODAY, expirationTime: 9 * TODAY, status: 'pending', assets: WAD },
    ...given,
  };
}
/** Days as `1970-01-03`, other times as `1970-01-03T…`, with titles and texts. */
const told = (account: Partial<Account>, sources = SOURCES) =>
  listDeadlines({ ...NOBODY, ...account }, sources).map((deadline) => {
    const { title, detail } = textOf(deadline);
    const time = isoTime(deadline.time * 1_000);
    return [deadline.id, deadline.isDay ? time.slice(0, 10) : time, title, detail];
  });
const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString();

test('a time that never comes, as far as the type of the queue reaches, is no deadline', () => {
  const found = told({ withdrawals: [requestOf({ expirationTime: 2 ** 48 - 1 })] });
  expect(found.map(([id]) => id)).toEqual(['withdrawal-7-claimable']);
});

test('a day that is none was announced for nobody', async () => {
  jest.spyOn(flagsDataset, 'read').mockResolvedValue({
    ...(await readDataset(runtime.opened, flagsDataset)).value,
    flags: { windDown: { enabled: true, withdrawalsUntil: 'soon' } },
  });
  const on = startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' });
  const ids = (await deadlinesFor(fork.people.ada, on)).map(({ id }: Body) => id);
  expect(ids.filter((id: string) => id.includes('announced'))).toEqual([]);
  jest.restoreAllMocks();
});

describe('a request', () => {
  const expiresText = 'It cannot be claimed from then on. WithdrawQueue.reclaimExpiredRequest(7) then returns';

  test('that is pending is expected until it is due, and then overdue each day', () => {
    expect(told({ withdrawals: [requestOf({})] })).toEqual([
      [
        ...['withdrawal-7-claimable', '1970-01-03T00:00:00.000Z', 'Expected to be claimable: withdrawal request 7'],
        '1 AVAX, once somebody has brought AVAX to the queue. Payment is not guaranteed.',
      ],
      [
        ...['withdrawal-7-expires', '1970-01-10T00:00:00.000Z', 'Expires: withdrawal request 7'],
        `${expiresText} its ggAVAX.`,
      ],
    ]);
    const [due] = told({ withdrawals: [requestOf({ claimableTime: TODAY })] });
    expect(due?.slice(1, 3)).toEqual(['1970-01-02', 'Overdue: withdrawal request 7']);
  });

  test('that is fulfilled is claimed today if the contract pays it, and cannot be taken back while deposits are closed', () => {
    const request = requestOf({ status: 'fulfilled', allocatedFunds: WAD, claimableTime: 2 * TODAY });
    const call = { chainId: 1, contract: ZeroAddress, signature: 'claimUnstake(uint256)', args: [7] };
    const claim: WayOut = { what: 'claimUnstake', token: 'AVAX', amount: WAD, requestId: 7, steps: [call] };
    const [now, expires] = told({ withdrawals: [request], waysOut: [claim] });
    expect(now?.slice(1, 3)).toEqual(['1970-01-02', 'Claim 1 AVAX: withdrawal request 7']);
    expect(expires?.slice(2)).toEqual([
      'Last chance to claim: withdrawal request 7',
      `${expiresText} the ggAVAX that its AVAX buys then.`,
    ]);
    const [later, closed] = told({ withdrawals: [request] }, CLOSED);
    expect(later?.slice(1, 3)).toEqual(['1970-01-03T00:00:00.000Z', 'Claim 1 AVAX: withdrawal request 7']);
    expect(closed?.slice(2)).toEqual([
      'Last chance to claim: withdrawal request 7',
      'It cannot be claimed from then on. Nor can it be taken back then, unless ggAVAX accepts deposits again.',
    ]);
  });

  test('that has expired is dated today, and says whether it returns anything', () => {
    const expired = { status: 'expired', expirationTime: TODAY } as const;
    expect(told({ withdrawals: [requestOf({ ...expired, expiryShares: WAD })] })).toEqual([
      [
        ...['withdrawal-7-expired', '1970-01-02', 'Expired: withdrawal request 7'],
        'It can no longer be claimed. WithdrawQueue.reclaimExpiredRequest(7) returns its ggAVAX.',
      ],
    ]);
    const [stuck] = told({ withdrawals: [requestOf({ ...expired, allocatedFunds: WAD })] }, CLOSED);
    expect(stuck?.[3]).toBe('It can no longer be claimed, and returns nothing while ggAVAX accepts no deposits.');
  });

  test('that outlives the announced end of withdrawals says so', () => {
    const ends = (announcedEnd: number) =>
      told({ withdrawals: [requestOf({})] }, { ...SOURCES, announcedEnd }).at(-1)?.[3];
    expect(ends(8 * TODAY)).toBe(`${expiresText} its ggAVAX. The announced end of withdrawals is earlier: 1970-01-09.`);
    expect(ends(10 * TODAY)).toBe(`${expiresText} its ggAVAX.`);
  });
});

test('locks end at their time, and are to be withdrawn today from then on', () => {
  const lock = { token: 'GGP', address: ZeroAddress, amount: WAD, assets: WAD } as const;
  expect(told({ locks: [{ ...lock, until: 3 * TODAY }] }).map((each) => each.slice(1, 3))).toEqual([
    ['1970-01-04T00:00:00.000Z', 'The lock of 1 GGP ends'],
  ]);
  expect(told({ locks: [{ ...lock, until: TODAY }] }).map((each) => each.slice(1, 3))).toEqual([
    ['1970-01-02', 'Withdraw 1 GGP of a lock'],
  ]);
  const staking = { ...STAKE, ggpStaked: WAD, avaxAssigned: 0n, lockedUntil: 3 * TODAY };
  expect(told({ staking }).map((each) => each.slice(0, 3))).toEqual([
    ['stake-lock', '1970-01-04T00:00:00.000Z', 'The lock of 1 GGP staked ends'],
  ]);
  expect(told({ staking: { ...staking, lockedUntil: TODAY } })).toEqual([]);
});

test.each([
  [9n, 10],
  [19n, 20],
  [20n, undefined],
])('collateral of %s %% is announced as under %s', (percent, under) => {
  const staking = { ...STAKE, ggpStaked: percent * WAD, avaxAssigned: 100n * WAD };
  expect(told({ staking }).map((each) => each.slice(0, 3))).toEqual(
    under === undefined ? [] : [['collateral', '1970-01-02', `Collateral under ${under} %`]],
  );
});
