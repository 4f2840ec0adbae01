import { describe, expect, test } from '@jest/globals';
import { NOBODY, useVisitors } from '../support/visitors.ts';

/** What the dashboard shows of a holder's withdrawals, compared with the API. */

const { visit, holder } = useVisitors();

const DAY = 86_400;
const PAST = { enabled: true, withdrawalsUntil: '2020-01-01' };

describe('a holder of ggAVAX', () => {
  test('sees the status of each withdrawal, and what withdrawing the rest would bring', async () => {
    const { address } = await holder();
    const { requests } = await visit.json(`/withdrawals/${address}`);
    await visit.open(`/dashboard?address=${address}`);
    const rows = visit.page.locator('#your-withdrawals tbody tr');
    expect(await rows.count()).toBe(requests.length);
    expect(await rows.locator('td:nth-child(3)').allTextContents()).toEqual(
      requests.map(({ status }: { status: string }) => status),
    );
    const waiting = rows.filter({ hasText: 'pending' }).first();
    expect(await waiting.textContent()).toMatch(/Waiting for AVAX, due in \d+ (days?|h)\./);
    expect(await visit.page.locator('#your-withdrawals').textContent()).toMatch(
      /Withdrawing the rest now would bring [\d,.]+ AVAX, claimable from .* to .*, behind \d+ requests/,
    );
  });
});

describe('a holder without an open withdrawal', () => {
  /** Opens the dashboard of a holder with nothing in the queue. */
  async function open(estimate: object, flags: object = {}) {
    const { address, position } = await holder();
    const unstaking = { ggAvax: '0', expectedAVAX: '0', requests: 0 };
    const { withdrawQueue, block } = await visit.json(`/withdrawals/${address}`);
    const answer = await visit.json(`/withdrawals/estimate?ggAvax=${position.ggAvax}`);
    const routes: [string, object][] = [
      [`**/ggAvax/${address}`, { ...position, unstaking }],
      [`**/withdrawals/${address}`, { address, withdrawQueue, requests: [], total: 0, block }],
      ['**/withdrawals/estimate?*', { ...answer, ...estimate }],
      ['**/flags', { flags }],
    ];
    for (const [path, json] of routes) await visit.answer(path, json);
    await visit.open(`/dashboard?address=${address}`);
    return visit.page.locator('#your-withdrawals');
  }

  test.each([
    [{}, {}, /Withdrawing all of it now would bring [\d,.]+ AVAX, claimable from .* to .*, behind 3 requests for/],
    [{ ahead: { requests: 1, avax: '7' } }, {}, /behind 1 request for 7 AVAX\.$/],
    [{ ahead: { requests: 0, avax: '0' } }, {}, / to \d+ \w+ \d+\.$/],
    [{ paused: true }, {}, /The queue is paused: no new requests are possible until it resumes\.$/],
    [{}, { withdrawQueue: { enabled: false } }, /Withdrawals are closed for now\.$/],
    // After the last day, what counts is the contract, which does not know that day or the flag.
    [
      {},
      { windDown: PAST },
      /^The last day for withdrawals has passed\. The contract still accepts requests, but AVAX may not arrive for them\. One for all of it would be for [\d,.]+ AVAX, claimable from .* to \d+ \w+ \d+, behind 3 requests for [\d,.]+ AVAX\.$/,
    ],
    [{}, { windDown: PAST, withdrawQueue: { enabled: false } }, /The contract still accepts requests/],
    [
      { paused: true },
      { windDown: PAST },
      /^The last day for withdrawals has passed, and the queue accepts no requests: it is paused\.$/,
    ],
    // Without a queue.
    [{ claimableTime: undefined, expirationTime: undefined, paused: undefined }, {}, /No open withdrawals\.$/],
  ])(
    'sees what withdrawing would bring, and when, or why it is not possible: %j %j',
    async (estimate, flags, meaning) => {
      const card = await open(estimate, flags);
      await card.locator('.empty', { hasText: 'No open withdrawals.' }).waitFor();
      await card.locator('p', { hasText: meaning }).first().waitFor();
      expect(await visit.page.locator('#not-found').textContent()).toContain('open withdrawals');
    },
  );
});

