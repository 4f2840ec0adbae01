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

/** Chainlink's AVAX/USD price, or undefined if there is no feed or its answer is not positive. */
export function readAvaxUsdFeed(state: ProtocolState): Promise<FeedPrice | undefined> {
  return readFeed(state, state.network.avaxUsdFeed);
}

/** Chainlink's EUR/USD price, or undefined if the network has no such feed or its answer is not positive. */
export async function readEurUsdFeed(state: ProtocolState): Promise<FeedPrice | undefined> {
  const { eurUsdFeed } = state.network;
  return eurUsdFeed ? readFeed(state, eurUsdFeed) : undefined;
}

async function readFeed({ runner }: ProtocolState, feed: string): Promise<FeedPrice | undefined> {
  const round = await ifAnswered(contractAt(feed, FEED_ABI, runner).latestRoundData());
  if (!round) return undefined;
  const [, answer, , updatedAt] = round;
  return answer > 0n ? { price: answer * TO_WAD, updatedAt: Number(updatedAt) } : undefined;
}
