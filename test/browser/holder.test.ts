import { describe, expect, test } from '@jest/globals';
import { formatEther, parseEther } from 'ethers';
import { titlesOf } from '../support/browser.ts';
import { type Body, NOBODY, useVisitors } from '../support/visitors.ts';

/** What the dashboard shows of a holder's ggAVAX and withdrawals, compared with the API. */

const { visit, holder, fact } = useVisitors();

const DAY = 86_400;

const span = (timestamp: number, closeTimestamp: number, rewardAVAX: string) => {
  const amounts = { closeGgAvax: '7', rateClose: '1.2', inflowAVAX: '0', outflowAVAX: '0' };
  return { timestamp, closeTimestamp, rewardAVAX, ...amounts };
};

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const dayText = (time: number) => DATE.format(time * 1_000);

/** The amounts in the sentence about the whole period. */
const total = () => visit.page.locator('#your-rewards p', { hasText: 'In this period' }).locator('[title]');

describe('a holder of ggAVAX', () => {
  test('sees the balance, the yield, and each day’s reward, deposits and withdrawals', async () => {
    const { address, position } = await holder();
    await visit.open(`/dashboard?address=${address}`);
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
    expect(outflows.length).toBeGreaterThan(1);
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

  test('sees daily rewards in USD, too, at the prices of their days, in a view that has a URL', async () => {
    const { address } = await holder();
    await visit.open(`/dashboard?address=${address}`);
    const card = visit.page.locator('#your-rewards');
    await card.getByRole('button', { name: 'USD', exact: true }).click();
    const link = await card.locator('.csv').getAttribute('href');
    const rewards = await visit.json(`/${link?.replace('&format=csv', '')}`);
    const days = rewards.days.map((day: Body, index: number) => ({ ...day, rewardUSD: index > 0 ? 4.5 : undefined }));
    await visit.answer(`**/ggAvax/${address}/rewards?*`, { ...rewards, days });
    expect(new URL(visit.page.url()).searchParams.get('rewardsIn')).toBe('usd');
    await visit.page.reload();
    // A day without a price is not drawn as a day without a reward.
    await card.locator(`.chart[data-points="${days.length - 1}"]`).waitFor();
    expect(await card.locator('figcaption .unit').textContent()).toBe('USD');
    await card.locator('.canvas').focus();
    await visit.page.keyboard.press('ArrowLeft');
    expect(await card.locator('.tooltip .value').textContent()).toBe('$4.50');
  });

  test('sees the reward of several unrecorded days spread evenly over them', async () => {
    const { address } = await holder();
    const today = Math.floor(Date.now() / 1_000 / DAY) * DAY;
    // Twenty days with 0.5 AVAX each, one with 0.4, and six hours with 0.1 so far.
    const days = [
      span(today - 21 * DAY, today - DAY, '10'),
      span(today - DAY, today, '0.4'),
      span(today, today + DAY / 4, '0.1'),
    ];
    const coverage = { from: 1, to: 9, complete: true };
    await visit.answer(`**/ggAvax/${address}/rewards?*`, { days, totals: { rewardAVAX: '10.5' }, coverage });
    await visit.open(`/dashboard?address=${address}`);
    const card = visit.page.locator('#your-rewards');
    expect(await card.locator('.chart').getAttribute('data-points')).toBe('22');
    await card.locator('p', { hasText: 'what they earned together is spread evenly' }).waitFor();

    const names = [
      `${dayText(today)} so far`,
      dayText(today - DAY),
      `${dayText(today - 21 * DAY)} to ${dayText(today - 2 * DAY)}`,
    ];
    await card.locator('.canvas').focus();
    const said: (string | null)[] = [];
    for (const _ of names) {
      await visit.page.keyboard.press('ArrowLeft');
      said.push(await card.locator('.tooltip').textContent());
    }
    expect(said).toEqual([
      `${names[0]}Daily reward 0.1 AVAX`,
      `${names[1]}Daily reward 0.4 AVAX`,
      `${names[2]}, daily averageDaily reward 0.5 AVAX`,
    ]);
    await card.locator('summary').click();
    expect(await card.locator('td:first-child').allTextContents()).toEqual(names);
  });

  test('sees why there is no total, and all that is known, if an edge of the period divides unrecorded days', async () => {
    const { address } = await holder();
    const today = Math.floor(Date.now() / 1_000 / DAY) * DAY;
    const [old, recent] = [span(today - 60 * DAY, today - 20 * DAY, '10'), span(today - DAY, today, '0.4')];
    const coverage = { from: 1, to: 9, complete: true };
    const card = visit.page.locator('#your-rewards');
    const why = card.locator('p', { hasText: 'No total' });
    await visit.answer(`**/ggAvax/${address}/rewards?*`, { days: [old, recent], totals: {}, coverage });
    await visit.open(`/dashboard?address=${address}&rewards=30d`);
    const name = (first: number, end: number) => `${dayText(first)} to ${dayText(end - DAY)}`;
    expect(await why.textContent()).toBe(
      `No total for this period: the rewards of ${name(today - 60 * DAY, today - 20 * DAY)} are not known day by day, and part of that time is outside the period.`,
    );
    expect(await total().count()).toBe(0);
    // Only the days of the period are drawn: ten of the forty, and the recorded one.
    expect(await card.locator('.chart').getAttribute('data-points')).toBe('11');
    expect(await card.locator('tbody tr').count()).toBe(2);
    expect(await card.locator('.csv').getAttribute('href')).toContain(`?from=${today - 30 * DAY}&limit`);
    // A longer period has all of it. The sentence stays until that has been loaded.
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await visit.page.route(`**/ggAvax/${address}/rewards?from=${today - 90 * DAY}&*`, async (route) => {
      await answered;
      await route.fallback();
    });
    await card.getByRole('button', { name: '90d', exact: true }).click();
    await visit.page.locator('#your-rewards[aria-busy=true]').waitFor();
    expect([await why.count(), await total().count()]).toEqual([1, 0]);
    answer();
    await total().waitFor();
    expect(await titlesOf(total())).toEqual(['10.4 AVAX']);
    expect(await why.count()).toBe(0);

    // At both edges of a year.
    const [begin, end] = [0, 1].map((more) => Date.UTC(new Date().getUTCFullYear() - 1 + more, 0, 1) / 1_000) as [
      number,
      number,
    ];
    const edges = [span(begin - DAY, begin + DAY, '1'), span(end - DAY, end + DAY, '2')];
    await visit.answer(`**/ggAvax/${address}/rewards?from=${begin}&*`, { days: edges, totals: {}, coverage });
    await visit.answer(`**/ggAvax/${address}`, { ...(await visit.json(`/ggAvax/${address}`)), since: begin });
    await visit.open(`/dashboard?address=${address}&rewards=${new Date(begin * 1_000).getUTCFullYear()}`);
    expect(await why.textContent()).toContain(
      `the rewards of ${name(begin - DAY, begin + DAY)} and of ${name(end - DAY, end + DAY)} are`,
    );
    expect(await card.locator('.chart').getAttribute('data-points')).toBe('2');
  });

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
    const newest = 'the newest blocks are still to be read';
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

  test('sees why the total reward is unknown', async () => {
    const { address, position } = await holder();
    const { rewardsAVAX: _, ...moving } = position;
    await visit.answer(`**/ggAvax/${address}`, moving);
    await visit.open(`/dashboard?address=${address}`);
    expect((await fact('#your-position', 'Earned in total')).shown).toBe('–');
    expect(await visit.page.locator('#your-position').textContent()).toContain(
      'the newest blocks are still to be read',
    );
  });

  test('sees small percentages as "< 0.01%", not as 0', async () => {
    const { address, position } = await holder();
    const small = { ...position, sharePercent: 0.00067, averageAprPercent: 0.004 };
    await visit.answer(`**/ggAvax/${address}`, small);
    await visit.open(`/dashboard?address=${address}`);
    const balance = visit.page.locator('#your-position .facts > div', { hasText: 'Balance' });
    expect(await balance.locator('.aside').textContent()).toBe('< 0.01% of all ggAVAX');
    expect(await fact('#your-position', 'Average yield (APR)')).toEqual({ shown: '< 0.01%', full: '0.004%' });
  });

  test('sees no dollar value, not even a dash, if the price is unknown', async () => {
    const { address, position } = await holder();
    const { usd, ...unpriced } = position;
    expect(usd).toBeGreaterThan(0);
    await visit.answer(`**/ggAvax/${address}`, unpriced);
    await visit.open(`/dashboard?address=${address}`);
    const worth = visit.page.locator('#your-position .facts > div', { hasText: 'Value' });
    expect(await worth.textContent()).toMatch(/^Value[\d,.]+ AVAX$/);
  });

  test('sees no totals and no file while not all blocks have been searched', async () => {
    const { address, position } = await holder();
    const { rewardsAVAX: _, ...known } = position;
    const coverage = { from: 500, to: 900, complete: false };
    await visit.answer(`**/ggAvax/${address}`, { ...known, coverage });
    await visit.answer(`**/ggAvax/${address}/rewards?*`, { address, days: [], totals: {}, coverage });
    await visit.open(`/dashboard?address=${address}`);
    expect((await fact('#your-position', 'Balance')).full).toBe(`${position.ggAvax} ggAVAX`);
    expect(await visit.page.locator('#your-position dt').allTextContents()).toEqual([
      'Balance',
      'Value',
      'Earned in total',
      'In the withdrawal queue',
    ]);
    const rewards = visit.page.locator('#your-rewards');
    expect(await rewards.locator('.empty').textContent()).toBe(
      'Daily rewards are shown once this address’s whole history has been read. Covers blocks 500 to 900 so far; earlier blocks are still to be read.',
    );
    expect(await rewards.locator('.csv').count()).toBe(0);
  });

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

  test('gets all days as files of up to a thousand each, and no empty file', async () => {
    const { address } = await holder();
    await visit.open(`/dashboard?address=${address}&rewards=all`);
    const links = visit.page.locator('#your-rewards .csv');
    expect(await links.allTextContents()).toEqual(['CSV']);
    const csv = await (await fetch(`${visit.url}/${await links.getAttribute('href')}`)).text();
    const days = csv.trim().split('\r\n').slice(1);
    expect(await visit.page.locator('#your-rewards .chart').getAttribute('data-points')).toBe(String(days.length));

    // A holder since 1,301 days, of which 302 were not recorded: they are in both requests, which end and begin in them.
    const today = Math.floor(Date.now() / 1_000 / DAY) * DAY;
    const at = (daysAgo: number) => today - daysAgo * DAY;
    const gap = span(at(1_300), at(998), '1234567.000000000000000001');
    const recent = Array.from({ length: 999 }, (_, index) => span(at(998 - index), at(997 - index), '0.1'));
    const coverage = { from: 1, to: 9, complete: true };
    const answerOld = (days: Body[], complete = true) =>
      visit.answer(`**/ggAvax/${address}/rewards?*to=*`, { days, totals: {}, coverage: { ...coverage, complete } });
    await visit.answer(`**/ggAvax/${address}/rewards?*`, { days: [gap, ...recent], totals: {}, coverage });
    await answerOld([span(at(1_301), at(1_300), '0.1'), gap]);
    await visit.open(`/dashboard?address=${address}&rewards=all`);
    // Each entry is in one file, and once in the total, to the wei.
    expect(await links.allTextContents()).toEqual(['CSV 1', 'CSV 2']);
    const path = `ggAvax/${address}/rewards`;
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      `${path}?from=${Date.UTC(2023, 3, 1) / 1_000}&to=${at(1)}&limit=1000&format=csv`,
      `${path}?from=${today}&limit=1000&format=csv`,
    ]);
    expect(await titlesOf(total())).toEqual(['1234667.000000000000000001 AVAX']);
    // It is unknown if something has not been read.
    await answerOld([], false);
    await visit.open(`/dashboard?address=${address}&rewards=all`);
    expect(await total().count()).toBe(0);
  });

  test.each([1, 2])(
    'sees the total in USD of the days whose price is known, and what else there is: %d',
    async (count) => {
      const { address } = await holder();
      const today = Math.floor(Date.now() / 1_000 / DAY) * DAY;
      const rewards = await visit.json(`/ggAvax/${address}/rewards?from=${today - 30 * DAY}&limit=1000`);
      const days = rewards.days.map((day: Body, index: number) =>
        index < count ? { ...day, rewardUSD: undefined } : day,
      );
      await visit.open(`/dashboard?address=${address}&rewards=30d`);
      expect(Number.parseFloat((await titlesOf(total()))[1] as string)).toBeCloseTo(rewards.totals.rewardUSD, 9);
      expect(await total().count()).toBe(2);
      await visit.answer(`**/ggAvax/${address}/rewards?*`, { ...rewards, days });
      await visit.open(`/dashboard?address=${address}&rewards=30d`);
      const known = days.slice(count).reduce((sum: number, { rewardUSD }: Body) => sum + rewardUSD, 0);
      const unknown = days.slice(0, count).reduce((sum: bigint, day: Body) => sum + parseEther(day.rewardAVAX), 0n);
      const [all, usd, rest] = await titlesOf(total());
      expect(all).toBe(`${rewards.totals.rewardAVAX} AVAX`);
      expect(Number.parseFloat(usd as string)).toBeCloseTo(known, 9);
      expect(rest).toBe(`${formatEther(unknown)} AVAX`);
      const name = (time: number) =>
        new Date(time * 1_000).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
      const first = name(days[0].timestamp);
      const period = count === 1 ? first : `2 rows from ${first} to ${name(days[1].timestamp)}`;
      expect(await visit.page.locator('#your-rewards p', { hasText: 'In this period' }).textContent()).toMatch(
        new RegExp(
          `, worth \\$[\\d,.]+ at each day’s price, plus [\\d.]+ AVAX \\(${period}\\) whose value in USD is unknown\\.$`,
        ),
      );
    },
  );

  test('sees calendar years since the first day, in UTC, as ranges that have a URL and a file', async () => {
    const { address, position } = await holder();
    const year = new Date().getUTCFullYear();
    const since = Date.UTC(year - 2, 11, 31, 23, 59, 59) / 1_000;
    await visit.answer(`**/ggAvax/${address}`, { ...position, since });
    const { page } = visit;
    await visit.open(`/dashboard?address=${address}`);
    const card = page.locator('#your-rewards');
    expect(await card.getByRole('group', { name: 'Time range' }).getByRole('button').allTextContents()).toEqual([
      ...['7d', '30d', '90d', '1y', 'All'],
      ...[year, year - 1, year - 2].map(String),
    ]);
    expect(
      await page
        .locator('#rate')
        .getByRole('button', { name: String(year) })
        .count(),
    ).toBe(0);
    await card.getByRole('button', { name: String(year), exact: true }).click();
    expect(new URL(page.url()).searchParams.get('rewards')).toBe(String(year));
    const from = Date.UTC(year, 0, 1) / 1_000;
    await card.locator(`.csv[href*="from=${from}&limit"]`).waitFor();
    const { totals } = await visit.json(`/ggAvax/${address}/rewards?from=${from}`);
    expect(await total().first().getAttribute('title')).toBe(`${totals.rewardAVAX} AVAX`);
    // A year that is over ends with its last day.
    const day = (await visit.json(`/ggAvax/${address}/rewards?limit=1`)).days[0];
    const old = { ...day, timestamp: from - DAY, closeTimestamp: from };
    const coverage = { from: 1, to: 9, complete: true };
    const answer = { days: [old], totals: { rewardAVAX: day.rewardAVAX }, coverage };
    await visit.answer(
      `**/ggAvax/${address}/rewards?from=${Date.UTC(year - 1, 0, 1) / 1_000}&to=${from - DAY}&*`,
      answer,
    );
    await card.getByRole('button', { name: String(year - 1) }).click();
    await card.locator('.chart[data-points="1"]').waitFor();
    expect(await card.locator('.csv').getAttribute('href')).toContain(`&to=${from - DAY}&`);
    expect(await card.locator('.about').textContent()).toContain('Days and years are those of UTC.');
    await page.reload();
    await card.locator(`[aria-pressed=true]`, { hasText: String(year - 1) }).waitFor();
  });

  test('without a stake causes no request for one, which would show as an error in the console', async () => {
    const { address } = await holder();
    await visit.open(`/dashboard?address=${address}`);
    const notFound = visit.page.locator('#not-found');
    expect(await notFound.textContent()).toMatch(
      /^Not found: staked GGP, minipools and rewards\. Covers all blocks up to/,
    );
    expect(visit.complaints).toEqual([]);
    // What was found comes first.
    expect(await visit.page.locator('#summary').textContent()).toBe('');
    expect(await visit.page.locator('#yours > :last-child').getAttribute('id')).toBe('not-found');
  });

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

  test('does not see ggAVAX as not found if the request for it fails', async () => {
    const { address } = await holder();
    await visit.page.route(`**/ggAvax/${address}`, (route) =>
      route.fulfill({ status: 503, json: { detail: 'Not now.' } }),
    );
    await visit.open(`/dashboard?address=${address}`);
    await visit.page.locator('#your-position[data-state=error]').waitFor();
    expect(await visit.page.locator('#summary').textContent()).toBe('');
    expect(await visit.page.locator('#not-found').textContent()).not.toContain('ggAVAX');
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
    [
      {},
      { windDown: { enabled: true, withdrawalsUntil: '2020-01-01' } },
      /^No new requests are possible: withdrawals have ended\.$/,
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
      // Never later than the last day for withdrawals.
      expect(await row.locator('td[data-label="Claim by"]').textContent()).toBe(until);
    },
  );

  test.each([
    [{ status: 'fulfilled', allocatedFunds: '1.2' }, /but the contract allows claiming until 24 Jan 2027\.$/],
    [{ status: 'pending' }, /^Still waiting for AVAX, although the last day for withdrawals has passed\.$/],
    [{ status: 'expired', allocatedFunds: '1.2' }, /^Not claimed in time/],
  ])('%j after the last day say what the contract still allows', async (fields, meaning) => {
    const late = NOW + 50 * DAY;
    await visit.answer('**/flags', { flags: { windDown } });
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
    [NOW + 60 * DAY, /due only after the last day for withdrawals/],
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
