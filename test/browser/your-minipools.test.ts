import { describe, expect, test } from '@jest/globals';
import { parseNodeID } from '../../lib/values/cb58.ts';
import { DAY } from '../../lib/values/durations.ts';
import { type Body, MATCHED, TOO_LITTLE, useVisitors } from '../support/visitors.ts';

/** The minipools of a node operator on the dashboard, compared with the API. */

const { visit, operator } = useVisitors();

describe('a node operator', () => {
  test('sees what all the minipools have earned', async () => {
    const staker = await operator();
    const minipools = staker.minipools.slice(0, 2).map((minipool: Body, index: number) => ({
      ...minipool,
      avaxNodeOpLifetimeRewardAmt: ['1.25', '2.5'][index],
    }));
    expect(minipools.length).toBe(2);
    await visit.answer(`**/stakers/${staker.stakerAddr}`, { ...staker, minipools });
    await visit.open(`/dashboard?address=${staker.stakerAddr}`);
    expect(await visit.page.locator('#your-minipools > .quiet').textContent()).toBe(
      'Earned so far by these 2 minipools: 3.75 AVAX.',
    );
  });

  test('sees what went wrong with a minipool, and a link to its node', async () => {
    const { page } = visit;
    const { minipools } = await visit.json('/minipools?status=error&limit=1');
    const { owner, nodeID } = minipools[0];
    await visit.open(`/dashboard?address=${owner}`);
    const row = page.locator('#your-minipools tbody tr', { has: page.locator(`[title="${nodeID}"]`) });
    expect(await row.locator('td[data-label=Uptime]').textContent()).toBe('–');
    expect(await row.locator('td.wide').textContent()).toMatch(
      /^(The node was already|The node’s status could|Staking the AVAX failed)/,
    );
    await row.locator('td').first().locator('a').first().click();
    await page.locator('#your-minipool[data-state=fresh]').waitFor();
    expect(await page.locator('#summary').textContent()).toBe('This node is not validating.');
    expect(await page.locator('#your-minipool').textContent()).toMatch(MATCHED);
    // No empty card repeats it.
    expect(await page.locator('#your-validator').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Node');
  });

  test('sees that EC1 is no fault, what ended, and that finished minipools hold no AVAX', async () => {
    const { minipools } = await visit.json('/minipools?status=finished&limit=500');
    const { owner, nodeID, endTime } = minipools.find(({ errorCode }: Body) => errorCode === 'EC1');
    await visit.open(`/dashboard?address=${owner}`);
    const row = visit.page.locator('#your-minipools tbody tr', { has: visit.page.locator(`[title="${nodeID}"]`) });
    const ended = new Date(endTime * 1_000).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
    expect(await row.locator('td[data-label="End of all cycles"]').textContent()).toBe(`Ended ${ended}`);
    expect(await row.locator('td[data-label="Operator’s AVAX"]').textContent()).toBe('–');
    expect(await row.locator('td.wide').textContent()).toBe('Ended early: there was no time for another cycle.');
    expect(await row.locator('.problem').count()).toBe(0);
  });

  describe('is told what the announced last day for withdrawals precedes', () => {
    const NOW = Date.UTC(2026, 11, 1, 12) / 1_000;
    const LAST_SECOND = Date.UTC(2027, 0, 1) / 1_000 - 1;
    const LATE = 'after the announced end';
    /** Opens the view of an operator with these minipools, on 1 December 2026. Returns their nodes. */
    const open = async (minipools: object[], enabled: boolean, ggpLockedUntil: number) => {
      const staker = await operator();
      const nodes = (await visit.json(`/minipools?limit=${minipools.length}`)).minipools;
      const made = minipools.map((minipool, index) => ({
        ...{ ...staker.minipools[0], nodeID: nodes[index].nodeID, index: nodes[index].index, endTime: 0 },
        ...{ expectedEndTime: undefined, avaxNodeOpRewardAmt: '0', ggpSlashAmt: '0', errorCode: undefined },
        ...minipool,
      }));
      const rewards = await visit.json(`/rewards/${staker.stakerAddr}`);
      for (const [path, json] of [
        ['flags', { flags: { windDown: { enabled, withdrawalsUntil: '2026-12-31' } } }],
        [`stakers/${staker.stakerAddr}`, { ...staker, minipools: made }],
        ...made.map((minipool) => [`minipools/${minipool.nodeID}`, minipool] as const),
        [`rewards/${staker.stakerAddr}`, { ...rewards, ggpLockedUntil }],
        ['validators?*', { validators: [], total: 0, asOf: NOW }],
      ] as const)
        await visit.answer(`**/${path}`, json);
      await visit.page.clock.setFixedTime(NOW * 1_000);
      await visit.open(`/dashboard?address=${staker.stakerAddr}`);
      return made.map(({ nodeID }) => nodeID);
    };
    const remarksOn = (nodeID: string) =>
      visit.page
        .locator('#your-minipools tbody tr', { has: visit.page.locator(`[title="${nodeID}"]`) })
        .locator('td.wide');
    const lock = () =>
      visit.page.locator('#your-stake .facts > div', { hasText: 'Withdrawable GGP' }).locator('.aside').textContent();

    test('the end of a minipool and of a lock', async () => {
      const remarks = [
        `Its planned end is ${LATE}.`,
        `If it starts today, it ends on 1 Jan 2027, ${LATE}.`,
        '',
        '',
        '',
      ];
      const nodes = await open(
        [
          { status: 'staking', expectedEndTime: LAST_SECOND + 1 },
          { status: 'prelaunch', duration: 31 * DAY },
          { status: 'staking', expectedEndTime: LAST_SECOND },
          { status: 'prelaunch', duration: 30 * DAY },
          { status: 'withdrawable', expectedEndTime: LAST_SECOND + 1, endTime: NOW - 9, avaxNodeOpAmt: '0' },
        ],
        true,
        LAST_SECOND + 1,
      );
      const said = await Promise.all(nodes.map(async (node) => (await remarksOn(node).allTextContents()).join()));
      expect(said).toEqual(remarks);
      expect(await lock()).toBe(`locked until 1 Jan 2027, ${LATE}`);
      for (const [index, node] of nodes.slice(0, 3).entries()) {
        await visit.open(`/dashboard?node=${node}`);
        expect((await visit.page.locator('#your-minipool .remark').allTextContents()).join()).toBe(remarks[index]);
      }
    });

    test.each([
      [LAST_SECOND, true, 'locked until 31 Dec 2026'],
      [LAST_SECOND + 1, false, 'locked until 1 Jan 2027'],
    ])('not of a lock that ends at %d if withdrawals end: %j', async (lockedUntil, isEnding, said) => {
      await open([], isEnding, lockedUntil);
      expect(await lock()).toBe(said);
    });
  });

  test('sees what can be withdrawn or claimed now, and when the next reward is paid at the earliest', async () => {
    const { minipools } = await visit.json('/minipools?status=withdrawable&limit=1');
    const { owner, nodeID, avaxNodeOpAmt, avaxNodeOpRewardAmt } = minipools[0];
    const advice = /^The owner can withdraw ([\d,.]+) AVAX now\.$/;
    const amountOf = (text: string | null) => Number(advice.exec(text ?? '')?.[1]?.replaceAll(',', ''));
    const amount = Number(avaxNodeOpAmt) + Number(avaxNodeOpRewardAmt);
    await visit.open(`/dashboard?address=${owner}`);
    const row = visit.page.locator('#your-minipools tbody tr', { has: visit.page.locator(`[title="${nodeID}"]`) });
    expect(amountOf(await row.locator('td.wide').textContent())).toBeCloseTo(amount, 1);
    const { next } = await visit.json('/rewards/cycle');
    const stake = await visit.page.locator('#your-stake').textContent();
    const day = new Date(next.startsAt * 1_000).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
    expect(stake).toContain(`${day} or later, `);
    const { ggpRewards } = await visit.json(`/rewards/${owner}`);
    expect(stake?.includes('can be claimed now')).toBe(ggpRewards !== '0');
    await visit.open(`/dashboard?node=${nodeID}`);
    expect(amountOf(await visit.page.locator('#your-minipool > p', { hasText: 'withdraw' }).textContent())).toBeCloseTo(
      amount,
      1,
    );
    // What the contract's function takes.
    const hex = visit.page.locator('#your-minipool .facts > div', { hasText: 'Node ID in hex' });
    await hex.getByRole('button', { name: `Copy ${parseNodeID(nodeID)}` }).waitFor();
  });
});

test('an operator sees the uptime of each validating node, now and over time', async () => {
  const { validators } = await visit.json('/validators?protocol=true&sort=uptime&order=asc&limit=1');
  const { nodeID, uptimePercent, minipool } = validators[0];
  await visit.open(`/dashboard?address=${minipool.owner}`);
  const row = visit.page.locator('#your-minipools tbody tr', { has: visit.page.locator(`[title="${nodeID}"]`) });
  await row.locator(`td[data-label=Uptime] [title="${uptimePercent}%"]`).waitFor();
  // This is the validator with the lowest uptime, so its row also says what that costs.
  expect(await row.locator('td.wide').textContent()).toMatch(TOO_LITTLE);
});
