import { describe, expect, test } from '@jest/globals';
import { DAY } from '../../lib/values/durations.ts';
import { type Body, NOBODY, useVisitors } from '../support/visitors.ts';

/** What the dashboard shows of a holder's withdrawals, compared with the API. */

const { visit, holder } = useVisitors();

describe('a holder of ggAVAX', () => {
  test('sees the status of each withdrawal, and what taking it back returns', async () => {
    const { address } = await holder();
    const { requests, block } = await visit.json(`/withdrawals/${address}`);
    await visit.open(`/dashboard?address=${address}`);
    const rows = visit.page.locator('#your-withdrawals tbody tr');
    expect(await rows.count()).toBe(requests.length);
    expect(await rows.locator('td:nth-child(3)').allTextContents()).toEqual(
      requests.map(({ status, claimableTime }: Body) =>
        status === 'pending' && claimableTime < block.timestamp ? 'overdue' : status,
      ),
    );
    const waiting = rows.filter({ hasText: 'Waiting' }).first();
    expect(await waiting.textContent()).toMatch(/Waiting for AVAX, (overdue|due in \d+ (days?|h))\./);
    const { requestId } = requests.find(({ status }: { status: string }) => status === 'pending');
    expect(await waiting.textContent()).toMatch(
      new RegExp(
        `Canceling it returns [\\d,.]+ ggAVAX now; waiting until .* returns [\\d,.]+ ggAVAX: .*0x\\w{40}FunctioncancelRequest\\(uint256\\)Argument, uint256${requestId}$`,
      ),
    );
    expect(await visit.page.locator('#your-withdrawals > .remark').textContent()).toMatch(
      /^Do not rely on these dates: nobody is bound to pay\. 1 request has not been fulfilled in time, the oldest since .*\. The last one was fulfilled .* ago\.$/,
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

  const open = async (fields: object, at: number) => {
    await visit.answer('**/flags', { flags: { windDown, withdrawQueue: { enabled: false } } });
    const block = { number: 1, timestamp: at };
    await visit.answer(`**/withdrawals/${NOBODY}`, { requests: [request(fields)], total: 1, block });
    await visit.page.clock.setFixedTime(at * 1_000);
    await visit.open(`/dashboard?address=${NOBODY}`);
    return visit.page.locator('#your-withdrawals tbody tr');
  };

  test.each([
    [{ status: 'fulfilled', allocatedFunds: '1.2' }, '5 Dec 2026', /^Can be claimed now, until 5 Dec 2026\.$/],
    // The contract's date, and the announced one beside it.
    [
      { status: 'fulfilled', expirationTime: LATE },
      '28 Feb 2027announced end: 31 Dec 2026',
      /^Can be claimed now, until 28 Feb 2027\.$/,
    ],
    [
      { status: 'pending' },
      '5 Dec 2026',
      /^Waiting for AVAX, overdue\. If none arrives by 5 Dec 2026, the ggAVAX can be returned in full\.$/,
    ],
    [
      { status: 'pending', claimableTime: NOW + 60 * DAY, expirationTime: LATE },
      '28 Feb 2027announced end: 31 Dec 2026',
      /^Waiting for AVAX, due in 60 days, after the announced end\. If none/,
    ],
    [{ status: 'expired', allocatedFunds: '1.2' }, '5 Dec 2026', /The AVAX is returned as ggAVAX of that value/],
    [{ status: 'expired' }, '5 Dec 2026', /The ggAVAX is returned in full/],
  ])('%j have their status explained, and the date until which the contract pays', async (fields, until, meaning) => {
    const row = await open(fields, NOW);
    expect(await row.locator('td.wide').textContent()).toMatch(meaning);
    expect(await row.locator('td[data-label="Claim by"]').textContent()).toBe(until);
  });

  test('after the announced end, only the contract’s dates are left', async () => {
    const row = await open({ status: 'fulfilled', expirationTime: NOW + 55 * DAY }, NOW + 50 * DAY);
    expect(await row.locator('td.wide').textContent()).toBe('Can be claimed now, until 24 Jan 2027.');
    expect(await row.locator('td[data-label="Claim by"]').textContent()).toBe('24 Jan 2027');
  });
});
