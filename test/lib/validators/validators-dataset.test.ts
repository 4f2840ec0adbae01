import { expect, test } from '@jest/globals';
import { startAvalancheApi } from '../../../infra/devnet/avalanche-api.ts';
import type { DevnetValidator } from '../../../infra/devnet/devnet.ts';
import { withDatasets } from '../../../lib/cache/cache.ts';
import { validatorsDataset } from '../../../lib/validators/validators-dataset.ts';
import { startContainer } from '../../support/runtime.ts';
import { deadUrl, stoppedAfterEach } from '../../support/servers.ts';
import { tablesForEachTest } from '../../support/tables.ts';
import { answers, type Behaviour, onPage, rewrites, startDataApi } from './data-apis.ts';
import { network } from './network.ts';

const keep = stoppedAfterEach();

tablesForEachTest();

const container = (env: Record<string, string>) =>
  startContainer({ NETWORK: 'devnet', RPC_URLS: 'http://127.0.0.1:9', ...env });

test.each<[string, Behaviour]>([
  ['is a 500', answers(500)],
  ['has an unreadable record', rewrites((body) => ({ validators: [...body.validators, {}] }))],
])('the validators are read from the P-Chain if the second page of the Data API %s', async (_name, behaviour) => {
  const validators = network(250);
  const { url } = keep(await startDataApi(validators, onPage(2, behaviour)));
  const { pChainUrl } = keep(await startAvalancheApi({ validators }));
  const { opened, telemetry } = container({ DATA_API_URL: url, P_CHAIN_URLS: pChainUrl });
  const index = await validatorsDataset.read(withDatasets(opened, []));
  expect(index.source).toBe('p-chain');
  expect(index.validators.map(({ nodeID }) => nodeID)).toEqual(validators.map(({ nodeID }) => nodeID).toSorted());
  // 250 × 2,000 AVAX of their own, and 25 AVAX for each of 0 + 1 + … + 249 delegators.
  expect(index.totalStake).toBe(1_278_125_000_000_000n);
  expect(telemetry.attempts).toContain('p-chain-1 ok');
});

test('a validator that starts in 2096 is not active', async () => {
  const [first, ...others] = network(3);
  const year2096 = Date.UTC(2096, 0) / 1_000;
  const later = { ...(first as DevnetValidator), startTime: year2096, endTime: year2096 + 86_400 };
  const { url } = keep(await startDataApi([later, ...others]));
  const { opened } = container({ DATA_API_URL: url, P_CHAIN_URLS: await deadUrl() });
  const { validators } = await validatorsDataset.read(withDatasets(opened, []));
  expect(validators.map(({ nodeID }) => nodeID)).toEqual(others.map(({ nodeID }) => nodeID).toSorted());
});
