import { describe, expect, test } from '@jest/globals';
import { titlesOf } from '../support/browser.ts';
import { type Body, useVisitors } from '../support/visitors.ts';

/** What the dashboard shows of a node operator's claims and activity, compared with the API. */

const { visit, operator } = useVisitors();

describe('a node operator', () => {
  test('sees that the claims are incomplete while not all blocks have been searched', async () => {
    const { stakerAddr } = await operator();
    const { claimedTotal, ...rewards } = await visit.json(`/rewards/${stakerAddr}`);
    expect(Number(claimedTotal)).toBeGreaterThan(0);
    const coverage = { from: 500, to: 900, complete: false };
    await visit.answer(`**/rewards/${stakerAddr}`, { ...rewards, coverage });
    await visit.open(`/dashboard?address=${stakerAddr}`);
    const card = visit.page.locator('#your-claims');
    expect(await card.locator('.csv').count()).toBe(0);
    expect(await card.locator('.about').textContent()).toBe(
      'Covers blocks 500 to 900 so far; earlier blocks are still to be read',
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

  test('sees the activity, newest first, and more of it on request', async () => {
    const { stakerAddr } = await operator();
    await visit.open(`/dashboard?address=${stakerAddr}`);
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
