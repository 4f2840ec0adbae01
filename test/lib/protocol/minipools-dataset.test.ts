import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Devnet, startDevnet } from '../../../infra/devnet/devnet.ts';
import { seedScale } from '../../../infra/devnet/scale.ts';
import { chainOf } from '../../../lib/chain/chain.ts';
import { minipoolsDataset } from '../../../lib/protocol/minipools-dataset.ts';
import { proxyTo } from '../../support/rpc-providers.ts';
import { startOnDevnet } from '../../support/runtime.ts';
import { stoppedAfterEach } from '../../support/servers.ts';
import { tablesForAllTests } from '../../support/tables.ts';

/** As many minipools as Avalanche has, and will ever have. */
const MINIPOOLS = 1_949;

const keep = stoppedAfterEach();
tablesForAllTests();
let devnet: Devnet;

beforeAll(async () => {
  devnet = await startDevnet({ live: false, historyDays: 1 });
  await seedScale(devnet, { stakers: 10, minipools: MINIPOOLS });
});
afterAll(() => devnet.stop());

test('all minipools are read in two requests, cold and again', async () => {
  const counted = keep(await proxyTo(devnet.url));
  const { opened } = startOnDevnet({ RPC_URLS: counted.url });
  await chainOf(opened).latest();
  for (const previous of [undefined, await minipoolsDataset.read(opened)]) {
    counted.requests.length = 0;
    const { minipools } = await minipoolsDataset.read(opened, previous);
    expect(counted.requests).toHaveLength(2);
    expect(minipools.length).toBeGreaterThan(MINIPOOLS);
    expect(minipools.every(({ index }, place) => index === place)).toBe(true);
  }
});
