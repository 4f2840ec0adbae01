import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { Page, Request, Route } from 'playwright-core';
import { isApi, isDrawn, until, useBrowser } from '../support/browser.ts';

/** The dashboard's requests to the API, also while the API is slow, unreachable or returns errors. */

const visit = useBrowser();

const isPath = (path: string) => (url: URL) => url.pathname === path;
const stakers = async (count: number): Promise<string[]> =>
  (await visit.json(`/stakers?limit=${count}`)).stakers.map(({ stakerAddr }: { stakerAddr: string }) => stakerAddr);

async function lookUp(page: Page, text: string): Promise<void> {
  await page.fill('[name=subject]', text);
  await page.keyboard.press('Enter');
}

test('keeps its data when the API becomes unreachable, says how old it is, and recovers', async () => {
  const { page } = visit;
  await page.clock.install();
  await visit.open('/dashboard');
  const shown = await page.locator('#figures .facts').textContent();
  await page.route(isApi, (route) => route.abort());
  await page.clock.runFor(61_000);
  await page.locator('#figures[data-state=stale]').waitFor();
  expect(await page.locator('#figures .note').textContent()).toMatch(
    /^The service cannot be reached\. Retrying… The data shown is from block \d+, \d+ (s|min) old\.$/,
  );
  expect(await page.locator('#figures .facts').textContent()).toBe(shown);
  await page.unroute(isApi);
  await page.clock.runFor(61_000);
  await page.locator('#figures[data-state=fresh]').waitFor();
  expect(await page.locator('#figures .note').textContent()).toBe('');
});

test('shows an error in every card when the API is down from the start, and recovers', async () => {
  const { page } = visit;
  await page.clock.install();
  const answer503 = { status: 503, json: { detail: 'The data source did not answer.' } };
  await page.route(isApi, (route) => route.fulfill(answer503));
  await visit.open('/dashboard');
  const cards = await page.locator('#protocol .card').count();
  expect(cards).toBeGreaterThan(10);
  expect(await page.locator('#protocol .card[data-state=error]').count()).toBe(cards);
  expect(await page.locator('#figures .note').textContent()).toBe('The data source did not answer. ');
  expect(await page.locator('#figures').textContent()).not.toContain('Loading');
  expect(await page.locator('#notice').textContent()).toContain('not available at the moment');
  await page.unroute(isApi);
  // The first retry is after four seconds.
  await page.clock.runFor(5_000);
  await page.locator('#figures[data-state=fresh]').waitFor();
  await page.locator('#notice[data-state=ending]').waitFor();
  // The others follow: only four requests are under way at once.
  await page.locator('#protocol .card[data-state=error]').first().waitFor({ state: 'detached' });
});

test('a request without a response is aborted, reported and retried', async () => {
  const { page } = visit;
  await page.clock.install();
  let asked = 0;
  await page.route(isPath('/metrics'), (route) => (++asked === 1 ? undefined : route.continue()));
  await page.goto(`${visit.url}/dashboard`);
  await page.locator('#queue[data-state=fresh]').waitFor();
  expect(await page.locator('#figures').getAttribute('data-state')).toBe('waiting');
  await page.clock.runFor(12_500);
  const said = 'did not respond within 12 seconds. Retrying…';
  await page.locator('#figures[data-state=error] .note', { hasText: said }).waitFor();
  await page.clock.runFor(4_500);
  await page.locator('#figures[data-state=fresh]').waitFor();
});

test('waits at least as long as the API asks for before it retries, also if that is longer than a timer can', async () => {
  const { page } = visit;
  await page.clock.install();
  const asked = { '/metrics': 0, '/rewards/cycle': 0 };
  const limit = (path: keyof typeof asked, seconds: string) =>
    page.route(isPath(path), (route) => {
      const limited = { status: 429, headers: { 'Retry-After': seconds }, json: { detail: 'Too many requests.' } };
      return ++asked[path] === 1 ? route.fulfill(limited) : route.continue();
    });
  // The page's clock also goes on by itself: this leaves a slow machine half a minute to open it.
  await limit('/metrics', '120');
  await limit('/rewards/cycle', '9999999999');
  await visit.open('/dashboard');
  await page.clock.runFor(90_000);
  await visit.quiet();
  expect(asked).toEqual({ '/metrics': 1, '/rewards/cycle': 1 });
  await page.clock.runFor(31_000);
  await page.locator('#figures[data-state=fresh]').waitFor();
  await page.clock.runFor(30_000);
  await visit.quiet();
  expect(asked['/rewards/cycle']).toBe(1);
});

