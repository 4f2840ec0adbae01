import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { accessibilityFaults, isApi, isDrawn, layoutShift } from '../support/browser.ts';
import { type Body, NO_NODE, NOBODY, useVisitors } from '../support/visitors.ts';

/** The dashboard's view of an address or node: without any data, on all screen sizes, and while it loads. */

const { visit, holder, operator } = useVisitors();

describe('an address without any data', () => {
  test('gets one sentence that says what was looked for, and in which blocks', async () => {
    await visit.open(`/dashboard?address=${NOBODY}`);
    await visit.page.locator('#summary', { hasText: 'Covers all blocks' }).waitFor();
    expect(await visit.page.locator('#summary').textContent()).toMatch(
      /^Nothing was found for this address\. Looked for: ggAVAX, now or in the past; staked GGP, minipools and rewards; open withdrawals\. Covers all blocks up to \d+\. GGP in a wallet, not staked, is not looked up\.$/,
    );
    expect(await visit.page.locator('#yours .card').count()).toBe(0);
  });

  test('gets a sentence that names the blocks if not all have been searched', async () => {
    const position = await visit.json(`/ggAvax/${NOBODY}`);
    const coverage = { fromBlock: 500, toBlock: 900, complete: false };
    await visit.answer(`**/ggAvax/${NOBODY}?*`, { ...position, coverage });
    await visit.open(`/dashboard?address=${NOBODY}`);
    await visit.page
      .locator('#summary', { hasText: 'Covers blocks 500 to 900 so far; earlier blocks are still to be read.' })
      .waitFor();
  });
});

describe('what can be taken out now', () => {
  const entry = { amount: '1', token: 'AVAX', contract: NOBODY, function: 'claimUnstake(uint256)', arguments: ['7'] };
  const open = async (availableNow: object[] | undefined, requests: object[] = []) => {
    const { stakerAddr } = await operator();
    const account = await visit.json(`/accounts/${stakerAddr}`);
    const withdrawals = await visit.json(`/withdrawals/${stakerAddr}`);
    await visit.answer(`**/accounts/${stakerAddr}?*`, { ...account, availableNow });
    await visit.answer(`**/withdrawals/${stakerAddr}`, { ...withdrawals, requests });
    await visit.open(`/dashboard?address=${stakerAddr}`);
    return visit.page.locator('#your-available');
  };

  test('is summed up by token, and listed with the call and, for a withdrawal, until when', async () => {
    const request = (await visit.json('/withdrawals')).requests.find(({ status }: Body) => status === 'fulfilled');
    const alternative = { ...entry, what: 'cancelUnstake', amount: '25', token: 'ggAVAX' };
    const card = await open(
      [
        { ...entry, what: 'claimUnstake', amount: '30.5', alternative },
        { ...entry, what: 'soldTo', function: 'take(address,uint256)', arguments: [NOBODY, '5'] },
        { ...entry, what: 'claimRewards', amount: '1234.5', token: 'GGP', function: 'claimAndRestake(uint256)' },
      ],
      [{ ...request, requestId: 7, expirationTime: 1_800_000_000 }],
    );
    expect(await visit.page.locator('#summary').textContent()).toBe(
      'Available now: 31.5 AVAX, 1,234.5 GGP, in 3 transactions.',
    );
    expect(await card.locator('h4').allTextContents()).toEqual([
      'Claim a withdrawal30.5 AVAX until 15 Jan 2027',
      'soldTo1 AVAX',
      'Claim GGP rewards1,234.5 GGP',
    ]);
    expect(await card.locator('.quiet:not(.about)').allTextContents()).toEqual([
      'Or cancel it, which returns 25 ggAVAX.',
    ]);
    expect(await card.locator('.call').nth(1).locator('dt').allTextContents()).toEqual([
      'Contract',
      'Function',
      'Argument 1, address',
      'Argument 2, uint256',
    ]);
  });

  test('is shown step by step if it takes more than one transaction', async () => {
    const steps = ['withdraw(uint256)', 'redeemAVAX(uint256)'].map((name) => ({ ...entry, function: name }));
    const card = await open([{ ...entry, what: 'withdrawPstAvax', steps }]);
    expect(await card.locator('.call code').filter({ hasText: '(' }).allTextContents()).toEqual([
      'withdraw(uint256)',
      'redeemAVAX(uint256)',
    ]);
    expect(await visit.page.locator('#summary').textContent()).toBe('Available now: 1 AVAX, in 2 transactions.');
  });

  test('may be nothing', async () => {
    const card = await open([]);
    expect(await card.locator('.empty').textContent()).toBe('The contracts pay this address nothing at this block.');
    expect(await visit.page.locator('#summary').textContent()).toBe('Available now: nothing.');
  });

  test('may be unknown, which is not nothing', async () => {
    const card = await open(undefined);
    expect(await card.locator('.empty').textContent()).toMatch(/^The contracts could not be asked what they pay\./);
    expect(await visit.page.locator('#summary').textContent()).toBe('');
    const cells = await visit.page.locator('#your-account td[data-label="Available now"]').allTextContents();
    expect(new Set(cells)).toEqual(new Set(['–']));
  });

  test('leads to the steps that send a transaction', async () => {
    const card = await open([{ ...entry, what: 'claimUnstake' }]);
    const followed = visit.page.waitForURL('**/docs/guide#get-avax-back');
    await card.getByRole('link', { name: 'How to send one' }).click();
    await followed;
    expect(await visit.page.locator(':target + p + ol > li').count()).toBeGreaterThan(4);
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

  // Longer than the cards of a view wait for each other.
  test.each([
    ['an operator', 390],
    ['an operator', 1280],
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
