import { ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { contractAt } from '../chain/contract.ts';

/** BENQI's staked AVAX. https://github.com/Benqi-fi/BENQI-Smart-Contracts/blob/master/sAVAX/StakedAvax.sol */
export const SAVAX_ABI = ['function getPooledAvaxByShares(uint256 shareAmount) view returns (uint256)'] as const;

/** Shares (wei) in a request for the rate: so many that the answer gives the value of any amount to the wei. */
const RATE_SHARES = 10n ** 36n;

/** AVAX wei for 1e36 wei of sAVAX. Undefined if its contract does not answer: a rate of 1 would be wrong. */
export async function readSAvaxRate({ runner, network }: ProtocolState): Promise<bigint | undefined> {
  if (!network.sAvax) return undefined;
  const { getPooledAvaxByShares } = contractAt(network.sAvax, SAVAX_ABI, runner);
  return (await ifAnswered(getPooledAvaxByShares(RATE_SHARES))) || undefined;
}

/** Value of an amount of sAVAX (wei) in AVAX wei, at a rate of {@link readSAvaxRate}, rounded down. */
export function sAvaxInAVAX(amount: bigint, rate: bigint): bigint {
  return (amount * rate) / RATE_SHARES;
}
