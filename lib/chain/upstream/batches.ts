/** Divides calls into JSON-RPC batches that a provider takes. */

import { type Clock, systemClock } from '../../runtime/clock.ts';
import { chunked, packed } from '../../values/arrays.ts';
import type { Provider } from './failover.ts';
import { RpcTooLarge, UpstreamFailure } from './failures.ts';
import { BatchRefused, type Recipient, type RpcCall, sendBatch, sendOne } from './json-rpc.ts';
import { findLimits } from './provider-limits.ts';

/**
 * Maximum bytes of a batch. go-ethereum and avalanchego take bodies of 5 MB, anvil of 2 MB, and nginx, which often is in
 * front, of 1 MB. A server that refuses a body before it has arrived may close the connection, so that its 413 is lost.
 */
const MAX_BATCH_BYTES = 900_000;

interface RequestOptions {
  timeoutMs: number;
  /** True for recorders: clients' requests go before theirs, and they keep to the provider's rate limit. */
  isBackground?: boolean | undefined;
  clock?: Clock | undefined;
}

/**
 * Sends the calls in JSON-RPC batches within the provider's limits, or one by one if it refuses batches. Returns, in
 * order, each call's result or its {@link UpstreamFailure}. Throws an UpstreamFailure if there was no answer.
 */
export async function sendRpc(
  provider: Provider,
  calls: readonly RpcCall[],
  options: RequestOptions,
): Promise<unknown[]> {
  const items = findLimits(provider).callsPerBatch;
  const batches = packed(calls, { items, size: MAX_BATCH_BYTES }, sizeOf);
  const settled = await Promise.allSettled(batches.map((batch) => sendPart({ provider, ...options }, batch)));
  const failures = settled.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  const fault = failures.find(
    ({ reason }) => failures.length === batches.length || !(reason instanceof UpstreamFailure),
  );
  if (fault) throw fault.reason;
  return settled.flatMap((part, place) =>
    part.status === 'fulfilled' ? part.value : (batches[place] as RpcCall[]).map(() => part.reason),
  );
}

type BatchRecipient = Recipient & RequestOptions;

/** The outcomes of calls that should fit one request. A refused batch is divided. */
async function sendPart(to: BatchRecipient, calls: readonly RpcCall[]): Promise<unknown[]> {
  const limits = findLimits(to.provider);
  const { isBackground = false, clock = systemClock } = to;
  const send = () => (calls.length === 1 ? sendOne(to, calls) : sendBatch(to, calls));
  try {
    return await (isBackground ? limits.runBackground(send, clock) : limits.runClient(send, clock));
  } catch (error) {
    if (error instanceof RpcTooLarge) {
      if (calls.length === 1) return [error];
      limits.halveBatches(calls.length);
      throw new RpcTooLarge({ cause: error, mayDivide: true });
    }
    if (!(error instanceof BatchRefused)) throw error;
    if (error.limit !== undefined) {
      limits.limitBatches(Math.min(error.limit, calls.length - 1));
      return sendParts(to, chunked(calls, limits.callsPerBatch));
    }
    const outcomes = await sendParts(to, chunked(calls, 1));
    // If all fail, their failure was the reason, not the batch.
    if (!outcomes.every((outcome) => outcome instanceof UpstreamFailure)) limits.limitBatches(1);
    return outcomes;
  }
}

async function sendParts(to: BatchRecipient, parts: readonly RpcCall[][]): Promise<unknown[]> {
  return (await Promise.all(parts.map((part) => sendPart(to, part)))).flat();
}

/** Approximate bytes of a call: most are calldata. */
function sizeOf({ params }: RpcCall): number {
  const data = (params as { 0?: { data?: string } })[0]?.data ?? '';
  return data.length + 150;
}
