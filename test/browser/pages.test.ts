import { describe, expect, test } from '@jest/globals';
import { accessibilityFaults, isDrawn, until, useBrowser } from '../support/browser.ts';
import { NOBODY } from '../support/visitors.ts';

/** The pages in a real browser, with the whole service. */

const MAX_TRANSFER = 250_000;

const visit = useBrowser();

interface Operation {
  get: { summary: string; parameters: { description: string }[] };
}

/** Markdown as it is read, without the sentence about the unit, which the reference has beside the type. */
const plain = (markdown: string) =>
  markdown
    .replaceAll(/`|\*\*/g, '')
    .replace(
      / ?(Exact decimal string in .+ places|In .+ 12 significant digits|In percent \(.+\)|In seconds|Unix timestamp in seconds|EIP-55 checksummed)\.$/,
      '',
    );

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

test.each(['/dashboard', '/docs', '/docs/guide'])(
  '%s with a trailing slash redirects to the page, which loads without errors or requests to other hosts',
  async (path) => {
    await visit.open(`${path}/?a=b`);
    expect(visit.page.url()).toBe(`${visit.url}${path}?a=b`);
    expect(await visit.page.title()).toMatch(/Staking data service$/);
    expect(visit.complaints).toEqual([]);
  },
);

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

test('without its script, the reference has the text of every endpoint, parameter and field', async () => {
  const { paths, components } = await visit.json('/openapi.json');
  await visit.reopen({ javaScriptEnabled: false });
  await visit.page.goto(`${visit.url}/docs`);
  const text = String(await visit.page.locator('main').textContent()).replace(/\s+/g, ' ');
  const described = Object.entries<Operation>(paths).flatMap(([path, { get }]) => [
    `GET ${path} ${get.summary}`,
    ...get.parameters.map(({ description }) => description),
  ]);
  const fields = JSON.stringify(components.schemas).match(/"description":"((?:[^"\\]|\\.)*)"/g) ?? [];
  expect(fields.length).toBeGreaterThan(500);
  const texts = [...described, ...fields.map((field) => JSON.parse(`{${field}}`).description as string)];
  expect(texts.filter((wanted) => !text.includes(plain(wanted)))).toEqual([]);
  expect(await visit.page.getByRole('button').count()).toBe(0);
});

describe('the reference', () => {
  visit.share('/docs');

  test('has unique anchors, and all links in it lead to one', async () => {
    const ids = await visit.page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    const links = await visit.page
      .locator('a[href^="#"]')
      .evaluateAll((all) => all.map((link) => decodeURIComponent(link.getAttribute('href')?.slice(1) ?? '')));
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((link) => !ids.includes(link))).toEqual([]);
  });

  test.each(['/prices/{dex}', 'minipool-object', 'common-fields'])(
    'unfolds the section that a deep link to %s names',
    async (anchor) => {
      await visit.page.goto('about:blank');
      await visit.page.goto(`${visit.url}/docs#${anchor}`);
      const section = visit.page.locator('details[open]');
      expect(await section.locator('h3').getAttribute('id')).toBe(anchor);
      const top = await section.evaluate((element) => element.getBoundingClientRect().top);
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top).toBeLessThan(200);
    },
  );

  test('is filtered by words, and marks the fields that have them', async () => {
    const { page } = visit;
    const filter = page.getByLabel('Filter by path, field or word');
    const all = await page.locator('details').count();
    await filter.fill('ggpLockedUntil staker');
    const found = page.locator('details:visible');
    const texts = await found.allTextContents();
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.length).toBeLessThan(all / 4);
    for (const text of texts) expect(text).toMatch(/ggpLockedUntil/);
    expect(await page.locator('search output').textContent()).toBe(`${texts.length} of ${all} found`);
    expect(await page.locator('[data-found]').first().textContent()).toContain('ggpLockedUntil');
    expect(await page.locator('main h2:visible').count()).toBe(0);
    await filter.fill('');
    expect(await page.locator('details:visible').count()).toBe(all);
  });
});

test('the examples of the guide and the reference call the service that serves them, and can be copied', async () => {
  await visit.reopen({ permissions: ['clipboard-read', 'clipboard-write'] });
  const { page, url } = visit;
  for (const path of ['/docs/guide', '/docs']) {
    await visit.open(path);
    if (path === '/docs') await page.locator('summary').first().click();
    const example = page.locator('pre', { has: page.locator('[data-language=sh]') }).first();
    await example.getByRole('button', { name: 'Copy' }).click();
    await example.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(await example.locator('code').textContent());
    expect(copied).toContain(url);
    expect(await page.locator('main').textContent()).not.toContain('localhost:3000');
  }
});

test(`loading the dashboard transfers at most ${MAX_TRANSFER / 1_000} kB`, async () => {
  const sizes: Promise<number>[] = [];
  visit.page.on('requestfinished', (request) => {
    sizes.push(
      request.sizes().then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
    );
  });
  await visit.open('/dashboard');
  await visit.quiet();
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(sizes.length).toBeGreaterThan(10);
  expect(total).toBeGreaterThan(20_000);
  expect(total).toBeLessThan(MAX_TRANSFER);
});

/** The form of an endpoint in the reference. */
async function form(path: string) {
  const section = visit.page.locator('details', { has: visit.page.locator(`[id="${path}"]`) });
  if (!(await section.getAttribute('open').then((open) => open !== null))) await section.locator('summary').click();
  return section.getByRole('form');
}

