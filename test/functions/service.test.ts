import { expect, test } from '@jest/globals';
import { getAddress, id, toBeHex } from 'ethers';
import { contracts } from '../../functions/contracts.ts';
import { flagsKey } from '../../functions/flags/key.ts';
import { flags } from '../../functions/flags.ts';
import { ENDPOINTS } from '../../functions/index.ts';
import { root } from '../../functions/root.ts';
import { settings } from '../../functions/settings.ts';
import { DEVNET_ADDRESSES } from '../../infra/devnet/addresses.ts';
import { SETTING_KEYS } from '../../infra/devnet/scenario/settings.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { OTHER_PATHS } from '../../lib/api/paths.ts';
import { DEFAULT_FLAGS } from '../../lib/flags/flags.ts';
import { EXCHANGES } from '../../lib/prices/exchanges.ts';
import { formatAmount } from '../../lib/values/amounts.ts';
import { type Body, bodyFrom, lambdaContext, proxyEvent, send, sendTo } from '../support/events.ts';
import { recordLedger } from '../support/recorded.ts';
import { startOnDevnet, startWith } from '../support/runtime.ts';
import { stoppedAfterEach } from '../support/servers.ts';
import { tablesForEachTest } from '../support/tables.ts';
import { chainForAllTests, forkDevnet, setSetting, silence } from './devnet.ts';

/** The endpoints about the service and its settings: the index, contracts, settings of the protocol, and flags. */

tablesForEachTest();
const keep = stoppedAfterEach();
const chain = chainForAllTests();

const handler = createHandler(
  root,
  startOnDevnet({ CACHE_TABLE: 'none', HISTORY_TABLE: 'none', LEDGER_TABLE: 'none' }),
);

test.each([undefined, 'application/json', '*/*'])('programs (Accept: %s) get the list of endpoints', async (accept) => {
  const { status, body } = await send(handler, accept ? { headers: { Accept: accept } } : {});
  expect(status).toBe(200);
  expect(body).toMatchObject({ network: 'devnet', links: { docs: 'docs', dashboard: 'dashboard' } });
  expect(body.endpoints).toHaveLength(Object.keys(ENDPOINTS).length);
});

