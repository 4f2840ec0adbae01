import { describe, expect, test } from '@jest/globals';
import { DAY } from '../../lib/values/durations.ts';
import { titlesOf } from '../support/browser.ts';
import { type Body, NOBODY, useVisitors } from '../support/visitors.ts';

/** The ggAVAX and its history that the dashboard shows to a holder, compared with the API. */

const { visit, holder, fact } = useVisitors();

describe('a holder of ggAVAX', () => {
  visit.share(async () => `/dashboard?address=${(await holder()).address}`);

  test('without a stake causes no request for one, which would show as an error in the console', async () => {
    const notFound = visit.page.locator('#not-found');
    expect(await notFound.textContent()).toMatch(/^Not found: staked GGP, minipools and rewards\.$/);
    expect(visit.complaints).toEqual([]);
    // What was found comes first.
    expect(await visit.page.locator('#summary').textContent()).toMatch(
      /^Available now: [\d,.]+ AVAX.*, in \d+ transactions?\.$/,
    );
    expect(await visit.page.locator('#yours > :last-child').getAttribute('id')).toBe('not-found');
  });

  test('sees the balance, the yield, and each day’s reward, deposits and withdrawals', async () => {
    const { position } = await holder();
    expect((await fact('#your-position', 'Balance')).full).toBe(`${position.ggAvax} ggAVAX`);
    // A number of facts that fills the rows at every width.
    expect((await visit.page.locator('#your-position .facts > div').count()) % 4).toBe(0);
    expect((await fact('#your-position', 'Earned in total')).shown).toMatch(/^[\d,.]+ AVAX$/);
    expect((await fact('#your-position', 'Average yield (APR)')).full).toMatch(/^[\d.]+%$/);

    const link = await visit.page.locator('#your-rewards .csv').getAttribute('href');
    const { days, totals } = await visit.json(`/${link?.replace('&format=csv', '')}`);
    expect(days.length).toBeGreaterThan(20);
    expect(await visit.page.locator('#your-rewards .chart').getAttribute('data-points')).toBe(String(days.length));
    const rowsOf = (title: string) =>
      visit.page.locator('#your-rewards details', { hasText: title }).locator('tbody tr');
    await visit.page.locator('#your-rewards summary', { hasText: 'Day by day' }).click();
    const rows = rowsOf('Day by day');
    expect(await rows.count()).toBe(days.length);
    // Days with deposits, withdrawals or transfers have a table of their own.
    const inflows = days.flatMap(({ inflowAVAX }: Body) => (inflowAVAX === '0' ? [] : `${inflowAVAX} AVAX`));
    const outflows = days.flatMap(({ outflowAVAX }: Body) => (outflowAVAX === '0' ? [] : `${outflowAVAX} AVAX`));
    expect(inflows.length).toBeGreaterThan(1);
    expect(outflows.length).toBeGreaterThan(0);
    const moves = rowsOf('Deposits, withdrawals and transfers');
    const titles = async (column: string) =>
      (await titlesOf(moves.locator(`td[data-label=${column}] [title]`))).toReversed();
    expect(await titles('In')).toEqual(inflows);
    expect(await titles('Out')).toEqual(outflows);
    // Newest first.
    const newest = rows.first().locator('td[data-label=Reward] [title]');
    expect(await newest.getAttribute('title')).toBe(`${days.at(-1).rewardAVAX} AVAX`);
    const total = visit.page.locator('#your-rewards p', { hasText: 'In this period' }).locator('[title]').first();
    expect(await total.getAttribute('title')).toBe(`${totals.rewardAVAX} AVAX`);
  });

  test('sees deposits, withdrawals and transfers, by kind, with a file of them', async () => {
    const { address } = await holder();
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
});

describe('a holder of ggAVAX whose answers are given', () => {
  test('sees what was paid in and out, what the queue holds, and what it returned, which was not transferred in', async () => {
    const { address, position } = await holder();
    const told = async (changes: object) => {
      await visit.answer(`**/ggAvax/${address}`, { ...position, ...changes });
      await visit.open(`/dashboard?address=${address}`);
      const asideOf = async (name: string) => {
        const row = visit.page.locator('#your-position .facts > div', {
          has: visit.page.getByText(name, { exact: true }),
        });
        return row.locator('.aside').textContent();
      };
      const names = ['Deposited', 'Received', 'Transferred in'];
      const values = await Promise.all(names.map(async (name) => (await fact('#your-position', name)).full));
      return [...values, await asideOf('Received'), await asideOf('In the withdrawal queue')];
    };
    const waiting = { ggAvax: '25', expectedAVAX: '29.9', requests: 1 };
    const none = { ggAvax: '0', expectedAVAX: '0', requests: 0 };
    const transferredIn = '120.000000000000000003';
    const returned = '20.500000000000000001';
    const { deposited, receivedAVAX } = position;
    const paid = [`${deposited} AVAX`, `${receivedAVAX} AVAX`];
    const isPaid = 'redeemed or claimed';
    const newest = 'the newest blocks are still being indexed';
    expect(await told({ transferredIn, returned, unstaking: waiting })).toEqual([
      ...[...paid, '99.500000000000000002 AVAX', isPaid, 'for 29.9 AVAX; returned as ggAVAX: 20.5 AVAX'],
    ]);
    expect(await told({ transferredIn, returned: '0', unstaking: waiting })).toEqual([
      ...[...paid, `${transferredIn} AVAX`, isPaid, 'for 29.9 AVAX'],
    ]);
    expect(await told({ transferredIn, returned, unstaking: none, partial: ['receivedAVAX'] })).toEqual([
      ...[...paid, '99.500000000000000002 AVAX', newest, 'returned as ggAVAX: 20.5 AVAX'],
    ]);
  });

  test('sees what is unknown as such, without a dollar value, and a small yield not as 0', async () => {
    const { address, position } = await holder();
    const { rewardsAVAX: _, usd, ...known } = position;
    expect(usd).toBeGreaterThan(0);
    await visit.answer(`**/ggAvax/${address}`, { ...known, sharePercent: 0.00067, averageAprPercent: 0.004 });
    await visit.open(`/dashboard?address=${address}`);
    expect((await fact('#your-position', 'Earned in total')).shown).toBe('–');
    const row = (name: string) => visit.page.locator('#your-position .facts > div', { hasText: name });
    expect(await visit.page.locator('#your-position').textContent()).toContain(
      'the newest blocks are still being indexed',
    );
    expect(await row('Balance').locator('.aside').textContent()).toBe('< 0.01% of all ggAVAX');
    expect(await fact('#your-position', 'Average yield (APR)')).toEqual({ shown: '< 0.01%', full: '0.004%' });
    expect(await row('Value').textContent()).toMatch(/^Value[\d,.]+ AVAX$/);
  });

  test('does not see ggAVAX as not found if the request for it fails', async () => {
    const { address } = await holder();
    await visit.page.route(`**/ggAvax/${address}`, (route) =>
      route.fulfill({ status: 503, json: { detail: 'Not now.' } }),
    );
    await visit.open(`/dashboard?address=${address}`);
    await visit.page.locator('#your-position[data-state=error]').waitFor();
    expect(await visit.page.locator('#not-found').textContent()).not.toContain('ggAVAX');
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
      const rest = activity.filter((entry: Body) => !moves.includes(entry)).slice(0, 5);
      expect(await titlesOf(card.locator('td:last-child abbr'))).toEqual(rest.map(({ txHash }: Body) => txHash));

      // Among the transfers alone, they are there.
      await card.getByRole('button', { name: 'ggAVAX', exact: true }).click();
      // Cards are drawn without waiting for the contracts' names.
      const cell = card.locator('td[data-label=Who]', {
        has: visit.page.locator(`[title="${queue}"]`, { hasText: 'Withdrawal queue' }),
      });
      expect(await cell.first().textContent()).toMatch(/^Withdrawal queue to 0x\w{4}…\w{5}$/);
      await cell.first().getByRole('link', { name: 'Withdrawal queue' }).click();
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
    await visit.answer(`**/ggAvax/${address}/activity?*`, {
      activity,
      coverage: { fromBlock: 1, toBlock: 9, complete: true },
    });
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