describe('withdrawals', () => {
  const NOW = 1_796_000_000;
  const LATE = NOW + 90 * DAY;
  const windDown = { enabled: true, withdrawalsUntil: '2026-12-31' };
  const request = (fields: object) => ({
    requestId: 1,
    requester: NOBODY,
    shares: '1',
    expectedAssets: '1.2',
    requestTime: NOW - 20 * DAY,
    claimableTime: NOW - 5 * DAY,
    expirationTime: NOW + 5 * DAY,
    allocatedFunds: '0',
    ...fields,
  });

  test.each([
    [{ status: 'fulfilled', allocatedFunds: '1.2' }, {}, '5 Dec 2026', /Can be claimed now, until 5 Dec 2026\./],
    [{ status: 'fulfilled', expirationTime: LATE }, {}, '31 Dec 2026', /Can be claimed now, until 31 Dec 2026\./],
    [{ status: 'fulfilled' }, { withdrawQueue: { enabled: false } }, '5 Dec 2026', /withdrawals are closed/],
    [{ status: 'pending' }, {}, '5 Dec 2026', /^Waiting for AVAX, overdue\.$/],
    [{ status: 'pending', claimableTime: NOW + 60 * DAY }, {}, '5 Dec 2026', /after the last day for withdrawals/],
    // Not to be claimed by a day on which it is not even due.
    [
      { status: 'pending', claimableTime: NOW + 60 * DAY, expirationTime: LATE },
      {},
      '28 Feb 2027',
      /after the last day for withdrawals/,
    ],
    [{ status: 'expired', allocatedFunds: '1.2' }, {}, '5 Dec 2026', /The AVAX is returned as ggAVAX of that value/],
    [{ status: 'expired' }, {}, '5 Dec 2026', /The ggAVAX is returned in full/],
  ])(
    '%j with the flags %j have their status explained, and a date to claim by',
    async (fields, flags, until, meaning) => {
      await visit.answer('**/flags', { flags: { windDown, ...flags } });
      await visit.answer(`**/withdrawals/${NOBODY}`, {
        requests: [request(fields)],
        total: 1,
        block: { number: 1, timestamp: NOW },
      });
      await visit.page.clock.setFixedTime(NOW * 1_000);
      await visit.open(`/dashboard?address=${NOBODY}`);
      const row = visit.page.locator('#your-withdrawals tbody tr');
      expect(await row.locator('td.wide').textContent()).toMatch(meaning);
      // Never later than the last day for withdrawals, if it is due by then.
      expect(await row.locator('td[data-label="Claim by"]').textContent()).toBe(until);
    },
  );

  test.each([
    [{ status: 'fulfilled', allocatedFunds: '1.2' }, /but the contract allows claiming until 24 Jan 2027\.$/],
    [
      { status: 'pending' },
      /^Still waiting for AVAX\. If none arrives by 24 Jan 2027, the ggAVAX can be returned in full\.$/,
    ],
    [{ status: 'expired', allocatedFunds: '1.2' }, /^Not claimed in time/],
  ])('%j after the last day say what the contract still allows, whatever the flag says', async (fields, meaning) => {
    const late = NOW + 50 * DAY;
    await visit.answer('**/flags', { flags: { windDown, withdrawQueue: { enabled: false } } });
    const requests = [request({ expirationTime: NOW + 55 * DAY, ...fields })];
    await visit.answer(`**/withdrawals/${NOBODY}`, { requests, total: 1, block: { number: 1, timestamp: late } });
    await visit.page.clock.setFixedTime(late * 1_000);
    await visit.open(`/dashboard?address=${NOBODY}`);
    const row = visit.page.locator('#your-withdrawals tbody tr');
    expect(await row.locator('td.wide').textContent()).toMatch(meaning);
    expect(await row.locator('td[data-label="Claim by"]').textContent()).toBe('24 Jan 2027');
  });

  test.each([
    [NOW + 15 * DAY, /claimable from 15 Dec 2026 to 31 Dec 2026, .* Request by 16 Dec 2026: later requests/],
    [
      NOW + 60 * DAY,
      /due only after the last day for withdrawals\. One for .* would be for 1 AVAX, claimable from 29 Jan 2027 to 28 Feb 2027, behind 3 requests for 7 AVAX\.$/,
    ],
  ])(
    'requested now and due at %i are not promised beyond the last day for withdrawals',
    async (claimableTime, promise) => {
      const { address } = await holder();
      const block = { number: 1, timestamp: NOW };
      const estimate = { avax: '1', ahead: { requests: 3, avax: '7' }, claimableTime, expirationTime: LATE, block };
      await visit.answer('**/flags', { flags: { windDown } });
      await visit.answer('**/withdrawals/estimate?*', estimate);
      await visit.open(`/dashboard?address=${address}`);
      await visit.page.locator('#your-withdrawals', { hasText: promise }).waitFor();
    },
  );
});
