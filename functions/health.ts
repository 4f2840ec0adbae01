import * as z from 'zod/mini';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { choice, json, list, object } from '../lib/api/fields.ts';
import { address, flag, integer, seconds, text, unixTime } from '../lib/api/units.ts';
import { readOraclePrice } from '../lib/contracts/ggp.ts';
import type { ReadState } from '../lib/ledger/ledger-state.ts';
import type { LedgerContext } from '../lib/ledger/ledger-store.ts';
import type { Mismatch } from '../lib/ledger/mismatch.ts';
import type { Dispute } from '../lib/ledger/vote.ts';
import { toTenths } from '../lib/runtime/clock.ts';
import { ENDPOINT_LIMITS, secondsNow } from '../lib/runtime/context.ts';
import { ifAvailable, ifKnown } from '../lib/runtime/if-known.ts';
import type { Network } from '../lib/runtime/networks.ts';
import { VERSION } from '../lib/runtime/version.ts';

const STATUSES = ['ok', 'degraded', 'down'] as const;

/** Time limit in ms of a probe: that of an endpoint's request, so that no source is `down` that answers those. */
const PROBE_TIMEOUT_MS = ENDPOINT_LIMITS.rpc.budgetMs;
/** Most seconds by which the ledger may end before the newest block. */
const MAX_BEHIND_SECONDS = 600;
const MAX_MISMATCHES = 10;

interface Check {
  ok: boolean;
  latencyMs: number;
}

const ofCheck = {
  ok: flag('`true` if the check succeeded in time.'),
  latencyMs: json(
    () => z.number().check(z.describe('Response time in milliseconds, to a tenth.')),
    ({ latencyMs }: Check) => toTenths(latencyMs),
  ),
};

const probe = object<Check>('Probe', 'Result of a health check.')(ofCheck);

interface RpcCheck extends Check {
  name: string;
  headLag: number | undefined;
}

const rpcEndpoint = object<RpcCheck>('RpcEndpoint')({
  name: text('Name: `rpc-1`, numbered in order of use.'),
  ...ofCheck,
  headLag: integer.optional('Blocks behind the newest head.'),
});

const oracle = object<number>()({ ageSeconds: seconds('Age of the GGP price that the contracts use.', (age) => age) });

const mismatch = object<Mismatch>('LedgerMismatch')({
  contract: text('Contract.'),
  view: text('View whose value differs.'),
  key: text.optional('Address, node, request or cycle.'),
  ledger: text('Value from the events: an integer, amounts in wei.'),
  chain: text('Value of the contract.'),
  blockNumber: integer('Block of both values.', ({ block }) => block),
});

const dispute = object<Dispute>('LedgerDispute')({
  fromBlock: integer('First block.'),
  toBlock: integer('Last block.'),
  reason: text('Reason.'),
  providers: list(text)('Names, as in `rpc`; none if an event does not decode.'),
});

const refusal = object<ReadState['refused'][number]>('LedgerRefusal')({
  cycle: integer('Number of the rewards cycle.'),
  staker: address('Address of the staker.'),
});

const ifAny = <T>(all: readonly T[]) => (all.length > 0 ? all.slice(0, MAX_MISMATCHES) : undefined);

const LEDGER = object<ReadState>()({
  toBlock: integer.optional('Last indexed block. Omitted before the first.', ({ blocks }) => blocks?.to),
  sources: integer('Providers that agreed on all events: 2, or 1 if only one is configured or keeps old states.'),
  waitingSince: unixTime.optional('Time since which too few providers answer to index events. Omitted otherwise.'),
  mismatches: list(mismatch).optional(
    `Values that differ between events and contracts: at most ${MAX_MISMATCHES}. Omitted if there are none.`,
    ({ check }) => ifAny(check?.mismatches ?? []),
  ),
  disputed: dispute.optional('Blocks whose events nothing decides. Indexing stops there. Omitted if there are none.'),
  refused: list(refusal).optional(
    `Shares of rewards cycles that are impossible and left out: at most ${MAX_MISMATCHES}. Omitted if there are none.`,
    ({ refused }) => ifAny(refused),
  ),
});

