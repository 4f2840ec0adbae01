import type { View } from '../chain/chain.ts';
import { Abi } from './abi.ts';
import { ifAnswered } from './answered.ts';
import { contractAt } from './contract.ts';

const ABI = new Abi(['function getGGPPriceInAVAX() view returns (uint256 price, uint256 timestamp)']);

export interface OraclePrice {
  /** AVAX wei for one whole GGP: the price that the protocol's own contracts use. */
  ggpPriceInAVAX: bigint;
  /** When it was pushed, unix seconds. It may be days old. */
  updatedAt: number;
}

/** The protocol's GGP price, or undefined if none was ever pushed (the contract reverts InvalidGGPPrice). */
export async function readOraclePrice({ runner, addresses }: View): Promise<OraclePrice | undefined> {
  const oracle = contractAt(runner, addresses.Oracle, ABI);
  const answer = await ifAnswered<[bigint, bigint]>(oracle('getGGPPriceInAVAX'));
  return answer && { ggpPriceInAVAX: answer[0], updatedAt: Number(answer[1]) };
}
