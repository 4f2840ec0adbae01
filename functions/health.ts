import * as z from 'zod/mini';
import { contradictionsSchema } from '../lib/api/bodies/coverage-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { choice, fields, json, list, object } from '../lib/api/fields.ts';
import { blockAt, flag, integer, seconds, text } from '../lib/api/units.ts';
import { cacheOf } from '../lib/cache/table.ts';
import { chainOf } from '../lib/chain/chain.ts';
import { readOraclePrice } from '../lib/contracts/oracle.ts';
import { MAX_CONTRADICTIONS } from '../lib/ledger/contradictions.ts';
import type { Audit } from '../lib/ledger/ledger-progress.ts';
import { ledgerOf } from '../lib/ledger/ledger-store.ts';
import { toTenths } from '../lib/runtime/clock.ts';
import { ifAvailable, ifKnown } from '../lib/runtime/if-known.ts';
import type { Network } from '../lib/runtime/networks.ts';
import { VERSION } from '../lib/runtime/version.ts';
import { dataApiOf } from '../lib/validators/data-api.ts';
import type { BlockRef } from '../lib/values/block.ts';

const STATUSES = ['ok', 'degraded', 'down'] as const;

/** Longer than a healthy upstream takes, and short enough for a load balancer's health check. */
const PROBE_TIMEOUT_MS = 1_500;

interface Check {
  ok: boolean;
  latencyMs: number;
}

const ofCheck = {
  ok: flag('Whether the check succeeded in time.', ({ ok }: Check) => ok),
  latencyMs: json(
    () => z.number().check(z.describe('Response time in milliseconds, rounded to tenths.')),
    ({ latencyMs }: Check) => toTenths(latencyMs),
  ),
};

const probe = object('Probe', fields<Check>()(ofCheck), 'Result of a health check.');

interface RpcCheck extends Check {
  name: string;
  headLag: number | undefined;
}

const rpcEndpoint = object(
  'RpcEndpoint',
  fields<RpcCheck>()({
    name: text('Name of the endpoint, such as `rpc-1`, numbered in order of use.', ({ name }) => name),
    ...ofCheck,
    headLag: integer.optional('Number of blocks behind the most up-to-date endpoint.', ({ headLag }) => headLag),
  }),
);

const leftOut = object(
  undefined,
  fields<[name: string, times: number]>()({
    name: text('Name of the endpoint, as in `rpc`.', ([name]) => name),
    times: integer('Number of searches in which it left out logs that another one had.', ([, times]) => times),
  }),
);

interface Ledger {
  to: number;
  audit: Audit | undefined;
}

const ledger = object(
  undefined,
  fields<Ledger>()({
    to: integer('Last block searched for events.', ({ to }) => to),
    provenAt: blockAt.optional(
      'Block up to which the events add up to what the contracts say.',
      ({ audit }) => audit?.provenAt,
    ),
    contradicts: json(
      () => z.optional(contradictionsSchema()),
      ({ audit }) => unlessEmpty(audit?.contradictions.slice(0, MAX_CONTRADICTIONS)),
    ),
    leftOut: list(leftOut).optional('Endpoints that left out logs. Omitted if there is none.', ({ audit }) =>
      unlessEmpty(Object.entries(audit?.providers ?? {})),
    ),
  }),
);

const oracle = object(
  undefined,
  fields<number>()({ ageSeconds: seconds("Age of the GGP price that the protocol's contracts use.", (age) => age) }),
);

interface Health {
  status: (typeof STATUSES)[number];
  network: Network;
  block: number | undefined;
  headAge?: number | undefined;
  rpc: RpcCheck[];
  cache?: Check;
  dataApi?: Check;
  ledger?: Ledger | undefined;
  oracleAge?: number | undefined;
  frozen?: BlockRef;
}