interface Health {
  status: (typeof STATUSES)[number];
  network: Network;
  block: number | undefined;
  headAge?: number | undefined;
  rpc: RpcCheck[];
  cache?: Check;
  dataApi?: Check;
  ledger?: ReadState | undefined;
  oracleAge?: number | undefined;
}

const HEALTH = object<Health>()({
  status: choice(
    'ServiceStatus',
    STATUSES,
  )(
    '`degraded`: an RPC endpoint, the cache, or the validator index failed, the latest block is too old, or the ledger is incomplete, behind, waiting, `disputed`, or has `mismatches`. `down`: no RPC endpoint responded. `ok` otherwise.',
  ),
  version: text('Version of the service.', () => VERSION),
  network: text('Network.', ({ network }) => network.name),
  chainId: integer('Chain ID of the C-Chain.', ({ network }) => network.chainId),
  blockNumber: integer.optional('Newest block of any RPC endpoint.', ({ block }) => block),
  headAgeSeconds: seconds.optional('Age of the latest block.', ({ headAge }) => headAge),
  rpc: list(rpcEndpoint)('C-Chain RPC endpoints, in order of use.'),
  cache: probe.optional('Shared cache.'),
  dataApi: probe.optional('Validator index (Avalanche Data API). The P-Chain replaces it while it fails.'),
  ledger: LEDGER.optional('Event ledger. Omitted if the table does not respond, or before the first run.'),
  oracle: oracle.optional('Price oracle.', ({ oracleAge }) => oracleAge),
});

export const health = defineEndpoint({
  path: '/health',
  tag: 'Service',
  summary: 'Service health',
  description:
    'State of the service and its sources, checked at most every five seconds. The HTTP status is 200 for `ok` and `degraded`, 503 for `down`.',
  freshSeconds: 5,
  // A stale "ok" would be wrong.
  neverStale: true,
  shared: true,
  reads: ['ledger'],
  body: HEALTH,
  status: ({ status }) => (status === 'down' ? 503 : 200),
  exampleRequest: '/health',
  async handle(_input, context) {
    const { config } = context;
    const { network } = config;
    const { chain } = context;
    const readOracle = async () => readOraclePrice(await chain.latest());
    const [heads, cache, dataApi, oracle, ledger] = await Promise.all([
      chain.rpc.heads(PROBE_TIMEOUT_MS),
      timed(context.cache.ping()),
      timed(context.dataApi.ping(PROBE_TIMEOUT_MS)),
      ifAvailable(context, 'oracle', readOracle, PROBE_TIMEOUT_MS),
      ifAvailable(context, 'ledger', () => readLedger(context), PROBE_TIMEOUT_MS),
    ]);
    const now = secondsNow(context);
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
    const isHealthy =
      !isOld && rpc.every(({ ok }) => ok) && cache.ok && dataApi.ok && isSound(ledger, best?.timestamp ?? 0);
    const status: Health['status'] = !best ? 'down' : isHealthy ? 'ok' : 'degraded';
    return {
      status,
      network,
      block: best?.number,
      headAge,
      rpc,
      cache,
      dataApi,
      ledger,
      oracleAge: ifKnown(ageOf, oracle?.updatedAt),
    };
  },
});

/** The ledger's state, once it has been started. */
async function readLedger({ ledger }: LedgerContext): Promise<ReadState | undefined> {
  const state = await ledger.progress.read();
  return state.blocks || state.disputed || state.waitingSince !== undefined ? state : undefined;
}

/** True if the ledger is complete and advances, and nothing contradicts it. `now`: time of the newest head, unix seconds. */
function isSound(ledger: ReadState | undefined, now: number): boolean {
  if (!ledger) return true;
  const { coverage, waitingSince, disputed, check } = ledger;
  const isCurrent = coverage?.complete === true && now - coverage.toTimestamp <= MAX_BEHIND_SECONDS;
  return isCurrent && waitingSince === undefined && !disputed && !check?.mismatches.length;
}

async function timed(working: Promise<boolean>): Promise<Check> {
  const started = performance.now();
  const ok = await working;
  return { ok, latencyMs: performance.now() - started };
}

export const handler = /* @__PURE__ */ createHandler(health);
