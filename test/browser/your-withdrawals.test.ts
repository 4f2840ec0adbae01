import { expect, test } from '@jest/globals';
import { type Body, useVisitors } from '../support/visitors.ts';

/** A holder's withdrawals on the dashboard, compared with the API. */

const { visit, holder } = useVisitors();

test('a holder sees the status of each withdrawal, and the ggAVAX that canceling returns', async () => {
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
  expect(await waiting.textContent()).toMatch(
    /Canceling it returns [\d,.]+ ggAVAX now; waiting until .* returns [\d,.]+ ggAVAX: the transaction to send$/,
  );
  expect(await visit.page.locator('#your-withdrawals > .remark').textContent()).toMatch(
    /^Payment is not guaranteed\. 1 request is overdue, the oldest since .*\. The last request was paid .* ago\.$/,
  );
});