test('reports stale data only after several stale responses, not while another request refreshes it', async () => {
  const { page } = visit;
  const body = await visit.json('/metrics');
  await page.clock.install();
  // As CloudFront returns it.
  const headers = { 'X-Cache': 'Miss from cloudfront', 'Cache-Status': 'staking-data; hit; detail=stale', Age: '7200' };
  const old = { headers, json: body };
  // Each request waits for this promise: the page's clock also runs by itself, so on a slow machine the page sends a
  // request before the test sets the clock forward.
  let next = Promise.withResolvers<Route>();
  const answer = async () => {
    const route = await next.promise;
    next = Promise.withResolvers();
    await route.fulfill(old);
    await (await route.request().response())?.finished();
    await isDrawn(page);
  };
  await page.addInitScript(`
    asked = [];
    const ask = fetch;
    fetch = (path, init) => (path === 'metrics' && asked.push(init.cache), ask(path, init));
  `);
  await page.route(isPath('/metrics'), (route) => next.resolve(route));
  await Promise.all([visit.open('/dashboard'), answer()]);
  for (const ms of [4_500, 8_500]) {
    await page.clock.runFor(ms);
    await answer();
    expect(await page.locator('#figures').getAttribute('data-state')).toBe('fresh');
  }
  await page.clock.runFor(16_500);
  await answer();
  await page.locator('#figures[data-state=stale]').waitFor();
  // Retries bypass the browser's cache, which would return the same stale response.
  expect(await page.evaluate('asked')).toEqual(['default', 'no-cache', 'no-cache', 'no-cache']);
  expect(await page.locator('#figures .note').textContent()).toBe(
    `The data source cannot be reached: this is from block ${body.block.number}, 2 h old.`,
  );
});

