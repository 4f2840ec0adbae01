import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Block,
  Contract,
  formatUnits,
  id,
  JsonRpcProvider,
  NonceManager,
  parseEther,
  type TransactionReceipt,
  Wallet,
} from 'ethers';
import { ENDPOINTS } from '../../functions/index.ts';
import { DEVNET_ADDRESSES, DEVNET_CHAIN_ID } from '../../infra/devnet/devnet.ts';
import type { LocalServer } from '../../infra/devnet/listen.ts';
import { connect } from '../../infra/devnet/rpc.ts';
import { lambdaContext, proxyEvent } from '../../infra/local/event.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { createHandler } from '../../lib/api/endpoint.ts';
import { closeConnections } from '../../lib/chain/upstream/http.ts';
import { type Clock, systemClock } from '../../lib/runtime/clock.ts';
import { LEDGER } from '../../lib/tables/table-schemas.ts';
import { clockAt } from '../support/clock.ts';
import { openStore, recorderOf } from '../support/log-chain.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { recordLedger } from '../support/recorded.ts';
import { startContainer, type TestRuntime } from '../support/runtime.ts';
import { deadUrl } from '../support/servers.ts';
import { startTables } from '../support/tables.ts';
import { call, createNode, NETWORK_ID, type Node } from './avalanchego.ts';
import { genesisOf } from './genesis.ts';

/**
 * The service on avalanchego, whose chain begins with the final state of the devnet. No other tests run at the same
 * time, so these may write to the devnet.
 */

const DEVNET_URL = process.env.DEVNET_RPC_URL as string;
const HOUR = 3_600_000;
/** nAVAX */
const STAKE = 2_000n * 10n ** 9n;

interface PChainValidator {
  nodeID: string;
  txID: string;
  weight: string;
  startTime: string;
  endTime: string;
  potentialReward: string;
}

const wallet = new Wallet(id('a liquid staker'));
const devnet = connect(DEVNET_URL);
let node: Node;
let provider: JsonRpcProvider;
let sender: NonceManager;
let ggAvax: Contract;
let dataApiUrl: string;

async function validatorsOf(pChainUrl: string): Promise<PChainValidator[]> {
  const { validators } = (await call(pChainUrl, 'platform.getCurrentValidators')) as { validators: PChainValidator[] };
  return validators;
}

beforeAll(async () => {
  await devnet.send('anvil_setBalance', wallet.address, '0xd3c21bcecceda1000000');
  const nodeIDs = (await validatorsOf(process.env.DEVNET_P_CHAIN_URL as string)).map(({ nodeID }) => nodeID);
  const options = { networkID: NETWORK_ID, devnetUrl: DEVNET_URL, owner: wallet.address, nodeIDs, stake: STAKE };
  node = await createNode(await genesisOf(options));
  await node.start();
  provider = new JsonRpcProvider(node.cChainUrl, DEVNET_CHAIN_ID, { staticNetwork: true });
  const registry = new Contract(
    DEVNET_ADDRESSES.Storage,
    ['function getAddress(bytes32) view returns (address)'],
    provider,
  );
  const address = await registry.getFunction('getAddress(bytes32)')(id('contract.addressTokenggAVAX'));
  sender = new NonceManager(wallet.connect(provider));
  ggAvax = new Contract(
    address,
    ['function depositAVAX() payable', 'function totalSupply() view returns (uint256)'],
    sender,
  );
  // The validator index is down, so that validators are read from the P-Chain.
  dataApiUrl = await deadUrl();
});
afterAll(async () => {
  devnet.close();
  provider?.destroy();
  await node?.stop();
});
afterEach(() => {
  closeConnections();
});

function container(rpcUrl: string, clock: Clock = systemClock): TestRuntime {
  const env = {
    NETWORK: 'devnet',
    RPC_URLS: rpcUrl,
    P_CHAIN_URLS: node.pChainUrl,
    DATA_API_URL: dataApiUrl,
    MAX_HEAD_AGE_SECONDS: '0',
  };
  return startContainer(env, undefined, { clock });
}

async function get(runtime: TestRuntime, file: string, request?: string) {
  const endpoint = ENDPOINTS[file] as Endpoint;
  const event = proxyEvent(endpoint.path, { method: 'GET', url: request ?? endpoint.exampleRequest, headers: {} });
  const { statusCode, headers, body } = await createHandler(endpoint, runtime)(event, lambdaContext());
  return { status: statusCode, headers: headers ?? {}, body: JSON.parse(body) };
}

/** A clock that stands still at `ms`. */
function settableClock() {
  const time = { ms: Date.now() };
  return Object.assign(
    time,
    clockAt(() => time.ms),
  );
}

/** Deposits 10 AVAX into the pool of liquid stakers. */
const deposit = () => ggAvax.getFunction('depositAVAX')({ value: parseEther('10') });

