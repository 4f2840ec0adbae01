import { encodeBytes32String } from 'ethers';
import { DEVNET_ADDRESSES } from '../../infra/devnet/addresses.ts';
import { createRoutes, startGateway } from '../../infra/local/gateway.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { EXCHANGES } from '../../lib/prices/exchanges.ts';
import { DAY, END_OF_TIME } from '../../lib/values/durations.ts';
import {
  act,
  type Fork,
  forkDevnet,
  pass,
  pauseContracts,
  removeView,
  serveQueue,
  silence,
} from '../functions/devnet.ts';
import { recordCycles, recordDays, recordLedger } from './recorded.ts';
import { forgets, proxyTo, type RpcProvider } from './rpc-providers.ts';
import { startOnDevnet, type TestRuntime } from './runtime.ts';
import { deadUrl } from './servers.ts';
import type { tablesForAllTests } from './tables.ts';

/** States of the protocol and of its sources in which every documented field is in some answer. */

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape
type Json = any;

/** Seconds between the fork's blocks. */
const BLOCK_SECONDS = 2;
/** Number of a list's entries that are requested one by one; in the first state, all of them are. */
const ENTITIES = 5;

let fork: Fork;
/** Has no old state, and returns no storage. */
let pruned: RpcProvider;
let archive: RpcProvider;

/**
 * States of the protocol and its sources. `reach` sets up a state and returns the container for its requests. Each
 * state has new tables; the fork goes on.
 */
const STATES: [name: string, reach: () => Promise<TestRuntime>][] = [
  ['the devnet as it is', wholePast],
  ['nothing is recorded, and no old state is left', async () => startOnDevnet({ RPC_URLS: pruned.url })],
  ['the index of validators is down', withoutIndex],
  ['events and contracts differ', mismatched],
  ['the ledger is behind', () => onFork().then(depositAfter)],
  ['a cycle is overdue', () => pass(fork, 40 * DAY).then(() => onFork())],
  [
    'a cycle has started, and nobody is paid yet',
    () => send('RewardsPool', 'startRewardsCycle()').then(() => onFork()),
  ],
  ['contracts are paused, and sAVAX has no rate', () => pauseAll().then(() => onFork())],
  ['the P-Chain, the minipools, the withdrawal queue and the market of ggAVAX do not answer', silenceMost],
];

async function wholePast(): Promise<TestRuntime> {
  const runtime = startOnDevnet();
  await recordLedger();
  await recordCycles();
  await recordDays(60);
  // A day without a price, in the middle.
  const { history, chain } = runtime.opened;
  const points = await history.points('1d', 0, END_OF_TIME);
  const { values, ...point } = points[points.length >> 1] as (typeof points)[number];
  await history.writeAll('1d', [{ ...point, values: { ...values, avaxInUSD: undefined } }]);
  Object.assign(chain, { network: { ...chain.network, explorer: 'https://explorer.example' } });
  return runtime;
}

/** After a comparison that found mismatches, after providers disagreed, and after a share of rewards was impossible. */
async function mismatched(): Promise<TestRuntime> {
  const runtime = startOnDevnet();
  await recordLedger();
  const block = await runtime.opened.chain.head();
  const supply = { contract: 'TokenggAVAX', view: 'totalSupply', ledger: '1', chain: '2', block: block.number };
  const staker = '0xfabb0ac9d68b0b445fb7357272ff202c5651694a';
  const stake = { ...supply, contract: 'Staking', view: 'getGGPStake', key: staker, address: staker };
  const holder = '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65';
  const held = { ...supply, view: 'balanceOf', key: holder, address: holder };
  const { progress } = runtime.opened.ledger;
  const reason = 'rpc-1 and rpc-2 disagree';
  const providers = ['rpc-1', 'rpc-2'];
  const blocks = { fromBlock: block.number + 1, toBlock: block.number + 2 };
  const waitingSince = block.timestamp;
  const stops = { disputed: { ...blocks, providers, reason }, waitingSince, waiting: { ...blocks, reason } };
  await progress.update(0, (state) => ({ ...state, ...stops }));
  const refused = [{ cycle: 1, staker, block: block.number, providers }];
  const times = { comparedAt: block.timestamp, dueAt: block.timestamp };
  await progress.updateDoubts(0, () => ({ ...times, mismatches: [supply, stake, held], refused }));
  return runtime;
}

async function withoutIndex(): Promise<TestRuntime> {
  const env = { DATA_API_URL: await deadUrl() };
  await recordDays(0);
  return startOnDevnet(env);
}

async function onFork(env: Record<string, string> = {}): Promise<TestRuntime> {
  const runtime = startOnDevnet({ RPC_URLS: fork.url, ...env });
  await recordLedger();
  await recordLedger(runtime);
  return runtime;
}

