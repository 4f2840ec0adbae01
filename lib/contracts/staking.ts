import type { View } from '../chain/chain.ts';
import { Abi } from './abi.ts';
import { StructDecoder } from './struct.ts';

const ABI = new Abi([
  'function getStakerCount() view returns (uint256)',
  'function getStakers(uint256 offset, uint256 limit) view returns (uint256)',
]);

/** The contract's `Staker` struct: amounts in wei, times in unix seconds. */
const STAKER = new StructDecoder({
  stakerAddr: 'address',
  avaxAssigned: 'uint',
  avaxStaked: 'uint',
  avaxValidating: 'uint',
  avaxValidatingHighWater: 'uint',
  ggpRewards: 'uint',
  ggpStaked: 'uint',
  lastRewardsCycleCompleted: 'number',
  rewardsStartTime: 'number',
  ggpLockedUntil: 'number',
});

/** A staker and their place in the contract's list. */
export type Staker = ReturnType<(typeof STAKER)['one']> & { index: number };

/** `getStakers` takes about 36k gas a staker. */
const STAKER_GAS = 40_000;
/** A page that shares the first batch with other reads, and the pages that fill batches of their own. */
const FIRST_PAGE = 150;
const PAGE = 700;

/**
 * Everybody who has ever staked GGP, in the contract's order. The first page travels with the count: while all stakers fit it,
 * no second request is needed.
 */
export async function readStakers({ runner, addresses }: View): Promise<Staker[]> {
  const read = (data: string, gasLimit?: number) => runner.call({ to: addresses.Staking, data, gasLimit });
  const readPage = async (offset: number, limit: number) =>
    STAKER.list(await read(ABI.encode('getStakers', [offset, limit]), limit * STAKER_GAS));
  const [count, first] = await Promise.all([read(ABI.encode('getStakerCount')).then(Number), readPage(0, FIRST_PAGE)]);
  const pages: ReturnType<typeof readPage>[] = [];
  for (let offset = FIRST_PAGE; offset < count; offset += PAGE) pages.push(readPage(offset, PAGE));
  return [first, ...(await Promise.all(pages))].flat().map((staker, index) => ({ index, ...staker }));
}
