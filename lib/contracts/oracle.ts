import { ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { contractAt } from '../chain/contract.ts';

export const ORACLE_ABI = ['function getGGPPriceInAVAX() view returns (uint256 price, uint256 timestamp)'] as const;

export interface OraclePrice {
  /** AVAX wei for one whole GGP: the price that the protocol's own contracts use. */
  ggpPriceInAVAX: bigint;
  /** Time at which the price was pushed, unix seconds. It may be days old. */
  updatedAt: number;
}

/** The protocol's GGP price, or undefined if none was ever pushed (the contract reverts InvalidGGPPrice). */
export async function readOraclePrice({ runner, addresses }: ProtocolState): Promise<OraclePrice | undefined> {
  const answer = await ifAnswered(contractAt(addresses.Oracle, ORACLE_ABI, runner).getGGPPriceInAVAX());
  if (!answer) return undefined;
  const [ggpPriceInAVAX, timestamp] = answer;
  return { ggpPriceInAVAX, updatedAt: Number(timestamp) };
}
