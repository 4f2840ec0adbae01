import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { JsonRpcProvider } from 'ethers';
import { ENDPOINTS } from '../../functions/index.ts';
import { type Devnet, startDevnet } from '../../infra/local/devnet/devnet.ts';
import { toNumber } from '../../lib/amounts.ts';
import { createHandler, type Endpoint } from '../../lib/endpoint.ts';
import { knownPools } from '../../lib/prices/current.ts';
import { readPools } from '../../lib/prices/market.ts';
import { send } from '../support/events.ts';
import { startContainer } from '../support/runtime.ts';
import { startTables } from '../support/tables.ts';

/** Two hours in which nobody updates the Chainlink feed. */

let devnet: Devnet;
let database: Awaited<ReturnType<typeof startTables>>;

beforeAll(async () => {
  [devnet, database] = await Promise.all([startDevnet({ live: false }), startTables()]);
}, 60_000);
afterAll(() => Promise.all([devnet.stop(), database.stop()]));

function container() {
  return startContainer({ NETWORK: 'devnet', RPC_URLS: devnet.url, MAX_HEAD_AGE_SECONDS: '0' });
}

test('AVAX/USD is Chainlink while its round is an hour old at most, then the deepest pool of all exchanges', async () => {
  const handler = () => createHandler(ENDPOINTS.prices as Endpoint, container());
  const before = await send(handler());
  expect(before.body.sources.avaxInUSD.source).toBe('chainlink');

  const chain = new JsonRpcProvider(devnet.url, devnet.chainId, { staticNetwork: true });
  await chain.send('evm_increaseTime', [7_200]);
  await chain.send('evm_mine', []);
  chain.destroy();
  await database.stop();
  database = await startTables();

  const { opened } = container();
  const pools = await knownPools(opened);
  const [deepest] = await readPools(
    await opened.chain.latest(),
    pools.filter(({ pair }) => pair.name === 'AVAX/USDC'),
  );
  const { body } = await send(handler());
  expect(body.sources.avaxInUSD).toEqual({ source: deepest?.pool.exchange, updatedAt: body.block.timestamp });
  expect(body.avaxInUSD).toBe(toNumber(deepest?.price as bigint));
  expect(body.oracle.ageSeconds).toBe(body.block.timestamp - body.oracle.updatedAt);
});
