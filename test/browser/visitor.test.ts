import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { accessibilityFaults, isApi, layoutShift } from '../support/browser.ts';
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
    const coverage = { from: 500, to: 900, complete: false };
    await visit.answer(`**/ggAvax/${NOBODY}`, { ...position, coverage });
    await visit.open(`/dashboard?address=${NOBODY}`);
    await visit.page
      .locator('#summary', { hasText: 'Covers blocks 500 to 900 so far; earlier blocks are still to be read.' })
      .waitFor();
  });
});

describe('the summary lists what can be claimed or withdrawn now', () => {
  const NOW = 1_796_000_000;
  /** Opens the view of a staker with claimable rewards, withdrawable GGP and AVAX, and a funded request. */
  const open = async (flags: object, ggpLockedUntil = 0) => {
    const staker = await operator();
    const address = staker.stakerAddr;
    const rewards = await visit.json(`/rewards/${address}`);
    const ended = { status: 'withdrawable', avaxNodeOpAmt: '1010', avaxNodeOpRewardAmt: '2.5' };
    const minipools = staker.minipools.map((minipool: Body, index: number) =>
      index < 2 ? { ...minipool, ...ended } : minipool,
    );
    const request = { requestId: 1, requester: address, shares: '1', requestTime: NOW, claimableTime: NOW };
    const requests = [
      { ...request, status: 'fulfilled', expectedAssets: '30.5', allocatedFunds: '30.5', expirationTime: NOW + 9e6 },
      { ...request, requestId: 2, status: 'pending', expectedAssets: '7', allocatedFunds: '0', expirationTime: NOW },
    ];
    for (const [path, json] of [
      [`stakers/${address}`, { ...staker, minipools, collateralPercent: 160, ggpStaked: '80000' }],
      [`rewards/${address}`, { ...rewards, ggpRewards: '1234.5', effectiveGGPStaked: '75000', ggpLockedUntil }],
      [`withdrawals/${address}`, { requests, total: 2, block: { number: 1, timestamp: NOW } }],
      ['flags', { flags }],
    ] as const)
      await visit.answer(`**/${path}`, json);
    await visit.page.clock.setFixedTime(NOW * 1_000);
    await visit.open(`/dashboard?address=${address}`);
    return (await visit.page.locator('#summary').textContent()) ?? '';
  };

  test('from all cards, and until when', async () => {
    const windDown = { enabled: true, withdrawalsUntil: '2026-12-31' };
    expect(await open({ ggpRewardsClaims: { enabled: true }, withdrawQueue: { enabled: true }, windDown })).toBe(
      'Available now: 1,234.5 GGP of rewards; ≈ 5,000 GGP of the stake; 2,025 AVAX from 2 minipools; 30.5 AVAX from the withdrawal queue, until 31 Dec 2026. How to claim',
    );
    const followed = visit.page.waitForURL('**/docs/guide#claim-without-a-website');
    await visit.page.locator('#summary').getByRole('link', { name: 'How to claim' }).click();
    await followed;
    expect(await visit.page.locator(':target').textContent()).toBe('Claim without a website');
  });

  test('except for what is closed or locked', async () => {
    expect(await open({ ggpRewardsClaims: { enabled: false }, withdrawQueue: { enabled: false } }, NOW + 99)).toBe(
      'Available now: 2,025 AVAX from 2 minipools. How to claim',
    );
  });
});

test.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'the view in %s colours at %i px has no serious accessibility issues and no horizontal scrolling',
  async (colorScheme, width) => {
    const { stakerAddr, minipools } = await operator();
    await visit.reopen({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
    for (const query of [
      `address=${stakerAddr}`,
      `node=${minipools[0].nodeID}`,
      `address=${(await holder()).address}`,
    ]) {
      await visit.open(`/dashboard?${query}`);
      expect(await accessibilityFaults(visit.page)).toEqual([]);
      expect(await visit.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  },
);

// A window of 1280 px is 320 px wide at a zoom of 400 %.
test.each([320, 390, 720, 1080, 1440])('at %i px nothing is cut off, even with explorer links', async (width) => {
  const { stakerAddr, minipools } = await operator();
  await visit.reopen({ viewport: { width, height: 844 } });
  const health = await visit.json('/health');
  await visit.answer('**/health', { ...health, network: 'avalanche' });
  for (const query of [`address=${stakerAddr}`, `node=${minipools[0].nodeID}`, `address=${(await holder()).address}`]) {
    await visit.open(`/dashboard?${query}`);
    await visit.page.locator('#yours a[href^="https:"]').first().waitFor();
    const cut = await visit.page.evaluate(`
      [...document.querySelectorAll('.card, table, td, dd')]
        .filter((node) => node.scrollWidth > node.clientWidth + 1 || node.getBoundingClientRect().right > innerWidth)
        .map((node) => node.textContent)
    `);
    expect(cut).toEqual([]);
    expect(await visit.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }
});

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
    const shift = await layoutShift(visit.page);
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
    const shift = await layoutShift(visit.page);
    await visit.page.route(isApi, async (route) => {
      await setTimeout(3_000);
      await route.fallback().catch(() => {});
    });
    await visit.open(`/dashboard?${query}`);
    expect(await shift()).toBeLessThan(0.05);
  });
});

test('an operator finds no two parts of the page with the same name', async () => {
  const { stakerAddr } = await operator();
  await visit.open(`/dashboard?address=${stakerAddr}`);
  const names = await visit.page.locator('section h3').allTextContents();
  expect(names).toEqual(expect.arrayContaining(['Your minipools', 'Minipools']));
  expect(names).toEqual([...new Set(names)]);
});
