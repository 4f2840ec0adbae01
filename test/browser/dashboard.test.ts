import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Bodies } from '../../functions/index.ts';
import { inFull } from '../../infra/site/pages/dashboard/format.ts';
import { faultsOf, useBrowser } from '../support/browser.ts';

/** Journeys of visitors to the dashboard in a real browser, with the whole service. Figures are those of the API. */

const visit = useBrowser();

/** A holder of ggAVAX with a request in the queue. */
async function findHolder(): Promise<string> {
  const { requests } = await visit.json<Bodies['/withdrawals']>('/withdrawals');
  return requests.findLast(({ status }) => status === 'pending')?.requester as string;
}

/** The node operator with the most AVAX staked. */
async function findOperator(): Promise<string> {
  const { stakers } = await visit.json<Bodies['/stakers']>('/stakers?sort=avaxStaked&limit=1');
  return stakers[0]?.stakerAddr as string;
}

/** The exact figures in a part of the page. */
const exactIn = (selector: string) =>
  visit.page.locator(`${selector} span[title]`).evaluateAll((all) => all.map((one) => one.getAttribute('title')));

const summary = () => visit.page.locator('#summary');

async function lookUp(text: string): Promise<void> {
  await visit.page.getByLabel('Your address, several of them, or a node ID').fill(text);
  await visit.page.getByRole('button', { name: 'Show', exact: true }).click();
}

test('a newcomer sees the state of the protocol, its figures and its history, in few bytes', async () => {
  const sizes: Promise<number>[] = [];
  visit.page.on('requestfinished', (request) => {
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await visit.open('/dashboard');
  const metrics = await visit.json<Bodies['/metrics']>('/metrics');
  const figures = [inFull(metrics.tvl_usd as number, 'USD'), inFull(metrics.exchange_rate as number, 'AVAX')];
  expect(await exactIn('#figures')).toEqual(expect.arrayContaining(figures));
  expect(await visit.page.getByRole('img', { name: /^1 ggAVAX: 1\.\d+ AVAX to 1\.\d+ AVAX, / }).count()).toBe(1);
  expect(await visit.page.locator('#notice').textContent()).toMatch(/wound down.*the announced last day for w/);
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(20_000);
  expect(total).toBeLessThan(200_000);
  expect(visit.complaints).toEqual([]);
});

test('a holder pastes an address and sees what it earned and can take out, each call to copy, and a file for Safe', async () => {
  const address = await findHolder();
  await visit.reopen({ permissions: ['clipboard-read', 'clipboard-write'], acceptDownloads: true });
  const { page } = visit;
  await visit.open('/dashboard');
  await lookUp(`my address: ${address}`);
  await page.getByText('Available now:').waitFor();
  await page.locator('#subject:focus').waitFor();

  const account = await visit.json<Bodies['/accounts/{address}']>(`/accounts/${address}`);
  const { availableNow = [], availableLater = [], insteadOfWaiting = [] } = account;
  const claims = page.locator('#take-out .claims > li');
  const claimed = [...availableNow, ...availableLater, ...insteadOfWaiting];
  expect(claimed.length).toBeGreaterThan(1);
  expect(await claims.locator('h4 > :first-child').allTextContents()).toEqual(claimed.map(({ title }) => title));
  expect(await claims.locator('h4 + p').allTextContents()).toEqual(claimed.map(({ detail }) => detail));
  await claims.first().locator('[data-copy]').last().click();
  await page.getByText(/^Copied 0x/).waitFor({ state: 'attached' });
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(availableNow[0]?.call?.data);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'All transactions as a file for Safe' }).click(),
  ]);
  const { transactions } = JSON.parse(readFileSync(await download.path(), 'utf8'));
  expect(transactions.map(({ to, data }: { to: string; data: string }) => [to, data])).toEqual(
    availableNow.map(({ call }) => [call?.contract, call?.data]),
  );
  const position = await visit.json<Bodies['/ggAvax/{address}']>(`/ggAvax/${address}`);
  expect(await exactIn('#position')).toEqual(expect.arrayContaining([inFull(position.rewardsAVAX as string, 'AVAX')]));
});

