import { expect, jest, test } from '@jest/globals';
import { nodeOpSpread } from '../../functions/node-op-spread.ts';
import { rewardsByStake } from '../../functions/rewards/by-stake.ts';
import { withDatasets } from '../../lib/cache/cache.ts';
import { DEFAULT_FLAGS } from '../../lib/flags/flags.ts';
import { flagsDataset } from '../../lib/flags/flags-dataset.ts';
import { readRewardTerms } from '../../lib/protocol/operator-reward.ts';
import { bodyFrom, sendTo } from '../support/events.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { deadUrl } from '../support/servers.ts';
import { tablesForEachTest } from '../support/tables.ts';
import { forkDevnet, pause } from './devnet.ts';

tablesForEachTest();

test('min and max are those of /rewards/byStake for 1,000 AVAX at 10 % and 150 % collateral', async () => {
  const runtime = startOnDevnet();
  const body = await bodyFrom(nodeOpSpread, runtime);
  expect(body).toMatchObject({ min: { collateralPercent: 10 }, max: { collateralPercent: 150 }, avaxStaked: 1_000 });
  for (const { ggpStaked, apy, collateralPercent } of [body.min, body.max]) {
    const query = { ggpStaked: String(ggpStaked), avaxStaked: '1000' };
    const { body: byStake } = await sendTo(rewardsByStake, runtime, { query });
    expect(byStake.collateralPercent).toBeCloseTo(collateralPercent, 6);
    expect(byStake).toMatchObject({ eligible: true, apy, block: body.block });
    expect(apy).toBeGreaterThan(0);
  }
  expect(body.max.ggpStaked / body.min.ggpStaked).toBeCloseTo(15, 9);
});

test('without the P-Chain, yields are omitted and listed in partial', async () => {
  const { status, headers, body } = await sendTo(nodeOpSpread, startOnDevnet({ P_CHAIN_URLS: await deadUrl() }));
  expect(status).toBe(200);
  expect(body.partial).toEqual(['min.apy', 'max.apy']);
  expect(body.min).not.toHaveProperty('apy');
  expect(body.max.ggpStaked).toBeGreaterThan(0);
  expect(headers['Cache-Control']).toContain('max-age=15,');
});

test('without the P-Chain, /rewards/byStake omits the AVAX reward and the totals, and lists them in partial', async () => {
  const query = { ggpStaked: '3000', avaxStaked: '1000' };
  const byStake = (env: Record<string, string>) => sendTo(rewardsByStake, startOnDevnet(env), { query });
  const { body: whole } = await byStake({ CACHE_TABLE: 'no-cache' });
  const { body } = await byStake({ P_CHAIN_URLS: await deadUrl(), CACHE_TABLE: 'no-cache' });
  const { avaxReward, apy, aprPercent, ...rest } = whole;
  expect([typeof avaxReward.perCycle, typeof apy, typeof aprPercent]).toEqual(['string', 'number', 'number']);
  const [partial, why] = [['avaxReward', 'apy', 'aprPercent'], 'SOURCE_UNAVAILABLE'];
  const reasons = Object.fromEntries(partial.map((field) => [field, why]));
  expect(body).toEqual({ ...rest, partial, reasons });
});

test('both say whether new minipools can be created: by the flag, and by the pause', async () => {
  const fork = await forkDevnet();
  try {
    const openOf = async (enabled: boolean) => {
      const runtime = startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' });
      const deployed = { ...DEFAULT_FLAGS, environment: 'test', flags: { minipoolCreation: { enabled } } };
      const read = jest.spyOn(flagsDataset, 'read').mockResolvedValue(deployed);
      const { isOpen } = await readRewardTerms(withDatasets(runtime.opened, []));
      read.mockRestore();
      return isOpen;
    };
    expect([await openOf(true), await openOf(false)]).toEqual([true, false]);
    await pause(fork, 'MinipoolManager');
    expect(await openOf(true)).toBe(false);
    const query = { ggpStaked: '3000', avaxStaked: '1000' };
    const runtime = startOnDevnet();
    const bodies = [sendTo(nodeOpSpread, runtime), sendTo(rewardsByStake, runtime, { query })];
    for (const { body } of await Promise.all(bodies)) expect(body.open).toBe(false);
  } finally {
    await fork.stop();
  }
});