describe('the reference sends requests', () => {
  visit.share('/docs');

  test('to its own service, and shows the response and its headers', async () => {
    const { page, url, complaints } = visit;
    const request = await form('/prices');
    const answered = page.waitForResponse((response) => response.url() === `${url}/prices`);
    await request.getByRole('button', { name: 'Send' }).click();
    expect((await answered).status()).toBe(200);
    await request.getByText(/^200 in \d+ ms$/).waitFor();
    const text = await request.getByRole('region', { name: 'Response' }).textContent();
    expect(text).toMatch(/^x-block-number: \d+$/m);
    expect(text).toMatch(/^\{\n {2}"avaxInUSD": [\d.]+,$/m);
    expect(complaints).toEqual([]);
  });

  test('with other parameters than the example', async () => {
    const request = await form('/stakers/{address}/activity');
    const field = request.getByLabel('Path and parameters');
    const path = await field.inputValue();
    expect(path).toBe('/stakers/0xFABB0ac9d68B0B445fB7357272Ff202C5651694a/activity?limit=3');
    await field.fill(`${path}&format=csv`);
    await field.press('Enter');
    await request.getByText('200 in').waitFor();
    expect(await request.locator('pre').textContent()).toMatch(/^block\w*,logIndex,/m);
  });

  test('and shows an error as it is', async () => {
    const request = await form('/minipools');
    await request.getByLabel('Path and parameters').fill('/minipools?limit=many');
    await request.getByRole('button', { name: 'Send' }).click();
    await request.getByText('400 in').waitFor();
    expect(await request.locator('pre').textContent()).toContain('"code": "INVALID_REQUEST"');
  });
});

describe.each(['/dashboard', '/docs', '/docs/guide'])('%s', (path) => {
  test('has no serious accessibility issues, and nothing to scroll to the side, in both colours', async () => {
    await visit.reopen({ bypassCSP: true });
    const { page } = visit;
    await visit.open(path);
    if (path === '/docs') {
      // The form of a request, too.
      const request = await form('/validators');
      await page.evaluate("for (const section of document.querySelectorAll('details')) section.open = true");
      await request.getByRole('button', { name: 'Send' }).click();
      await request.getByText('200 in').waitFor();
    }
    // On a phone, a tablet, a desktop and a wide screen: of these, the first and the third have layouts of their own.
    for (const width of [390, 820, 1280, 1600]) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await isDrawn(page);
        const faults = width === 390 || width === 1280 ? await accessibilityFaults(page) : [];
        const scrolled = await page.evaluate('document.documentElement.scrollWidth');
        expect({ width, colorScheme, faults, scrolled }).toEqual({ width, colorScheme, faults: [], scrolled: width });
      }
    }
  });

  test('follows the font size of the browser', async () => {
    const { page } = visit;
    const session = await page.context().newCDPSession(page);
    const phone = [390, 24] as const;
    // A word of the guide is longer than the smallest screen then.
    for (const [width, standard] of path === '/docs/guide' ? [phone] : [phone, [320, 32] as const]) {
      await page.setViewportSize({ width, height: 844 });
      await session.send('Page.setFontSizes', { fontSizes: { standard } });
      await visit.open(path);
      expect(await page.evaluate('getComputedStyle(document.body).fontSize')).toBe(`${standard}px`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  });
});

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

test('on a phone, the parts of the dashboard stay within reach, and links lead to them', async () => {
  await visit.reopen({ viewport: { width: 390, height: 844 } });
  const { page } = visit;
  await visit.open('/dashboard');
  const parts = page.getByRole('navigation', { name: 'Parts of the protocol' });
  expect(await parts.getByRole('link').allTextContents()).toEqual(await page.locator('#protocol h3').allTextContents());
  await parts.getByRole('link', { name: 'Withdrawal queue' }).click();
  const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y as number;
  expect(await top('#queue')).toBeGreaterThan(40);
  expect(await top('#queue')).toBeLessThan(200);
  expect(await top('#protocol .anchors')).toBe(0);
  // A link that was shared, to a card that an open address collapses.
  await visit.open(`/dashboard?address=${NOBODY}#holders`);
  await until(page, 'Math.abs(document.querySelector("#holders").getBoundingClientRect().top - 56) < 2');
});

test('the view of an address is printed on two pages', async () => {
  const { page } = visit;
  const { requests } = await visit.json('/withdrawals');
  await visit.open(`/dashboard?address=${requests.at(-1).requester}`);
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(2);
});

test('a page that the browser has translated still shows new data, and its data is not translated', async () => {
  const { page } = visit;
  await page.clock.install();
  await visit.open('/dashboard');
  // Chrome's translator wraps text nodes, but not those of elements with translate="no".
  await page.evaluate(`{
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts.filter(({ parentElement }) => !parentElement.closest('[translate=no]'))) {
      const fonts = [0, 1].map(() => document.createElement('font'));
      fonts[0].append(fonts[1]);
      fonts[1].append(text.data);
      text.replaceWith(fonts[0]);
    }
  }`);
  expect(await page.locator('.facts dd .amount font, .identifier font, time font').count()).toBe(0);
  const metrics = await visit.json('/metrics');
  await visit.answer('**/metrics', { ...metrics, ggavax_apy: 12.5, block: { ...metrics.block, number: 999_999 } });
  await visit.answer('**/flags', { flags: { windDown: { enabled: false } } });
  await page.clock.runFor(61_000);
  await page.locator('#figures .about', { hasText: 'At block 999999' }).waitFor();
  await page.locator('#figures dd', { hasText: '12.50%' }).waitFor();
  await page.locator('#notice', { hasText: 'All parts of the protocol are open.' }).waitFor();
});
