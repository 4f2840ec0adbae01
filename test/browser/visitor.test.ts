import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { accessibilityFaults, isApi, isDrawn, layoutShift } from '../support/browser.ts';
import { NO_NODE, NOBODY, useVisitors } from '../support/visitors.ts';

/** The dashboard's view of an address or node: without any data, on all screen sizes, and while it loads. */

const { visit, holder, operator } = useVisitors();

describe('an address without any data', () => {
  test('gets one sentence that names what was looked for', async () => {
    await visit.open(`/dashboard?address=${NOBODY}`);
    await visit.page.locator('#summary', { hasText: 'Nothing was found' }).waitFor();
    expect(await visit.page.locator('#summary').textContent()).toMatch(
      /^Nothing was found for this address\. Looked for: ggAVAX, now or in the past; staked GGP, minipools and rewards; open withdrawals\. GGP in a wallet is not looked up\.$/,
    );
    expect(await visit.page.locator('#yours .card').count()).toBe(0);
  });

  test('gets a sentence that names the blocks if not all have been searched', async () => {
    const position = await visit.json(`/ggAvax/${NOBODY}`);
    const coverage = { fromBlock: 500, toBlock: 900, complete: false };
    await visit.answer(`**/ggAvax/${NOBODY}`, { ...position, coverage });
    await visit.open(`/dashboard?address=${NOBODY}`);
    await visit.page
      .locator('#summary', { hasText: 'History is still loading. Indexed so far: blocks 500 to 900.' })
      .waitFor();
  });
});

test.each(['an operator', 'a node', 'a holder'])(
  'the view of %s has no serious accessibility issues, and nothing is cut off at any width, even with explorer links',
  async (whose) => {
    const { stakerAddr, minipools } = await operator();
    const query = {
      'an operator': `address=${stakerAddr}`,
      'a node': `node=${minipools[0].nodeID}`,
      'a holder': `address=${(await holder()).address}`,
    }[whose];
    await visit.reopen({ bypassCSP: true });
    const { page } = visit;
    await visit.answer('**/health', { ...(await visit.json('/health')), network: 'avalanche' });
    await visit.open(`/dashboard?${query}`);
    await page.locator('#yours a[href^="https:"]').first().waitFor();
    // A window of 1280 px is 320 px wide at a zoom of 400 %.
    for (const width of [320, 390, 720, 1080, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      await isDrawn(page);
      const cut = await page.evaluate(`
        [...document.querySelectorAll('.card, table, td, dd')]
          .filter((node) => node.scrollWidth > node.clientWidth + 1 || node.getBoundingClientRect().right > innerWidth)
          .map((node) => node.textContent)
      `);
      const scrolled = await page.evaluate('document.documentElement.scrollWidth');
      expect({ width, cut, scrolled }).toEqual({ width, cut: [], scrolled: width });
    }
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await isDrawn(page);
    expect(await accessibilityFaults(page)).toEqual([]);
  },
);

describe('the layout does not shift while the page loads', () => {
  const subjects = {
    'a holder': async () => `address=${(await holder()).address}`,
    'an operator': async () => `address=${(await operator()).stakerAddr}`,
    'an address without any data': () => `address=${NOBODY}`,
    'a validating node': async () =>
      `node=${(await visit.json('/validators?protocol=true&limit=1')).validators[0].nodeID}`,
    'a node that failed': async () =>
      `node=${(await visit.json('/minipools?status=error&limit=1')).minipools[0].nodeID}`,
    'a node that never existed': () => `node=${NO_NODE}`,
  };
  test.each(
    Object.entries(subjects).flatMap(([name, queryOf]) => [390, 1280].map((width) => [name, width, queryOf] as const)),
  )('for %s, at %i px', async (_, width, queryOf) => {
    const query = await queryOf();
    await visit.reopen({ viewport: { width, height: 900 } });
    const shift = await layoutShift(visit);
    await visit.open(`/dashboard?${query}`);
    expect(await shift()).toBeLessThan(0.05);
  });

  // Longer than the time for which the cards of a view wait for each other.
  test.each([
    ['an operator', 390],
    ['an address without any data', 1280],
  ] as const)('for %s, at %i px, if every response takes three seconds', async (name, width) => {
    const query = await subjects[name]();
    await visit.reopen({ viewport: { width, height: 900 } });
    const shift = await layoutShift(visit);
    await visit.page.route(isApi, async (route) => {
      await setTimeout(3_000);
      await route.fallback().catch(() => {});
    });
    await visit.open(`/dashboard?${query}`);
    expect(await shift()).toBeLessThan(0.05);
  });
});
