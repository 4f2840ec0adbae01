import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../../infra/tools/browser.ts';

/** A real browser for the tests of a file, which get a new page each, and the service that `browser.setup.ts` started. */
export interface Visit {
  /** The service's URL. */
  url: string;
  page: Page;
  /** Console errors, exceptions, and requests to other hosts. */
  complaints: string[];
  /** Replaces the page by one with other options. */
  reopen(options: BrowserContextOptions): Promise<void>;
  /** Goes to a path of the service and waits until no part is loading. */
  open(path: string): Promise<void>;
  /** The service's response to a path. */
  json<Body>(path: string): Promise<Body>;
  /** Answers the page's requests to a URL (a glob) with this body. */
  answer(url: string, json: unknown): Promise<void>;
}

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/** A guard against waits that never end, not a measure of speed. */
const GUARD_MS = 90_000;

export function useBrowser(): Visit {
  const visit = {} as Visit;
  let browser: Browser;

  const newPage = async (options: BrowserContextOptions = {}) => {
    const page = await (await browser.newContext(options)).newPage();
    page.setDefaultTimeout(GUARD_MS);
    const complaints: string[] = [];
    page.on('console', (message) => {
      // A busy machine answers 503, and the page asks again.
      if (message.type() === 'error' && !message.text().includes('status of 503'))
        complaints.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(visit.url) && !/^(data|blob):/.test(url)) complaints.push(`asks ${url}`);
    });
    Object.assign(visit, { page, complaints });
  };

  const close = async () => {
    // Requests pending in a route's handler would otherwise fail after the test.
    await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
    await visit.page.context().close();
  };

  beforeAll(async () => {
    visit.url = process.env.PAGES_URL as string;
    browser = await openBrowser();
    visit.open = async (path) => {
      await visit.page.goto(visit.url + path, { waitUntil: 'networkidle' });
      await visit.page.locator('main:not(:has([aria-busy=true]))').waitFor();
    };
    visit.json = async <Body>(path: string) => (await (await fetch(visit.url + path)).json()) as Body;
    visit.answer = async (url, json) => {
      await visit.page.route(url, (route) => route.fulfill({ json }));
    };
    visit.reopen = async (options) => {
      await close();
      await newPage(options);
    };
  });
  afterAll(() => browser.close());
  beforeEach(() => newPage());
  afterEach(close);
  return visit;
}

/** Accessibility issues. The page must be opened with bypassCSP, because its policy allows no injected scripts. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const violations = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as {
    id: string;
    nodes: { html: string }[];
  }[];
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** Opens each path on a phone, a tablet and a desktop, in both colours, and lists what is wrong. */
export async function faultsOf(visit: Visit, paths: readonly string[]): Promise<string[]> {
  await visit.reopen({ bypassCSP: true });
  const faults: string[] = [];
  for (const path of paths) {
    await visit.open(path);
    for (const width of [390, 768, 1280]) {
      await visit.page.setViewportSize({ width, height: 900 });
      if ((await visit.page.evaluate('document.documentElement.scrollWidth')) !== width)
        faults.push(`${path} scrolls to the side at ${width}`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await visit.page.emulateMedia({ colorScheme });
        const found = await accessibilityFaults(visit.page);
        faults.push(...found.map((fault) => `${path} at ${width}, ${colorScheme}: ${fault}`));
      }
    }
  }
  return [...faults, ...visit.complaints];
}
