import * as z from 'zod/mini';
import { createHandler, defineEndpoint } from '../lib/api/endpoint.ts';
import { choice, json, list, object } from '../lib/api/fields.ts';
import type { Services } from '../lib/api/services.ts';
import { address, flag, integer, seconds, text, unixTime } from '../lib/api/units.ts';
import { readOraclePrice } from '../lib/contracts/ggp.ts';
import type { ReadState } from '../lib/ledger/ledger-state.ts';
import type { LedgerContext } from '../lib/ledger/ledger-store.ts';
import type { Doubts, Mismatch, Refusal } from '../lib/ledger/mismatch.ts';
import type { Dispute, Waiting } from '../lib/ledger/vote.ts';
import { toTenths } from '../lib/runtime/clock.ts';
import { ENDPOINT_LIMITS, secondsNow } from '../lib/runtime/context.ts';
import { ifAvailable, ifKnown } from '../lib/runtime/if-known.ts';
import { VERSION } from '../lib/runtime/version.ts';
import { DAY } from '../lib/values/durations.ts';

/** Time limit in ms of a probe: that of an endpoint's request, so that no source is `down` that answers those. */
const PROBE_TIMEOUT_MS = ENDPOINT_LIMITS.rpc.budgetMs;
/** Most seconds by which the ledger may end before the newest block. */
const MAX_BEHIND_SECONDS = 600;
const MAX_DOUBTS = 10;
/** Most seconds since the last comparison of the ledger with the contracts, which is made once a day. */
const MAX_COMPARED_SECONDS = 3 * DAY;

interface Check {
  ok: boolean;
  latencyMs: number;
}

const milliseconds = () => z.number().check(z.describe('Response time in milliseconds, to a tenth.'));
const ofCheck = {
  ok: flag('`true` if the check succeeded in time.'),
  latencyMs: json(milliseconds, ({ latencyMs }: Check) => toTenths(latencyMs)),
};

const probe = object<Check>('Probe', 'Result of a health check.')(ofCheck);

const rpcEndpoint = object<Check & { name: string; headLag?: number | undefined; sameHostAs?: string | undefined }>(
  'RpcEndpoint',
)({
  name: text('Name: `rpc-1`, numbered in order of use.'),
  ...ofCheck,
  headLag: integer.optional('Blocks behind the newest head.'),
  sameHostAs: text.optional('First endpoint of the same host: they may be one source. Omitted if that is this one.'),
});

const oracle = object<number>()({ ageSeconds: seconds('Age of the GGP price that the contracts use.', (age) => age) });

const mismatch = object<Mismatch>('LedgerMismatch')({
  contract: text('Contract.'),
  view: text('View whose value differs.'),
  key: text.optional('Address, node or request.'),
  ledger: text('Value from the events: an integer, amounts in wei. Empty if no value of the view is known.'),
  chain: text.optional('Value of the contract. Omitted if providers return different ones, or none.'),
  blockNumber: integer('Block of both values.', ({ block }) => block),
});

const dispute = object<Dispute>('LedgerDispute')({
  fromBlock: integer('First block.'),
  toBlock: integer('Last block.'),
  reason: text('Reason.'),
  providers: list(text)('Names, as in `rpc`; none if an event does not decode.'),
});

const waiting = object<Waiting>('LedgerWaiting')({
  fromBlock: integer.optional('First block. Omitted if no provider has a newest block.'),
  toBlock: integer.optional('Last block.'),
  reason: text('Reason, and what to do.'),
});

const refusal = object<Refusal>('LedgerRefusal')({
  cycle: integer('Number of the rewards cycle.'),
  staker: address.optional('Address of the staker. Omitted if it is the whole cycle.'),
  blockNumber: integer.optional(
    'Block that providers read differently. Omitted if the share is impossible.',
    ({ block }) => block,
  ),
  providers: list(text).optional('Names of these providers, as in `rpc`.'),
});

type Ledger = ReadState & Doubts;

const mostOf = <T>(all: readonly T[]) => (all.length > 0 ? all.slice(0, MAX_DOUBTS) : undefined);

