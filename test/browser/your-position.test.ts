import { describe, expect, test } from '@jest/globals';
import { useVisitors } from '../support/visitors.ts';

/** What the dashboard shows of a holder's ggAVAX, compared with the API. */

const { visit, holder, fact } = useVisitors();

describe('a holder of ggAVAX', () => {
  test('sees what was paid in and out, what the queue holds, and what it returned, which was not transferred in', async () => {
    const { address, position } = await holder();
    const told = async (changes: object) => {
      await visit.answer(`**/ggAvax/${address}?*`, { ...position, ...changes });
      await visit.open(`/dashboard?address=${address}`);
      const asideOf = async (name: string) => {
        const row = visit.page.locator('#your-position .facts > div', {
          has: visit.page.getByText(name, { exact: true }),
        });
        return row.locator('.aside').textContent();
      };
      const names = ['Deposited', 'Received', 'Transferred in'];
      const values = await Promise.all(names.map(async (name) => (await fact('#your-position', name)).full));
      return [...values, await asideOf('Received'), await asideOf('In the withdrawal queue')];
    };
    const waiting = { ggAvax: '25', expectedAVAX: '29.9', requests: 1 };
    const none = { ggAvax: '0', expectedAVAX: '0', requests: 0 };
    const transferredIn = '120.000000000000000003';
    const returned = '20.500000000000000001';
    const { deposited, receivedAVAX } = position;
    const paid = [`${deposited} AVAX`, `${receivedAVAX} AVAX`];
    const isPaid = 'redeemed or claimed';
    const newest = 'the newest blocks are still to be read';
    expect(await told({ transferredIn, returned, unstaking: waiting })).toEqual([
      ...[...paid, '99.500000000000000002 AVAX', isPaid, 'for 29.9 AVAX; returned as ggAVAX: 20.5 AVAX'],
    ]);
    expect(await told({ transferredIn, returned: '0', unstaking: waiting })).toEqual([
      ...[...paid, `${transferredIn} AVAX`, isPaid, 'for 29.9 AVAX'],
    ]);
    expect(await told({ transferredIn, returned, unstaking: none, partial: ['receivedAVAX'] })).toEqual([
      ...[...paid, '99.500000000000000002 AVAX', newest, 'returned as ggAVAX: 20.5 AVAX'],
    ]);
  });

  test('sees why the total reward is unknown', async () => {
    const { address, position } = await holder();
    const { rewardsAVAX: _, ...moving } = position;
    await visit.answer(`**/ggAvax/${address}?*`, moving);
    await visit.open(`/dashboard?address=${address}`);
    expect((await fact('#your-position', 'Earned in total')).shown).toBe('–');
    expect(await visit.page.locator('#your-position').textContent()).toContain(
      'the newest blocks are still to be read',
    );
  });

  test('sees small percentages as "< 0.01%", not as 0', async () => {
    const { address, position } = await holder();
    const small = { ...position, sharePercent: 0.00067, averageAprPercent: 0.004 };
    await visit.answer(`**/ggAvax/${address}?*`, small);
    await visit.open(`/dashboard?address=${address}`);
    const balance = visit.page.locator('#your-position .facts > div', { hasText: 'Balance' });
    expect(await balance.locator('.aside').textContent()).toBe('< 0.01% of all ggAVAX');
    expect(await fact('#your-position', 'Average yield (APR)')).toEqual({ shown: '< 0.01%', full: '0.004%' });
  });

  test('sees no dollar value, not even a dash, if the price is unknown', async () => {
    const { address, position } = await holder();
    const { usd, ...unpriced } = position;
    expect(usd).toBeGreaterThan(0);
    await visit.answer(`**/ggAvax/${address}?*`, unpriced);
    await visit.open(`/dashboard?address=${address}`);
    const worth = visit.page.locator('#your-position .facts > div', { hasText: 'Value' });
    expect(await worth.textContent()).toMatch(/^Value[\d,.]+ AVAX$/);
  });

  test('without a stake causes no request for one, which would show as an error in the console', async () => {
    const { address } = await holder();
    await visit.open(`/dashboard?address=${address}`);
    const notFound = visit.page.locator('#not-found');
    expect(await notFound.textContent()).toMatch(
      /^Not found: staked GGP, minipools and rewards\. Covers all blocks up to/,
    );
    expect(visit.complaints).toEqual([]);
    // What was found comes first.
    expect(await visit.page.locator('#summary').textContent()).toMatch(
      /^Available now: [\d,.]+ AVAX.*, in \d+ transactions?\.$/,
    );
    expect(await visit.page.locator('#yours > :last-child').getAttribute('id')).toBe('not-found');
  });

  test('does not see ggAVAX as not found if the request for it fails', async () => {
    const { address } = await holder();
    await visit.page.route(`**/ggAvax/${address}?*`, (route) =>
      route.fulfill({ status: 503, json: { detail: 'Not now.' } }),
    );
    await visit.open(`/dashboard?address=${address}`);
    await visit.page.locator('#your-position[data-state=error]').waitFor();
    expect(await visit.page.locator('#not-found').textContent()).not.toContain('ggAVAX');
  });
});
