import { describe, expect, test } from '@jest/globals';
import { type Body, useVisitors } from '../support/visitors.ts';

/** The stake of a node operator and its rewards on the dashboard, compared with the API. */

const { visit, operator, fact } = useVisitors();

describe('a node operator', () => {
  const CLAIM = 'can be claimed now';
  const ABOVE = 'the part above 150% collateral';
  test.each([
    [{}, {}, '0', '0 GGP', ABOVE, CLAIM],
    [{}, { restakingPaused: true }, '5000', '5,000 GGP', ABOVE, `${CLAIM}, but only in full: restaking is paused`],
    [{}, {}, undefined, '–', ABOVE, CLAIM],
    [{}, { ggpLockedUntil: 4_102_444_800 }, '0', 'None', 'locked until 1 Jan 2100, after the announced end', CLAIM],
    [{ avaxAssigned: '0' }, {}, '1234.5', '1,234.5 GGP', '', CLAIM],
  ])(
    'with %j %j sees how much GGP can be withdrawn, %s, and claimed',
    async (stake, reward, ggp, shown, why, claim) => {
      const staker = await operator();
      const rewards = await visit.json(`/rewards/${staker.stakerAddr}`);
      const account = await visit.json(`/accounts/${staker.stakerAddr}`);
      // The GGP is not locked, and AVAX is assigned to it.
      expect([rewards.ggpLockedUntil, staker.avaxAssigned === '0']).toEqual([0, false]);
      for (const [path, json] of [
        ['stakers', { ...staker, ...stake }],
        ['rewards', { ...rewards, ggpRewards: '12.5', ...reward }],
        ['accounts', { ...account, staking: { ...account.staking, ggpWithdrawable: ggp } }],
      ] as const)
        await visit.answer(`**/${path}/${staker.stakerAddr}*`, json);
      await visit.open(`/dashboard?address=${staker.stakerAddr}`);
      const row = (name: string) => visit.page.locator('#your-stake .facts > div', { hasText: name });
      expect((await fact('#your-stake', 'Withdrawable GGP')).shown).toBe(shown);
      expect(await row('Withdrawable GGP').textContent()).toBe(`Withdrawable GGP${shown}${why}`);
      expect(await row('Unclaimed rewards').locator('.aside').textContent()).toBe(claim);
    },
  );

  describe('whose GGP can be withdrawn sees what that costs of the next reward', () => {
    /** The remark about a staker, next to what is available and nowhere else; undefined if there is none. */
    const remark = async ({ stakerAddr }: Body) => {
      await visit.open(`/dashboard?address=${stakerAddr}`);
      const summary = (await visit.page.locator('#summary').textContent()) ?? '';
      const said = /Withdrawing.*$/.exec(summary)?.[0];
      const page = (await visit.page.locator('main').textContent()) ?? '';
      expect(page.split('of the stake before the next payout')).toHaveLength(said ? 2 : 1);
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
        /^Withdrawing ([\d,.]+) GGP of .* gives up about ([\d,.]+) GGP of reward; the first ≈ ([\d,.]+) GGP give up nothing\.$/.exec(
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
      expect(await visit.page.locator('#your-available').textContent()).toContain('Withdraw staked GGP');
    });

    test('nothing, if no reward is due', async () => {
      const staker = await stakerWith(
        ({ ggpStaked, avaxAssigned, estimatedGGPReward }: Body) =>
          ggpStaked !== '0' && avaxAssigned === '0' && estimatedGGPReward === '0',
      );
      expect(await remark(staker)).toBeUndefined();
    });
  });

  test('sees the DAO’s maximum collateral for rewards', async () => {
    const staker = await operator();
    const { page } = visit;
    const settings = await visit.json('/settings');
    expect(settings.maxCollateralPercent).toBe(150);
    await visit.answer('**/settings', { ...settings, maxCollateralPercent: 120 });
    await visit.answer(`**/stakers/${staker.stakerAddr}`, { ...staker, collateralPercent: 160 });
    await visit.open(`/dashboard?address=${staker.stakerAddr}`);
    const said = await page.locator('#your-stake').textContent();
    expect(said).toContain('160%rewards start at 10%, peak at 120%');
    expect(said).toContain('the part above 120% collateral');
    expect(said).toContain('120% collateral: more earns nothing extra');
    expect(said).not.toContain('150%');
    expect(await page.locator('#your-stake meter').getAttribute('max')).toBe('120');
  });

  test('sees the rest of the stake if the maximum collateral for rewards is unknown', async () => {
    const { stakerAddr, ggpStaked } = await operator();
    const refused = { status: 503, json: { detail: 'Not now.' } };
    await visit.page.route('**/settings', (route) => route.fulfill(refused));
    await visit.open(`/dashboard?address=${stakerAddr}`);
    expect((await fact('#your-stake', 'GGP staked')).full).toBe(`${ggpStaked} GGP`);
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
      'The minipools of this address are not available at the moment.',
    );
  });

  test('sees a dash while eligibility is unknown, and the stake even if not all blocks have been searched', async () => {
    const { stakerAddr, ggpStaked } = await operator();
    const { eligible: _, ...rewards } = await visit.json(`/rewards/${stakerAddr}`);
    await visit.answer(`**/rewards/${stakerAddr}`, rewards);
    const coverage = { fromBlock: 500, toBlock: 900, complete: false };
    await visit.answer(`**/stakers/${stakerAddr}/activity?*`, { activity: [], coverage });
    await visit.open(`/dashboard?address=${stakerAddr}`);
    expect((await fact('#your-stake', 'Eligible for rewards')).shown).toBe('–');
    expect((await fact('#your-stake', 'GGP staked')).full).toBe(`${ggpStaked} GGP`);
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
    await visit.answer(`**/stakers/${staker.stakerAddr}`, staker);
    await visit.open(`/dashboard?address=${staker.stakerAddr}`);
    expect((await fact('#your-stake', 'Collateral')).shown).toBe('–');
    expect(await visit.page.locator('#your-stake meter').count()).toBe(0);
    expect(await visit.page.locator('#your-stake').textContent()).not.toContain('minimum');
  });
});
