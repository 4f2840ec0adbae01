import type { Snapshot } from '../chain/snapshot.ts';
import type { Abi } from './abi.ts';

/** Calls a view: `await ggAvax('convertToAssets', shares)`. Several results come as a list. */
export type ViewCaller = <Result>(name: string, ...args: unknown[]) => Promise<Result>;

/**
 * The views of a contract at the snapshot's block. Rejects with ethers' CALL_EXCEPTION when the call reverts and with BAD_DATA
 * when there is no such contract.
 */
export function contractAt(runner: Snapshot, address: string, abi: Abi): ViewCaller {
  return async <Result>(name: string, ...args: unknown[]) =>
    abi.decode(name, await runner.call({ to: address, data: abi.encode(name, args) })) as Result;
}
