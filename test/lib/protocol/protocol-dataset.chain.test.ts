import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Devnet, startDevnet } from '../../../infra/devnet/devnet.ts';
import { withDatasets } from '../../../lib/cache/cache.ts';
import { readCachedPools } from '../../../lib/prices/current.ts';
import { protocolDataset } from '../../../lib/protocol/protocol.ts';
import { openChain, setUint } from '../../functions/devnet.ts';
import { proxyTo } from '../../support/rpc-providers.ts';
import { startOnDevnet } from '../../support/runtime.ts';
import { stoppedAfterEach } from '../../support/servers.ts';
import { tablesForAllTests } from '../../support/tables.ts';

/** The number of minipools on Avalanche, which is final, and more stakers than the first request reads. */
const MINIPOOLS = 1_949;
const STAKERS = 160;

const keep = stoppedAfterEach();
tablesForAllTests();
let devnet: Devnet;

beforeAll(async () => {
  devnet = await startDevnet({ live: false, historyDays: 1 });
  // The records without a writer are zeros.
  const chain = await openChain(devnet.url);
  await setUint(chain, 'staker.count', BigInt(STAKERS));
  await setUint(chain, 'minipool.count', BigInt(MINIPOOLS));
  chain.rpc.close();
});
afterAll(() => devnet.stop());

test('all stakers and minipools are read in two requests', async () => {
  const counted = keep(await proxyTo(devnet.url));
  const { opened } = startOnDevnet({ RPC_URLS: counted.url });
  await readCachedPools(opened);
  counted.requests.length = 0;
  const { stakers = [], minipools = [] } = await protocolDataset.read(withDatasets(opened, []));
  expect(counted.requests).toHaveLength(2);
  expect([stakers.length, minipools.length]).toEqual([STAKERS, MINIPOOLS]);
  for (const list of [stakers, minipools]) expect(list.every(({ index }, place) => index === place)).toBe(true);
});