test('an operator sees the stake, the minipools and what each rewards cycle paid', async () => {
  const address = await findOperator();
  await visit.open(`/dashboard?address=${address}`);
  const staker = await visit.json<Bodies['/stakers/{address}']>(`/stakers/${address}`);
  const { cycles } = await visit.json<Bodies['/rewards/{address}/cycles']>(`/rewards/${address}/cycles`);
  const paid = cycles.map(({ ggp }) => inFull(ggp, 'GGP'));
  expect(await exactIn('#stake')).toContain(inFull(staker.ggpStaked, 'GGP'));
  expect(await visit.page.locator('#minipools tbody tr').count()).toBe(staker.minipools?.length);
  expect(await exactIn('#cycles')).toEqual(expect.arrayContaining(paid));
  await visit.page.locator('#minipools tbody a').first().click();
  await visit.page.getByRole('heading', { name: 'Node', exact: true }).waitFor();
  await visit.page.locator('#minipool', { hasText: 'Planned duration' }).waitFor();
  await visit.page.goBack();
  await visit.page.locator('#stake').waitFor();
});

test('the income by year is that of the API, with a file for each tax tool in the chosen currency', async () => {
  const address = await findOperator();
  await visit.open(`/dashboard?address=${address}`);
  const { totals } = await visit.json<Bodies['/accounts/{address}/income']>(`/accounts/${address}/income?interval=1mo`);
  expect(totals.length).toBeGreaterThan(1);
  const earned = totals.map(({ amount, token }) => inFull(amount, token));
  expect(await exactIn('#income')).toEqual(expect.arrayContaining(earned));
  await visit.page.getByLabel('Currency of the files').selectOption('eur');
  const year = totals[0]?.year;
  const file = visit.page.getByRole('link', { name: `Koinly file of ${year}` });
  expect(await file.getAttribute('href')).toBe(`accounts/${address}/income?year=${year}&format=koinly&currency=eur`);
});

test('a file that is refused leaves the reason beside the link that was followed last, and no download', async () => {
  const path = `/accounts/${await findOperator()}`;
  const income = await visit.json<Bodies['/accounts/{address}/income']>(`${path}/income?interval=1mo`);
  // The service refuses the files of next year.
  const totals = income.totals.map((total) => ({ ...total, year: total.year + 1 }));
  await visit.answer('**/income?interval=1mo', { ...income, totals });
  const { page } = visit;
  const alert = (hasText: RegExp) => page.getByRole('alert').filter({ hasText });
  await visit.open(path.replace('/accounts/', '/dashboard?address='));
  const refusal = /^Income from .* the page and JSON show what is known\.$/;
  // A middle click asks for a new tab.
  for (const [tool, button] of [['Koinly', 'left'] as const, ['rotki', 'middle'] as const, ['CSV', 'left'] as const]) {
    const file = page.getByRole('link', { name: `${tool} file of ${totals[0]?.year}` });
    const [download] = await Promise.all([page.waitForEvent('download'), file.click({ button })]);
    expect(await download.failure()).toBe('canceled');
    await page.locator(`a:text-is("${tool}") + [role=alert]`).waitFor();
    expect(await alert(refusal).count()).toBe(1);
  }
  await page.route('**/*format=safe', (route) => route.abort());
  await page.getByRole('link', { name: 'All transactions as a file for Safe' }).click();
  await alert(/^The service cannot be reached\./).waitFor();
  expect(await alert(refusal).count()).toBe(0);
});

