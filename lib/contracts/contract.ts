import type { Interface } from 'ethers';
import type { Snapshot } from '../chain/snapshot.ts';

/** Calls a view: `await ggAvax('convertToAssets', shares)`. Several results come as a list that also has their names. */
export type ViewCaller = <Result>(name: string, ...args: unknown[]) => Promise<Result>;

/**
 * The views of a contract at the snapshot's block. It is what ethers' `Contract` does for views; that one also brings
 * transactions, events and providers, 24 kB in every function. Rejects with ethers' CALL_EXCEPTION when the call reverts and
 * with BAD_DATA when there is no such contract.
 */
export function contractAt(runner: Snapshot, address: string, abi: Interface): ViewCaller {
  return async <Result>(name: string, ...args: unknown[]) => {
    const returned = await runner.call({ to: address, data: abi.encodeFunctionData(name, args) });
    const results = abi.decodeFunctionResult(name, returned);
    return (results.length === 1 ? results[0] : results) as Result;
  };
}
