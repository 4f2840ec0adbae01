/** Divides calls into JSON-RPC batches that a provider takes. */

import { chunked, packed } from '../../values/arrays.ts';
import { type Provider, UpstreamFailure } from './failover.ts';
import { BatchRefused, type Recipient, type RpcCall, RpcTooLarge, sendBatch, sendOne } from './json-rpc.ts';
import type { Pace } from './pace.ts';

/** What a provider takes in one batch, as far as is known. */
interface BatchLimits {
  calls: number;
  bytes: number;
}

/** The most calls that api.avax.network takes (its documentation, 2026-11). */
const MAX_BATCH_CALLS = 40;
/**
 * go-ethereum and avalanchego take bodies of 5 MB, anvil of 2 MB, and nginx, which many put in front, of 1 MB. Whoever
 * refuses a body before it has come may close the connection, so that its 413 is lost.
 */
const MAX_BATCH_BYTES = 900_000;
/** A smaller body was not refused for its own size, but for that of its answer. */
const LEAST_BATCH_BYTES = 100_000;

const limitsOfProviders = new WeakMap<Provider, BatchLimits>();

function limitsOf(provider: Provider): BatchLimits {
  const limits = limitsOfProviders.get(provider) ?? { calls: MAX_BATCH_CALLS, bytes: MAX_BATCH_BYTES };
  limitsOfProviders.set(provider, limits);
  return limits;
}

/**
 * Sends the calls in JSON-RPC batches as large as the provider takes them, as far as is known, or one by one if there is only one or
 * the provider refuses batches; with a `pace`, no faster than that, and what is refused again later if that `mayWait`. Returns, in
 * order, each call's result or its error: {@link RpcTooLarge} for what another provider would refuse as well,
 * {@link UpstreamFailure} for what it may do better. Throws an UpstreamFailure if there was no answer.
 */
export async function sendRpc(
  provider: Provider,
  calls: readonly RpcCall[],
  timeoutMs: number,
  pace?: Pace,
  mayWait?: boolean,
): Promise<unknown[]> {
  const to = { provider, timeoutMs, pace, mayWait };
  const batches = divide(calls, limitsOf(provider));
  const settled = await Promise.allSettled(batches.map((batch) => sendPart(to, batch)));
  const failures = settled.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  const fault = failures.find(
    ({ reason }) => failures.length === batches.length || !(reason instanceof UpstreamFailure),
  );
  if (fault) throw fault.reason;
  return settled.flatMap((part, place) =>
    part.status === 'fulfilled' ? part.value : (batches[place] as RpcCall[]).map(() => part.reason),
  );
}

interface PacedRecipient extends Recipient {
  pace?: Pace | undefined;
  mayWait?: boolean | undefined;
}

/** The outcomes of calls that should fit one request. What is refused is divided. */
async function sendPart(to: PacedRecipient, calls: readonly RpcCall[]): Promise<unknown[]> {
  const limits = limitsOf(to.provider);
  try {
    const ask = (some: readonly RpcCall[]) => (some.length === 1 ? sendOne(to, some) : sendBatch(to, some));
    return await (to.pace ? to.pace.run(calls, ask, to.mayWait) : ask(calls));
  } catch (error) {
    if (error instanceof RpcTooLarge) {
      if (calls.length === 1) return [error];
      limits.bytes = Math.min(limits.bytes, Math.max(LEAST_BATCH_BYTES, bytesOf(calls) / 2));
      return sendParts(to, chunked(calls, Math.ceil(calls.length / 2)));
    }
    if (!(error instanceof BatchRefused)) throw error;
    if (error.limit !== undefined) {
      limits.calls = Math.max(1, Math.min(error.limit, calls.length - 1, limits.calls));
      return sendParts(to, divide(calls, limits));
    }
    const outcomes = await sendParts(to, chunked(calls, 1));
    if (!outcomes.every((outcome) => outcome instanceof UpstreamFailure)) limits.calls = 1;
    return outcomes;
  }
}

async function sendParts(to: PacedRecipient, parts: readonly RpcCall[][]): Promise<unknown[]> {
  return (await Promise.all(parts.map((part) => sendPart(to, part)))).flat();
}

function divide(calls: readonly RpcCall[], { calls: items, bytes: size }: BatchLimits): RpcCall[][] {
  return packed(calls, { items, size }, sizeOf);
}

function bytesOf(calls: readonly RpcCall[]): number {
  return calls.reduce((sum, call) => sum + sizeOf(call), 0);
}

/** About the bytes that a call takes: most are calldata. */
function sizeOf({ params }: RpcCall): number {
  const data = (params as { 0?: { data?: string } })[0]?.data ?? '';
  return data.length + 150;
}