describe('a look-up', () => {
  test('never shows a late response for the previous address', async () => {
    const { page } = visit;
    const [first = '', second = ''] = await stakers(2);
    const released = Promise.withResolvers<void>();
    const answered: Promise<void>[] = [];
    await page.route(`**/stakers/${first}`, (route) => {
      answered.push(released.promise.then(() => route.continue()).catch(() => {}));
    });
    await visit.open('/dashboard');
    await lookUp(page, first);
    await page.locator('#your-stake[data-state=waiting]').waitFor();
    await lookUp(page, second);
    const { ggpStaked } = await visit.json(`/stakers/${second}`);
    const amount = page.locator('#your-stake .amount').first();
    expect(await amount.getAttribute('title')).toContain(ggpStaked);
    released.resolve();
    expect(answered).toHaveLength(1);
    await Promise.all(answered);
    await visit.quiet();
    expect(await amount.getAttribute('title')).toContain(ggpStaked);
    expect(await page.locator('#yours .subject').textContent()).toContain(second);
  });

  test('that fails in one card shows the others, and the card recovers', async () => {
    const { page } = visit;
    await page.clock.install();
    const [address = ''] = await stakers(1);
    const isRewards = isPath(`/rewards/${address}`);
    await page.route(isRewards, (route) => route.abort());
    await visit.open(`/dashboard?address=${address}`);
    await page.locator('#your-stake[data-state=fresh]').waitFor();
    await page.locator('#your-claims[data-state=error]').waitFor();
    await page.unroute(isRewards);
    await page.clock.runFor(5_000);
    await page.locator('#your-claims[data-state=fresh]').waitFor();
  });

  test('works with the browser’s Back and Forward buttons, and sets the title', async () => {
    const { page } = visit;
    const [first = '', second = ''] = await stakers(2);
    await visit.open(`/dashboard?address=${first}`);
    await lookUp(page, second);
    await page.locator('#yours .subject', { hasText: second }).waitFor();
    await page.goBack();
    await page.locator('#yours .subject', { hasText: first }).waitFor();
    expect(await page.locator('[name=subject]').inputValue()).toBe(first);
    await page.goForward();
    await page.locator('#yours .subject', { hasText: second }).waitFor();
    // Distinguishes tabs and entries of the browser's history.
    const title = `${second.slice(0, 6)}…${second.slice(-5)} · Dashboard · Staking data service`;
    await until(page, `document.title === '${title}'`);
    await page.getByRole('link', { name: 'Close' }).click();
    await until(page, "document.title === 'Dashboard · Staking data service'");
  });

  test('is shown at the same place again with the Back button', async () => {
    const { page } = visit;
    const [first = ''] = await stakers(1);
    await visit.open('/dashboard');
    await lookUp(page, first);
    await page.locator('#your-stake[data-state=fresh]').waitFor();
    const link = page.locator('#your-minipools tbody a').first();
    await link.scrollIntoViewIfNeeded();
    const place = await page.evaluate('scrollY');
    expect(place).toBeGreaterThan(300);
    await link.click();
    await page.locator('#your-minipool[data-state=fresh]').waitFor();
    await page.goBack();
    await page.locator('#your-stake').waitFor();
    await until(page, `scrollY === ${place}`);
  });

  test('finds an address in the URL of an explorer, and names the problem with the hash of a transaction', async () => {
    const { page } = visit;
    const [address = ''] = await stakers(1);
    await visit.open('/dashboard');
    await lookUp(page, `https://snowtrace.io/address/${address}?chainid=43114#${address}`);
    await page.locator('#yours code', { hasText: address }).waitFor();
    expect(new URL(page.url()).searchParams.get('address')).toBe(address);
    await lookUp(page, `0x${'a1'.repeat(32)}`);
    await page.locator('#look-up-problem', { hasText: 'neither an address' }).waitFor();
    expect(new URL(page.url()).search).toBe(`?address=${address}`);
  });

  test('that is submitted again adds no entry to the browser’s history', async () => {
    const { page } = visit;
    const [address = ''] = await stakers(1);
    await visit.open('/dashboard');
    await lookUp(page, address);
    const count = await page.evaluate('history.length');
    await lookUp(page, ` ${address}`);
    expect(await page.evaluate('history.length')).toBe(count);
    await lookUp(page, address);
    await page.goBack();
    expect(new URL(page.url()).search).toBe('');
  });

  test('is kept for a minute after it was closed', async () => {
    const { page } = visit;
    await page.clock.install();
    const [first = ''] = await stakers(1);
    await visit.open(`/dashboard?address=${first}`);
    const close = page.getByRole('link', { name: 'Close' });
    await close.click();
    // From now on, nothing is answered.
    await page.route(isApi, () => {});
    await page.goBack();
    await page.locator('#your-stake[data-state=fresh]').waitFor();
    await close.click();
    await page.clock.runFor(61_000);
    await page.goBack();
    await page.locator('#summary', { hasText: 'Looking up…' }).waitFor();
    expect(await page.locator('#your-stake').count()).toBe(0);
  });

  test('is remembered on this device only while the visitor wants that', async () => {
    const { page } = visit;
    const [first = ''] = await stakers(1);
    await visit.open(`/dashboard?address=${first}`);
    await visit.open('/dashboard');
    expect(await page.locator('#yours').count()).toBe(0);
    await visit.open(`/dashboard?address=${first}`);
    await page.check('[name=remember]');
    await visit.open('/dashboard');
    expect(new URL(page.url()).searchParams.get('address')).toBe(first);
    await page.uncheck('[name=remember]');
    await visit.open('/dashboard');
    expect(await page.locator('#yours').count()).toBe(0);
  });

  test('works without being remembered if the browser blocks local storage', async () => {
    const { page } = visit;
    await page.addInitScript(`
      Object.defineProperty(globalThis, 'localStorage', { get() { throw new DOMException('No.', 'SecurityError'); } });
    `);
    const [first = ''] = await stakers(1);
    await visit.open('/dashboard');
    await lookUp(page, first);
    await page.locator('#your-stake[data-state=fresh]').waitFor();
    expect(await page.locator('[name=remember]').count()).toBe(0);
    expect(visit.complaints).toEqual([]);
  });

  test('by a forged link is rejected without a request', async () => {
    const { page } = visit;
    const pathsOf = async (path: string) => {
      const paths = new Set<string>();
      const collect = (request: Request) => paths.add(new URL(request.url()).pathname);
      page.on('request', collect);
      await page.goto(visit.url + path);
      await page.locator('#validators[data-state=fresh]').waitFor();
      await visit.quiet();
      page.off('request', collect);
      return [...paths].toSorted();
    };
    const asked = await pathsOf('/dashboard');
    expect(asked).toContain('/metrics');
    for (const [name, forged] of [
      ['address', '..'],
      ['address', '../flags?'],
      ['node', `NodeID-${'1'.repeat(30)}/activity`],
    ] as const) {
      expect(await pathsOf(`/dashboard?${new URLSearchParams({ [name]: forged })}`)).toEqual(asked);
      expect(await page.locator('#look-up-problem').textContent()).toMatch(/neither an address .* nor a node ID/);
      expect(await page.locator('[name=subject]').inputValue()).toBe(forged);
      expect(await page.locator('[name=subject]').getAttribute('aria-invalid')).toBe('true');
      expect(await page.locator('#yours').count()).toBe(0);
    }
    // It cannot be remembered, and the message is gone with the next look-up.
    expect(await page.locator('[name=remember]').count()).toBe(0);
    const [first = ''] = await stakers(1);
    await lookUp(page, first);
    await page.locator('#your-stake[data-state=fresh]').waitFor();
    expect(await page.locator('#look-up-problem').textContent()).toBe('');
  });

  test('rejects invalid input without a request, and shows why the API rejects an address, once', async () => {
    const { page } = visit;
    await page.clock.install();
    await visit.open('/dashboard');
    await lookUp(page, '0x12');
    expect(await page.locator('#look-up-problem').textContent()).toMatch(/neither an address .* nor a node ID/);
    expect(page.url()).not.toContain('address');
    const [first = ''] = await stakers(1);
    const wrongChecksum = first.replace(/[a-f]/, (letter) => letter.toUpperCase());
    await lookUp(page, wrongChecksum);
    await page.locator('#yours .problem').waitFor();
    // Requests in progress would be aborted and retried when the clock advances.
    await visit.quiet();
    expect(await page.locator('#yours .problem').textContent()).toMatch(
      /^A character of this address is wrong or missing\. Copy it again in full\. Details: .*checksum/,
    );
    // It would be rejected again, so the request is not repeated.
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().toLowerCase().includes(first.toLowerCase())) asked++;
    });
    await page.clock.runFor(61_000);
    await visit.quiet();
    expect(asked).toBe(0);
  });
});

