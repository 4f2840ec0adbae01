import { makeError } from 'ethers';
import { ApiError, contractUnavailable, isRefusal, sourceUnavailable } from '../runtime/errors.ts';
import { requireHex } from './abi-words.ts';
import type { InnerCall } from './multicall.ts';
import { RpcTooLarge, UpstreamFailure } from './upstream/failures.ts';
import { Reverted } from './upstream/json-rpc.ts';

/** The data that a call returned, or its error. */
export type Outcome = string | Error;

/** The outcome of a call that was run, as every other provider would answer the same. Throws for others. */
export function requireConclusive(outcome: unknown): Outcome {
  if (outcome instanceof Reverted) return outcome;
  if (outcome instanceof Error) throw outcome;
  return requireHex(outcome);
}

/** The data of an outcome. Throws CALL_EXCEPTION if the call reverted, and UPSTREAM_UNAVAILABLE if no provider ran it. */
export function requireData(outcome: Outcome, transaction: InnerCall): string {
  if (typeof outcome === 'string') return outcome;
  if (!(outcome instanceof Reverted)) throw unavailable(outcome);
  const { data } = outcome;
  // The error that ethers' own providers reject with.
  const details = { action: 'call', data, transaction, reason: null, invocation: null, revert: null } as const;
  throw makeError('execution reverted', 'CALL_EXCEPTION', details);
}

export function unavailable(cause: unknown): Error {
  if (cause instanceof RpcTooLarge)
    return new ApiError('UPSTREAM_UNAVAILABLE', 'The data source refused a request of this size.', { cause });
  return cause instanceof UpstreamFailure ? sourceUnavailable({ cause }) : (cause as Error);
}

export type Answers<Values> = { [Name in keyof Values]?: Values[Name] };

/** The results of several reads that begin at the same time, so that their calls are batched. Throws if one does. */
export async function allRead<Values>(reads: { [Name in keyof Values]: Promise<Values[Name]> }): Promise<Values> {
  const entries = Object.entries<Promise<unknown>>(reads).map(async ([name, read]) => [name, await read] as const);
  return Object.fromEntries(await Promise.all(entries)) as Values;
}

/** The answers of several calls, without those that the chain refused: they are not zero. Throws if the source is down. */
export async function answered<Values>(
  reads: { [Name in keyof Values]: Promise<Values[Name]> },
): Promise<Answers<Values>> {
  const names = Object.keys(reads) as (keyof Values)[];
  const entries = await Promise.all(names.map(async (name) => [name, await ifAnswered(reads[name])] as const));
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Answers<Values>;
}

/** The answer of one call, or undefined if the chain refused it. */
export async function ifAnswered<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** An answer that is needed. Throws UPSTREAM_UNAVAILABLE if it is missing. */
export function required<T>(answer: T | undefined): T {
  if (answer === undefined) throw contractUnavailable();
  return answer;
}
