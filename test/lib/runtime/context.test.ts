import { expect, test } from '@jest/globals';
import { TABLE_NAMES } from '../../../infra/local/dynamodb.ts';
import { createServices } from '../../../lib/api/services.ts';
import { Cache, withDatasets } from '../../../lib/cache/cache.ts';
import { startContainer } from '../../support/runtime.ts';
import { recordingTelemetry } from '../../support/telemetry.ts';

const settings = { NETWORK: 'devnet', RPC_URLS: 'http://127.0.0.1:9', ...TABLE_NAMES };

test('services are opened once for a context, also for the copies that requests get', () => {
  const { opened } = startContainer(settings);
  expect(withDatasets(opened, [])).toMatchObject({ chain: opened.chain, ledger: opened.ledger });
  const another = createServices(opened.config, recordingTelemetry());
  for (const name of ['cache', 'chain', 'history', 'ledger', 'flags', 'pChain', 'dataApi'] as const)
    expect(another[name]).not.toBe(opened[name]);
});

test('services that are given replace the opened ones, also for other services', async () => {
  const { opened } = startContainer(settings);
  const { config, telemetry, ledger } = opened;
  const cache = new Cache('test', undefined, telemetry);
  await cache.value('addresses', { freshSeconds: 60 }, async () => 'cached');
  const given = createServices(config, telemetry, { cache, ledger });
  expect(given).toMatchObject({ cache, ledger });
  expect((await given.chain.latest()).addresses).toBe('cached');
});
