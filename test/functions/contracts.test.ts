import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { contracts } from '../../functions/contracts.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { EXCHANGES } from '../../lib/prices/exchanges.ts';
import { send } from '../support/events.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { type Chain, forkDevnet, openChain, unregister } from './devnet.ts';

tablesForAllTests();
const keep = stoppedAfterEach();
let chain: Chain;

beforeAll(async () => {
  chain = await openChain();
});
afterAll(() => chain.rpc.close());

interface Contract {
  name: string;
  address: string;
  source: string;
}

test('a contract that is not registered is not listed', async () => {
  const changed = keep(await forkDevnet());
  await unregister(changed, 'Oracle');
  const { body } = await send(
    createHandler(contracts, startOnDevnet({ RPC_URLS: changed.url, CACHE_TABLE: 'no-cache' })),
  );
  const names = body.contracts.map(({ name }: Contract) => name);
  expect(names).toContain('Staking');
  expect(names).not.toContain('Oracle');
});

test('every address is that of the registry, or configured for the network, and has code', async () => {
  const { status, body } = await send(createHandler(contracts, startOnDevnet()));
  expect(status).toBe(200);
  expect(contracts.response().parse(body)).toEqual(body);
  const of = (wanted: string) => body.contracts.filter(({ source }: Contract) => source === wanted);
  expect(of('registry').map(({ name }: Contract) => name)).toEqual(
    expect.arrayContaining(['MinipoolManager', 'Staking', 'TokenggAVAX', 'Vault']),
  );
  for (const { name, address } of of('registry')) expect([name, address]).toEqual([name, await chain.registered(name)]);
  expect(of('network').map(({ name }: Contract) => name)).toEqual(
    expect.arrayContaining(['Storage', 'WithdrawQueue', 'WAVAX', 'USDC', 'Chainlink AVAX/USD', 'Multicall3']),
  );
  // The factories of all exchanges that have any on this network.
  const factories = of('network').filter(({ name }: Contract) => name.endsWith(' factory'));
  expect(factories.map(({ name, address }: Contract) => [name, address])).toEqual(
    EXCHANGES.flatMap(({ name, factories }) =>
      (factories.devnet ?? []).map(({ kind, address }) => [`${name} ${kind} factory`, address]),
    ),
  );
  expect(factories[0].name).toBe('Trader Joe (LFJ) v2 factory');
  for (const { name, address } of body.contracts) {
    const code = await chain.rpc.send('eth_getCode', address, `0x${body.block.number.toString(16)}`);
    expect([name, String(code).length > 2]).toEqual([name, true]);
  }
});
