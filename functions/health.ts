import * as z from 'zod/mini';
import { contradictionsSchema } from '../lib/api/bodies/coverage-body.ts';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { blockRef, flag, integer, model, seconds, text } from '../lib/api/schemas.ts';
import { cacheOf } from '../lib/cache/table.ts';
import { chainOf } from '../lib/chain/chain.ts';
import { readOraclePrice } from '../lib/contracts/oracle.ts';
import { type Audit, MAX_CONTRADICTIONS } from '../lib/ledger/ledger-progress.ts';
import { ledgerOf } from '../lib/ledger/ledger-store.ts';
import { toTenths } from '../lib/runtime/clock.ts';
import { ifAvailable, ifKnown } from '../lib/runtime/if-known.ts';
import { VERSION } from '../lib/runtime/version.ts';
import { dataApiOf } from '../lib/validators/data-api.ts';

/** Longer than a healthy upstream takes, and short enough for a load balancer's health check. */
const PROBE_TIMEOUT_MS = 1_500;

const probeFields = () => ({
  ok: flag('Whether the check succeeded in time.'),
  latencyMs: z.number().check(z.describe('Response time in milliseconds, rounded to tenths.')),
});

const probe = (meaning: string) =>
  model('Probe', z.object(probeFields()), 'Result of a health check.').check(z.describe(meaning));

const response = () =>
  z.object({
    status: model('ServiceStatus', z.enum(['ok', 'degraded', 'down'])).check(
      z.describe(
        '`ok`: everything works. `degraded`: an RPC endpoint, the cache, or the validator index failed its check, the latest block is too old, or the event ledger is not what the contracts say. `down`: no RPC endpoint responded.',
      ),
    ),
    version: text('Version of the service.'),
    network: text('Name of the network.'),
    chainId: integer('C-Chain ID of the network.'),
    block: z.optional(integer('Latest C-Chain block that any RPC endpoint reports.')),
    headAgeSeconds: z.optional(seconds('Age of the latest block.')),
    rpc: z
      .array(
        model(
          'RpcEndpoint',
          z.object({
            name: text('Name of the endpoint, such as `rpc-1`, numbered in order of use.'),
            ...probeFields(),
            headLag: z.optional(integer('Number of blocks behind the most up-to-date endpoint.')),
          }),
        ),
      )
      .check(z.describe('C-Chain RPC endpoints, in order of use.')),
    cache: z.optional(probe('Shared cache. Omitted while the service is frozen.')),
    dataApi: z.optional(
      probe(
        'Validator index (Avalanche Data API). While it is unavailable, validators are read from the P-Chain. Omitted while the service is frozen.',
      ),
    ),
    oracle: z.optional(
      z
        .object({ ageSeconds: seconds("Age of the GGP price that the protocol's contracts use.") })
        .check(z.describe("The protocol's price oracle.")),
    ),
    ledger: z.optional(
      z
        .object({
          to: integer('Last block searched for events.'),
          provenAt: z.optional(
            blockRef().check(z.describe('Block up to which the events add up to what the contracts say.')),
          ),
          contradicts: z.optional(contradictionsSchema()),
          leftOut: z.optional(
            z
              .array(
                z.object({
                  name: text('Name of the endpoint, as in `rpc`.'),
                  times: integer('Number of searches in which it left out logs that another one had.'),
                }),
              )
              .check(z.describe('Endpoints that left out logs. Omitted if there is none.')),
          ),
        })
        .check(z.describe('The event ledger and its last audit. Omitted if the table does not answer.')),
    ),
    frozen: z.optional(
      blockRef().check(
        z.describe(
          'Block at which the service is frozen: it answers everything from an archive, and asks no data source. Omitted while it is not.',
        ),
      ),
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
  response,
  exampleRequest: '/health',
  statusOf: ({ status }) => (status === 'down' ? 503 : 200),
  async handle(_input, context) {
    const { config, telemetry, frozen } = context;
    const about = { version: VERSION, network: config.network.name, chainId: config.network.chainId };
    if (frozen) {
      const { block } = frozen;
      return { status: 'ok' as const, ...about, block: block.number, rpc: [], frozen: block };
    }
    const chain = chainOf(context);
    const readOracle = async () => readOraclePrice(await chain.latest());
    const [heads, cacheProbe, indexProbe, oracle, search] = await Promise.all([
      chain.rpc.heads(PROBE_TIMEOUT_MS),
      timed(cacheOf(context).ping()),
      timed(dataApiOf(context).ping(PROBE_TIMEOUT_MS)),
      ifAvailable(telemetry, 'oracle', readOracle, PROBE_TIMEOUT_MS),
      ifAvailable(telemetry, 'ledger', () => ledgerOf(context).progress.read(), PROBE_TIMEOUT_MS),
    ]);
    const now = Math.floor(Date.now() / 1_000);
    const best = heads.flatMap(({ head }) => head ?? []).sort((a, b) => b.number - a.number)[0];
    const headAge = best && Math.max(0, now - best.timestamp);
    const rpc = heads.map(({ name, latencyMs, head }) => ({
      name,
      ok: head !== undefined,
      latencyMs: toTenths(latencyMs),
      headLag: best && head && best.number - head.number,
    }));
    const isOld = headAge !== undefined && config.maxHeadAgeSeconds > 0 && headAge > config.maxHeadAgeSeconds;
    const isWhole =
      !isOld && rpc.every(({ ok }) => ok) && cacheProbe.ok && indexProbe.ok && !search?.audit?.contradictions.length;
    return {
      status: !best ? ('down' as const) : isWhole ? ('ok' as const) : ('degraded' as const),
      ...about,
      block: best?.number,
      headAgeSeconds: headAge,
      rpc,
      cache: cacheProbe,
      dataApi: indexProbe,
      ledger: search?.blocks && ledgerBody(search.blocks.to, search.audit),
      oracle: ifKnown((updatedAt) => ({ ageSeconds: Math.max(0, now - updatedAt) }), oracle?.updatedAt),
    };
  },
});

function ledgerBody(to: number, audit: Audit | undefined) {
  const { provenAt, contradictions = [], providers = {} } = audit ?? {};
  const leftOut = Object.entries(providers).map(([name, times]) => ({ name, times }));
  return {
    to,
    provenAt,
    ...(contradictions.length > 0 && { contradicts: contradictions.slice(0, MAX_CONTRADICTIONS) }),
    ...(leftOut.length > 0 && { leftOut }),
  };
}

/** The result of a check, and how long it took. */
async function timed(working: Promise<boolean>): Promise<{ ok: boolean; latencyMs: number }> {
  const started = performance.now();
  const ok = await working;
  return { ok, latencyMs: toTenths(performance.now() - started) };
}

export const handler = createHandler(health);
