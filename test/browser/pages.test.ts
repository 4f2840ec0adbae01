import { describe, expect, test } from '@jest/globals';
import { accessibilityFaults, useBrowser } from '../support/browser.ts';

/** The pages in a real browser, against the whole service. */

const MAX_TRANSFER = 250_000;

const visit = useBrowser();

describe.each(['/dashboard', '/docs', '/docs/guide'])('%s', (path) => {
  test('loads without an error and asks no other host', async () => {
    await visit.open(path);
    expect(await visit.page.title()).toMatch(/Staking data service$/);
    expect(visit.complaints).toEqual([]);
  });
});

test('a browser at / is led to the dashboard', async () => {
  await visit.open('/');
  expect(new URL(visit.page.url()).pathname).toBe('/dashboard');
});

test.each(['/dashboard', '/docs', '/docs/guide'])('%s is reached with a slash behind it, too', async (path) => {
  await visit.open(`${path}/?a=b`);
  expect(visit.page.url()).toBe(`${visit.url}${path}?a=b`);
  expect(visit.complaints).toEqual([]);
});

test('each section of the guide has a link, and the list at its head has them all', async () => {
  const { page } = visit;
  await visit.open('/docs/guide');
  const sections = await page
    .locator('h2')
    .evaluateAll((all) => all.map(({ id, textContent }) => [`#${id}`, textContent]));
  expect(sections.length).toBeGreaterThan(5);
  for (const links of ['h2 a', 'nav[aria-label="On this page"] a']) {
    const found = page.locator(links).evaluateAll((all) => all.map((a) => [a.getAttribute('href'), a.textContent]));
    expect(await found).toEqual(sections);
  }
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Errors' }).click();
  expect(new URL(page.url()).hash).toBe('#errors');
  expect(await page.locator('#errors').evaluate((heading) => heading.getBoundingClientRect().top < 200)).toBe(true);
});

test('a deep link into the reference draws no frame around its section', async () => {
  const { page } = visit;
  await visit.open('/docs#tag/prices/GET/prices/{dex}');
  // The reference puts the focus on the section, to be read on from there.
  await page.locator('section:focus').waitFor();
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('none');
  // Controls keep theirs.
  await page.keyboard.press('Tab');
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none');
});

test(`the dashboard takes at most ${MAX_TRANSFER / 1_000} kB to load`, async () => {
  const sizes: Promise<number>[] = [];
  visit.page.on('requestfinished', (request) => {
    sizes.push(
      request.sizes().then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
    );
  });
  await visit.open('/dashboard');
  await visit.page.waitForLoadState('networkidle');
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(sizes.length).toBeGreaterThan(10);
  expect(total).toBeGreaterThan(20_000);
  expect(total).toBeLessThan(MAX_TRANSFER);
});

test('the reference tries a request against this very service', async () => {
  const { page, url, complaints } = visit;
  await visit.open('/docs');
  await page.getByText('Best current prices').first().click();
  await page
    .getByRole('button', { name: /test request/i })
    .first()
    .click();
  const answered = page.waitForResponse((response) => response.url() === `${url}/prices`);
  await page.getByRole('button', { name: /^send/i }).first().click();
  expect((await answered).status()).toBe(200);
  expect(complaints).toEqual([]);
});

describe.each([
  ['phone', 390],
  ['tablet', 820],
  ['desktop', 1280],
  ['wide screen', 1600],
] as const)('on a %s', (_, width) => {
  test.each([
    ['/dashboard', 'light'],
    ['/dashboard', 'dark'],
    ['/docs/guide', 'light'],
    ['/docs/guide', 'dark'],
  ] as const)(
    '%s in %s colours has no serious fault of accessibility and does not scroll sideways',
    async (path, colorScheme) => {
      await visit.reopen({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
      await visit.open(path);
      expect(await accessibilityFaults(visit.page)).toEqual([]);
      expect(await visit.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    },
  );
});
