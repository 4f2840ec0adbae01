import { describe, expect, test } from '@jest/globals';
import { DAY } from '../../lib/values/durations.ts';
import { titlesOf } from '../support/browser.ts';
import { type Body, NOBODY, useVisitors } from '../support/visitors.ts';

/** What the dashboard shows of the past of a holder's ggAVAX, compared with the API. */

const { visit, holder } = useVisitors();

describe('a holder of ggAVAX', () => {
  test('sees deposits, withdrawals and transfers, by kind, with a file of them', async () => {
    const { address } = await holder();
    await visit.open(`/dashboard?address=${address}`);
    const card = visit.page.locator('#ggavax-activity');
    await card.locator('tbody tr').first().waitFor();
    const { activity } = await visit.json(`/ggAvax/${address}/activity?limit=1`);
    expect(await card.locator('tbody tr').first().locator('td:last-child abbr').getAttribute('title')).toBe(
      activity[0].txHash,
    );
    expect(await card.locator('.csv').getAttribute('href')).toContain(`ggAvax/${address}/activity?`);
    await card.getByRole('button', { name: 'Queue' }).click();
    await visit.page.locator('#ggavax-activity[aria-busy=false]').waitFor();
    expect(new URL(visit.page.url()).searchParams.get('ggavax-activity')).toBe('queue');
  });

  test.each(['unstakeCancelled', 'unstakeReturned'])(
    'sees each request to the queue once, and %s, and the queue by its name',
    async (type) => {
      const { contracts } = await visit.json('/contracts');
      const queue = contracts.find(({ name }: Body) => name === 'WithdrawQueue').address;
      const { activity: ends } = await visit.json(`/activity?type=${type}`);
      const address = ends[0].requester;
      const { activity } = await visit.json(`/ggAvax/${address}/activity?limit=16`);
      const moves = activity.filter(({ from, to }: Body) => [from, to].includes(queue));
      const moving = ['unstakeRequested', 'unstakeCancelled', 'unstakeReturned'];
      const requests = activity.filter((entry: Body) => moving.includes(entry.type));
      expect(moves.map(({ txHash }: Body) => txHash)).toEqual(requests.map(({ txHash }: Body) => txHash));
      await visit.open(`/dashboard?address=${address}`);
      const card = visit.page.locator('#ggavax-activity');
      const rest = activity.filter((entry: Body) => !moves.includes(entry)).slice(0, 8);
      expect(await titlesOf(card.locator('td:last-child abbr'))).toEqual(rest.map(({ txHash }: Body) => txHash));

      // Among the transfers alone, they are there.
      await card.getByRole('button', { name: 'ggAVAX', exact: true }).click();
      const cell = card.locator('td[data-label=Who]', { has: visit.page.locator(`[title="${queue}"]`) }).first();
      await cell.waitFor();
      expect(await cell.textContent()).toMatch(/^Withdrawal queue to 0x\w{4}…\w{5}$/);
      await cell.getByRole('link', { name: 'Withdrawal queue' }).click();
      expect(new URL(visit.page.url()).searchParams.get('address')).toBe(queue);
    },
  );

  test('still sees a transfer of the same amount that is no part of a request', async () => {
    const { address } = await holder();
    const event = { block: 9, timestamp: 1_795_000_000, txHash: '0x1', shares: '7' };
    const transfer = { ...event, type: 'ggAvaxTransferred', from: address };
    const activity = [
      // Of a return, the transfer comes last.
      { ...transfer, logIndex: 5, from: NOBODY, to: address, txHash: '0x3' },
      { ...event, logIndex: 4, type: 'unstakeReturned', requester: address, txHash: '0x3' },
      { ...event, logIndex: 3, type: 'unstakeRequested', requester: address, expectedAssets: '8' },
      { ...transfer, logIndex: 2, to: NOBODY },
      { ...transfer, logIndex: 1, to: address },
      { ...transfer, logIndex: 0, to: address, txHash: '0x2' },
    ];
    await visit.answer(`**/ggAvax/${address}/activity?*`, { activity, coverage: { from: 1, to: 9, complete: true } });
    await visit.open(`/dashboard?address=${address}`);
    const rows = visit.page.locator('#ggavax-activity td[data-label=Event]');
    expect(await rows.allTextContents()).toEqual([
      ...['Expired withdrawal returned', 'Withdrawal requested'],
      ...['ggAVAX transfer', 'ggAVAX transfer'],
    ]);
  });

  test('sees the date of what is older than a day, and can copy an exact amount', async () => {
    const { address } = await holder();
    const { activity } = await visit.json(`/ggAvax/${address}/activity?type=unstakeRequested&limit=1`);
    const [{ timestamp, expectedAssets }] = activity;
    const at = async (now: number) => {
      await visit.page.clock.setFixedTime(now * 1_000);
      await visit.open(`/dashboard?address=${address}&ggavax-activity=queue`);
      const row = visit.page.locator('#ggavax-activity tr', { hasText: 'Withdrawal requested' }).first();
      expect(await row.getByRole('button').first().getAttribute('title')).toBe(
        `${expectedAssets} AVAX (click to copy)`,
      );
      return row.locator('td').first().textContent();
    };
    expect(await at(timestamp + DAY - 60)).toBe('23 h ago');
    const date = new Date(timestamp * 1_000).toLocaleString('en-GB', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'UTC',
    });
    expect((await at(timestamp + DAY + 60))?.replaceAll('\u00a0', ' ')).toBe(`${date} UTC`);
  });
});
