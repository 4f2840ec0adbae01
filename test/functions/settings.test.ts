import { expect, test } from '@jest/globals';
import { settings } from '../../functions/settings.ts';
import { SETTING_KEYS } from '../../infra/devnet/scenario/settings.ts';
import { formatAmount } from '../../lib/values/amounts.ts';
import { bodyFrom, sendTo } from '../support/events.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForEachTest } from '../support/tables.ts';
import { chainForAllTests, forkDevnet, setSetting, silence } from './devnet.ts';

tablesForEachTest();
const keep = stoppedAfterEach();
const chain = chainForAllTests();

/** Views of the DAO that are not named like the field. */
const VIEWS: Record<string, string> = {
  targetReservePercent: 'getTargetGGAVAXReserveRate',
  feePercent: 'getFeeBips',
  minipoolNodeCommissionFeePercent: 'getMinipoolNodeCommissionFeePct',
  expectedAVAXRewardsPercent: 'getExpectedAVAXRewardsRate',
  minCollateralPercent: 'getMinCollateralizationRatio',
  maxCollateralPercent: 'getMaxCollateralizationRatio',
};

/** Expects each number to be that of the contract: exact amounts, percentages, counts. */
async function expectSettings(numbers: Record<string, unknown>): Promise<void> {
  for (const [name, served] of Object.entries(numbers)) {
    const view = VIEWS[name] ?? `get${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const stored: bigint = await chain.read('ProtocolDAO', view);
    const percent = name === 'feePercent' ? Number(stored) / 100 : Number(stored / 10n ** 4n) / 1e12;
    const number = name.endsWith('Percent') ? percent : Number(stored);
    expect([name, served]).toEqual([name, typeof served === 'string' ? formatAmount(stored) : number]);
  }
}

test('every setting of the DAO is there, as the contract has it', async () => {
  const body = await bodyFrom(settings, startOnDevnet());
  const { block, distributionPercent, withdrawForDelegationEnabled, ...numbers } = body;
  expect(Object.keys(numbers).length + Object.keys(distributionPercent).length).toBe(SETTING_KEYS.length);
  await expectSettings(numbers);
  expect(withdrawForDelegationEnabled).toBe(true);
  expect(distributionPercent).toEqual({ ClaimNodeOp: 70, ClaimProtocolDAO: 20, MultisigManager: 10 });
});

test('a setting is that of its block, and none is made up where the contract does not answer', async () => {
  const fork = keep(await forkDevnet());
  const answer = async () =>
    (await sendTo(settings, startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' }))).body;
  await setSetting(fork, 'MinipoolNodeCommissionFeePct', 123_456_789_012_345_678n);
  expect((await answer()).minipoolNodeCommissionFeePercent).toBe(12.3456789012);
  await silence(fork, 'ProtocolDAO');
  expect(Object.keys(await answer())).toEqual(['block']);
});
