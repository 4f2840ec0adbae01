/** How a snapshot divides its calls into batches, and gives each call its result or error. */

import { makeError } from 'ethers';
import { ApiError } from '../runtime/errors.ts';
import { packed } from '../values/arrays.ts';
import type { InnerCall, InnerResult } from './multicall.ts';
import { Reverted, type RpcCall, RpcTooLarge } from './upstream/json-rpc.ts';
import { requireHex } from './words.ts';

/** Under every node's `eth_call` gas cap (50 M on avalanchego) with room to spare. */
const MAX_BATCH_GAS = 30_000_000;
const MAX_BATCH_CALLS = 300;
/** Gas reserved for a call without a `gasLimit`: more than any plain getter of the protocol needs. */
export const DEFAULT_CALL_GAS = 100_000;

const TOO_LARGE = 'The data source refused a request of this size.';

export interface PendingCall extends InnerCall {
  /** How much gas to reserve. */
  gas: number;
  resolve: (data: string) => void;
  reject: (error: unknown) => void;
}

/** A call that travels beside the Multicall3 batch, in the same request. */
export interface OwnCall {
  at: (tag: string) => RpcCall;
  /** Takes the data, or an error. */
  settle: (outcome: string | Error) => void;
}

/** What came of a call beside a batch: data, or an error. */
export function outcomeOf(outcome: unknown): string | Error {
  try {
    return outcome instanceof Error ? outcome : requireHex(outcome);
  } catch (error) {
    return error as Error;
  }
}

/** Whether the call itself was answered or refused, and not only by this provider. */
export function isConclusive(outcome: string | Error): boolean {
  return typeof outcome === 'string' || outcome instanceof Reverted || outcome instanceof RpcTooLarge;
}

/** The outcomes of calls that were asked alone. Throws what the provider has failed with, or RangeError for what is no data. */
export function requireConclusive(outcomes: readonly unknown[]): (string | Error)[] {
  return outcomes.map(outcomeOf).map((outcome) => {
    if (!isConclusive(outcome)) throw outcome;
    return outcome;
  });
}

export function settleOwn(own: readonly OwnCall[], outcomes: readonly (string | Error)[]): void {
  for (const [index, { settle }] of own.entries()) settle(outcomes[index] as string | Error);
}

/** The data of an outcome. Throws CALL_EXCEPTION if the call reverted, and any other error as it is. */
export function requireData(outcome: string | Error, call: Pick<InnerCall, 'to' | 'data'>): string {
  if (outcome instanceof Reverted) throw reverted(call, outcome.data);
  if (outcome instanceof Error) throw unavailable(outcome);
  return outcome;
}

export function gasOf(calls: readonly PendingCall[]): number {
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

/** What ethers' own providers reject with. */
function reverted(transaction: InnerCall, data: string): Error {
  const unknown = { reason: null, invocation: null, revert: null };
  return makeError('execution reverted', 'CALL_EXCEPTION', { action: 'call', data, transaction, ...unknown });
}

export function rejectAll(batch: readonly PendingCall[], cause: unknown): void {
  const error = unavailable(cause);
  for (const { reject } of batch) reject(error);
}

/** What nobody can answer because of its size is, to whoever asks, not available. */
function unavailable(cause: unknown): unknown {
  return cause instanceof RpcTooLarge ? new ApiError('UPSTREAM_UNAVAILABLE', TOO_LARGE, { cause }) : cause;
}
