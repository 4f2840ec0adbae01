import { describe, expect, test } from '@jest/globals';
import { titlesOf } from '../support/browser.ts';
import { type Body, useVisitors } from '../support/visitors.ts';

/** What the dashboard shows of everything that an address has, compared with the API. */

const { visit, operator } = useVisitors();

describe('a node operator', () => {
  test('sees everything at the address in one table, with its value in all', async () => {
    const { stakerAddr } = await operator();
    const account = await visit.json(`/accounts/${stakerAddr}`);
    await visit.open(`/dashboard?address=${stakerAddr}`);
    const card = visit.page.locator('#your-account');
    await card.locator('tbody tr').first().waitFor();
    const shown = await titlesOf(card.locator('td[data-label=Amount] [title]'));
    const { ggpStaked, ggpRewards } = account.staking;
    for (const amount of [account.ggAvax.balance, ggpStaked, ggpRewards].filter((one) => Number(one) > 0))
      expect(shown.some((title) => title?.startsWith(amount))).toBe(true);
    const total = await titlesOf(card.locator('p.quiet [title]'));
    expect(total[0]).toContain(account.totalAVAX);
  });

  test('is led from what can be taken now to how', async () => {
    const { stakerAddr } = await operator();
    const account = await visit.json(`/accounts/${stakerAddr}`);
    const withdrawals = { ...account.withdrawals, claimableAVAX: '3' };
    const [some] = account.availableNow;
    const entries = ['redeem', 'claimUnstake'].map((what) => ({ ...some, what, amount: '3', token: 'AVAX' }));
    const availableNow = [...account.availableNow, ...entries];
    const answer = { ...account, ggAvax: { balance: '2', avax: '2.4' }, withdrawals, availableNow };
    await visit.answer(`**/accounts/${stakerAddr}?*`, answer);
    await visit.open(`/dashboard?address=${stakerAddr}`);
    for (const what of ['ggAVAX', 'Withdrawals to claim', 'GGP rewards'])
      expect(
        await visit.page
          .locator('#your-account tbody tr', { hasText: what })
          .getByRole('link')
          .first()
          .getAttribute('href'),
      ).toBe('#your-available');
    expect(
      await visit.page.locator('#your-account tr', { hasText: 'AVAX in minipools' }).getByRole('link').count(),
    ).toBe(0);
  });

  test('sees what each rewards cycle paid', async () => {
    const { stakerAddr } = await operator();
    const answer = {
      ...(await visit.json(`/rewards/${stakerAddr}/cycles`)),
      cycles: [{ number: 21, startTime: 1_788_148_800, ggp: '11125.5', ggpInUSD: 0.5, usd: 5562.75 }],
    };
    await visit.answer(`**/rewards/${stakerAddr}/cycles`, answer);
    await visit.open(`/dashboard?address=${stakerAddr}`);
    const card = visit.page.locator('#your-cycles');
    expect(await titlesOf(card.locator('td [title]:not(time)'))).toEqual([
      '11125.5 GGP',
      expect.stringContaining('5562.75'),
    ]);
    expect(await card.locator('.csv').getAttribute('href')).toBe(`rewards/${stakerAddr}/cycles?format=csv`);
  });
});

test('the yield by source is that of the API, the newest month first', async () => {
  const { points } = await visit.json('/metrics/yield/history?interval=1mo');
  await visit.open('/dashboard');
  const rows = visit.page.locator('#yield-sources tbody tr');
  await rows.first().waitFor();
  expect(await rows.count()).toBe(points.length);
  const net = await titlesOf(rows.locator('td[data-label=Net] [title]'));
  expect(net.map((title: string | null) => Number.parseFloat(title ?? ''))).toEqual(
    points.toReversed().map(({ net_yield_avax }: Body) => net_yield_avax),
  );
});
