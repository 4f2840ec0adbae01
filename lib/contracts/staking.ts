import { toBytes } from '../chain/abi-words.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { contractAt } from '../chain/contract.ts';
import { address, decodeStructs, number, uint } from './struct.ts';

export const STAKING_ABI = [
  'function getStakerCount() view returns (uint256)',
  'function getStakers(uint256 offset, uint256 limit) view returns ((address stakerAddr, uint256 avaxAssigned, uint256 avaxStaked, uint256 avaxValidating, uint256 avaxValidatingHighWater, uint256 ggpRewards, uint256 ggpStaked, uint256 lastRewardsCycleCompleted, uint256 rewardsStartTime, uint256 ggpLockedUntil)[])',
] as const;

/** The contract's `Staker` struct: amounts in wei, times in unix seconds. */
const FIELDS = {
  stakerAddr: address,
  avaxAssigned: uint,
  avaxStaked: uint,
  avaxValidating: uint,
  avaxValidatingHighWater: uint,
  ggpRewards: uint,
  ggpStaked: uint,
  lastRewardsCycleCompleted: number,
  rewardsStartTime: number,
  ggpLockedUntil: number,
};

export type Staker = ReturnType<typeof decodeStructs<typeof FIELDS>>[number] & { index: number };

/** Gas to reserve for a staker: `getStakers` takes about 36k per staker. */
const STAKER_GAS = 40_000;
/** Number of stakers in the first page, which shares a batch with other reads. Pages of `PAGE` fill their own batches. */
const FIRST_PAGE = 150;
const PAGE = 700;

/**
 * All stakers who have ever staked GGP, in the contract's order. All are read every time: an amount may change without an
 * event. The first page is read together with the count, so that one request may do.
 */
export async function readStakers({ runner, addresses }: ProtocolState): Promise<Staker[]> {
  const staking = contractAt(addresses.Staking, STAKING_ABI, runner);
  const readPage = async (offset: number, limit: number) => {
    const data = staking.interface.encodeFunctionData('getStakers', [offset, limit]);
    const returned = await runner.call({ to: addresses.Staking, data, gasLimit: limit * STAKER_GAS });
    return decodeStructs(FIELDS, toBytes(returned));
  };
  const [count, first] = await Promise.all([staking.getStakerCount(), readPage(0, FIRST_PAGE)]);
  const pages: ReturnType<typeof readPage>[] = [];
  for (let offset = FIRST_PAGE; offset < count; offset += PAGE) pages.push(readPage(offset, PAGE));
  return [first, ...(await Promise.all(pages))].flat().map((staker, index) => ({ index, ...staker }));
}
