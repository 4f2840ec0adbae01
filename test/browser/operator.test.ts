import { describe, expect, test } from '@jest/globals';
import type { Route } from 'playwright-core';
import { titlesOf } from '../support/browser.ts';
import { type Body, TOO_LITTLE, useVisitors } from '../support/visitors.ts';

/** What the dashboard shows of a node operator's stake and minipools, compared with the API. */

const { visit, operator, fact } = useVisitors();

describe('a node operator', () => {
  test('sees the stake even if not all blocks have been searched', async () => {
    const { stakerAddr, ggpStaked } = await operator();
    const coverage = { from: 500, to: 900, complete: false };
    await visit.answer(`**/stakers/${stakerAddr}/activity?*`, { activity: [], coverage });
    await visit.open(`/dashboard?address=${stakerAddr}`);
    expect((await fact('#your-stake', 'GGP staked')).full).toBe(`${ggpStaked} GGP`);
  });

  test('sees stake, collateral, eligibility, rewards, and the claims with their total', async () => {
    const staker = await operator();
    const rewards = await visit.json(`/rewards/${staker.stakerAddr}`);
    await visit.open(`/dashboard?address=${staker.stakerAddr}`);
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

  test.each([
    [{ collateralPercent: 150 }, {}, 'None', 'only the part above 150% collateral'],
    [{ collateralPercent: 160, ggpStaked: '80000' }, {}, '≈ 5,000 GGP', 'the part above 150% collateral'],
    [{ collateralPercent: undefined }, {}, '–', 'the part above 150% collateral'],
    [{}, { ggpLockedUntil: 4_102_444_800 }, 'None', 'locked until 1 Jan 2100, after the last day for withdrawals'],
    [{ avaxAssigned: '0', ggpStaked: '1234.5' }, {}, '1,234.5 GGP', ''],
  ])('with %j %j sees how much GGP can be withdrawn: %s', async (stake, reward, shown, why) => {
    const staker = await operator();
    const rewards = await visit.json(`/rewards/${staker.stakerAddr}`);
    // The GGP is not locked, and AVAX is assigned to it.
    expect([rewards.ggpLockedUntil, staker.avaxAssigned === '0']).toEqual([0, false]);
    for (const [path, json] of [
      ['stakers', { ...staker, ...stake }],
      ['rewards', { ...rewards, ...reward }],
    ] as const)
      await visit.answer(`**/${path}/${staker.stakerAddr}`, json);
    await visit.open(`/dashboard?address=${staker.stakerAddr}`);
    const name = 'Withdrawable GGP';
    expect((await fact('#your-stake', name)).shown).toBe(shown);
    const row = visit.page.locator('#your-stake .facts > div', { hasText: name });
    expect(await row.textContent()).toBe(`${name}${shown}${why}`);
  });

  describe('whose GGP can be withdrawn sees what that costs of the next reward', () => {
    /** The remark about a staker, the same in the summary and in the card; undefined if there is none. */
    const remark = async ({ stakerAddr }: Body) => {
      await visit.open(`/dashboard?address=${stakerAddr}`);
      const summary = (await visit.page.locator('#summary').textContent()) ?? '';
      const [said] = await visit.page.locator('#your-stake .remark').allTextContents();
      expect(/Withdrawing.*$/.exec(summary)?.[0]).toBe(said);
      return said;
    };
    const stakerWith = async (isWanted: (staker: Body) => boolean) => {
      const { stakers } = await visit.json('/stakers?limit=500');
      return stakers.find(isWanted);
    };
    const number = (text: string | undefined) => Number(text?.replaceAll(',', ''));

    test('all of it, if all minipools have ended since the last payout', async () => {
      const staker = await stakerWith(
        ({ avaxAssigned, estimatedGGPReward }: Body) => avaxAssigned === '0' && Number(estimatedGGPReward) > 0,
      );
      const { next } = await visit.json('/rewards/cycle');
      const date = new Date(next.startsAt * 1_000).toLocaleDateString('en-GB', {
        dateStyle: 'medium',
        timeZone: 'UTC',
      });
      const [, amount, payout, cost] =
        /^Withdrawing ([\d,.]+) GGP of the stake before the next payout \((.*)\) gives up about ([\d,.]+) GGP of reward; withdrawing less gives up less\.$/.exec(
          (await remark(staker)) ?? '',
        ) ?? [];
      expect(number(amount) / Number(staker.ggpStaked)).toBeCloseTo(1, 4);
      expect(payout).toBe(`${date} or later`);
      expect(number(cost) / Number(staker.estimatedGGPReward)).toBeCloseTo(1, 4);
    });

    test('a part of it, if some have, beyond what never counted', async () => {
      const staker = await stakerWith(
        ({ avaxAssigned, avaxValidatingHighWater, collateralPercent, estimatedGGPReward }: Body) =>
          collateralPercent > 150 &&
          Number(avaxValidatingHighWater) > Number(avaxAssigned) &&
          estimatedGGPReward !== '0',
      );
      const [, amount, cost, spare] =
        /^Withdrawing about ([\d,.]+) GGP of .* gives up about ([\d,.]+) GGP of reward; the first ≈ ([\d,.]+) GGP give up nothing\.$/.exec(
          (await remark(staker)) ?? '',
        ) ?? [];
      // The API's reward for the rest of the stake and the same validating AVAX, in place of this stake.
      const rewardAfter = async (withdrawn: number) => {
        const rest = (Number(staker.ggpStaked) - withdrawn).toFixed(6);
        const { ggpReward } = await visit.json(
          `/rewards/byStake?ggpStaked=${rest}&avaxStaked=${staker.avaxValidatingHighWater}&address=${staker.stakerAddr}`,
        );
        return Number(ggpReward);
      };
      const reward = Number(staker.estimatedGGPReward);
      expect((reward - (await rewardAfter(number(amount)))) / number(cost)).toBeCloseTo(1, 2);
      expect((await rewardAfter(number(spare) - 1)) / reward).toBeCloseTo(1, 10);
      expect(reward - (await rewardAfter(number(spare) + 100))).toBeGreaterThan(1);
    });

    test('the reward of the current cycle, while that has not been paid out', async () => {
      const staker = await stakerWith(
        ({ avaxAssigned, estimatedGGPReward }: Body) => avaxAssigned === '0' && Number(estimatedGGPReward) > 0,
      );
      const rewards = await visit.json(`/rewards/${staker.stakerAddr}`);
      await visit.answer(`**/rewards/${staker.stakerAddr}`, { ...rewards, undistributedGGPReward: '1234.5' });
      expect(await remark(staker)).toMatch(
        /before the next payout \(for the current cycle\) gives up about 1,234\.5 GGP of reward/,
      );
    });

    test('nothing, if only what does not count can be withdrawn', async () => {
      const staker = await stakerWith(
        ({ avaxAssigned, avaxValidatingHighWater, collateralPercent, ggpLockedUntil }: Body) =>
          collateralPercent > 150 && avaxValidatingHighWater === avaxAssigned && ggpLockedUntil === 0,
      );
      expect(await remark(staker)).toBeUndefined();
      expect(await visit.page.locator('#summary').textContent()).toContain('GGP of the stake');
    });

    test('nothing, if no reward is due', async () => {
      const staker = await stakerWith(
        ({ ggpStaked, avaxAssigned, estimatedGGPReward }: Body) =>
          ggpStaked !== '0' && avaxAssigned === '0' && estimatedGGPReward === '0',
      );
      expect(await remark(staker)).toBeUndefined();
    });
  });

  test('sees the DAO’s maximum collateral for rewards, without a request beyond the calculator’s', async () => {
    const staker = await operator();
    const { page } = visit;
    const terms = await visit.json('/rewards/byStake?ggpStaked=6000&avaxStaked=1000');
    expect(terms.maxCollateralPercent).toBe(150);
    await visit.answer('**/rewards/byStake?*', { ...terms, maxCollateralPercent: 120 });
    await visit.answer(`**/stakers/${staker.stakerAddr}`, { ...staker, collateralPercent: 160, ggpStaked: '80000' });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/byStake|nodeOpSpread/.test(request.url())) asked.push(request.url());
    });
    await visit.open(`/dashboard?address=${staker.stakerAddr}`);
    const said = await page.locator('#your-stake').textContent();
    expect(said).toContain('160%rewards start at 10%, peak at 120%');
    expect(said).toContain('≈ 20,000 GGPthe part above 120% collateral');
    expect(said).toContain('120% collateral: more earns nothing extra');
    expect(said).not.toContain('150%');
    expect(await page.locator('#your-stake meter').getAttribute('max')).toBe('120');
    expect(asked.length).toBe(1);
  });

  test('sees the rest of the stake if the maximum collateral for rewards is unknown', async () => {
    const { stakerAddr, ggpStaked } = await operator();
    const refused = { status: 503, json: { detail: 'Not now.' } };
    await visit.page.route('**/rewards/byStake?*', (route) => route.fulfill(refused));
    await visit.open(`/dashboard?address=${stakerAddr}`);
    expect((await fact('#your-stake', 'GGP staked')).full).toBe(`${ggpStaked} GGP`);
    expect((await fact('#your-stake', 'Withdrawable GGP')).shown).toBe('–');
    const said = await visit.page.locator('#your-stake').textContent();
    expect(said).toContain('rewards start at 10%');
    expect(said).not.toMatch(/peak|undefined/);
    expect(await visit.page.locator('#your-stake meter').count()).toBe(0);
  });

  test('just below the minimum collateral sees that nothing is earned, and how much GGP is missing', async () => {
    const { stakers } = await visit.json('/stakers?limit=500');
    // To the contract, eligibility depends on time only.
    const staker = stakers.find(
      ({ collateralPercent, eligible }: Body) => collateralPercent && collateralPercent < 10 && eligible,
    );
    const short = { ...staker, minipools: [], collateralPercent: 9.998, minimumGGPStake: '5000', ggpStaked: '4998.5' };
    await visit.answer(`**/stakers/${staker.stakerAddr}`, short);
    await visit.open(`/dashboard?address=${staker.stakerAddr}`);
    expect((await fact('#your-stake', 'Collateral')).shown).toBe('9.99%');
    expect((await fact('#your-stake', 'Eligible for rewards')).shown).toBe('No');
    expect(await visit.page.locator('#your-stake').textContent()).toContain('collateral is below 10%');
    expect(await visit.page.locator('#your-stake .problem').textContent()).toBe(', 1.5 GGP short');
  });

  test('without a validating minipool since the last payout sees that as the reason, and unknown minipools as such', async () => {
    const { stakerAddr } = await operator();
    const [staker, rewards] = [await visit.json(`/stakers/${stakerAddr}`), await visit.json(`/rewards/${stakerAddr}`)];
    const over = { ...rewards, rewardsStartTime: 0, eligible: false, eligibleAt: undefined, sharePercent: 0 };
    await visit.answer(`**/rewards/${stakerAddr}`, over);
    await visit.answer(`**/stakers/${stakerAddr}`, { ...staker, minipools: undefined });
    await visit.open(`/dashboard?address=${stakerAddr}`);
    const row = visit.page.locator('#your-stake .facts > div', { hasText: 'Eligible for rewards' });
    expect(await row.textContent()).toContain('Nono minipool has validated since the last payout');
    expect(await visit.page.locator('#your-minipools .empty').textContent()).toBe(
      'The minipools of this address are unknown at the moment.',
    );
  });

  test('sees a dash while eligibility is unknown', async () => {
    const { stakerAddr } = await operator();
    const { eligible: _, ...rewards } = await visit.json(`/rewards/${stakerAddr}`);
    await visit.answer(`**/rewards/${stakerAddr}`, rewards);
    await visit.open(`/dashboard?address=${stakerAddr}`);
    expect((await fact('#your-stake', 'Eligible for rewards')).shown).toBe('–');
  });

  test('without minipools sees neither collateral nor the next payment', async () => {
    const { stakers } = await visit.json('/stakers?limit=500');
    const { stakerAddr } = stakers.find(
      ({ avaxAssigned, estimatedGGPReward, ggpStaked }: Body) =>
        avaxAssigned === '0' && estimatedGGPReward === '0' && ggpStaked !== '0',
    );
    await visit.open(`/dashboard?address=${stakerAddr}`);
    const card = visit.page.locator('#your-stake');
    expect(await card.locator('meter').count()).toBe(0);
    expect(await card.textContent()).not.toMatch(/minimum|plus|or later|in 0 claims/);
  });

  test('without a price of GGP sees unknown collateral, not that no AVAX is assigned', async () => {
    const { collateralPercent, minimumGGPStake, ...staker } = await operator();
    expect([typeof collateralPercent, typeof minimumGGPStake]).toEqual(['number', 'string']);
    const { stakers, total } = await visit.json('/stakers');
    const unpriced = stakers.map(({ collateralPercent: _, ...others }: Body) => others);
    await visit.answer(`**/stakers/${staker.stakerAddr}`, staker);
    await visit.answer('**/stakers?*', { stakers: unpriced, total });
    await visit.open(`/dashboard?address=${staker.stakerAddr}`);
    expect((await fact('#your-stake', 'Collateral')).shown).toBe('–');
    expect(await visit.page.locator('#your-stake meter').count()).toBe(0);
    expect(await visit.page.locator('#your-stake').textContent()).not.toContain('minimum');
    const assigned = stakers.filter(({ avaxAssigned }: Body) => avaxAssigned !== '0').length;
    const bars = visit.page.locator('#collateral .bars li');
    expect(await bars.filter({ hasText: 'Unknown' }).locator('.number').textContent()).toBe(String(assigned));
    const none = await bars.filter({ hasText: 'No AVAX assigned' }).locator('.number').textContent();
    expect(none).toBe(String(total - assigned));
  });

  test('can calculate with the own stake, which then is not counted twice', async () => {
    const { page } = visit;
    const { stakerAddr, ggpStaked, avaxAssigned } = await operator();
    await visit.open(`/dashboard?address=${stakerAddr}`);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('byStake')) asked.push(new URL(request.url()).search);
    });
    const card = page.locator('#calculator');
    await card.getByRole('button', { name: 'Use this address’s stake' }).click();
    const note = card.locator('p', { hasText: 'replace the stake of this address' });
    await note.waitFor();
    const [ggp, avax] = [ggpStaked, avaxAssigned].map((amount) => String(Math.round(Number(amount) * 100) / 100));
    expect(asked).toEqual([`?ggpStaked=${ggp}&avaxStaked=${avax}&address=${stakerAddr}`]);
    const { estimatedGGPReward } = await visit.json(`/rewards/${stakerAddr}`);
    const shown = await card.locator('[data-ggp-reward]').getAttribute('data-ggp-reward');
    expect(Number(shown) / Number(estimatedGGPReward)).toBeCloseTo(1, 4);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Use this address’s stake');

    // Changed amounts still replace it, until the address is closed.
    await page.fill('[name=ggpStaked]', '7,000');
    const changed = await visit.json(`/rewards/byStake?ggpStaked=7000&avaxStaked=${avax}&address=${stakerAddr}`);
    await card.locator(`[data-ggp-reward="${changed.ggpReward}"]`).waitFor();
    await page.getByRole('link', { name: 'Close' }).click();
    const added = await visit.json(`/rewards/byStake?ggpStaked=7000&avaxStaked=${avax}`);
    await card.locator(`[data-ggp-reward="${added.ggpReward}"]`).waitFor();
    expect(await note.count()).toBe(0);
    expect(await card.getByRole('button', { name: 'Use this' }).count()).toBe(0);
  });

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
    expect(await page.locator('#summary').textContent()).toBe('This node is not validating now.');
    // No empty card and no empty chart repeat it.
    expect(await page.locator('#your-validator').count()).toBe(0);
    expect(await page.locator('#your-uptime .empty').textContent()).toBe('No uptime was recorded in this period.');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Node');
  });

  test('sees that EC1 is no fault, what ended, and that finished minipools hold no AVAX', async () => {
    const { minipools } = await visit.json('/minipools?status=finished&limit=500');
    const { owner, nodeID, endTime } = minipools.find(({ errorCode }: Body) => errorCode === 'EC1');
    await visit.open(`/dashboard?address=${owner}`);
    const row = visit.page.locator('#your-minipools tbody tr', { has: visit.page.locator(`[title="${nodeID}"]`) });
    const ended = new Date(endTime * 1_000).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
    expect(await row.locator('td[data-label="Planned end"]').textContent()).toBe(`Ended ${ended}`);
    expect(await row.locator('td[data-label="Operator’s AVAX"]').textContent()).toBe('–');
    expect(await row.locator('td.wide').textContent()).toBe('Ended early: there was no time for another cycle.');
    expect(await row.locator('.problem').count()).toBe(0);
    // The end of the current validation has another name.
    const headings = await visit.page.locator('#validators th').allTextContents();
    expect(headings).toEqual(expect.arrayContaining(['Cycle ends']));
  });

  describe('is told what the announced last day for withdrawals precedes', () => {
    const NOW = Date.UTC(2026, 11, 1, 12) / 1_000;
    const LAST_SECOND = Date.UTC(2027, 0, 1) / 1_000 - 1;
    const LATE = 'after the last day for withdrawals';
    /** Opens the view of an operator with one minipool, on 1 December 2026. */
    const open = async (minipool: object, enabled = true, ggpLockedUntil = 0) => {
      const staker = await operator();
      const made = { ...staker.minipools[0], endTime: 0, expectedEndTime: undefined, ...minipool };
      const rewards = await visit.json(`/rewards/${staker.stakerAddr}`);
      for (const [path, json] of [
        ['flags', { flags: { windDown: { enabled, withdrawalsUntil: '2026-12-31' } } }],
        [`stakers/${staker.stakerAddr}`, { ...staker, minipools: [made] }],
        [`minipools/${made.nodeID}`, made],
        [`rewards/${staker.stakerAddr}`, { ...rewards, ggpLockedUntil }],
        ['validators?*', { validators: [], total: 0, asOf: NOW }],
      ] as const)
        await visit.answer(`**/${path}`, json);
      await visit.page.clock.setFixedTime(NOW * 1_000);
      await visit.open(`/dashboard?address=${staker.stakerAddr}`);
      return made.nodeID;
    };

    test.each([
      [{ status: 'staking', expectedEndTime: LAST_SECOND }, ''],
      [{ status: 'staking', expectedEndTime: LAST_SECOND + 1 }, `Its planned end is ${LATE}.`],
      [{ status: 'prelaunch', duration: 30 * 86_400 }, ''],
      [{ status: 'prelaunch', duration: 31 * 86_400 }, `If it starts today, it ends on 1 Jan 2027, ${LATE}.`],
      [{ status: 'withdrawable', expectedEndTime: LAST_SECOND + 1, endTime: NOW - 9, avaxNodeOpAmt: '0' }, ''],
    ])('a minipool’s end: %j: %s', async (minipool, remark) => {
      const nodeID = await open({ avaxNodeOpRewardAmt: '0', ggpSlashAmt: '0', errorCode: undefined, ...minipool });
      const notes = visit.page.locator('#your-minipools td.wide');
      expect((await notes.allTextContents()).join()).toBe(remark);
      await visit.open(`/dashboard?node=${nodeID}`);
      expect((await visit.page.locator('#your-minipool .remark').allTextContents()).join()).toBe(remark);
    });

    test.each([
      [LAST_SECOND, true, 'locked until 31 Dec 2026'],
      [LAST_SECOND + 1, true, `locked until 1 Jan 2027, ${LATE}`],
      [LAST_SECOND + 1, false, 'locked until 1 Jan 2027'],
    ])('the end of a lock: %d %j: %s', async (lockedUntil, isEnding, said) => {
      await open({}, isEnding, lockedUntil);
      const row = visit.page.locator('#your-stake .facts > div', { hasText: 'Withdrawable GGP' });
      expect(await row.locator('.aside').textContent()).toBe(said);
    });
  });

  test('finds no two parts of the page with the same name', async () => {
    const { stakerAddr } = await operator();
    await visit.open(`/dashboard?address=${stakerAddr}`);
    const names = await visit.page.locator('section h3').allTextContents();
    expect(names).toEqual(expect.arrayContaining(['Your minipools', 'Minipools']));
    expect(names).toEqual([...new Set(names)]);
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
    const day = new Date(next.startsAt * 1_000).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
    expect(stake).toContain(`${day} 2026 or later, `);
    const { ggpRewards } = await visit.json(`/rewards/${owner}`);
    expect(stake?.includes('can be claimed now')).toBe(ggpRewards !== '0');
    await visit.open(`/dashboard?node=${nodeID}`);
    expect(amountOf(await visit.page.locator('#your-minipool > p', { hasText: 'withdraw' }).textContent())).toBeCloseTo(
      amount,
      1,
    );
  });

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

