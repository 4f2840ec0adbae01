import { describe, expect, test } from '@jest/globals';
import { NOBODY, useVisitors } from '../support/visitors.ts';

/** What the dashboard shows of a holder's withdrawals, compared with the API. */

const { visit, holder } = useVisitors();

const DAY = 86_400;

describe('a holder of ggAVAX', () => {
  test('sees the status of each withdrawal, and what taking it back returns', async () => {
    const { address } = await holder();
    const { requests } = await visit.json(`/withdrawals/${address}`);
    await visit.open(`/dashboard?address=${address}`);
    const rows = visit.page.locator('#your-withdrawals tbody tr');
    expect(await rows.count()).toBe(requests.length);
    expect(await rows.locator('td:nth-child(3)').allTextContents()).toEqual(
      requests.map(({ status }: { status: string }) => status),
    );
    const waiting = rows.filter({ hasText: 'pending' }).first();
    expect(await waiting.textContent()).toMatch(/Waiting for AVAX, (overdue|due in \d+ (days?|h))\./);
    const { requestId } = requests.find(({ status }: { status: string }) => status === 'pending');
    expect(await waiting.textContent()).toMatch(
      new RegExp(
        `Canceling it returns [\\d,.]+ ggAVAX now; waiting until .* returns [\\d,.]+ ggAVAX: .*0x\\w{40}FunctioncancelRequest\\(uint256\\)Argument, uint256${requestId}$`,
      ),
    );
    expect(await visit.page.locator('#your-withdrawals > .remark').textContent()).toMatch(
      /^Do not rely on these dates: 1 request has not been fulfilled in time, the oldest since .*\. The last one was fulfilled .* ago\.$/,
    );
  });
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
});
