import { describe, expect, test } from '@jest/globals';
import { titlesOf } from '../support/browser.ts';
import { type Body, useVisitors } from '../support/visitors.ts';

/**
 * A node operator's dashboard, compared with the API: everything at the address, the stake, claims and activity.
 */

const { visit, operator, fact } = useVisitors();

describe('a node operator', () => {
  visit.share(async () => `/dashboard?address=${(await operator()).stakerAddr}`);

  test('sees everything at the address in one table, with its value in all', async () => {
    const { stakerAddr } = await operator();
    const account = await visit.json(`/accounts/${stakerAddr}`);
    const card = visit.page.locator('#your-account');
    await card.locator('tbody tr').first().waitFor();
    const shown = await titlesOf(card.locator('td[data-label=Amount] [title]'));
    const { ggpStaked, ggpRewards } = account.staking;
    for (const amount of [account.ggAvax.balance, ggpStaked, ggpRewards].filter((one) => Number(one) > 0))
      expect(shown.some((title) => title?.startsWith(amount))).toBe(true);
    const total = await titlesOf(card.locator('p.quiet [title]'));
    expect(total[0]).toContain(account.totalAVAX);
  });

  test('sees stake, collateral, eligibility, rewards, and the claims with their total', async () => {
    const staker = await operator();
    const rewards = await visit.json(`/rewards/${staker.stakerAddr}`);
    expect((await fact('#your-stake', 'GGP staked')).full).toBe(`${staker.ggpStaked} GGP`);
    expect((await fact('#your-stake', 'Collateral')).shown).toMatch(/^\d+(\.\d+)?%$/);
    expect(await visit.page.locator('#your-stake .scale').textContent()).toBe(
      '0%150% collateral: more earns nothing extra',
    );
    expect((await fact('#your-stake', 'Eligible for rewards')).shown).toBe(rewards.eligible ? 'Yes' : 'Not yet');
    expect((await fact('#your-stake', 'Unclaimed rewards')).full).toBe(`${rewards.ggpRewards} GGP`);
    expect((await fact('#your-stake', 'Claimed in total')).full).toBe(`${rewards.claimedTotal} GGP`);
    const paid = visit.page.locator('#your-claims td[data-label="Paid out"] [title]');
    const amounts = rewards.claims.map(({ amount }: Body) => amount);
    expect(await titlesOf(paid)).toEqual(amounts.map((amount: string) => `${amount} GGP`));
    expect(await visit.page.locator('#your-claims').textContent()).toMatch(
      /Claimed in total: [\d,.]+ GGP in \d+ claims?\./,
    );
    // The CSV file has the same claims.
    const link = await visit.page.locator('#your-claims .csv').getAttribute('href');
    const csv = await (await fetch(`${visit.url}/${link}`)).text();
    const [head = [], ...lines] = csv
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    expect(lines.map((line) => line[head.indexOf('amount')])).toEqual(amounts);
  });

  test('finds no two parts of the page with the same name', async () => {
    const names = await visit.page.locator('section h3').allTextContents();
    expect(names).toEqual(expect.arrayContaining(['Your minipools', 'Stake']));
    expect(names).toEqual([...new Set(names)]);
  });

  test('sees the activity, newest first, and more of it on request', async () => {
    const { stakerAddr } = await operator();
    const { activity } = await visit.json(`/stakers/${stakerAddr}/activity?limit=64`);
    const rows = visit.page.locator('#your-activity tbody tr');
    const before = await rows.count();
    expect(before).toBeLessThanOrEqual(8);
    const answered = visit.page.waitForResponse(/activity\?limit=64/);
    await visit.page.locator('#your-activity').getByRole('button', { name: 'Show more' }).click();
    await answered;
    await visit.page.locator('#your-activity[aria-busy=false]').waitFor();
    const hashes = await titlesOf(rows.locator('td:last-child abbr'));
    // Every transaction is listed, in the order of the API.
    expect([...new Set(hashes)]).toEqual([...new Set(activity.map(({ txHash }: Body) => txHash))]);
  });
});

describe('a node operator whose answers are given', () => {
  test('is led from what can be taken now to how, and sees what each rewards cycle paid', async () => {
    const { stakerAddr } = await operator();
    const account = await visit.json(`/accounts/${stakerAddr}`);
    const withdrawals = { ...account.withdrawals, claimableAVAX: '3' };
    const [some] = account.availableNow;
    const entries = ['redeem', 'claimUnstake'].map((what) => ({ ...some, what, amount: '3', token: 'AVAX' }));
    const availableNow = [...account.availableNow, ...entries];
    const answer = { ...account, ggAvax: { balance: '2', avax: '2.4' }, withdrawals, availableNow };
    await visit.answer(`**/accounts/${stakerAddr}`, answer);
    const cycles = {
      ...(await visit.json(`/rewards/${stakerAddr}/cycles`)),
      cycles: [{ number: 21, startTime: 1_788_148_800, ggp: '11125.5', ggpInUSD: 0.5, usd: 5562.75 }],
    };
    await visit.answer(`**/rewards/${stakerAddr}/cycles`, cycles);
    await visit.open(`/dashboard?address=${stakerAddr}`);
    for (const what of ['ggAVAX', 'Claimable withdrawals', 'GGP rewards'])
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
    const card = visit.page.locator('#your-cycles');
    expect(await titlesOf(card.locator('td [title]:not(time)'))).toEqual([
      '11125.5 GGP',
      expect.stringContaining('5562.75'),
    ]);
    expect(await card.locator('.csv').getAttribute('href')).toBe(`rewards/${stakerAddr}/cycles?format=csv`);
  });

  test('sees that the claims are incomplete while not all blocks have been searched', async () => {
    const { stakerAddr } = await operator();
    const { claimedTotal, ...rewards } = await visit.json(`/rewards/${stakerAddr}`);
    expect(Number(claimedTotal)).toBeGreaterThan(0);
    const coverage = { fromBlock: 500, toBlock: 900, complete: false };
    await visit.answer(`**/rewards/${stakerAddr}`, { ...rewards, coverage });
    await visit.open(`/dashboard?address=${stakerAddr}`);
    const card = visit.page.locator('#your-claims');
    expect(await card.locator('.csv').count()).toBe(0);
    expect(await card.locator('.about').textContent()).toBe(
      'History is still loading. Indexed so far: blocks 500 to 900.',
    );
    expect(await card.textContent()).not.toContain('Claimed in total');
    expect(await visit.page.locator('#your-stake').textContent()).not.toMatch(/in \d+ claims?/);
    // The activity is complete.
    expect(await visit.page.locator('#your-activity .csv').textContent()).toBe('CSV');

    const none = { ...rewards, claims: [], coverage };
    await visit.answer(`**/rewards/${stakerAddr}`, none);
    await visit.open(`/dashboard?address=${stakerAddr}`);
    expect(await card.locator('.empty').textContent()).toBe('No claims were found in these blocks.');
  });
});
