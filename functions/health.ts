import * as z from 'zod/mini';
import { monotonicMs, toTenths } from '../lib/clock.ts';
import { readOraclePrice } from '../lib/contracts/oracle.ts';
import { createHandler, defineEndpoint } from '../lib/endpoint.ts';
import { ifAvailable, ifKnown } from '../lib/known.ts';
import { flag, integer, model, quantity, seconds, text } from '../lib/schemas.ts';
import { dataApiOf } from '../lib/validators/data-api.ts';
import { VERSION } from '../lib/version.ts';

/** Longer than a good upstream takes, short enough to answer a load balancer. */
const PROBE_TIMEOUT_MS = 1_500;

const probeFields = () => ({
  ok: flag('Whether it answered in time.'),
  latencyMs: quantity('Milliseconds', 'How long that took.'),
});

const probe = (meaning: string) => model('Probe', z.object(probeFields())).check(z.describe(meaning));

const response = () =>
  z.object({
    status: model('ServiceStatus', z.enum(['ok', 'degraded', 'down'])).check(
      z.describe('`degraded`: answers come, but a part has failed or the chain lags. `down`: no chain to read.'),
    ),
    version: text('Version of the service.'),
    network: text('The network that it reads.'),
    chainId: integer('Its C-Chain id.'),
    block: z.optional(integer('Latest C-Chain block of all endpoints.')),
    headAgeSeconds: z.optional(seconds('How long ago that was.')),
    rpc: z
      .array(
        model(
          'RpcEndpoint',
          z.object({
            name: text('The endpoint, by its place in the order.'),
            ...probeFields(),
            headLag: z.optional(integer('Blocks that it is behind the best endpoint.')),
          }),
        ),
      )
      .check(z.describe('C-Chain endpoints, in the order in which they are asked.')),
    cache: probe('The cache table.'),
    dataApi: probe('The validator index; the P-Chain stands in for it.'),
    oracle: z.optional(
      z
        .object({ ageSeconds: seconds('Age of the GGP price that the protocol uses.') })
        .check(z.describe("The protocol's price oracle.")),
    ),
  });

export const health = defineEndpoint({
  path: '/health',
  tag: 'Service',
  summary: 'Whether the service and its sources work',
  description:
    'Asked of all sources at most every five seconds, for all clients together. 200 for `ok` and `degraded`, 503 for `down`. Sources have names, never URLs.',
  freshSeconds: 5,
  // An old "ok" would be a lie.
  momentary: true,
  input: z.object({}),
  response,
  exampleRequest: '/health',
  example: {
    status: 'ok',
    version: '1.0.0',
    network: 'avalanche',
    chainId: 43_114,
    block: 95_044_397,
    headAgeSeconds: 1,
    rpc: [
      { name: 'rpc-1', ok: true, latencyMs: 24.1, headLag: 0 },
      { name: 'rpc-2', ok: true, latencyMs: 61.8, headLag: 2 },
    ],
    cache: { ok: true, latencyMs: 4.2 },
    dataApi: { ok: true, latencyMs: 88.5 },
    oracle: { ageSeconds: 58_328 },
  },
  statusOf: ({ status }) => (status === 'down' ? 503 : 200),
  async handle(_input, context) {
    const { config, chain, cache, telemetry } = context;
    const readOracle = async () => readOraclePrice(await chain.latest());
    const [heads, cacheProbe, indexProbe, oracle] = await Promise.all([
      chain.rpc.heads(PROBE_TIMEOUT_MS),
      timed(cache.ping()),
      timed(dataApiOf(context).ping(PROBE_TIMEOUT_MS)),
      ifAvailable(telemetry, 'oracle', readOracle),
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
    const isWhole = !isOld && rpc.every(({ ok }) => ok) && cacheProbe.ok && indexProbe.ok;
    return {
      status: !best ? ('down' as const) : isWhole ? ('ok' as const) : ('degraded' as const),
      version: VERSION,
      network: config.network.name,
      chainId: config.network.chainId,
      block: best?.number,
      headAgeSeconds: headAge,
      rpc,
      cache: cacheProbe,
      dataApi: indexProbe,
      oracle: ifKnown((updatedAt) => ({ ageSeconds: Math.max(0, now - updatedAt) }), oracle?.updatedAt),
    };
  },
});

/** Whether something works, and how long it took to find out. */
async function timed(working: Promise<boolean>): Promise<{ ok: boolean; latencyMs: number }> {
  const started = monotonicMs();
  const ok = await working;
  return { ok, latencyMs: toTenths(monotonicMs() - started) };
}

export const handler = createHandler(health);
