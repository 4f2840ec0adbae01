import type { FunctionFragment, Interface } from 'ethers';
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
    const view = viewOf(abi, name);
    const returned = await runner.call({ to: address, data: encode(abi, view, args) });
    return decode(abi, view, returned) as Result;
  };
}

/** What is remembered of a view: ethers takes 10 µs to find it by its name, and up to 200 µs to encode two addresses. */
interface View {
  fragment: FunctionFragment;
  /** By the arguments. */
  calldata: Map<string, string>;
}

const views = new WeakMap<Interface, Map<string, View>>();
/** More than all arguments of a run of the recorder, less than a megabyte. */
const MAX_REMEMBERED = 2_000;
/** `0x` and the hex digits of one ABI word. */
const ONE_WORD = 66;

function viewOf(abi: Interface, name: string): View {
  const known = views.get(abi) ?? new Map<string, View>();
  const view = known.get(name) ?? { fragment: abi.getFunction(name) as FunctionFragment, calldata: new Map() };
  views.set(abi, known.set(name, view));
  return view;
}

function encode(abi: Interface, { fragment, calldata }: View, args: readonly unknown[]): string {
  const key = args.join();
  const data = calldata.get(key) ?? abi.encodeFunctionData(fragment, args);
  if (calldata.size < MAX_REMEMBERED) calldata.set(key, data);
  return data;
}

function decode(abi: Interface, { fragment }: View, returned: string): unknown {
  const { length, 0: output } = fragment.outputs;
  // Most views return one number: ethers takes 40 µs to say the same.
  if (length === 1 && output?.baseType.startsWith('uint') && returned.length === ONE_WORD) return BigInt(returned);
  const results = abi.decodeFunctionResult(fragment, returned);
  return results.length === 1 ? results[0] : results;
}
