import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { contracts } from '../../functions/contracts.ts';
import { createHandler } from '../../lib/endpoint.ts';
import { send } from '../support/events.ts';
import { startOnDevnet } from '../support/runtime.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { type Chain, openChain } from './devnet.ts';

tablesForAllTests();
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

test('every address is that of the registry or of a contract that is there', async () => {
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
  for (const { name, address } of body.contracts) {
    const code = await chain.rpc.send('eth_getCode', address, `0x${body.block.number.toString(16)}`);
    expect([name, String(code).length > 2]).toEqual([name, true]);
  }
});
