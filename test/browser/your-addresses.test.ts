import { expect, test } from '@jest/globals';
import { titlesOf } from '../support/browser.ts';
import { type Body, useVisitors } from '../support/visitors.ts';

/** Several addresses on the dashboard, compared with the API. */

const { visit, operator, holder, fact } = useVisitors();
const summary = () => visit.page.locator('#summary').textContent();
const field = () => visit.page.getByRole('searchbox');
const lookUp = async (text: string) => {
  await visit.open('/dashboard');
  await field().fill(text);
  await visit.page.getByRole('button', { name: 'Show', exact: true }).click();
};

test('several addresses are looked up as they are pasted: together and one by one, each with its own view', async () => {
  const [{ stakerAddr }, { address }] = await Promise.all([operator(), holder()]);
  const { accounts, totalAVAX, totalUSD } = await visit.json(`/accounts?address=${stakerAddr},${address}`);
  await lookUp(` ${stakerAddr},\n${address.toLowerCase()} ${stakerAddr}`);
  const rows = visit.page.locator('#your-addresses tbody tr');
  await rows.first().waitFor();
  expect(await visit.page.locator('#yours h2').textContent()).toBe('2 addresses');
  expect(await summary()).toBe('');
  expect((await fact('#your-addresses-sum', 'In all')).full).toBe(`${totalAVAX} AVAX`);
  expect(await visit.page.locator('#your-addresses-sum .aside [title]').first().getAttribute('title')).toBe(
    `${totalUSD} USD`,
  );
  const all = (await fact('#your-addresses-sum', 'ggAVAX')).full;
  expect(all).toBe(`${accounts[1].ggAvax.balance} ggAVAX`);
  const sums = (entries: Body[]) => new Set(entries.map(({ token }) => token)).size;
  expect((await titlesOf(rows.nth(0).locator('td[data-label="Available now"] [title]'))).length).toBe(
    sums(accounts[0].availableNow),
  );
  const totals = await titlesOf(rows.locator('td[data-label="In all"] [title]'));
  expect(totals).toEqual(accounts.map(({ totalAVAX: one }: Body) => `${one} AVAX`));
  await rows.nth(1).getByRole('link').first().click();
  expect(await visit.page.locator('#yours h2').textContent()).toBe('Address');
  expect(new URL(visit.page.url()).searchParams.get('address')).toBe(address);
  await visit.page.goBack();
  expect(await visit.page.locator('#yours h2').textContent()).toBe('2 addresses');
  expect(visit.complaints).toEqual([]);
});

test('the day by which to claim is that of the first request that expires', async () => {
  const [{ stakerAddr }, { address }] = await Promise.all([operator(), holder()]);
  const queue = await visit.json('/withdrawals');
  const request = { ...queue.requests[0], requester: address, status: 'fulfilled' };
  const requests = [1_800_000_000, 1_799_000_000].map((expirationTime) => ({ ...request, expirationTime }));
  await visit.answer('**/withdrawals?*', { ...queue, requests });
  await visit.open(`/dashboard?address=${stakerAddr},${address}`);
  const cells = visit.page.locator('#your-addresses td[data-label="Claim by"]');
  expect(await cells.allTextContents()).toEqual(['–', '3 Jan 2027announced end: 31 Dec 2026']);
});

test('what is no address is named, and the others are shown', async () => {
  const { address } = await holder();
  await visit.open(`/dashboard?address=${address},0x12,${address}0`);
  expect(await summary()).toBe(
    `Not looked up, because these are no addresses (0x and 40 hex digits): 0x12, ${address}0`,
  );
  expect(await visit.page.locator('#your-addresses tbody tr').count()).toBe(1);
  await lookUp('0x12, 0x13');
  expect(await visit.page.locator('#look-up-problem').textContent()).toMatch(/^This is neither an address/);
});

test('an address with a wrong letter is named, too', async () => {
  const [{ stakerAddr }, { address }] = await Promise.all([operator(), holder()]);
  const swapped = address.replace(/[a-f]/i, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
  await visit.open(`/dashboard?address=${stakerAddr},${swapped}`);
  const problem = await visit.page.locator('#yours .problem').textContent();
  expect(problem).toMatch(/^A character of one of these addresses is wrong or missing\./);
  expect(problem).toContain(`Not so: "${swapped}"`);
});

test('a list is remembered on this device', async () => {
  const [{ stakerAddr }, { address }] = await Promise.all([operator(), holder()]);
  await visit.open(`/dashboard?address=${stakerAddr},${address}`);
  await visit.page.getByLabel('Remember on this device').check();
  await visit.open('/dashboard');
  expect(new URL(visit.page.url()).searchParams.get('address')).toBe(`${stakerAddr},${address}`);
  expect(await visit.page.locator('#your-addresses tbody tr').count()).toBe(2);
});

test('a sum of which a part is unknown is unknown', async () => {
  const [{ stakerAddr }, { address }] = await Promise.all([operator(), holder()]);
  const {
    accounts,
    totalAVAX: _,
    totalUSD: __,
    ...body
  } = await visit.json(`/accounts?address=${stakerAddr},${address}`);
  const [{ minipools: ___, ...first }, second] = accounts;
  await visit.answer('**/accounts?address=*', { ...body, accounts: [first, second], partial: ['minipools'] });
  await visit.open(`/dashboard?address=${stakerAddr},${address}`);
  expect((await fact('#your-addresses-sum', 'In minipools')).shown).toBe('–');
  expect((await fact('#your-addresses-sum', 'In all')).shown).toBe('–');
  expect(await visit.page.locator('#your-addresses').textContent()).toContain('The minipools could not be read');
});
