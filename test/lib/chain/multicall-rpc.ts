import { Interface } from 'ethers';
import type { ChainRpc } from '../../../lib/chain/rpc.ts';

const AGGREGATE = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) view returns ((bool success, bytes returnData)[])',
]);

interface Inner {
  target: string;
  callData: string;
}

interface Outer {
  params: [{ data: string }, tag: string];
}

type Parse = (result: unknown) => unknown;

/**
 * Providers that respond to each call of a batch with `answer`. `onBatch` gets the calls and the block tag of a
 * batch.
 */
export function multicallRpc(
  answer: (call: Inner, tag: string) => readonly [success: boolean, data: string],
  onBatch: (calls: readonly Inner[], tag: string) => void,
) {
  const call = async ({ params: [{ data }, tag] }: Outer, { parse }: { parse: Parse }) => {
    const [calls] = AGGREGATE.decodeFunctionData('aggregate3', data);
    onBatch(calls, tag);
    return parse(AGGREGATE.encodeFunctionResult('aggregate3', [calls.map((inner: Inner) => answer(inner, tag))]));
  };
  return { call, callPast: (each: Outer, parse: Parse) => call(each, { parse }) } as unknown as ChainRpc;
}
