import { expect, test } from '@jest/globals';
import { faultsOf, useBrowser } from '../support/browser.ts';

/** The pages of text in a real browser, with the whole service. */

const visit = useBrowser();

interface Document {
  paths: Record<string, { get: { summary: string; parameters: { description: string }[] } }>;
  components: { schemas: unknown };
}

/** Last sentences about the unit, which the reference has beside the type. */
const UNIT =
  / ?(Exact decimal string in .+ places|In .+ 12 significant digits|In percent \(.+\)|In seconds|Unix timestamp in seconds|EIP-55 checksummed)\.$/;

test('/ redirects browsers to the dashboard, and a trailing slash to the page; others get the page of missing ones', async () => {
  await visit.open('/');
  expect(new URL(visit.page.url()).pathname).toBe('/dashboard');
  for (const path of ['/dashboard', '/docs', '/docs/contracts', '/docs/guide']) {
    await visit.open(`${path}/?a=b`);
    expect(visit.page.url()).toBe(`${visit.url}${path}?a=b`);
    expect(await visit.page.title()).toMatch(/GoGoPool \/ Hypha data/);
  }
  expect(visit.complaints).toEqual([]);
  const response = await visit.page.goto(`${visit.url}/no/such/page`);
  expect(response?.status()).toBe(404);
  expect(await visit.page.getByRole('main').textContent()).toContain('Nothing is at this address.');
});

test('the pages have no accessibility issue, and nothing to scroll to the side', async () => {
  expect(await faultsOf(visit, ['/docs', '/docs/contracts', '/docs/guide'])).toEqual([]);
});

test('each section of the guide is in the list of contents', async () => {
  const { page } = visit;
  await visit.open('/docs/guide');
  const headings = page.locator('h2');
  const sections = await headings.evaluateAll((all) => all.map(({ id, textContent }) => [`#${id}`, textContent]));
  expect(sections.length).toBeGreaterThan(5);
  for (const links of [page.locator('h2 a'), page.getByRole('navigation', { name: 'On this page' }).getByRole('link')])
    expect(await links.evaluateAll((all) => all.map((a) => [a.getAttribute('href'), a.textContent]))).toEqual(sections);
});

test('without scripts, the dashboard says so, and the reference has every endpoint, parameter and field, and no broken link', async () => {
  const { paths, components } = await visit.json<Document>('/openapi.json');
  await visit.reopen({ javaScriptEnabled: false });
  const { page } = visit;
  await page.goto(`${visit.url}/dashboard`);
  await page.getByText('The dashboard needs JavaScript.').waitFor();
  await page.goto(`${visit.url}/docs`);
  const text = String(await page.locator('main').textContent()).replace(/\s+/g, ' ');
  const described = Object.entries(paths).flatMap(([path, { get }]) => [
    `GET ${path} ${get.summary}`,
    ...get.parameters.map(({ description }) => description),
  ]);
  const fields = JSON.stringify(components.schemas).match(/"description":"((?:[^"\\]|\\.)*)"/g) ?? [];
  expect(fields.length).toBeGreaterThan(400);
  const texts = [...described, ...fields.map((field) => JSON.parse(`{${field}}`).description as string)];
  expect(texts.filter((wanted) => !text.includes(wanted.replaceAll(/`|\*\*/g, '').replace(UNIT, '')))).toEqual([]);

  const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  const links = await page.locator('a[href^="#"]').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(links.filter((link = '') => !ids.includes(decodeURIComponent(link?.slice(1) as string)))).toEqual([]);
});

test('the reference unfolds the section that a link names, and filters by words', async () => {
  const { page } = visit;
  await page.goto(`${visit.url}/docs#/prices/{dex}`);
  expect(await page.locator('details[open] h3').getAttribute('id')).toBe('/prices/{dex}');
  const all = await page.locator('details').count();
  await page.getByLabel('Filter by path, field or word').fill('ggpLockedUntil staker');
  const texts = await page.locator('details:visible').allTextContents();
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) expect(text).toMatch(/ggpLockedUntil/);
  expect(await page.locator('search output').textContent()).toBe(`${texts.length} of ${all} found`);
  expect(await page.locator('[data-found]').first().textContent()).toContain('ggpLockedUntil');
  await page.getByLabel('Filter by path, field or word').fill('claim');
  const shown = await page
    .locator('details:visible')
    .evaluateAll((found) =>
      found
        .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
        .map((section) => /claim/i.test(section.querySelector('summary')?.textContent ?? '')),
    );
  expect(shown).toEqual(shown.toSorted((a, b) => Number(b) - Number(a)));
  expect(new Set(shown).size).toBe(2);
});

test('the reference sends an example or an edited request, and shows the response', async () => {
  const { page } = visit;
  await visit.open('/docs');
  const section = page.locator('details', { has: page.locator('[id="/minipools"]') });
  await section.locator('summary').click();
  const field = section.getByLabel('Path and parameters');
  await section.getByRole('button', { name: 'Send' }).click();
  await section.getByText(/^200 in \d+ ms$/).waitFor();
  const answer = section.getByRole('region', { name: 'Response' });
  const text = await answer.textContent();
  expect(text).toMatch(/^\{\n {2}"/);
  expect(text).toMatch(/^x-block-number: \d+$/m);
  await field.fill('/minipools?limit=many');
  await field.press('Enter');
  await section.getByText('400 in').waitFor();
  expect(await answer.textContent()).toContain('"code": "INVALID_REQUEST"');
});

test('the examples call the service that serves them, and can be copied', async () => {
  await visit.reopen({ permissions: ['clipboard-read', 'clipboard-write'] });
  const { page, url } = visit;
  for (const path of ['/docs/guide', '/docs']) {
    await visit.open(path);
    if (path === '/docs') await page.locator('summary').first().click();
    const example = page.locator('pre', { has: page.locator('[data-language=sh]') }).first();
    await example.getByRole('button', { name: 'Copy' }).click();
    await page.locator('#announcement', { hasText: 'Copied' }).waitFor({ state: 'attached' });
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(await example.locator('code').textContent());
    expect(copied).toContain(url);
  }
});