/** Waits until the node has mined a transaction, and returns the time of its block. */
async function mined({ hash }: { hash: string }): Promise<number> {
  let receipt: TransactionReceipt | null = null;
  // ethers' wait() needs further blocks, which may never come here.
  while (!receipt) {
    await wait(50);
    receipt = await provider.getTransactionReceipt(hash);
  }
  expect(receipt.status).toBe(1);
  return (await receipt.getBlock()).timestamp;
}

/** Has the devnet mine the same transaction as the node, in a block of the same time. */
async function minedOnBoth(sent: { hash: string }): Promise<void> {
  await devnet.send('evm_setNextBlockTimestamp', await mined(sent));
  const raw = await call(node.cChainUrl, 'eth_getRawTransactionByHash', [sent.hash]);
  await devnet.send('eth_sendRawTransaction', raw);
}

describe('avalanchego and the devnet, with the same state,', () => {
  /** Fields that need a chain with history, by the endpoint's file. */
  const PAST: Record<string, string[]> = {
    contracts: ['upgradedAt', 'total'],
    holders: ['holders', 'nextCursor', 'total'],
    'accounts/address-income': ['entries', 'totals', 'coverage', 'partial', 'reasons'],
    'accounts/income': ['entries', 'totals', 'coverage', 'partial', 'reasons'],
    health: ['ledger'],
    metrics: ['ggavax_apr', 'ggavax_apy'],
    'metrics/apy': ['total_apy', 'total_apy_after_fees', 'window_days', 'windows'],
    'gg-avax/address': [
      ...['deposited', 'withdrawn', 'receivedAVAX', 'transferredIn', 'returned', 'transferredOut'],
      ...['rewardsAVAX', 'rewardsUSD', 'rewardsEUR', 'averageAprPercent', 'since', 'partial', 'reasons'],
    ],
    'rewards/address': ['claims', 'claimedTotal'],
    'rewards/address-cycles': ['block', 'partial', 'reasons'],
    'rewards/cycles': ['block', 'cycles', 'total'],
  };
  /** Requests that replace an example that needs history. */
  const INSTEAD: Record<string, string> = {
    'metrics/name': '/metrics/exchange_rate',
    'gg-avax/address-rewards': `/ggAvax/${wallet.address}/rewards`,
  };
  /** Endpoints whose events are requested only since the node's first block. */
  const ACTIVITY = ['activity', 'gg-avax/address-activity', 'minipools/node-id-activity', 'stakers/address-activity'];
  /**
   * Fields that depend on real time (durations, uptimes that the node has measured), on history, or on block numbers.
   */
  const OWN = ['latencyMs', 'uptimePercent', 'lastFulfilledTime', 'lastCursor'];

  /** The request for an endpoint; `first` is the timestamp of the node's first block. */
  function requestFor(file: string, first: number): string | undefined {
    return ACTIVITY.includes(file) ? `${ENDPOINTS[file]?.exampleRequest}&from=${first + 1}` : INSTEAD[file];
  }

  /** An answer without those fields, and without block numbers. */
  function comparable(file: string, { status, body }: { status: number; body: unknown }) {
    const ignored = [...OWN, ...(PAST[file] ?? [])];
    const text = JSON.stringify(body, (key, value) => {
      if (ignored.includes(key) || key === 'blockNumber') return undefined;
      // Only the ledger knows which managers the registry replaced.
      if (key === 'contracts') return value.filter(({ source }: { source: string }) => source !== 'ledger');
      if (key === 'block') return value.timestamp;
      return key === 'coverage' ? value.complete : value;
    });
    return { status, body: JSON.parse(text) };
  }

  /** The answers of all endpoints, by file, with an empty cache and the whole ledger of the chain. */
  async function answers(rpcUrl: string, clock: Clock): Promise<Record<string, ReturnType<typeof comparable>>> {
    const tables = await startTables();
    const runtime = container(rpcUrl, clock);
    await recordLedger(runtime);
    const found: Record<string, ReturnType<typeof comparable>> = {};
    const { timestamp } = (await provider.getBlock(0)) as Block;
    for (const file of Object.keys(ENDPOINTS))
      found[file] = comparable(file, await get(runtime, file, requestFor(file, timestamp)));
    closeConnections();
    await tables.stop();
    return found;
  }

  // Without a block after the first one, a head is no answer.
  test.each([
    ['an empty transaction', () => sender.sendTransaction({ to: wallet.address }), []],
    ['a deposit', deposit, ['ggAvaxDeposited']],
  ])('give the same answers after %s', async (_, send, events) => {
    await minedOnBoth(await send());
    // So that ages are the same as well.
    const clock = settableClock();
    const onNode = await answers(node.cChainUrl, clock);
    expect(onNode).toEqual(await answers(DEVNET_URL, clock));
    expect(Object.values(onNode).map(({ status }) => status)).toEqual(Object.keys(ENDPOINTS).map(() => 200));
    expect(onNode.activity?.body.activity.map(({ type }: { type: string }) => type)).toEqual(events);
  });
});

