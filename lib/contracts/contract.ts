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
    const returned = await runner.call({ to: address, data: encode(abi, name, args) });
    const results = abi.decodeFunctionResult(name, returned);
    return (results.length === 1 ? results[0] : results) as Result;
  };
}

/** More than all views of a run of the recorder, less than a megabyte. */
const MAX_REMEMBERED = 2_000;
const calldata = new WeakMap<Interface, Map<string, string>>();

/** Calldata. It is remembered: the same is asked again and again, and ethers takes up to 0.2 ms to encode two addresses. */
function encode(abi: Interface, name: string, args: readonly unknown[]): string {
  const known = calldata.get(abi) ?? new Map<string, string>();
  const call = `${name}(${args.join()})`;
  const data = known.get(call) ?? abi.encodeFunctionData(name, args);
  if (known.size < MAX_REMEMBERED) calldata.set(abi, known.set(call, data));
  return data;
}
