import { describe, expect, test } from '@jest/globals';
import { useVisitors } from '../support/visitors.ts';

/** The dashboard's calculator of rewards, compared with the API. */

const { visit, operator } = useVisitors();

describe('the calculator', () => {
  const reward = (ggpReward: string) => visit.page.locator(`#calculator [data-ggp-reward="${ggpReward}"]`);

  describe('with typed amounts', () => {
    visit.share('/dashboard');

    test("draws a curve that matches the API's numbers", async () => {
      const { page } = visit;
      const { ggpPriceInAVAX } = await visit.json('/rewards/byStake?ggpStaked=6000&avaxStaked=1000');
      await page.locator('#calculator .canvas').focus();
      const drawn = new Map<number, number>();
      for (let press = 0; press < 45; press++) {
        await page.keyboard.press('ArrowLeft');
        const said = (await page.locator('#calculator .tooltip').textContent()) ?? '';
        const [collateral, reward] = (said.match(/[\d.,]+/g) ?? []).map((number) => Number(number.replaceAll(',', '')));
        drawn.set(collateral as number, reward as number);
      }
      for (const collateral of [5, 10, 75, 150, 200]) {
        const ggpStaked = ((1_000 * collateral) / 100 / Number(ggpPriceInAVAX)) * (1 + 1e-9);
        const { ggpReward } = await visit.json(`/rewards/byStake?ggpStaked=${ggpStaked.toFixed(12)}&avaxStaked=1000`);
        const difference = (drawn.get(collateral) as number) - Number(ggpReward);
        expect({ collateral, close: Math.abs(difference) <= Number(ggpReward) * 1e-3 }).toEqual({
          collateral,
          close: true,
        });
      }
    });

    test('treats an empty field as nothing staked, not as a mistake', async () => {
      await visit.page.fill('[name=ggpStaked]', '');
      await reward('0').waitFor();
      expect(await visit.page.locator('#calculator').textContent()).toContain('so it earns nothing.');
      expect(await visit.page.locator('#calculator .canvas').count()).toBe(1);
    });

    test.each([
      [
        '0',
        /Total yield \(APY\)0%The GGP is worth less than 10% of the AVAX, so it earns nothing\. A minipool needs GGP/,
      ],
      [
        '6,000',
        /Total yield \(APY\)[\d.]+%AVAX per 15 days[\d.]+ AVAXLost if offline[\d.]+ GGPslashed if uptime is too low for a reward$/,
      ],
    ])('with %s GGP for 1,000 AVAX says of the AVAX reward what the total yield counts', async (ggpStaked, said) => {
      await visit.page.fill('[name=ggpStaked]', ggpStaked);
      await visit.page.locator('#calculator [data-ggp-reward]', { hasText: said }).waitFor();
    });

    test("shows the API's message with the field's name, and recovers with the next edit", async () => {
      const { page } = visit;
      await page.fill('[name=ggpStaked]', '1.000,50');
      const problem = page.locator('#calculator .problem');
      await problem.waitFor();
      expect(await problem.textContent()).toMatch(/^GGP to stake must be a decimal number .* like 6000\.5,/);
      await page.fill('[name=ggpStaked]', '7000');
      const { ggpReward } = await visit.json('/rewards/byStake?ggpStaked=7000&avaxStaked=1000');
      await reward(ggpReward).waitFor();
      expect(await problem.count()).toBe(0);
    });
  });

  test('sends one request for edits of both fields, as people type numbers', async () => {
    const { page } = visit;
    await page.clock.install();
    await visit.open('/dashboard');
    await page.clock.pauseAt(Date.now() + 60_000);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('byStake')) asked.push(new URL(request.url()).search);
    });
    await page.fill('[name=ggpStaked]', '54 321,5');
    await page.fill('[name=avaxStaked]', "2'000");
    await page.clock.runFor(500);
    const { ggpReward } = await visit.json('/rewards/byStake?ggpStaked=54321.5&avaxStaked=2000');
    await reward(ggpReward).waitFor();
    // A refresh of the amounts before may still have been under way.
    const edited = asked.filter((search) => search !== '?ggpStaked=6000&avaxStaked=1000');
    expect(edited).toEqual(['?ggpStaked=54321.5&avaxStaked=2000']);
  });

  test.each([
    [
      9,
      /^The GGP is worth less than 10% of the AVAX, so it earns nothing\. A minipool needs GGP worth 20% of the AVAX/,
    ],
    [15, /^A minipool needs GGP worth 20% of the AVAX, so no AVAX is earned\.$/],
  ])('where minipools need 20%% collateral, says of %i%%: %s', async (collateralPercent, said) => {
    const { page } = visit;
    const terms = await visit.json('/rewards/byStake?ggpStaked=6000&avaxStaked=1000');
    const short = { minCollateralPercent: 20, collateralPercent, reason: 'BELOW_MINIMUM_COLLATERAL' };
    await visit.answer('**/rewards/byStake?*', { ...terms, ...short });
    await visit.open('/dashboard');
    await page.locator('#calculator p', { hasText: said }).waitFor();
    // GGP earns from 10% on, whatever minipools need: the contract says so.
    await page.locator('#calculator .canvas').focus();
    const drawn: string[] = [];
    for (let press = 0; press < 42; press++) {
      await page.keyboard.press('ArrowLeft');
      drawn.push((await page.locator('#calculator .tooltip').textContent()) ?? '');
    }
    expect(drawn.find((text) => text.startsWith('Collateral 10%'))).not.toContain(' 0 GGP');
    expect(drawn.find((text) => text.startsWith('Collateral 5%'))).toContain(' 0 GGP');
  });

  test('takes over an operator’s stake, which then is not counted twice', async () => {
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
    // A refresh of the amounts before has no address.
    expect(asked.filter((search) => search.includes(stakerAddr))).toEqual([
      `?ggpStaked=${ggp}&avaxStaked=${avax}&address=${stakerAddr}`,
    ]);
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
});

test.each([
  [{}, 'No new minipools can be created: these figures apply to existing ones.'],
  [
    { prelaunch: 0, launched: 0, staking: 0 },
    'No new minipools can be created, and none is left: nobody can earn this now.',
  ],
])('says whom the figures concern if no minipools can be created, and there are %j', async (counts, sentence) => {
  const metrics = await visit.json('/metrics');
  await visit.answer('**/metrics', { ...metrics, minipools: { ...metrics.minipools, ...counts } });
  await visit.answer('**/flags', { flags: { minipoolCreation: { enabled: false } } });
  await visit.open('/dashboard');
  await visit.page.locator('#calculator p', { hasText: sentence }).waitFor();
});
