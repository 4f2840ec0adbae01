import { describe, expect, test } from '@jest/globals';
import { accessibilityFaults, useBrowser } from '../support/browser.ts';

/** The pages in a real browser, with the whole service. */

const MAX_TRANSFER = 250_000;

const visit = useBrowser();

describe.each(['/dashboard', '/docs', '/docs/guide'])('%s', (path) => {
  test('loads without errors or requests to other hosts', async () => {
    await visit.open(path);
    expect(await visit.page.title()).toMatch(/Staking data service$/);
    expect(visit.complaints).toEqual([]);
  });
});

test('/ redirects browsers to the dashboard', async () => {
  await visit.open('/');
  expect(new URL(visit.page.url()).pathname).toBe('/dashboard');
});

test('without its script, the dashboard says on the first screen what it needs', async () => {
  await visit.reopen({ javaScriptEnabled: false, viewport: { width: 390, height: 700 } });
  await visit.page.goto(`${visit.url}/dashboard`);
  const said = () => visit.page.getByText('The dashboard needs JavaScript.');
  expect((await said().boundingBox())?.y).toBeLessThan(600);
  // The script replaces it.
  await visit.reopen({});
  await visit.open('/dashboard');
  expect(await said().count()).toBe(0);
});

test.each(['/dashboard', '/docs', '/docs/guide'])('%s with a trailing slash redirects to the page', async (path) => {
  await visit.open(`${path}/?a=b`);
  expect(visit.page.url()).toBe(`${visit.url}${path}?a=b`);
  expect(visit.complaints).toEqual([]);
});

test('each section of the guide has a link of its own, and is in the list of contents', async () => {
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

test('a deep link into the reference draws no focus ring around its section', async () => {
  const { page } = visit;
  await visit.open('/docs#tag/prices/GET/prices/{dex}');
  // The reference moves the focus to the section, so that screen readers continue there.
  await page.locator('section:focus').waitFor();
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('none');
  // Controls do have one.
  await page.keyboard.press('Tab');
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none');
});

test(`loading the dashboard transfers at most ${MAX_TRANSFER / 1_000} kB`, async () => {
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

test('the reference sends test requests to its own service', async () => {
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
    '%s in %s colours has no serious accessibility issues and no horizontal scrolling',
    async (path, colorScheme) => {
      await visit.reopen({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
      await visit.open(path);
      expect(await accessibilityFaults(visit.page)).toEqual([]);
      expect(await visit.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    },
  );
});

test.each([
  ['/dashboard', 390, 24],
  ['/dashboard', 320, 32],
  ['/docs/guide', 390, 24],
])(
  '%s at %d px follows the font size of the browser, %d px, without horizontal scrolling',
  async (path, width, standard) => {
    await visit.reopen({ viewport: { width, height: 844 } });
    const { page } = visit;
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setFontSizes', { fontSizes: { standard } });
    await visit.open(path);
    expect(await page.evaluate('getComputedStyle(document.body).fontSize')).toBe(`${standard}px`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  },
);

test('tables become lists on pages that are narrow for the font size of the browser', async () => {
  await visit.reopen({ viewport: { width: 1280, height: 900 } });
  const { page } = visit;
  const session = await page.context().newCDPSession(page);
  await visit.open('/dashboard');
  await page.locator('#validators table:not(.rows)').waitFor();
  await session.send('Page.setFontSizes', { fontSizes: { standard: 24 } });
  await visit.open('/dashboard');
  await page.locator('#validators table.rows').waitFor();
});
