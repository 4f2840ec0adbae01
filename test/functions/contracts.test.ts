import { expect, test } from '@jest/globals';
import { getAddress, id, toBeHex } from 'ethers';
import { contracts } from '../../functions/contracts.ts';
import { DEVNET_ADDRESSES } from '../../infra/devnet/addresses.ts';
import { EXCHANGES } from '../../lib/prices/exchanges.ts';
import { bodyFrom, sendTo } from '../support/events.ts';
import { recordLedger } from '../support/recorded.ts';
import { startOnDevnet, startWith } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';
import { chainForAllTests, forkDevnet } from './devnet.ts';

tablesForAllTests();
const keep = stoppedAfterEach();
const chain = chainForAllTests();

interface Contract {
  name: string;
  address: string;
  source: string;
}

test('every address is that of the registry, or configured for the network, and has code', async () => {
  const body = await bodyFrom(contracts, startOnDevnet());
  const of = (wanted: string) => body.contracts.filter(({ source }: Contract) => source === wanted);
  expect(of('registry').map(({ name }: Contract) => name)).toEqual([
    ...['ClaimNodeOp', 'ClaimProtocolDAO', 'MinipoolManager', 'MultisigManager', 'Oracle', 'ProtocolDAO'],
    ...['RewardsPool', 'Staking', 'TokenGGP', 'TokenggAVAX', 'Vault'],
  ]);
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
  expect(factories[0]?.name).toBe('Trader Joe (LFJ) v2 factory');
  for (const { name, address } of body.contracts) {
    const code = await chain.rpc.send('eth_getCode', address, `0x${body.block.number.toString(16)}`);
    expect([name, String(code).length > 2]).toEqual([name, true]);
  }
});

test('the time of the last upgrade is that of its event; without a ledger, it is named as missing', async () => {
  const { body: before } = await sendTo(contracts, startOnDevnet({ CACHE_TABLE: 'no-cache' }));
  expect([before.partial, before.reasons]).toEqual([
    ['contracts', 'upgradedAt'],
    { contracts: 'SOURCE_UNAVAILABLE', upgradedAt: 'SOURCE_UNAVAILABLE' },
  ]);
  await recordLedger();
  const { body } = await sendTo(contracts, startOnDevnet({ CACHE_TABLE: 'no-cache' }));
  const filter = { fromBlock: '0x0', toBlock: 'latest', topics: [id('Upgraded(address)')] };
  const logs = (await chain.rpc.send('eth_getLogs', filter)) as { address: string; blockNumber: string }[];
  const last = logs.at(-1) as (typeof logs)[number];
  const { timestamp } = await chain.block(Number(last.blockNumber));
  const upgraded = body.contracts.filter(({ upgradedAt }: { upgradedAt?: number }) => upgradedAt !== undefined);
  expect(upgraded).toEqual([
    expect.objectContaining({ name: 'TokenggAVAX', address: getAddress(last.address), upgradedAt: timestamp }),
  ]);
  expect(body.partial).toBeUndefined();
});

test('the code behind every proxy is named, also of managers that were replaced', async () => {
  const changed = keep(await forkDevnet());
  const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
  const around = ['WithdrawQueue', 'TokenpstAVAX', 'XGGP', 'XAVAX', 'AssetLocker', 'WAVAX'] as const;
  for (const [index, name] of around.entries())
    await changed.rpc.send('anvil_setStorageAt', DEVNET_ADDRESSES[name], slot, toBeHex(index + 1, 32));
  await changed.rpc.send('evm_mine');
  const { config } = startOnDevnet({ RPC_URLS: changed.url, CACHE_TABLE: 'no-cache' }).opened;
  const former = { MinipoolManager: [DEVNET_ADDRESSES.WAVAX], Staking: [] };
  const runtime = startWith({ ...config, network: { ...config.network, former } });
  const { body } = await sendTo(contracts, runtime);
  const codeOf = (address: string) => body.contracts.find((one: Contract) => one.address === address)?.implementation;
  expect(around.map((name) => codeOf(DEVNET_ADDRESSES[name]))).toEqual(
    around.map((_, index) => toBeHex(index + 1, 20)),
  );
  expect(body.contracts).toContainEqual({
    name: 'MinipoolManager, replaced (1)',
    address: DEVNET_ADDRESSES.WAVAX,
    implementation: toBeHex(around.length, 20),
    source: 'network',
  });
});
