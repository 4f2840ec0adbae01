import { expect, test } from '@jest/globals';
import { settings } from '../../functions/settings.ts';
import { SETTING_KEYS } from '../../infra/devnet/scenario/settings.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { send } from '../support/events.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForEachTest } from '../support/tables.ts';
import { forkDevnet, setSetting, silence } from './devnet.ts';

tablesForEachTest();
const keep = stoppedAfterEach();

test('every setting of the DAO is there, in the units of the API', async () => {
  const { status, body } = await send(createHandler(settings, startOnDevnet()));
  expect(status).toBe(200);
  const { block, distributionPercent, withdrawForDelegationEnabled, ...numbers } = body;
  expect(Object.keys(numbers).length + Object.keys(distributionPercent).length).toBe(SETTING_KEYS.length);
  expect(numbers).toMatchObject({
    ...{ inflationIntervalRate: '1.0001336806171135', feePercent: 10, minipoolMinAVAXStakingAmt: '2000' },
    ...{ minipoolCycleDuration: 1_296_000, minCollateralPercent: 10, maxCollateralPercent: 150 },
  });
  expect(distributionPercent).toEqual({ ClaimNodeOp: 70, ClaimProtocolDAO: 20, MultisigManager: 10 });
  expect(withdrawForDelegationEnabled).toBe(true);
  expect(block.number).toBeGreaterThan(0);
});

test('a setting is that of its block, and none is made up where the contract does not answer', async () => {
  const fork = keep(await forkDevnet());
  const answer = async () =>
    (await send(createHandler(settings, startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' })))).body;
  await setSetting(fork, 'MinipoolNodeCommissionFeePct', 123_456_789_012_345_678n);
  expect((await answer()).minipoolNodeCommissionFeePercent).toBe(12.3456789012);
  await silence(fork, 'ProtocolDAO');
  expect(Object.keys(await answer())).toEqual(['block']);
});
