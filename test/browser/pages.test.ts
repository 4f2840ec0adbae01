import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../../infra/local/browser.ts';
import { EXAMPLE_REQUESTS } from '../../infra/local/example-requests.ts';
import { type System, startSystem } from '../../infra/local/system.ts';
import { recordingTelemetry } from '../support/telemetry.ts';

/** The pages in a real browser, against the whole service. */

jest.setTimeout(60_000);

const STAKER = (EXAMPLE_REQUESTS['stakers/address'] as string).split('/').at(-1) as string;
const NOBODY = '0x000000000000000000000000000000000000dEaD';
const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
const MAX_TRANSFER = 250_000;

let system: System;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  system = await startSystem({ env: { PORT: '0' }, telemetry: recordingTelemetry(), onStep: () => {} });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await system.stop();
});
beforeEach(() => openPage());
afterEach(() => page.context().close());

/** A new page, and what it complains of: console errors, exceptions, requests to another host. */
async function openPage(options: BrowserContextOptions = {}): Promise<void> {
  page = await (await browser.newContext(options)).newPage();
  complaints = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(system.url) && !/^(data|blob):/.test(url)) complaints.push(`asks ${url}`);
  });
}

const open = (path: string) => page.goto(system.url + path, { waitUntil: 'networkidle' });
const json = async (path: string) => (await fetch(system.url + path)).json();

describe.each(['/dashboard', '/docs', '/docs/guide'])('%s', (path) => {
  test('loads without an error and asks no other host', async () => {
    await open(path);
    expect(await page.title()).toMatch(/Staking data service$/);
    expect(complaints).toEqual([]);
  });
});

test('a browser at / is led to the dashboard', async () => {
  await open('/');
  expect(new URL(page.url()).pathname).toBe('/dashboard');
});

