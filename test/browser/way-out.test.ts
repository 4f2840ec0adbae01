import { describe, expect, test } from '@jest/globals';
import { parseEther } from 'ethers';
import { type Body, NOBODY, useVisitors } from '../support/visitors.ts';

/** The dashboard's ways to get AVAX back, compared with the API. */

const { visit, holder } = useVisitors();

const routes = () => visit.page.locator('#way-out .routes li');
const headings = async () =>
  (await routes().locator('h4').allTextContents()).map((text) => text.replace(/(it).*/, '$1'));

/** Opens the dashboard of a holder without pending withdrawals, with changes to the API's responses. */
async function open({ redemption, estimate = {}, flags }: { redemption?: object; estimate?: object; flags?: object }) {
  const { address, position } = await holder();
  const unstaking = { ggAvax: '0', expectedAVAX: '0', requests: 0 };
  const body = await visit.json(`/withdrawals/${address}`);
  const answer = await visit.json(`/withdrawals/estimate?ggAvax=${position.ggAvax}`);
  await visit.answer(`**/ggAvax/${address}`, { ...position, unstaking, ...(redemption && { redemption }) });
  await visit.answer(`**/withdrawals/${address}`, { ...body, requests: [], total: 0 });
  await visit.answer('**/withdrawals/estimate?*', { ...answer, ...estimate });
  if (flags) await visit.answer('**/flags', { flags });
  await visit.open(`/dashboard?address=${address}`);
  return { position, answer };
}

