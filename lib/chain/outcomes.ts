import { makeError } from 'ethers';
import { ApiError, sourceUnavailable } from '../runtime/errors.ts';
import { requireHex } from './abi-words.ts';
import type { InnerCall } from './multicall.ts';
import { RpcTooLarge, UpstreamFailure } from './upstream/failures.ts';
import { Reverted } from './upstream/json-rpc.ts';

const TOO_LARGE = 'The data source refused a request of this size.';

/** The data that a call returned, or its error. */
export type Outcome = string | Error;

export function toOutcome(outcome: unknown): Outcome {
  try {
    return outcome instanceof Error ? outcome : requireHex(outcome);
  } catch (error) {
    return error as Error;
  }
}

/** True if the call was run: every other provider would answer the same. */
export function isConclusive(outcome: Outcome): boolean {
  return typeof outcome === 'string' || outcome instanceof Reverted;
}

export function requireConclusive(outcome: unknown): Outcome {
  const conclusive = toOutcome(outcome);
  if (!isConclusive(conclusive)) throw conclusive;
  return conclusive;
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
  if (cause instanceof RpcTooLarge) return new ApiError('UPSTREAM_UNAVAILABLE', TOO_LARGE, { cause });
  return cause instanceof UpstreamFailure ? sourceUnavailable({ cause }) : (cause as Error);
}