async function depositAfter(runtime: TestRuntime): Promise<TestRuntime> {
  await send('TokenggAVAX', 'depositAVAX()', [], 10n ** 18n);
  await send('TokenggAVAX', 'depositYield(bytes32)', [encodeBytes32String('fees')], 10n ** 18n);
  if (!(await serveQueue(fork))) throw new Error('the queue served no request');
  return runtime;
}

async function pauseAll(): Promise<void> {
  await send('TokenggAVAX', 'setPauseStopsRedemption(bool)', [true]);
  await pauseContracts(fork);
  await removeView(fork, DEVNET_ADDRESSES.SAVAX, 'getPooledAvaxByShares(uint256)');
}

async function silenceMost(): Promise<TestRuntime> {
  await silence(fork, 'MinipoolManager');
  for (const name of ['WithdrawQueue', 'JoeFactory', 'PharaohFactory', 'BlackholeFactory'] as const)
    await fork.rpc.send('anvil_setCode', DEVNET_ADDRESSES[name], '0x');
  await fork.rpc.send('evm_mine');
  return onFork({ P_CHAIN_URLS: await deadUrl() });
}

async function send(contract: string, signature: string, args: unknown[] = [], value = 0n): Promise<void> {
  if (!(await act(fork, fork.people.guardian, contract, signature, args, value)))
    throw new Error(`${signature} failed`);
}

/** Requests to an endpoint: its example, the whole list, parts of it, each of these entities, and a bad one. */
export function requestsOf({ path, exampleRequest, input }: Endpoint, entities: Record<string, string[]>): string[] {
  const [bare] = exampleRequest.split('?') as [string];
  const now = Math.floor(Date.now() / 1_000);
  const queries = {
    limit: ['limit=1', 'limit=1000', 'limit=none'],
    interval: ['interval=1h', 'interval=1y'],
    ggpStaked: ['ggpStaked=0&avaxStaked=0'],
    ggAvax: ['ggAvax=1000000', 'ggAvax=0.01'],
    // The last one is not known yet.
    currency: ['interval=1mo', 'format=koinly&currency=eur', 'format=rotki', `format=csv&to=${now}`],
  };
  const known = Object.entries(queries).flatMap(([name, texts]) => (name in input.shape ? texts : []));
  const [, name = ''] = /\{(\w+)\}/.exec(path) ?? [];
  const others = (entities[name] ?? []).map((value) => path.replace(`{${name}}`, value));
  return [exampleRequest, bare, ...known.map((query) => `${bare}?${query}`), ...others];
}

/** Returns the identifiers of lists' entries by parameter name, for requests to each entry. */
async function entitiesOf(url: string, count?: number): Promise<Record<string, string[]>> {
  const list = async (path: string, name: string, field: string): Promise<string[]> => {
    const body = (await (await fetch(url + path)).json()) as Json;
    return [...new Set<string>((body[name] ?? []).map((entry: Json) => entry[field]))].slice(0, count);
  };
  const stakers = await list('/stakers', 'stakers', 'stakerAddr');
  return {
    address: [...stakers, ...(await list('/withdrawals', 'requests', 'requester'))],
    nodeID: await list('/minipools', 'minipools', 'nodeID'),
    dex: EXCHANGES.map(({ code }) => code),
  };
}

function withoutResult(answer: unknown): unknown {
  const { result: _, ...rest } = answer as { result: unknown };
  return { ...rest, error: { code: -32_601, message: 'the method eth_getStorageAt does not exist' } };
}

/** A state that is reached: the service in it, and what the entries of its lists are called. */
export interface Reached {
  name: string;
  url: string;
  entities: Record<string, string[]>;
}

/**
 * Steps that reach the states one after another, on a fork of the devnet that `DEVNET_RPC_URL` names, and visit each. They are to be
 * taken in this order; each may be a hook of its own, with a time limit of its own.
 */
export function stepsThroughStates(
  tables: ReturnType<typeof tablesForAllTests>,
  visit: (state: Reached) => Promise<void>,
): (() => Promise<void>)[] {
  const open = async () => {
    fork = await forkDevnet();
    // Otherwise the clock is the time of new blocks.
    await fork.rpc.send('anvil_setBlockTimestampInterval', BLOCK_SECONDS);
    archive = await proxyTo(process.env.DEVNET_RPC_URL as string, (answers, requests) =>
      answers.map((answer, index) => (requests[index]?.method === 'eth_getStorageAt' ? withoutResult(answer) : answer)),
    );
    pruned = await forgets(archive.url, (await fork.block('latest')).number);
  };
  const visits = STATES.map(([name, reach], index) => async () => {
    await tables.renew();
    const { url, stop } = await startGateway({ port: 0, routes: createRoutes(await reach()) });
    await visit({ name, url, entities: await entitiesOf(url, index > 0 ? ENTITIES : undefined) });
    await stop();
  });
  const close = async () => {
    await pruned.stop();
    await archive.stop();
    await fork.stop();
  };
  return [open, ...visits, close];
}
