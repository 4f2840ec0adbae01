import { expect, test } from '@jest/globals';
import { titlesOf } from '../support/browser.ts';
import { type Body, useVisitors } from '../support/visitors.ts';

/** The list of holders on the dashboard, compared with the API. */

const { visit } = useVisitors();
const card = () => visit.page.locator('#holders');
const shown = () => titlesOf(card().locator('td[data-label=Address] abbr'));
const button = (name: string) => card().getByRole('button', { name });

test('all holders are on the pages, once each and in order, and in the file', async () => {
  const { holders, total } = await visit.json('/holders');
  expect(total).toBeGreaterThan(10);
  const addresses = holders.map(({ address }: Body) => address);
  await visit.open('/dashboard');
  expect(await shown()).toEqual(addresses.slice(0, 10));
  const [first] = await titlesOf(card().locator('td[data-label=Balance] [title]'));
  expect(first).toBe(`${holders[0].ggAvax} ggAVAX`);
  expect(await button('Previous').isDisabled()).toBe(true);
  await button('Next').click();
  await card().getByText('Page 2 of 2').waitFor();
  await visit.page.locator('#holders[aria-busy=false]').waitFor();
  expect(await shown()).toEqual(addresses.slice(10));
  expect(await button('Next').isDisabled()).toBe(true);
  await button('Previous').click();
  expect(await shown()).toEqual(addresses.slice(0, 10));
  const csv = await (await fetch(`${visit.url}/${await card().locator('.csv').getAttribute('href')}`)).text();
  expect(csv.trimEnd().split('\r\n').length).toBe(total + 1);
});

test('the earliest are first if that is asked for, which the URL keeps; key figures lead there', async () => {
  const { holders } = await visit.json('/holders?sort=since&limit=10');
  await visit.open('/dashboard');
  await visit.page.locator('#figures').getByRole('link', { name: 'Holders' }).click();
  expect(new URL(visit.page.url()).hash).toBe('#holders');
  await button('Earliest first').click();
  await visit.open(`/dashboard${new URL(visit.page.url()).search}`);
  expect(await shown()).toEqual(holders.map(({ address }: Body) => address));
});

test('an incomplete list has no file', async () => {
  const coverage = { from: 90, to: 100, complete: false };
  await visit.answer('**/holders?sort=balance*', { holders: [], total: 0, coverage });
  await visit.open('/dashboard');
  expect(await card().textContent()).toContain('Nobody is known to hold ggAVAX in these blocks.');
  expect(await card().locator('.csv').count()).toBe(0);
});
