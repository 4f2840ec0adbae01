import type { ProtocolState } from '../chain/chain.ts';
import { contractAt, ifAnswered } from '../chain/contract.ts';

export const FEED_ABI = [
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
] as const;

/** Factor from the feeds' 8 decimals (on every network) to the 18 decimals of prices here. */
const TO_WAD = 10n ** 10n;

export interface FeedPrice {
  /** Scaled by 1e18. */
  price: bigint;
  /** Unix seconds. */
  updatedAt: number;
}

/** Maximum age of a round at the block, seconds. The euro's market is closed at weekends and on holidays. */
const MAX_AGE = { avaxUsdFeed: 3_600, eurUsdFeed: 4 * 86_400 };

/** USD for one AVAX, or one EUR. Undefined if the network has no such feed, or its answer is too old or not positive. */
export async function readFeed(
  { runner, network, block }: ProtocolState,
  name: keyof typeof MAX_AGE,
): Promise<FeedPrice | undefined> {
  const address = network[name];
  const read = address && ifAnswered(contractAt(address, FEED_ABI, runner).latestRoundData());
  const [round, { timestamp }] = await Promise.all([read, block()]);
  if (!round || round[1] <= 0n || timestamp - Number(round[3]) > MAX_AGE[name]) return undefined;
  return { price: round[1] * TO_WAD, updatedAt: Number(round[3]) };
}
