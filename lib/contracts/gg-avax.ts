import type { View } from '../chain/chain.ts';
import { WAD } from '../rewards/wad.ts';
import { Abi } from './abi.ts';
import { answered } from './answered.ts';
import { contractAt } from './contract.ts';
import { gettersOf } from './getters.ts';

/** Views that every version of TokenggAVAX (ggAVAX, later stAVAX) has had: amounts in wei, times in unix seconds. */
const readGetters = gettersOf({
  name: 'string',
  symbol: 'string',
  totalAssets: 'uint256',
  totalSupply: 'uint256',
  totalReleasedAssets: 'uint256',
  stakingTotalAssets: 'uint256',
  amountAvailableForStaking: 'uint256',
  lastRewardsAmt: 'uint192',
  lastSync: 'uint32',
  rewardsCycleEnd: 'uint32',
  rewardsCycleLength: 'uint32',
});

const ABI = new Abi([
  'function convertToAssets(uint256 shares) view returns (uint256)',
  'function convertToShares(uint256 assets) view returns (uint256)',
]);

/**
 * The liquid staking pool as the contract answers it, with both exchange rates (wei for one whole token). The live
 * implementation is not always the published one, so every view may be missing.
 */
export async function readGgAvax({ runner, addresses }: View) {
  const token = contractAt(runner, addresses.TokenggAVAX, ABI);
  const [getters, rates] = await Promise.all([
    readGetters(runner, addresses.TokenggAVAX),
    // Not previewDeposit, which reverts while the token is paused.
    answered<{ avaxPerGgAvax: bigint; ggAvaxPerAvax: bigint }>({
      avaxPerGgAvax: token('convertToAssets', WAD),
      ggAvaxPerAvax: token('convertToShares', WAD),
    }),
  ]);
  return { ...getters, ...rates };
}

/** The exchange rate alone: AVAX wei for one whole ggAVAX. Throws if there is no pool at that block. */
export function readExchangeRate({ runner, addresses }: View): Promise<bigint> {
  return contractAt(runner, addresses.TokenggAVAX, ABI)('convertToAssets', WAD);
}