describe('a container', () => {
  let tables: { stop(): Promise<void> };
  beforeEach(async () => {
    tables = await startTables();
  });
  afterEach(() => tables.stop());

  test('lists the validators of the P-Chain', async () => {
    const runtime = container(node.cChainUrl);
    const current = await validatorsOf(node.pChainUrl);
    const { body } = await get(runtime, 'validators', '/validators');
    expect(body).toMatchObject({ source: 'p-chain', total: current.length });
    const figures = body.validators.map((validator: Record<string, unknown>) => [
      ...[validator.nodeID, validator.txID, validator.startTime, validator.endTime, validator.amountStaked],
      (validator.potentialRewards as { validation: string }).validation,
    ]);
    const decimal = (nAvax: string) => formatUnits(nAvax, 9).replace(/\.0$/, '');
    const expected = current.map(({ nodeID, txID, startTime, endTime, weight, potentialReward }) => [
      ...[nodeID, txID, Number(startTime), Number(endTime), decimal(weight), decimal(potentialReward)],
    ]);
    expect(figures.toSorted()).toEqual(expected.toSorted());
    const own = await get(runtime, 'validators', '/validators?protocol=true');
    const staking = await get(runtime, 'minipools', '/minipools?status=staking');
    const nodeIDs = (list: { nodeID: string }[]) => list.map(({ nodeID }) => nodeID).toSorted();
    expect(own.body.total).toBeGreaterThan(0);
    expect(nodeIDs(own.body.validators)).toEqual(nodeIDs(staking.body.minipools));
  });

  test('shows a transaction as soon as its cached answer has expired', async () => {
    const clock = settableClock();
    const runtime = container(node.cChainUrl, clock);
    const before = await get(runtime, 'gg-avax');
    await mined(await deposit());
    expect((await get(runtime, 'gg-avax')).body).toEqual(before.body);
    clock.ms += HOUR;
    const { body, headers } = await get(runtime, 'gg-avax');
    expect(body.block.number).toBe(before.body.block.number + 1);
    expect(headers['X-Block-Number']).toBe(String(body.block.number));
    expect(body.totalSupply).toBe(decimal18(await ggAvax.getFunction('totalSupply')()));
    expect(body.totalSupply).not.toBe(before.body.totalSupply);
  });

  test('serves stale answers while the node is stopped, and current ones when it is back', async () => {
    const files = ['gg-avax', 'metrics', 'minipools', 'validators'];
    const clock = settableClock();
    const runtime = container(node.cChainUrl, clock);
    // One after the other, because a request during a refresh of its dataset would get a stale answer.
    const all = async () => {
      const found: Awaited<ReturnType<typeof get>>[] = [];
      for (const file of files) found.push(await get(runtime, file));
      return found;
    };
    const before = await all();
    await node.stop();
    clock.ms += HOUR;
    for (const [index, { status, headers, body }] of (await all()).entries()) {
      expect(status).toBe(200);
      expect(headers['X-Cache']).toBe('stale');
      expect(body).toEqual(before[index]?.body);
    }
    await node.start();
    await mined(await deposit());
    clock.ms += HOUR;
    const after = await all();
    expect(after.map(({ headers }) => headers['X-Cache'])).not.toContain('stale');
    expect(after[0]?.body.block.number).toBe(before[0]?.body.block.number + 1);
    expect(after[0]?.body.totalSupply).toBe(decimal18(await ggAvax.getFunction('totalSupply')()));
  });
});

test('a gap of more blocks than the node keeps states of is named, and a node with archive state beside it heals it', async () => {
  const head = await provider.getBlockNumber();
  const store = openStore(new MemoryTable(LEDGER, new Map()), head);
  const run = async (...nodes: Node[]) => {
    const servers = nodes.map(({ cChainUrl: url }) => ({ url }) as LocalServer);
    const { waiting } = await recorderOf(servers, store, 2, head, 'avalanche').recorder.run({ mayGoOn: () => true });
    const { blocks, sources } = await store.progress.read();
    return { reason: waiting?.message, to: blocks?.to, sources };
  };
  for (let blocks = 0; blocks < 2; blocks++) await mined(await deposit());
  expect(await run(node)).toEqual({ reason: undefined, to: head, sources: 1 });
  for (let blocks = 0; blocks < 40; blocks++) await mined(await deposit());
  const stateAt = (block: number) =>
    call(node.cChainUrl, 'eth_getBalance', [wallet.address, `0x${block.toString(16)}`]);
  expect(await stateAt(head + 42 - 31)).toMatch(/^0x/);
  await expect(stateAt(head + 42 - 32)).rejects.toThrow(
    /missing trie node [\da-f]+ \(path \) state 0x[\da-f]+ is not available/,
  );
  const reason = 'no provider keeps the state of these blocks; add one with archive state to RPC_URLS';
  expect(await run(node)).toMatchObject({ reason: `blocks ${head + 1} to ${head + 40}: ${reason}`, to: head });
  await node.stop();
  const archive = await node.archive();
  await Promise.all([node.start(), archive.start()]);
  expect(await run(node, archive)).toEqual({ reason: undefined, to: head + 40, sources: 1 });
  await archive.stop();
});

function decimal18(wei: bigint): string {
  return formatUnits(wei, 18).replace(/\.0$/, '');
}