describe('the refresh', () => {
  test('keeps the focus, typed text and the zoom', async () => {
    const { page } = visit;
    await page.clock.install();
    await visit.open('/dashboard');
    const canvas = page.locator('#rate .canvas');
    await canvas.scrollIntoViewIfNeeded();
    const { x, y, width } = (await canvas.boundingBox()) as { x: number; y: number; width: number };
    await page.mouse.move(x + width * 0.4, y + 100);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.7, y + 100, { steps: 4 });
    await page.mouse.up();
    const reset = page.locator('#rate').getByRole('button', { name: 'Reset zoom' });
    await reset.waitFor();
    const link = page.locator('#validators tbody tr').nth(2).locator('a').first();
    await link.focus();
    await page.fill('[name=subject]', '0xabc');
    await link.focus();
    await page.evaluate('document.activeElement.isThatOne = true');

    const refreshed = ['/metrics/history', '/validators?'].map((part) =>
      page.waitForResponse((response) => response.url().includes(part)),
    );
    await page.clock.runFor(61_000);
    await Promise.all(refreshed);
    await visit.quiet();
    expect(await page.evaluate('document.activeElement.isThatOne')).toBe(true);
    expect(await page.locator('[name=subject]').inputValue()).toBe('0xabc');
    expect(await reset.count()).toBe(1);
    await reset.click();
    expect(await reset.count()).toBe(0);
  });

  test('pauses while the page is hidden, and runs at once when it is visible again', async () => {
    const { page } = visit;
    await page.clock.install();
    await page.addInitScript(`
      Object.defineProperty(document, 'visibilityState', { get: () => (globalThis.isHidden ? 'hidden' : 'visible') });
    `);
    await visit.open('/dashboard');
    await visit.quiet();
    let asked = 0;
    page.on('request', () => asked++);
    await page.evaluate('isHidden = true');
    await page.clock.runFor(300_000);
    expect(asked).toBe(0);
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/metrics');
    await page.evaluate('isHidden = false; document.dispatchEvent(new Event("visibilitychange"))');
    await answered;
  });
});

/** Response time of the service in ms, long enough for all requests of a page to be sent. */
const RESPONSE_MS = 100;

/** Opens a page with a slow service. Returns the paths that it requests, in order, and how many ran at once at most. */
async function openSlowly(path: string): Promise<{ asked: string[]; most: number }> {
  const asked: string[] = [];
  let running = 0;
  let most = 0;
  await visit.page.route('**', async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.continue();
    asked.push(route.request().url().slice(visit.url.length));
    most = Math.max(most, ++running);
    await wait(RESPONSE_MS);
    const response = await route.fetch();
    running--;
    await route.fulfill({ response });
  });
  await visit.open(path);
  await visit.quiet();
  return { asked, most };
}

test('at most four requests run at once, because a new AWS account runs few functions, and all are answered', async () => {
  const { asked, most } = await openSlowly('/dashboard');
  expect(asked.length).toBeGreaterThan(10);
  expect(most).toBe(4);
  expect(visit.complaints).toEqual([]);
});

test('what a visitor has looked up comes before the rest of the page', async () => {
  const [{ stakerAddr }] = (await visit.json('/stakers?limit=1')).stakers;
  const { asked } = await openSlowly(`/dashboard?address=${stakerAddr}`);
  const own = asked.filter((path) => path.includes(stakerAddr));
  expect(own.length).toBeGreaterThan(4);
  expect(asked.slice(0, 3).every((path) => own.includes(path))).toBe(true);
  // Some are only sent after the first have been answered, but not after the rest of the page.
  expect(asked.indexOf(`/rewards/${stakerAddr}`)).toBeLessThan(10);
  expect(asked.length).toBeGreaterThan(15);
});
