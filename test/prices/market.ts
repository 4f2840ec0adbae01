import { Interface } from 'ethers';
import type { View } from '../../lib/chain/chain.ts';
import type { ViewCall } from '../../lib/chain/contract.ts';
import type { ProtocolAddresses } from '../../lib/chain/storage.ts';
import { NETWORKS } from '../../lib/networks.ts';
import type { Pair, Pool } from '../../lib/prices/pool.ts';

/** Markets that are written down: what each of a few contracts answers. */

/** Results by the signature of a view; a function makes them of its arguments. */
export type Answers = Record<string, readonly unknown[] | ((...args: bigint[]) => readonly unknown[])>;

export const BLOCK = { number: 7, timestamp: 1_790_000_000 };
export const network = NETWORKS.devnet;
export const addresses = {
  TokenGGP: '0x1000000000000000000000000000000000000001',
  TokenggAVAX: '0x2000000000000000000000000000000000000002',
} as ProtocolAddresses;

/** A view of contracts by their addresses. Whatever they do not answer, and who is not there, returns nothing. */
export function viewOf(contracts: Record<string, Answers>): View & { asked: ViewCall[] } {
  const asked: ViewCall[] = [];
  const call = async (request: ViewCall) => {
    asked.push(request);
    const answers = contracts[request.to] ?? {};
    const abi = new Interface(Object.keys(answers).map((signature) => `function ${signature}`));
    const called = abi.parseTransaction({ data: request.data });
    if (!called) return '0x';
    const answer = Object.values(answers)[abi.fragments.indexOf(called.fragment)] ?? [];
    return abi.encodeFunctionResult(called.fragment, typeof answer === 'function' ? answer(...called.args) : answer);
  };
  return { runner: { call }, addresses, network, asked, block: async () => BLOCK, run: async () => undefined };
}

const token = (address: string, decimals = 18) => ({ address, decimals });
const wavax = token(network.wavax);

/** GGP is below WAVAX, USDC above it. */
export const GGP_AVAX: Pair = { name: 'GGP/AVAX', base: token(addresses.TokenGGP), quote: wavax, avaxSide: 'quote' };
export const AVAX_USDC: Pair = {
  name: 'AVAX/USDC',
  base: wavax,
  quote: token('0xdC64a140Aa3E981100a9becA4E685f962f0cF6C9', 6),
  avaxSide: 'base',
};

export const POOL = '0x3000000000000000000000000000000000000003';

export function poolOf(kind: Pool['kind'], pair: Pair, baseIsFirst: boolean): Pool {
  return { exchange: 'tj', kind, address: POOL, pair, baseIsFirst };
}
