import { expect, test } from '@jest/globals';
import { settings } from '../../functions/settings.ts';
import { SETTING_KEYS } from '../../infra/devnet/scenario/settings.ts';
import { bodyFrom, sendTo } from '../support/events.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForEachTest } from '../support/tables.ts';
import { expectTrue, forkDevnet, setSetting, silence } from './devnet.ts';

tablesForEachTest();
const keep = stoppedAfterEach();

test('every setting of the DAO is there, as the contract has it', async () => {
  const body = await bodyFrom(settings, startOnDevnet());
  const { block, distributionPercent, withdrawForDelegationEnabled, ...numbers } = body;
  expect(Object.keys(numbers).length + Object.keys(distributionPercent).length).toBe(SETTING_KEYS.length);
  await expectTrue('/settings', body);
});

test('a setting is that of its block, and none is made up where the contract does not answer', async () => {
  const fork = keep(await forkDevnet());
  const answer = async () =>
    (await sendTo(settings, startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' }))).body;
  await setSetting(fork, 'MinipoolNodeCommissionFeePct', 123_456_789_012_345_678n);
  await expectTrue('/settings', await answer(), fork.url);
  await silence(fork, 'ProtocolDAO');
  expect(Object.keys(await answer())).toEqual(['block']);
});
