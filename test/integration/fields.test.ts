import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { encodeBytes32String, Interface } from 'ethers';
import { ENDPOINTS } from '../../functions/index.ts';
import { DEVNET_ADDRESSES } from '../../infra/devnet/addresses.ts';
import { routesOf, startGateway } from '../../infra/local/gateway.ts';
import { writeValidatorPast } from '../../infra/local/validator-past.ts';
import { openApiDocument } from '../../infra/site/openapi.ts';
import type { Endpoint } from '../../lib/api/definition.ts';
import { chainOf } from '../../lib/chain/chain.ts';
import type { Context } from '../../lib/runtime/context.ts';
import { recordValidators } from '../../lib/validators/validator-history.ts';
import { type Fork, forkDevnet, newestHour, pass, pause, silence, transact } from '../functions/devnet.ts';
import { recordArchives, recordCycles, recordDays, recordLedger } from '../support/recorded.ts';
import { forgets, proxyTo, type RpcProvider } from '../support/rpc-providers.ts';
import { startOnDevnet, type TestRuntime } from '../support/runtime.ts';
import { deadUrl } from '../support/servers.ts';
import { tablesForAllTests } from '../support/tables.ts';

/** Every field that the OpenAPI document describes is in some answer. */

/** Fields that no state below shows, by `<schema>.<field>`, with the reason. Where a state can show one, add the state instead. */
const UNSEEN: Record<string, string> = {};

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, and bodies of any shape
type Json = any;

const DAY = 86_400;
const PAUSABLE = ['TokenggAVAX', 'MinipoolManager', 'RewardsPool', 'ClaimNodeOp', 'Staking'];
const ACTIONS = new Interface([
  'function depositAVAX() payable',
  'function depositYield(bytes32 source) payable',
  'function setPauseStopsRedemption(bool)',
  'function startRewardsCycle()',
]);
/** How many of a list's entries are asked for one by one, except in the first state, which has them all. */
const ENTITIES = 5;

const tables = tablesForAllTests();
let fork: Fork;
/** Has no old state, and returns no storage. */
let pruned: RpcProvider;
let archive: RpcProvider;

/** How states of the protocol and its sources are reached, and the container that is asked then. Each has new tables; the fork goes on. */
const STATES: [name: string, reach: () => Promise<TestRuntime>][] = [
  ['the devnet as it is', wholePast],
  ['nothing is recorded, and no old state is left', async () => startOnDevnet({ RPC_URLS: pruned.url })],
  ['the index of validators is down', withoutIndex],
  ['the service is frozen', frozen],
  ['the ledger is behind', () => onFork().then(depositAfter)],
  ['a cycle is overdue', () => pass(fork, 40 * DAY).then(() => onFork())],
  ['a cycle has started, and nobody is paid yet', () => act('RewardsPool', 'startRewardsCycle').then(() => onFork())],
  ['contracts are paused', () => pauseAll().then(() => onFork())],
  ['the P-Chain, the minipools, the withdrawal queue and the market of ggAVAX do not answer', silenceMost],
];

async function wholePast(): Promise<TestRuntime> {
  const runtime = startOnDevnet();
  await recordLedger();
  await recordCycles();
  await recordArchives();
  await recordDays(60);
  let points = 0;
  await writeValidatorPast(runtime.opened, () => points++ < 100);
  return runtime;
}

/** A service that is frozen, which has made an archive. */
async function frozen(): Promise<TestRuntime> {
  const { opened, ...runtime } = startOnDevnet();
  const block = await chainOf(opened).head();
  const context: Context = { ...opened, frozen: { block, calls: new Map(), datasets: new Map() }, clients: new Map() };
  return { ...runtime, opened: context, context: async () => context };
}

async function withoutIndex(): Promise<TestRuntime> {
  const runtime = startOnDevnet({ DATA_API_URL: await deadUrl() });
  await recordDays(0);
  await recordValidators(runtime.opened, await newestHour(fork));
  return runtime;
}

async function onFork(env: Record<string, string> = {}): Promise<TestRuntime> {
  const runtime = startOnDevnet({ RPC_URLS: fork.url, ...env });
  await recordLedger(runtime);
  return runtime;
}

async function depositAfter(runtime: TestRuntime): Promise<TestRuntime> {
  await act('TokenggAVAX', 'depositAVAX', [], 10n ** 18n);
  await act('TokenggAVAX', 'depositYield', [encodeBytes32String('fees')], 10n ** 18n);
  return runtime;
}

async function pauseAll(): Promise<void> {
  await act('TokenggAVAX', 'setPauseStopsRedemption', [true]);
  for (const name of PAUSABLE) await pause(fork, name);
}

async function silenceMost(): Promise<TestRuntime> {
  await silence(fork, 'MinipoolManager');
  for (const name of ['WithdrawQueue', 'PharaohFactory'] as const)
    await fork.rpc.send('anvil_setCode', DEVNET_ADDRESSES[name], '0x');
  await fork.rpc.send('evm_mine');
  return onFork({ P_CHAIN_URLS: await deadUrl() });
}