describe('the dashboard', () => {
  test('draws as many points as the history has', async () => {
    await open('/dashboard');
    for (const [id, path] of [
      ['rate', '/metrics/history'],
      ['yield', '/metrics/apy/history'],
      ['price-history', '/prices/history'],
    ] as const) {
      const { points } = (await json(path)) as { points: unknown[] };
      expect(points.length).toBeGreaterThan(20);
      expect(await page.locator(`#${id} .content`).getAttribute('data-points')).toBe(String(points.length));
      expect(await page.locator(`#${id} canvas`).count()).toBe(1);
      expect(await page.locator(`#${id} .chart`).getAttribute('aria-label')).toMatch(/goes from .* to /);
    }
    expect(await page.locator('[aria-busy]').count()).toBe(0);
  });

  test('shows numbers with their units, and their full values to point at and to copy', async () => {
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/metrics');
    await open('/dashboard');
    const { exchange_rate } = (await (await answered).json()) as { exchange_rate: number };
    const rate = page.locator('#figures .figure', { hasText: 'One ggAVAX' }).locator('button');
    expect(await rate.textContent()).toMatch(/^1\.\d+ AVAX$/);
    expect(await rate.getAttribute('title')).toBe(`${exchange_rate} AVAX (click to copy)`);
    await rate.click();
    // Said when the clipboard has it.
    await page.locator('#announcement', { hasText: `Copied ${exchange_rate} AVAX` }).waitFor({ state: 'attached' });
  });

  test("calculates what the API calculates, and says what is wrong with the amounts in the API's words", async () => {
    await open('/dashboard');
    const answered = (path: string) => page.waitForResponse((response) => response.url().includes(path));
    const asked = answered('ggpStaked=54321.5&avaxStaked=2000');
    await page.fill('[name=ggpStaked]', '54321.5');
    await page.fill('[name=avaxStaked]', '2000');
    const { ggpReward } = (await (await asked).json()) as { ggpReward: string };
    await page.locator(`#calculator [data-ggp-reward="${ggpReward}"]`).waitFor();
    expect(await page.locator('#curve').getAttribute('data-points')).toBe('11');

    await page.fill('[name=ggpStaked]', 'lots');
    const problem = page.locator('#calculator .problem');
    await problem.waitFor();
    expect(await problem.textContent()).toMatch(/ggpStaked/);
  });

  test('finds an address, does not find another, and refuses what is none', async () => {
    await open('/dashboard');
    const lookUp = async (address: string) => {
      await page.fill('[name=address]', address);
      await page.keyboard.press('Enter');
      await page.locator('#look-up .content:not([aria-busy]) > *').first().waitFor();
      return page.locator('#look-up .content').textContent();
    };
    const { minipools, ggpStaked } = (await json(`/stakers/${STAKER}`)) as { minipools: unknown[]; ggpStaked: string };
    expect(await lookUp(STAKER)).toMatch(/Stake[\s\S]*Rewards/);
    expect(await page.locator('#look-up table').first().locator('tbody tr').count()).toBe(minipools.length);
    expect(await page.locator('#look-up button.amount').first().getAttribute('title')).toContain(ggpStaked);
    complaints.length = 0;
    await lookUp(NOBODY);
    await page.locator('#look-up .empty').waitFor();
    expect(await page.locator('#look-up .content').textContent()).toMatch(/no stake, no reward and no withdrawal/);
    await lookUp('0x12');
    await page.locator('#look-up .problem').waitFor();
    expect(await page.locator('#look-up .problem').textContent()).toMatch(/address/);
  });

  test('keeps what it shows when the API dies, says how old it is, and recovers', async () => {
    await page.clock.install();
    await open('/dashboard');
    const shown = await page.locator('#figures .figures').textContent();
    const isApi = (url: URL) => !/^\/(dashboard|assets)/.test(url.pathname);
    await page.route(isApi, (route) => route.abort());
    await page.clock.runFor(61_000);
    await page.locator('#figures[data-state=stale]').waitFor();
    expect(await page.locator('#figures .note').textContent()).toMatch(
      /^The service does not answer\. What is shown is of block \d+ and \d+ (s|min) old\.$/,
    );
    expect(await page.locator('#figures .figures').textContent()).toBe(shown);
    await page.unroute(isApi);
    await page.clock.runFor(61_000);
    await page.locator('#figures[data-state=fresh]').waitFor();
  });

  test('says what is missing when the API is dead from the start', async () => {
    await page.route(
      (url) => !/^\/(dashboard|assets)/.test(url.pathname),
      (route) => route.fulfill({ status: 503, json: { detail: 'The data source did not answer.' } }),
    );
    await open('/dashboard');
    expect(await page.locator('main [data-state=error]').count()).toBe(10);
    expect(await page.locator('#figures .note').textContent()).toBe('The data source did not answer.');
  });

  test('says so when the API itself answers with old data', async () => {
    const body = await json('/metrics');
    await page.route('**/metrics', (route) =>
      route.fulfill({ headers: { 'X-Cache': 'stale', Age: '7200' }, json: body }),
    );
    await open('/dashboard');
    const { number } = (body as { block: { number: number } }).block;
    expect(await page.locator('#figures .note').textContent()).toBe(
      `The source cannot be read: this is of block ${number} and 2 h old.`,
    );
  });

  test('shows what has ended as ended, and what is unknown as unknown, not as 0', async () => {
    const metrics = (await json('/metrics')) as Record<string, unknown>;
    const unknown = { ...metrics, ggavax_apy: 0, status: 'winding_down', tvl_usd: undefined };
    await page.route('**/metrics', (route) => route.fulfill({ json: unknown }));
    await page.route('**/withdrawals?*', (route) =>
      route.fulfill({ json: { withdrawQueue: {}, requests: [], total: 0, block: metrics.block } }),
    );
    await page.route('**/validators?*', (route) => route.fulfill({ json: { validators: [], total: 0, asOf: 1 } }));
    await open('/dashboard');
    const figure = (name: string) => page.locator('.figure', { hasText: name }).locator('dd').textContent();
    expect(await figure('Yearly yield')).toBe('0 %');
    expect(await figure('Value locked')).toBe('–');
    expect(await page.locator('#figures').textContent()).toContain('winding down');
    expect(await page.locator('#queue').textContent()).toContain('Nobody is waiting.');
    expect(await page.locator('#validators').textContent()).toContain('No validator of the protocol is active.');
    expect(complaints).toEqual([]);
  });

  test(`takes at most ${MAX_TRANSFER / 1_000} kB to load`, async () => {
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      sizes.push(
        request.sizes().then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
      );
    });
    await open('/dashboard');
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(sizes.length).toBeGreaterThan(10);
    expect(total).toBeGreaterThan(20_000);
    expect(total).toBeLessThan(MAX_TRANSFER);
  });

  test('is used with the keyboard alone', async () => {
    await open('/dashboard');
    const reached = new Set<string>();
    for (let press = 0; press < 80; press++) {
      await page.keyboard.press('Tab');
      reached.add(
        await page.evaluate(() => {
          const active = (globalThis as unknown as { document: { activeElement: { tagName: string; name?: string } } })
            .document.activeElement;
          return `${active.tagName} ${active.name ?? ''}`.trim();
        }),
      );
    }
    for (const expected of ['A', 'INPUT ggpStaked', 'INPUT avaxStaked', 'INPUT address'])
      expect(reached).toContain(expected);
  });
});

test('the reference tries a request against this very service', async () => {
  await open('/docs');
  await page.getByText('Best current prices').first().click();
  await page
    .getByRole('button', { name: /test request/i })
    .first()
    .click();
  const answered = page.waitForResponse((response) => response.url() === `${system.url}/prices`);
  await page.getByRole('button', { name: /^send/i }).first().click();
  expect((await answered).status()).toBe(200);
  expect(complaints).toEqual([]);
});

describe.each([
  ['desktop', 'light', 1280],
  ['desktop', 'dark', 1280],
  ['phone', 'light', 390],
  ['phone', 'dark', 390],
] as const)('on a %s in %s colours', (_, colorScheme, width) => {
  test.each(['/dashboard', '/docs/guide'])(
    '%s has no serious fault of accessibility and does not scroll sideways',
    async (path) => {
      await page.context().close();
      // The policy of the page lets no test script in; the page itself is the same without it.
      await openPage({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
      await open(path);
      await page.evaluate(AXE);
      const violations = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as {
        id: string;
        impact: string;
        nodes: { html: string }[];
      }[];
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    },
  );
});
