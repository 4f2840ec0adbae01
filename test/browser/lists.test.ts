import { describe, expect, test } from '@jest/globals';
import { titlesOf } from '../support/browser.ts';
import { type Body, useVisitors } from '../support/visitors.ts';

/** The lists of holders and of recent activity on the dashboard, compared with the API. */

const { visit } = useVisitors();

describe('holders', () => {
  visit.share('/dashboard');
  const card = () => visit.page.locator('#holders');
  const shown = () => titlesOf(card().locator('td[data-label=Address] abbr'));
  const button = (name: string) => card().getByRole('button', { name });

  test('all holders are on the pages, once each and in order, and in the file', async () => {
    const { holders, total } = await visit.json('/holders');
    expect(total).toBeGreaterThan(10);
    const addresses = holders.map(({ address }: Body) => address);
    expect(await shown()).toEqual(addresses.slice(0, 5));
    const [first] = await titlesOf(card().locator('td[data-label=Balance] [title]'));
    expect(first).toBe(`${holders[0].ggAvax} ggAVAX`);
    expect(await button('Previous').isDisabled()).toBe(true);
    await button('Next').click();
    await card()
      .getByText(/Page 2 of \d/)
      .waitFor();
    await visit.page.locator('#holders[aria-busy=false]').waitFor();
    expect(await shown()).toEqual(addresses.slice(5, 10));
    await button('Previous').click();
    expect(await shown()).toEqual(addresses.slice(0, 5));
    const csv = await (await fetch(`${visit.url}/${await card().locator('.csv').getAttribute('href')}`)).text();
    expect(csv.trimEnd().split('\r\n').length).toBe(total + 1);
  });

  test('the earliest are first if that is asked for, which the URL keeps; key figures lead there', async () => {
    const { holders } = await visit.json('/holders?sort=since&limit=5');
    await visit.page.locator('#figures').getByRole('link', { name: 'Holders' }).click();
    expect(new URL(visit.page.url()).hash).toBe('#holders');
    await button('Earliest first').click();
    await visit.open(`/dashboard${new URL(visit.page.url()).search}`);
    expect(await shown()).toEqual(holders.map(({ address }: Body) => address));
  });
});

describe('recent activity', () => {
  const kind = (name: string) => visit.page.locator('#activity').getByRole('button', { name, exact: true });
  const rows = () => visit.page.locator('#activity tbody tr');
  const hashes = () => titlesOf(rows().locator('td:last-child abbr'));

  test('can be filtered by kind, which also applies to "Show more" and the CSV file, and is kept in the URL', async () => {
    const { page } = visit;
    await visit.open('/dashboard');
    const all = await hashes();
    await kind('Queue').click();
    await rows().filter({ hasText: 'Withdrawal' }).nth(4).waitFor();
    expect(new URL(page.url()).searchParams.get('activity')).toBe('queue');
    const types = 'unstakeRequested,unstakeFulfilled,unstakeClaimed,unstakeCancelled,unstakeReturned';
    const { activity } = await visit.json(`/activity?type=${types}&limit=64`);
    const expected = activity.map(({ txHash }: { txHash: string }) => txHash);
    expect(expected.length).toBeGreaterThan(16);
    expect(await hashes()).toEqual(expected.slice(0, 5));

    await page.locator('#activity').getByRole('button', { name: 'Show more' }).click();
    await rows()
      .nth(expected.length - 1)
      .waitFor();
    expect(await hashes()).toEqual(expected);
    const file = await (
      await fetch(`${visit.url}/${await page.locator('#activity .csv').getAttribute('href')}`)
    ).text();
    expect(file.trim().split('\r\n').length).toBe(expected.length + 1);

    // A visitor who opens the link sees the same kind, with the initial number of rows.
    await page.reload();
    await rows().nth(4).waitFor();
    expect(await hashes()).toEqual(expected.slice(0, 5));
    expect(await kind('Queue').getAttribute('aria-pressed')).toBe('true');
    await kind('All').click();
    await rows().filter({ hasNotText: 'Withdrawal' }).first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await hashes()).toEqual(all);
  });
});
