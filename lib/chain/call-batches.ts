/** Divides the calls of a snapshot into batches, and settles each call with its result or error. */

import { makeError } from 'ethers';
import { ApiError, sourceUnavailable } from '../runtime/errors.ts';
import { packed } from '../values/arrays.ts';
import { requireHex } from './abi-words.ts';
import type { InnerCall, InnerResult } from './multicall.ts';
import { RpcTooLarge, UpstreamFailure } from './upstream/failures.ts';
import { Reverted, type RpcCall } from './upstream/json-rpc.ts';

/** Maximum gas of a batch: well below every node's `eth_call` gas cap (50 M on avalanchego). */
const MAX_BATCH_GAS = 30_000_000;
const MAX_BATCH_CALLS = 300;
/** Gas reserved for a call without a `gasLimit`: more than any plain getter of the protocol needs. */
export const DEFAULT_CALL_GAS = 100_000;

const TOO_LARGE = 'The data source refused a request of this size.';

export interface PendingCall extends InnerCall {
  /** Gas to reserve. */
  gas: number;
  resolve: (data: string) => void;
  reject: (error: unknown) => void;
}

/** A JSON-RPC call outside of a Multicall3 batch, but in the same request. */
export interface DirectCall {
  at: (tag: string) => RpcCall;
  /** Gas to reserve. */
  gas: number;
  /** Takes the data, or an error. */
  settle: (outcome: string | Error) => void;
}

/** The data that a direct call returned, or its error. */
export function toOutcome(outcome: unknown): string | Error {
  try {
    return outcome instanceof Error ? outcome : requireHex(outcome);
  } catch (error) {
    return error as Error;
  }
}

/** True if the call was run: every other provider would answer the same. */
export function isConclusive(outcome: string | Error): boolean {
  return typeof outcome === 'string' || outcome instanceof Reverted;
}

/** The data of a direct call, or its revert. Throws any other outcome. */
export function requireConclusive(outcome: unknown): string | Error {
  const conclusive = toOutcome(outcome);
  if (!isConclusive(conclusive)) throw conclusive;
  return conclusive;
}

export function settleDirect(calls: readonly DirectCall[], outcomes: readonly (string | Error)[]): void {
  for (const [index, { settle }] of calls.entries()) settle(outcomes[index] as string | Error);
}

/** The data of an outcome. Throws CALL_EXCEPTION if the call reverted, and UPSTREAM_UNAVAILABLE if no provider ran it. */
export function requireData(outcome: string | Error, call: Pick<InnerCall, 'to' | 'data'>): string {
  if (outcome instanceof Reverted) throw reverted(call, outcome.data);
  if (outcome instanceof Error) throw unavailable(outcome);
  return outcome;
}

export function sumGas(calls: readonly PendingCall[]): number {
  return calls.reduce((sum, { gas }) => sum + gas, 0);
}

export function splitByGas(calls: readonly PendingCall[]): PendingCall[][] {
  return packed(calls, { items: MAX_BATCH_CALLS, size: MAX_BATCH_GAS }, ({ gas }) => gas);
}

export function halvesIfTooLarge(batch: PendingCall[], error: unknown): [PendingCall[], PendingCall[]] | undefined {
  if (!(error instanceof RpcTooLarge) || batch.length < 2) return undefined;
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}

export function settle(batch: readonly PendingCall[], results: readonly InnerResult[]): void {
  for (const [index, { to, data, resolve, reject }] of batch.entries()) {
    const result = results[index] as InnerResult;
    if (result.success) resolve(result.data);
    else reject(reverted({ to, data }, result.data));
  }
}

/** The error that ethers' own providers reject with. */
function reverted(transaction: InnerCall, data: string): Error {
  const unknown = { reason: null, invocation: null, revert: null };
  return makeError('execution reverted', 'CALL_EXCEPTION', { action: 'call', data, transaction, ...unknown });
}

export function rejectAll(batch: readonly PendingCall[], cause: unknown): void {
  const error = unavailable(cause);
  for (const { reject } of batch) reject(error);
}

/** Maps the failures of providers to UPSTREAM_UNAVAILABLE. */
function unavailable(cause: unknown): unknown {
  if (cause instanceof RpcTooLarge) return new ApiError('UPSTREAM_UNAVAILABLE', TOO_LARGE, { cause });
  return cause instanceof UpstreamFailure ? sourceUnavailable({ cause }) : cause;
}