const LEDGER = object<Ledger>()({
  toBlock: integer.optional('Last indexed block. Omitted before the first.', ({ blocks }) => blocks?.to),
  sources: integer('Providers that agreed on all events: 2, or 1 if only one is configured or keeps old states.'),
  comparedAt: unixTime.optional(
    'Time of the last comparison of events and contracts, made once a day. Omitted before the first.',
  ),
  waitingSince: unixTime.optional('Time since which too few providers answer to index events. Omitted otherwise.'),
  waiting: waiting.optional('Blocks that are not indexed for that reason. Omitted otherwise.'),
  mismatches: list(mismatch).optional(
    `Values that differ between events and contracts, or could not be compared: at most ${MAX_DOUBTS}. Omitted if there are none.`,
    ({ mismatches }) => mostOf(mismatches),
  ),
  disputed: dispute.optional('Blocks whose events nothing decides. Indexing stops there. Omitted if there are none.'),
  refused: list(refusal).optional(
    `Shares of rewards cycles that are left out, because they are impossible or providers disagree: at most ${MAX_DOUBTS}. Omitted if there are none.`,
    ({ refused }) => mostOf(refused),
  ),
});

type Health = Awaited<ReturnType<typeof readHealth>>;

const HEALTH = object<Health>()({
  status: choice('ServiceStatus', ['ok', 'degraded', 'down'])(
    '`degraded`: an RPC endpoint, the cache, or the validator index failed, the contracts cannot be read (no `oracle`), the latest block is too old, or the ledger is incomplete, behind, waiting, `disputed`, has `mismatches` with a `chain` value or `refused` shares, or was not compared with the contracts for three days. `down`: no RPC endpoint responded. `ok` otherwise.',
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
  handle: (_input, context) => readHealth(context),
});

async function readHealth(context: Services) {
  const { chain, config } = context;
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
  const hosts = config.rpcUrls.map((url) => new URL(url).host);
  const rpc = heads.map(({ head, ...provider }, place) => {
    const headLag = best && head && best.number - head.number;
    const first = hosts.indexOf(hosts[place] as string);
    return { ...provider, ok: head !== undefined, headLag, sameHostAs: first < place ? heads[first]?.name : undefined };
  });
  const isOld = headAge !== undefined && config.maxHeadAgeSeconds > 0 && headAge > config.maxHeadAgeSeconds;
  const isHealthy =
    !isOld && oracle && [...rpc, cache, dataApi].every(({ ok }) => ok) && isSound(ledger, best?.timestamp ?? 0, now);
  const status: 'ok' | 'degraded' | 'down' = !best ? 'down' : isHealthy ? 'ok' : 'degraded';
  const oracleAge = ifKnown(ageOf, oracle?.updatedAt);
  return { status, network: config.network, block: best?.number, headAge, rpc, cache, dataApi, ledger, oracleAge };
}

/** The ledger's state, once it has been started. */
async function readLedger({ ledger }: LedgerContext): Promise<Ledger | undefined> {
  const state = await ledger.progress.read();
  if (!state.blocks && !state.disputed && state.waitingSince === undefined) return undefined;
  return { ...state, ...(await ledger.progress.doubts(state.generation)) };
}

/**
 * True if the ledger is complete, advances and is compared, and there are no doubts. The recorder compares it as soon as it is
 * complete. `head`: time of the newest head, unix seconds.
 */
function isSound(ledger: Ledger | undefined, head: number, now: number): boolean {
  if (!ledger) return true;
  const { coverage, waitingSince, disputed, comparedAt = 0, mismatches, refused } = ledger;
  const isCurrent = coverage?.complete === true && head - coverage.toTimestamp <= MAX_BEHIND_SECONDS;
  // A clock that was ahead has compared it at an unknown time.
  const isCompared = Math.abs(now - comparedAt) <= MAX_COMPARED_SECONDS;
  const isFlawed = disputed !== undefined || mismatches.some(({ chain }) => chain !== undefined) || refused.length > 0;
  return isCurrent && isCompared && waitingSince === undefined && !isFlawed;
}

async function timed(working: Promise<boolean>): Promise<Check> {
  const started = performance.now();
  const ok = await working;
  return { ok, latencyMs: performance.now() - started };
}

export const handler = /* @__PURE__ */ createHandler(health);
