import { ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { contractAt } from '../chain/contract.ts';

export const FEED_ABI = [
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
] as const;

/** Factor from the feeds' 8 decimals (on every network) to the 18 decimals of prices here. */
const TO_WAD = 10n ** 10n;

export interface FeedPrice {
  /** USD for one AVAX, or one EUR, scaled by 1e18. */
  price: bigint;
  /** Unix seconds. */
  updatedAt: number;
}

/** The price of a Chainlink feed. Undefined if the network has no such feed, or its answer is not positive. */
export async function readFeed(
  { runner, network }: ProtocolState,
  name: 'avaxUsdFeed' | 'eurUsdFeed',
): Promise<FeedPrice | undefined> {
  const feed = network[name];
  const round = feed && (await ifAnswered(contractAt(feed, FEED_ABI, runner).latestRoundData()));
  return round && round[1] > 0n ? { price: round[1] * TO_WAD, updatedAt: Number(round[3]) } : undefined;
}
