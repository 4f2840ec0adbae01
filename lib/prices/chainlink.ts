import { ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { Contract } from '../chain/contract.ts';

export const FEED_ABI = [
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
] as const;

/** The AVAX/USD feed has 8 decimals on every network; prices here have 18. */
const TO_WAD = 10n ** 10n;

export interface FeedPrice {
  /** USD for one AVAX, scaled by 1e18. */
  price: bigint;
  /** Unix seconds. */
  updatedAt: number;
}

/** Chainlink's AVAX/USD price, or undefined if there is no feed or its answer is not positive. */
export async function readAvaxUsdFeed({ runner, network }: ProtocolState): Promise<FeedPrice | undefined> {
  const round = await ifAnswered(new Contract(network.avaxUsdFeed, FEED_ABI, runner).latestRoundData());
  if (!round) return undefined;
  const [, answer, , updatedAt] = round;
  return answer > 0n ? { price: answer * TO_WAD, updatedAt: Number(updatedAt) } : undefined;
}