test.each([
  ['/', '/dashboard'],
  ['/prod', '/prod/dashboard'],
  ['/prod/', '/prod/dashboard'],
])('browsers at %s are redirected to %s, by a relative link that also works behind a CDN', async (path, location) => {
  const event = proxyEvent({ headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
  event.requestContext.path = path;
  const { statusCode, headers } = await handler(event, lambdaContext());
  expect(statusCode).toBe(303);
  expect(headers).toMatchObject({ Location: expect.not.stringContaining('/prod'), Vary: 'Accept' });
  expect(new URL(String(headers?.Location), `https://api.example${path}`).pathname).toBe(location);
});

test.each([
  ['/no/such/page', '/prod/no/such/page', ['/prod/dashboard', '/prod/docs', '/prod/docs/guide']],
  ['/nothing', '/nothing', ['/dashboard', '/docs', '/docs/guide']],
])('browsers at %s get a 404 page whose links work, programs a problem', async (path, url, links) => {
  const event = proxyEvent({ headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
  Object.assign(event, { resource: OTHER_PATHS, path });
  event.requestContext.path = url;
  const { statusCode, headers, body } = await handler(event, lambdaContext());
  expect([statusCode, headers?.['Content-Type'], headers?.Vary]).toEqual([404, 'text/html; charset=utf-8', 'Accept']);
  const found = [...body.matchAll(/href="(.+?)"/g)].map(
    ([, href]) => new URL(String(href), `https://api.example${url}`),
  );
  expect(found.map(({ pathname }) => pathname)).toEqual(links);

  const program = await handler({ ...event, headers: { Accept: '*/*' } }, lambdaContext());
  expect(program.statusCode).toBe(404);
  expect(JSON.parse(program.body)).toMatchObject({ code: 'NOT_FOUND' });
});

test('every address is that of the registry, or configured for the network, and has code', async () => {
  const body = await bodyFrom(contracts, startOnDevnet());
  const of = (wanted: string) => body.contracts.filter(({ source }: Body) => source === wanted);
  expect(of('registry').map(({ name }: Body) => name)).toEqual([
    ...['ClaimNodeOp', 'ClaimProtocolDAO', 'MinipoolManager', 'MultisigManager', 'Oracle', 'ProtocolDAO'],
    ...['RewardsPool', 'Staking', 'TokenGGP', 'TokenggAVAX', 'Vault'],
  ]);
  for (const { name, address } of of('registry')) expect([name, address]).toEqual([name, await chain.registered(name)]);
  expect(of('network').map(({ name }: Body) => name)).toEqual(
    expect.arrayContaining(['Storage', 'WithdrawQueue', 'WAVAX', 'USDC', 'Chainlink AVAX/USD', 'Multicall3']),
  );
  // The factories of all exchanges that have any on this network.
  const factories = of('network').filter(({ name }: Body) => name.endsWith(' factory'));
  expect(factories.map(({ name, address }: Body) => [name, address])).toEqual(
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
  const upgraded = body.contracts.filter(({ upgradedAt }: Body) => upgradedAt !== undefined);
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
  const codeOf = (address: string) => body.contracts.find((one: Body) => one.address === address)?.implementation;
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

/** Views of the DAO that are not named like the field. */
const VIEWS: Record<string, string> = {
  targetReservePercent: 'getTargetGGAVAXReserveRate',
  feePercent: 'getFeeBips',
  minipoolNodeCommissionFeePercent: 'getMinipoolNodeCommissionFeePct',
  expectedAVAXRewardsPercent: 'getExpectedAVAXRewardsRate',
  minCollateralPercent: 'getMinCollateralizationRatio',
  maxCollateralPercent: 'getMaxCollateralizationRatio',
};

/** Expects each number to be that of the contract: exact amounts, percentages, counts. */
async function expectSettings(numbers: Record<string, unknown>): Promise<void> {
  for (const [name, served] of Object.entries(numbers)) {
    const view = VIEWS[name] ?? `get${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const stored: bigint = await chain.read('ProtocolDAO', view);
    const percent = name === 'feePercent' ? Number(stored) / 100 : Number(stored / 10n ** 4n) / 1e12;
    const number = name.endsWith('Percent') ? percent : Number(stored);
    expect([name, served]).toEqual([name, typeof served === 'string' ? formatAmount(stored) : number]);
  }
}

test('every setting of the DAO is there, as the contract has it', async () => {
  const body = await bodyFrom(settings, startOnDevnet());
  const { block, distributionPercent, withdrawForDelegationEnabled, ...numbers } = body;
  expect(Object.keys(numbers).length + Object.keys(distributionPercent).length).toBe(SETTING_KEYS.length);
  await expectSettings(numbers);
  expect(withdrawForDelegationEnabled).toBe(true);
  expect(distributionPercent).toEqual({ ClaimNodeOp: 70, ClaimProtocolDAO: 20, MultisigManager: 10 });
});

test('a setting is that of its block, and none is made up where the contract does not answer', async () => {
  const fork = keep(await forkDevnet());
  const answer = async () =>
    (await sendTo(settings, startOnDevnet({ RPC_URLS: fork.url, CACHE_TABLE: 'no-cache' }))).body;
  await setSetting(fork, 'MinipoolNodeCommissionFeePct', 123_456_789_012_345_678n);
  expect((await answer()).minipoolNodeCommissionFeePercent).toBe(12.3456789012);
  await silence(fork, 'ProtocolDAO');
  expect(Object.keys(await answer())).toEqual(['block']);
});

const flagOf = (key: string) => sendTo(flagsKey, startOnDevnet(), { params: { key } });

test('/flags returns all flags', async () => {
  const body = await bodyFrom(flags, startOnDevnet());
  expect(body).toEqual({ environment: 'devnet', ...DEFAULT_FLAGS });
});

test('/flags/{key} returns one flag with its attributes', async () => {
  const { body } = await flagOf('windDown');
  const { flags, ...rest } = DEFAULT_FLAGS;
  expect(body).toEqual({ key: 'windDown', ...flags.windDown, environment: 'devnet', ...rest });
});

test.each([
  ['noSuchFlag', 404, 'FLAG_NOT_FOUND'],
  ['constructor', 404, 'FLAG_NOT_FOUND'],
  ['1st', 400, 'INVALID_REQUEST'],
  ['a'.repeat(65), 400, 'INVALID_REQUEST'],
])('/flags/%s is a %d', async (key, status, code) => {
  expect(await flagOf(key)).toMatchObject({ status, body: { code } });
});