test('several addresses are shown with their total, and what is no address is named', async () => {
  const addresses = [await findHolder(), await findOperator()];
  await visit.open('/dashboard');
  await lookUp(`${addresses.join(', ')}, 0x12`);
  await visit.page.getByText('Not looked up, because these are no addresses').waitFor();
  const { totalAVAX } = await visit.json<Bodies['/accounts']>(`/accounts?address=${addresses}`);
  await visit.page.locator('#addresses tbody tr').nth(1).waitFor();
  expect(await exactIn('#addresses')).toContain(inFull(totalAVAX as string, 'AVAX'));
  await visit.page.locator('#addresses tbody a').first().click();
  await visit.page.getByRole('heading', { name: 'Address', exact: true }).waitFor();
});

test.each([
  ['?address=0x000000000000000000000000000000000000dEaD', 'Nothing was found for this address'],
  ['?node=NodeID-111111111111111111116DBWJs', 'Nothing was found for this node'],
])('who has nothing gets one sentence and no empty cards: %s', async (query, sentence) => {
  await visit.open(`/dashboard${query}`);
  await visit.page.getByText(sentence).waitFor();
  expect(await visit.page.locator('#yours .card').count()).toBe(0);
});

test.each(['0x1234', `0x${'a1'.repeat(32)}`])(
  '%s, which names nothing, gets a sentence, without a request',
  async (text) => {
    await visit.open('/dashboard');
    const requests: string[] = [];
    visit.page.on('request', (request) => requests.push(request.url()));
    await lookUp(text);
    expect(await visit.page.getByRole('alert').first().textContent()).toContain(
      'Check for missing or extra characters',
    );
    expect(requests.filter((url) => url.includes('0x'))).toEqual([]);
  },
);

test('an address with a wrong letter is refused once, with the reason', async () => {
  const address = await findHolder();
  const wrong = address.replace(/[a-f]/, (letter) => letter.toUpperCase());
  await visit.open(`/dashboard?address=${wrong === address ? address.toLowerCase() : wrong}`);
  await visit.page.getByText('A character is wrong or missing.').waitFor();
});

test('while the service cannot be reached, the page says so in each card, keeps its data with its age, and recovers', async () => {
  const { page } = visit;
  await page.clock.install();
  const address = await findHolder();
  const isOfAddress = new RegExp(`/(accounts|ggAvax)/${address}`);
  await page.route(isOfAddress, (route) => route.fulfill({ status: 503, json: { detail: 'The chain is slow.' } }));
  await visit.open(`/dashboard?address=${address}`);
  expect(await summary().textContent()).toBe('Available now: not known at the moment');
  const cards = ['Take it out', 'Everything at this address', 'Earned by year', 'ggAVAX'];
  for (const card of cards)
    expect(await page.getByRole('region', { name: card, exact: true }).textContent()).toContain('The chain is slow.');
  await page.unroute(isOfAddress);
  await page.clock.runFor(61_000);
  const holdings = page.locator('#holdings');
  await holdings.locator('table').waitFor();
  await page.route('**/accounts/**', (route) => route.abort());
  await page.clock.runFor(61_000);
  await holdings.getByText(/cannot be reached\. Retrying… The data shown is from block \d+, \d+ \w+ old\./).waitFor();
  expect(await exactIn('#holdings')).not.toEqual([]);
  await page.unroute('**/accounts/**');
  await page.clock.runFor(61_000);
  await holdings.locator('.note:empty').waitFor({ state: 'attached' });
  expect(await summary().textContent()).toContain('Available now:');
});

test('hostile names in answers stay text', async () => {
  const { flags, ...others } = await visit.json<Bodies['/flags']>('/flags');
  const windDown = { enabled: true, withdrawalsUntil: '<img src=x onerror=alert(1)>' };
  await visit.answer('**/flags', { ...others, flags: { ...flags, windDown } });
  await visit.open('/dashboard');
  expect(await visit.page.locator('img').count()).toBe(0);
});

test('the dashboard has no accessibility issue, and nothing to scroll to the side', async () => {
  const views = [await findHolder(), await findOperator()].map((address) => `/dashboard?address=${address}`);
  expect(await faultsOf(visit, ['/dashboard', ...views])).toEqual([]);
});
