import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Browser, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';
import { openBrowser } from '../../infra/tools/browser.ts';

/**
 * A real browser for the tests of a file, which get a new page each, and the service that `browser.setup.ts` started.
 */
export interface Visit {
  /** The service's URL. */
  url: string;
  page: Page;
  /** Console errors, exceptions, and requests to other hosts. */
  complaints: string[];
  /** Replaces the page by one with other options. */
  reopen(options: BrowserContextOptions): Promise<void>;
  /** Goes to a path of the service and, on the dashboard, waits until no part is loading. */
  open(path: string): Promise<void>;
  /**
   * Waits until all requests of the page are answered, also its requests that follow from responses. Playwright's
   * `networkidle` would not wait for any more once half a second of a slow load was idle.
   */
  quiet(): Promise<void>;
  /** Opens a path once for all tests of this `describe`, which leave the page as they found it. */
  share(path: string | (() => Promise<string>)): void;
  /** The service's response to a path. */
  // biome-ignore lint/suspicious/noExplicitAny: any body
  json(path: string): Promise<any>;
  /** Answers the page's requests to a URL (a glob) with this body. */
  answer(url: string, json: unknown): Promise<void>;
}

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/** A guard against waits that never end, not a measure of speed. */
const GUARD_MS = 90_000;
/**
 * Number of consecutive times that the page must be drawn without a pending request. A page sends further requests a
 * few frames after it has read a response.
 */
const CALM_FRAMES = 4;

const SETTLED = 'main:has(.card, #summary):not(:has([aria-busy=true], .placeholder))';

export function useBrowser(): Visit {
  const visit = {} as Visit;
  let browser: Browser;
  let isShared = false;

  const newPage = async (options: BrowserContextOptions) => {
    const page = await (await browser.newContext(options)).newPage();
    page.setDefaultTimeout(GUARD_MS);
    const underWay = new Set<Request>();
    page.on('request', (request) => underWay.add(request));
    page.on('requestfinished', (request) => underWay.delete(request));
    page.on('requestfailed', (request) => underWay.delete(request));
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(visit.url) && !/^(data|blob):/.test(url)) complaints.push(`asks ${url}`);
    });
    const quiet = async () => {
      for (let calm = 0; calm < CALM_FRAMES; calm = underWay.size === 0 ? calm + 1 : 0) await isDrawn(page);
    };
    Object.assign(visit, { page, complaints, quiet });
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
      const isDashboard = path.startsWith('/dashboard');
      await visit.page.goto(visit.url + path, { waitUntil: isDashboard ? 'load' : 'networkidle' });
      if (isDashboard) await visit.page.locator(SETTLED).waitFor();
    };
    visit.json = async (path) => (await fetch(visit.url + path)).json();
    visit.answer = async (url, json) => {
      await visit.page.route(url, (route) => route.fulfill({ json }));
    };
    visit.reopen = async (options) => {
      await close();
      await newPage(options);
    };
  });
  visit.share = (path) => {
    beforeAll(async () => {
      await newPage({});
      isShared = true;
      await visit.open(typeof path === 'string' ? path : await path());
    });
    afterAll(async () => {
      isShared = false;
      await close();
    });
  };
  afterAll(() => browser.close());
  beforeEach(async () => {
    if (!isShared) await newPage({});
  });
  afterEach(async () => {
    if (!isShared) await close();
  });
  return visit;
}

/**
 * Serious accessibility issues. The page must be opened with bypassCSP, because its policy allows no injected scripts.
 */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const violations = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as {
    id: string;
    impact: string;
    nodes: { html: string }[];
  }[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** Call it before the page is opened. Returns a function that measures the cumulative layout shift (CLS) so far. */
export async function layoutShift({ page, quiet }: Visit): Promise<() => Promise<number>> {
  await page.addInitScript(`
    globalThis.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  return async () => {
    await quiet();
    return (await page.evaluate('shift')) as number;
  };
}

/** Waits until the page has drawn what it has received, and has notified its observers. */
export function isDrawn(page: Page): Promise<unknown> {
  return page.evaluate(
    'new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(seen))))',
  );
}

/**
 * Waits until an expression is true in the page. Playwright's own waitForFunction may fail where scripts must not eval.
 */
export async function until(page: Page, expression: string): Promise<void> {
  while (!(await page.evaluate(expression))) await wait(50);
}

/** True if a URL belongs to the API and not to the pages. */
export const isApi = (url: URL): boolean => !/^\/(dashboard|assets)/.test(url.pathname);

/** The tooltips of elements, with full values and addresses. */
export function titlesOf(elements: Locator): Promise<string[]> {
  return elements.evaluateAll((all) => all.map(({ title }: { title: string }) => title));
}