async function act(contract: string, method: string, args: unknown[] = [], value = 0n): Promise<void> {
  const data = ACTIONS.encodeFunctionData(method, args);
  const to = await fork.registered(contract);
  const done = await transact(fork, { from: fork.people.guardian, to, data, value: `0x${value.toString(16)}` });
  if (!done) throw new Error(`${method} failed`);
}

/** Requests to an endpoint: its example, the whole list, parts of it, each of these entities, and a bad one. */
function requestsOf({ path, exampleRequest, input }: Endpoint, entities: Record<string, string[]>): string[] {
  const [bare] = exampleRequest.split('?') as [string];
  const queries = {
    limit: ['limit=1', 'limit=1000', 'limit=none'],
    interval: ['interval=1h', 'interval=1y'],
    ggpStaked: ['ggpStaked=0&avaxStaked=0'],
    ggAvax: ['ggAvax=1000000'],
    currency: ['currency=eur&interval=1mo', 'currency=eur&interval=1y'],
  };
  const known = Object.entries(queries).flatMap(([name, texts]) => (name in input.shape ? texts : []));
  const [, name = ''] = /\{(\w+)\}/.exec(path) ?? [];
  const others = (entities[name] ?? []).map((value) => path.replace(`{${name}}`, value));
  return [exampleRequest, bare, ...known.map((query) => `${bare}?${query}`), ...others];
}

/** What the entries of lists are called, for requests to each of them. */
async function entitiesOf(url: string, count?: number): Promise<Record<string, string[]>> {
  const list = async (path: string, name: string, field: string): Promise<string[]> => {
    const body = (await (await fetch(url + path)).json()) as Json;
    return [...new Set<string>((body[name] ?? []).map((entry: Json) => entry[field]))].slice(0, count);
  };
  return {
    address: [
      ...(await list('/stakers', 'stakers', 'stakerAddr')),
      ...(await list('/withdrawals', 'requests', 'requester')),
    ],
    nodeID: await list('/minipools', 'minipools', 'nodeID'),
    dex: ['tj', 'pangolin', 'uniswap', 'pharaoh'],
  };
}

const { paths, components }: Json = openApiDocument();
/** The documented fields, and those of them that answers have, by the name of their schema. */
const documented = fields();
const seen = fields();

function fields(): Map<string, Set<string>> {
  return new Map(Object.keys(components.schemas).map((name) => [name, new Set()]));
}

/** Adds the fields of a schema, or only those that a value of it has, to those of the named schema that it is part of. */
function collect(found: typeof seen, name: string, schema: Json, value?: Json, at = ''): void {
  const reference = schema.$ref ?? schema.discriminator?.mapping[value?.[schema.discriminator.propertyName]];
  if (reference && value !== undefined) collectNamed(found, reference, value);
  if (schema.items) for (const item of value ?? [undefined]) collect(found, name, schema.items, item, at);
  for (const [property, inner] of Object.entries(schema.properties ?? {})) {
    if (value && value[property] === undefined) continue;
    found.get(name)?.add(at + property);
    collect(found, name, inner, value?.[property], `${at}${property}.`);
  }
}

function collectNamed(found: typeof seen, reference: string, value: Json): void {
  const name = reference.split('/').at(-1) as string;
  collect(found, name, components.schemas[name], value);
}

function withoutResult(answer: unknown): unknown {
  const { result: _, ...rest } = answer as { result: unknown };
  return { ...rest, error: { code: -32_601, message: 'the method eth_getStorageAt does not exist' } };
}

beforeAll(async () => {
  fork = await forkDevnet();
  archive = await proxyTo(process.env.DEVNET_RPC_URL as string, (answers, requests) =>
    answers.map((answer, index) => (requests[index]?.method === 'eth_getStorageAt' ? withoutResult(answer) : answer)),
  );
  pruned = await forgets(archive.url, (await fork.block('latest')).number);
  for (const [index, [, reach]] of STATES.entries()) {
    await tables.renew();
    const gateway = await startGateway({ port: 0, routes: routesOf(await reach()) });
    const entities = await entitiesOf(gateway.url, index > 0 ? ENTITIES : undefined);
    for (const endpoint of Object.values(ENDPOINTS)) {
      const { schema } = paths[endpoint.path].get.responses[200].content['application/json'];
      for (const request of requestsOf(endpoint, entities)) {
        const response = await fetch(gateway.url + request);
        const body = await response.json();
        if (response.ok) collect(seen, endpoint.path, schema, body);
        else collectNamed(seen, 'Problem', body);
      }
    }
    await gateway.stop();
  }
});
afterAll(async () => {
  await pruned.stop();
  await archive.stop();
  await fork.stop();
});

test.each(Object.entries<Json>(components.schemas))(
  'every field of %s is in some answer, or in UNSEEN with the reason',
  (name, schema) => {
    collect(documented, name, schema);
    const unseen = [...(documented.get(name) ?? [])].filter((field) => !seen.get(name)?.has(field));
    const excused = Object.keys(UNSEEN).filter((field) => field.startsWith(`${name}.`));
    expect(unseen.map((field) => `${name}.${field}`)).toEqual(excused);
  },
);