describe.each([390, 1280])('on a screen of %i pixels', (width) => {
  test('a holder sees at once what can be redeemed, and the call to copy', async () => {
    await visit.reopen({ viewport: { width, height: 844 }, permissions: ['clipboard-read', 'clipboard-write'] });
    const { address, position } = await holder();
    await visit.open(`/dashboard?address=${address}`);
    const summary = visit.page.locator('#summary');
    expect(await summary.textContent()).toMatch(/^Available now: [\d,.]+ AVAX, in \d transactions?\.$/);
    const { y = 0, height = 0 } = (await summary.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(844);
    // The first card.
    expect(await visit.page.locator('#yours .card').first().getAttribute('id')).toBe('your-available');
    const { contract, arguments: given, data } = (await visit.json(`/accounts/${address}`)).availableNow[0];
    const first = visit.page.locator('#your-available li').first();
    expect(await first.locator('h4').textContent()).toMatch(/^Redeem ggAVAX[\d,.]+ AVAX$/);
    expect(await first.locator('code').allTextContents()).toEqual([
      contract,
      'redeemAVAX(uint256)',
      ...given,
      `${data.slice(0, 10)}…`,
    ]);
    for (const text of [contract, 'redeemAVAX', String(parseEther(position.redemption.ggAvax)), data]) {
      await first.getByRole('button', { name: `Copy ${text}` }).click();
      expect(await visit.page.evaluate('navigator.clipboard.readText()')).toBe(text);
    }
    expect(visit.complaints).toEqual([]);
  });
});

test.each([390, 1280])(
  'while everything is paused, a holder sees at once what is paid all the same, at %i px',
  async (width) => {
    await visit.reopen({ viewport: { width, height: 844 } });
    const { address, position } = await holder();
    const [metrics, pool, cycle] = await Promise.all(['/metrics', '/ggAvax', '/rewards/cycle'].map(visit.json));
    const account = await visit.json(`/accounts/${address}`);
    const estimate = await visit.json(`/withdrawals/estimate?ggAvax=${position.ggAvax}`);
    const [canceled] = account.availableNow.filter(({ what }: Body) => what === 'cancelUnstake');
    const redemption = { open: false, availableAVAX: '0', reason: 'PAUSED' };
    const refused = estimate.routes.map(({ route }: Body) => ({ route, available: false, reason: 'PAUSED' }));
    await visit.answer('**/metrics', { ...metrics, status: 'paused' });
    await visit.answer('**/rewards/cycle', { ...cycle, paused: true });
    const withdrawQueue = { ...pool.withdrawQueue, paused: true };
    await visit.answer('**/ggAvax', { ...pool, paused: true, redemption, withdrawQueue });
    await visit.answer(`**/ggAvax/${address}`, {
      ...position,
      redemption: { ...redemption, ggAvax: '0', avax: '0' },
    });
    await visit.answer('**/withdrawals/estimate?*', { ...estimate, routes: refused });
    const kept = { ...canceled, steps: undefined, amount: '999.5', token: 'ggAVAX' };
    await visit.answer(`**/accounts/${address}`, { ...account, availableNow: [kept] });
    await visit.open(`/dashboard?address=${address}`);
    // Empty until all that it is made of has been loaded.
    await visit.page.locator('#notice[data-state=ending]').waitFor();
    expect(await visit.page.locator('#notice').textContent()).toContain(
      'Some contracts are paused: no redemptions of ggAVAX, new withdrawal requests, deposits or new rewards cycles. Look up an address to see what it can still withdraw.',
    );
    const summary = visit.page.locator('#summary');
    expect(await summary.textContent()).toBe('Available now: 999.5 ggAVAX, in 1 transaction.');
    const { y = 0, height = 844 } = (await summary.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(844);
    expect(await visit.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const cells = visit.page.locator('#your-account td[data-label="Available now"]');
    expect(await cells.allTextContents()).toEqual(['nothing', '999.5 ggAVAX Withdraw']);
    expect(await visit.page.locator('#way-out .empty').textContent()).toBe('Not possible at the moment.');
  },
);

test('a queue with overdue requests comes last, and is not to be relied on', async () => {
  const { address } = await holder();
  await visit.open(`/dashboard?address=${address}`);
  expect(await headings()).toEqual(['Redeem it', 'Sell it', 'Request it']);
  expect(await routes().last().locator('.remark').textContent()).toMatch(
    /^Payment is not guaranteed\. 1 request is overdue/,
  );
});

test('what is not liquid is not promised', async () => {
  const { position } = await open({ redemption: { open: true, ggAvax: '12.5', avax: '14.25' } });
  const text = await routes().first().textContent();
  expect(text).toContain('14.25 AVAX at once');
  expect(text).toMatch(/Of [\d,.]+ ggAVAX, 12\.5 ggAVAX can be redeemed now: the pool has no more AVAX to pay out\./);
  expect(position.redemption.ggAvax).not.toBe('12.5');
});

const CLOSED = { open: false, ggAvax: '0', avax: '0', reason: 'CLOSED' };
const QUEUE = { route: 'queue', available: true, avax: '5', service: { overdueRequests: 0 } };
const POOR = { route: 'redeem', available: false, ggAvax: '0', avax: '0' };

test.each([
  [
    CLOSED,
    [QUEUE, { ...POOR, reason: 'CLOSED' }],
    ['Request it'],
    /^Not possible now: to redeem it, which only the withdrawal queue may do\.$/,
  ],
  [
    { ...CLOSED, reason: 'PAUSED' },
    [
      { ...QUEUE, available: false, reason: 'PAUSED' },
      { ...POOR, reason: 'PAUSED' },
    ],
    [],
    /^Not possible now: to request it, because the queue is paused; to redeem it, because the token is paused\.$/,
  ],
  [
    { ...CLOSED, open: true, reason: 'NO_LIQUIDITY' },
    [QUEUE, { ...POOR, reason: 'NO_LIQUIDITY' }, { route: 'market', available: false, reason: 'NO_POOL' }],
    ['Request it'],
    /^Not possible now: to redeem it, because all of the pool’s AVAX is staked; to sell it, because no exchange has a pool for it\.$/,
  ],
  // Without a redemption, redeeming is not offered.
  [undefined, [QUEUE, { ...POOR, available: true, avax: '5' }], ['Request it'], /to redeem it\.$/],
])('with the redemption %j, no way is shown that the chain refuses', async (redemption, given, shown, refused) => {
  const { address, position } = await holder();
  const { redemption: _, ...known } = position;
  const answer = await visit.json(`/withdrawals/estimate?ggAvax=${position.ggAvax}`);
  await visit.answer(`**/ggAvax/${address}`, { ...known, redemption });
  await visit.answer('**/withdrawals/estimate?*', { ...answer, routes: given });
  await visit.open(`/dashboard?address=${address}`);
  expect(await headings()).toEqual(shown);
  expect(await visit.page.locator('#way-out > .quiet').textContent()).toMatch(refused);
  const nothing = visit.page.locator('#way-out .empty');
  expect(await nothing.count()).toBe(shown.length === 0 ? 1 : 0);
});

test('who has nothing sees no way out', async () => {
  await visit.open(`/dashboard?address=${NOBODY}`);
  expect(await visit.page.locator('#way-out').count()).toBe(0);
});

test('on mainnet, each contract has a link to the form that sends the transaction', async () => {
  const { address } = await holder();
  await visit.answer('**/health', { ...(await visit.json('/health')), network: 'avalanche' });
  await visit.open(`/dashboard?address=${address}`);
  const call = visit.page.locator('#your-available .call').first();
  const contract = await call.locator('code').first().textContent();
  const link = call.getByRole('link', { name: 'Write contract' });
  expect(await link.getAttribute('href')).toBe(
    `https://snowtrace.io/address/${contract}/contract/43114/writeContract?chainid=43114`,
  );
});