const HEALTH = fields<Health>()({
  status: choice('ServiceStatus', STATUSES)(
    '`ok`: everything works. `degraded`: an RPC endpoint, the cache, or the validator index failed its check, the latest block is too old, or the event ledger is not what the contracts say. `down`: no RPC endpoint responded.',
    ({ status }) => status,
  ),
  version: text('Version of the service.', () => VERSION),
  network: text('Name of the network.', ({ network }) => network.name),
  chainId: integer('C-Chain ID of the network.', ({ network }) => network.chainId),
  block: integer.optional('Latest C-Chain block that any RPC endpoint reports.', ({ block }) => block),
  headAgeSeconds: seconds.optional('Age of the latest block.', ({ headAge }) => headAge),
  rpc: list(rpcEndpoint)('C-Chain RPC endpoints, in order of use.', ({ rpc }) => rpc),
  cache: probe.optional('Shared cache. Omitted while the service is frozen.', ({ cache }) => cache),
  dataApi: probe.optional(
    'Validator index (Avalanche Data API). While it is unavailable, validators are read from the P-Chain. Omitted while the service is frozen.',
    ({ dataApi }) => dataApi,
  ),
  ledger: ledger.optional(
    'The event ledger and its last audit. Omitted if the table does not answer.',
    ({ ledger }) => ledger,
  ),
  oracle: oracle.optional("The protocol's price oracle.", ({ oracleAge }) => oracleAge),
  frozen: blockAt.optional(
    'Block at which the service is frozen: it answers everything from an archive, and asks no data source. Omitted while it is not.',
    ({ frozen }) => frozen,
  ),
});

export const health = defineEndpoint({
  path: '/health',
  tag: 'Service',
  summary: 'Service health',
  description:
    'State of the service and its data sources. Sources are checked at most every five seconds, for all clients together. The status code is 200 for `ok` and `degraded`, and 503 for `down`.',
  freshSeconds: 5,
  // A stale "ok" would be wrong.
  neverStale: true,
  inTable: true,
  reads: ['ledger'],
  input: z.object({}),
  response: () => z.object(HEALTH.shape()),
  exampleRequest: '/health',
  statusOf: ({ status }) => (status === 'down' ? 503 : 200),
  async handle(_input, context) {
    const { config, telemetry, frozen } = context;
    const { network } = config;
    if (frozen)
      return HEALTH.body({ status: 'ok', network, block: frozen.block.number, rpc: [], frozen: frozen.block });
    const chain = chainOf(context);
    const readOracle = async () => readOraclePrice(await chain.latest());
    const [heads, cache, dataApi, oracle, search] = await Promise.all([
      chain.rpc.heads(PROBE_TIMEOUT_MS),
      timed(cacheOf(context).ping()),
      timed(dataApiOf(context).ping(PROBE_TIMEOUT_MS)),
      ifAvailable(telemetry, 'oracle', readOracle, PROBE_TIMEOUT_MS),
      ifAvailable(telemetry, 'ledger', () => ledgerOf(context).progress.read(), PROBE_TIMEOUT_MS),
    ]);
    const now = Math.floor(Date.now() / 1_000);
    const ageOf = (timestamp: number) => Math.max(0, now - timestamp);
    const best = heads.flatMap(({ head }) => head ?? []).sort((a, b) => b.number - a.number)[0];
    const headAge = best && ageOf(best.timestamp);
    const rpc = heads.map(({ name, latencyMs, head }) => ({
      name,
      ok: head !== undefined,
      latencyMs,
      headLag: best && head && best.number - head.number,
    }));
    const isOld = headAge !== undefined && config.maxHeadAgeSeconds > 0 && headAge > config.maxHeadAgeSeconds;
    const isWhole =
      !isOld && rpc.every(({ ok }) => ok) && cache.ok && dataApi.ok && !search?.audit?.contradictions.length;
    return HEALTH.body({
      status: !best ? 'down' : isWhole ? 'ok' : 'degraded',
      network,
      block: best?.number,
      headAge,
      rpc,
      cache,
      dataApi,
      ledger: search?.blocks && { to: search.blocks.to, audit: search.audit },
      oracleAge: ifKnown(ageOf, oracle?.updatedAt),
    });
  },
});

function unlessEmpty<Value>(values: readonly Value[] = []): Value[] | undefined {
  return values.length > 0 ? [...values] : undefined;
}

/** The result of a check, and how long it took. */
async function timed(working: Promise<boolean>): Promise<Check> {
  const started = performance.now();
  const ok = await working;
  return { ok, latencyMs: performance.now() - started };
}

export const handler = createHandler(health);
