import { Interface } from 'ethers';
import { CONTRACT_NAMES, type ProtocolAddresses, type ProtocolState } from '../../lib/chain/chain.ts';
import type { Runner } from '../../lib/chain/contract.ts';
import { NETWORKS } from '../../lib/runtime/networks.ts';

/** Fake contracts, each defined by what its views return. */

/** Results by the signature of a state; a function computes them from its arguments. */
export type Answers = Record<string, readonly unknown[] | ((...args: bigint[]) => readonly unknown[])>;

export const BLOCK = { number: 7, timestamp: 1_790_000_000 };
export const network = NETWORKS.devnet;
export const addresses = Object.fromEntries(
  CONTRACT_NAMES.map((name, place) => [name, `0x${place + 1}${'0'.repeat(39)}`]),
) as ProtocolAddresses;

/** A call as readers make it. */
export interface Call {
  to: string;
  data: string;
  gasLimit?: number;
}

/** A runner that answers calls without a chain. */
export function runnerOf(answer: (call: Call) => string | Promise<string>): Runner {
  return { provider: null, call: async (request) => answer(request as Call) };
}

/** The protocol with contracts at these addresses. Unknown views and unknown addresses return empty data. */
export function protocolOf(contracts: Record<string, Answers>): ProtocolState & { asked: Call[] } {
  const asked: Call[] = [];
  const runner = runnerOf((request) => {
    asked.push(request);
    const answers = contracts[request.to] ?? {};
    const abi = new Interface(Object.keys(answers).map((signature) => `function ${signature}`));
    const called = abi.parseTransaction({ data: request.data });
    if (!called) return '0x';
    const answer = Object.values(answers)[abi.fragments.indexOf(called.fragment)] ?? [];
    return abi.encodeFunctionResult(called.fragment, typeof answer === 'function' ? answer(...called.args) : answer);
  });
  const storageAt = () => Promise.reject(new Error('no storage is read'));
  return { runner, addresses, network, asked, block: async () => BLOCK, storageAt };
}

/** The calls in the calldata of an `aggregate3((address target, bool allowFailure, bytes callData)[])`: ethers takes seconds. */
export function decodeCalls(calldata: string): string[] {
  const bytes = Buffer.from(calldata.slice('0x82ad56cb'.length), 'hex');
  const wordAt = (at: number) => Number(BigInt(`0x${bytes.toString('hex', at, at + 32)}`));
  const list = wordAt(0) + 32;
  return Array.from({ length: wordAt(list - 32) }, (_, index) => {
    const call = list + wordAt(list + 32 * index);
    if (wordAt(call + 32) !== 1) throw new RangeError('a call that may not fail');
    const data = call + wordAt(call + 64);
    return `0x${bytes.toString('hex', data + 32, data + 32 + wordAt(data))}`;
  });
}

/** The `(bool success, bytes returnData)[]` that `aggregate3` returns. */
export function encodeResults(results: readonly { success: boolean; data: string }[]): string {
  const word = (value: number) => value.toString(16).padStart(64, '0');
  const parts = results.map(({ success, data }) => {
    const hex = data.slice(2);
    return word(Number(success)) + word(64) + word(hex.length / 2) + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0');
  });
  let offset = 32 * results.length;
  const offsets = parts.map((part) => {
    offset += part.length / 2;
    return word(offset - part.length / 2);
  });
  return `0x${word(32)}${word(results.length)}${offsets.join('')}${parts.join('')}`;
}
