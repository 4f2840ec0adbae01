import { beforeEach, describe, expect, test } from '@jest/globals';
import { parseEther } from 'ethers';
import { DAY } from '../../lib/values/durations.ts';
import { titlesOf } from '../support/browser.ts';
import { type Body, useVisitors } from '../support/visitors.ts';

/** The daily rewards of a holder's ggAVAX on the dashboard, compared with the API. */

const { visit, holder, fact } = useVisitors();

const span = (timestamp: number, closeTimestamp: number, rewardAVAX: string) => {
  const amounts = { closeGgAvax: '7', rateClose: '1.2', inflowAVAX: '0', outflowAVAX: '0' };
  return { timestamp, closeTimestamp, rewardAVAX, ...amounts };
};

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const dayText = (time: number) => DATE.format(time * 1_000);

/** The amounts in the sentence about the whole period. */
const total = () => visit.page.locator('#your-rewards p', { hasText: 'In this period' }).locator('[title]');

describe('a holder of ggAVAX', () => {
  const now = Date.now();
  const today = Math.floor(now / 1_000 / DAY) * DAY;
  // The page's days are those of the test, also after midnight.
  beforeEach(() => visit.page.clock.setFixedTime(now));
  test.each([
    ['the yield was 0', [span(today - 2 * DAY, today - DAY, '0')], 'All values in this period are 0.'],
    ['all was withdrawn before', [], 'This address held no ggAVAX in this period.'],
  ])('reads why the period has no rewards, instead of an empty chart, if %s', async (_, days, sentence) => {
    const { address } = await holder();
    const rewards = await visit.json(`/ggAvax/${address}/rewards`);
    await visit.answer(`**/ggAvax/${address}/rewards?*`, { ...rewards, days });
    await visit.open(`/dashboard?address=${address}`);
    const card = visit.page.locator('#your-rewards');
    expect(await card.locator('.empty').textContent()).toBe(sentence);
    expect(await card.locator('.chart').count()).toBe(0);
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
    // Twenty days with 0.5 AVAX each, one with 0.4, and six hours with 0.1 so far.
    const days = [
      span(today - 21 * DAY, today - DAY, '10'),
      span(today - DAY, today, '0.4'),
      span(today, today + DAY / 4, '0.1'),
    ];
    const coverage = { fromBlock: 1, toBlock: 9, complete: true };
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
    const [old, recent] = [span(today - 60 * DAY, today - 20 * DAY, '10'), span(today - DAY, today, '0.4')];
    const coverage = { fromBlock: 1, toBlock: 9, complete: true };
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
    const [begin, end] = [0, 1].map((more) => Date.UTC(new Date(now).getUTCFullYear() - 1 + more, 0, 1) / 1_000) as [
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

  test.each([
    ['earlier blocks are to be indexed', {}, 0, 'History is still loading. Indexed so far: blocks 500 to 900.'],
  ])('sees the confirmed days, no totals and no file while %s', async (_name, confirmed, count, gap) => {
    const { address, position } = await holder();
    const { rewardsAVAX: _, ...known } = position;
    const coverage = {
      fromBlock: 500,
      toBlock: 900,
      toTimestamp: 1_700_000_000,
      sources: 2,
      complete: false,
      ...confirmed,
    };
    await visit.answer(`**/ggAvax/${address}`, { ...known, coverage });
    const days = Array.from({ length: count }, (_, place) =>
      span(today - (9 - place) * DAY, today - (8 - place) * DAY, '1'),
    );
    await visit.answer(`**/ggAvax/${address}/rewards?*`, { address, days, totals: {}, coverage });
    await visit.open(`/dashboard?address=${address}`);
    expect((await fact('#your-position', 'Balance')).full).toBe(`${position.ggAvax} ggAVAX`);
    expect(await visit.page.locator('#your-position dt').allTextContents()).toEqual([
      'Balance',
      'Value',
      'Earned in total',
      'In the withdrawal queue',
    ]);
    expect(await visit.page.locator('#your-position').textContent()).toContain('history is incomplete');
    const rewards = visit.page.locator('#your-rewards');
    expect(await rewards.locator('p', { hasText: 'History' }).textContent()).toBe(
      `${gap} There is no total until then.`,
    );
    expect(await rewards.locator('tbody tr').count()).toBe(count);
    expect(await rewards.locator('.chart').count()).toBe(Math.min(count, 1));
    expect([await rewards.locator('.csv').count(), await total().count()]).toEqual([0, 0]);
  });

  test('gets all days as files of up to a thousand each, and no empty file', async () => {
    const { address } = await holder();
    await visit.open(`/dashboard?address=${address}&rewards=all`);
    const links = visit.page.locator('#your-rewards .csv');
    expect(await links.allTextContents()).toEqual(['CSV']);
    const csv = await (await fetch(`${visit.url}/${await links.getAttribute('href')}`)).text();
    const days = csv.trim().split('\r\n').slice(1);
    expect(await visit.page.locator('#your-rewards .chart').getAttribute('data-points')).toBe(String(days.length));

    // A holder for 1,301 days. 302 of them are not recorded. Both requests contain this gap: one ends in it, one
    // begins.
    const at = (daysAgo: number) => today - daysAgo * DAY;
    const gap = span(at(1_300), at(998), '1234567.000000000000000001');
    const recent = Array.from({ length: 999 }, (_, index) => span(at(998 - index), at(997 - index), '0.1'));
    const coverage = { fromBlock: 1, toBlock: 9, complete: true };
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

  test('sees the total in USD of the days whose price is known, and what else there is', async () => {
    const { address } = await holder();
    const rewards = await visit.json(`/ggAvax/${address}/rewards?from=${today - 30 * DAY}&limit=1000`);
    await visit.open(`/dashboard?address=${address}&rewards=30d`);
    expect(Number.parseFloat((await titlesOf(total()))[1] as string)).toBeCloseTo(rewards.totals.rewardUSD, 9);
    expect(await total().count()).toBe(2);
    for (const count of [1, 2]) {
      const days = rewards.days.map((day: Body, index: number) =>
        index < count ? { ...day, rewardUSD: undefined } : day,
      );
      await visit.answer(`**/ggAvax/${address}/rewards?*`, { ...rewards, days });
      await visit.open(`/dashboard?address=${address}&rewards=30d`);
      const known = days.slice(count).reduce((sum: number, { rewardUSD }: Body) => sum + rewardUSD, 0);
      const unknown = days.slice(0, count).reduce((sum: bigint, day: Body) => sum + parseEther(day.rewardAVAX), 0n);
      const [all, usd, rest] = await titlesOf(total());
      expect(all).toBe(`${rewards.totals.rewardAVAX} AVAX`);
      expect(Number.parseFloat(usd as string)).toBeCloseTo(known, 9);
      expect(parseEther(rest?.replace(' AVAX', '') ?? '')).toBe(unknown);
      const first = dayText(days[0].timestamp);
      const period = count === 1 ? first : `2 rows from ${first} to ${dayText(days[1].timestamp)}`;
      expect(await visit.page.locator('#your-rewards p', { hasText: 'In this period' }).textContent()).toMatch(
        new RegExp(
          `, worth \\$[\\d,.]+ at each day’s price, plus [\\d.]+ AVAX \\(${period}\\) whose value in USD is unknown\\.$`,
        ),
      );
    }
  });

  test('sees calendar years since the first day, in UTC, as ranges that have a URL and a file', async () => {
    const { address, position } = await holder();
    const year = new Date(now).getUTCFullYear();
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
    const coverage = { fromBlock: 1, toBlock: 9, complete: true };
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
});