test('an operator sees the uptime of each validating node, now and over time', async () => {
  const { validators } = await visit.json('/validators?protocol=true&sort=uptime&order=asc&limit=1');
  const { nodeID, uptimePercent, minipool } = validators[0];
  await visit.open(`/dashboard?address=${minipool.owner}`);
  const row = visit.page.locator('#your-minipools tbody tr', { has: visit.page.locator(`[title="${nodeID}"]`) });
  await row.locator(`td[data-label=Uptime] [title="${uptimePercent}%"]`).waitFor();
  await row.locator('td svg[aria-label^="Uptime from "]').waitFor();
  // This is the validator with the lowest uptime, so its row also says what that costs.
  expect(await row.locator('td.wide').textContent()).toMatch(TOO_LITTLE);
});

test('an uptime that arrives for another card while a row is rendered is shown in the row, too', async () => {
  const { page } = visit;
  const { validators } = await visit.json('/validators?protocol=true&sort=uptime&order=asc&limit=1');
  const [{ nodeID, minipool }] = validators;
  const asked = { staker: Promise.withResolvers<Route>(), uptimes: Promise.withResolvers<Route>() };
  await page.route(
    ({ pathname }) => pathname === `/stakers/${minipool.owner}`,
    (route) => asked.staker.resolve(route),
  );
  await page.route(`**/validators/${nodeID}/history?*`, (route) => asked.uptimes.resolve(route));
  await page.clock.install();
  await page.goto(`${visit.url}/dashboard?address=${minipool.owner}`);
  const [staker, uptimes] = await Promise.all([asked.staker.promise, asked.uptimes.promise]);
  // From now on, a component that is rendered subscribes to responses only when the clock advances.
  await page.clock.pauseAt(Date.now() + 1_000);
  await staker.fallback();
  const rowIn = (table: string) => page.locator(`${table} tbody tr`, { has: page.locator(`[title="${nodeID}"]`) });
  const own = rowIn('#your-minipools');
  await own.locator('td[data-label=Uptime] [title]').waitFor();
  await uptimes.fallback();
  await rowIn('#validators').locator('svg[aria-label^="Uptime from "]').waitFor();
  await page.clock.resume();
  await own.locator('svg[aria-label^="Uptime from "]').waitFor();
});
