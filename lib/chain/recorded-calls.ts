/** A state of the protocol that is made from a record of calls, and the keys of such a record. */

import type { TransactionRequest } from 'ethers';
import type { CallOutcome } from '../runtime/frozen.ts';
import { requireData } from './call-batches.ts';
import type { ProtocolState } from './chain.ts';
import { Reverted } from './upstream/json-rpc.ts';

/** The key of a call; `from` only where somebody calls who is not Multicall3. */
export function callKey({ to, data, from }: TransactionRequest): string {
  return ['call', to, data, ...(from ? [from] : [])].join(' ').toLowerCase();
}

/** The key of a contract's storage slot. */
export function slotKey(address: string, slot: string): string {
  return `storage ${address} ${slot}`.toLowerCase();
}

/** What calls go through, given how to make one. */
export function toRunner(call: ProtocolState['runner']['call']): ProtocolState['runner'] {
  return { provider: null, call };
}

/** Runs calls from their recorded outcomes. Rejects with what `missing` makes if there is none. */
export function recordedCalls(
  outcomes: ReadonlyMap<string, CallOutcome>,
  missing: () => Error,
): Pick<ProtocolState, 'runner' | 'storageAt'> {
  const answer = async (key: string, call: { to: string; data: string }) => {
    const outcome = outcomes.get(key);
    if (!outcome) throw missing();
    return requireData(outcome.reverted ? new Reverted(outcome.data) : outcome.data, call);
  };
  return {
    runner: toRunner((call) => answer(callKey(call), { to: String(call.to), data: String(call.data) })),
    storageAt: (address, slot) => answer(slotKey(address, slot), { to: address, data: slot }),
  };
}
