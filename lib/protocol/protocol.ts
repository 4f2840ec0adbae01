/**
 * `lib/protocol`: the protocol at one block, as used by several endpoints. All containers share its datasets through the
 * cache: everything current and small, the stakers, stakers and minipools, and the metrics.
 */

import { allRead, ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { type Minipool, readMinipools, readTotalAVAXLiquidStakerAmt } from '../contracts/minipool-manager.ts';
import { type MinipoolStatus, statusName } from '../contracts/minipool-statuses.ts';
import { readTotalGGPStake } from '../contracts/vault.ts';
import { readBestPrices } from '../prices/current.ts';
import type { Pool } from '../prices/pool.ts';
import { valueLocked } from '../rewards/value-locked.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { readStaking, type Staking } from './staking-dataset.ts';

/** Reads the whole protocol at one block: everything from which its figures are computed. */
export async function readProtocol(state: ProtocolState, pools: readonly Pool[]) {
  return allRead({
    staking: readStaking(state),
    minipools: ifAnswered(readMinipools(state)),
    prices: readBestPrices(state, pools),
    totalGGPStake: readTotalGGPStake(state),
    liquidStakerAmt: readTotalAVAXLiquidStakerAmt(state),
  });
}

export type Protocol = Awaited<ReturnType<typeof readProtocol>>;

/** The statuses in which AVAX is out with a minipool. */
const ACTIVE_STATUSES = new Set<MinipoolStatus>(['launched', 'staking']);

/** Rewards (AVAX wei) that operators have not withdrawn yet. */
function unclaimedRewards(minipools: readonly Minipool[]): bigint {
  return minipools
    .filter(({ status }) => statusName(status) === 'withdrawable')
    .reduce((sum, { avaxNodeOpRewardAmt }) => sum + avaxNodeOpRewardAmt, 0n);
}

/** Operators' AVAX (wei) in minipools of every status in which the protocol still holds it. */
export function totalAvaxStaked({ stakers }: Staking): bigint | undefined {
  return stakers?.reduce((sum, { avaxStaked }) => sum + avaxStaked, 0n);
}

/** {@link valueLocked} of the whole protocol. */
export function totalValueLocked({ staking, minipools, totalGGPStake }: Protocol): bigint | undefined {
  return valueLocked({
    totalAssets: staking.pool.totalAssets,
    avaxStaked: totalAvaxStaked(staking),
    avaxNodeOpRewards: ifKnown(unclaimedRewards, minipools),
    totalAllocatedFunds: staking.queue.totalAllocatedFunds,
    totalGGPStake,
    ggpPriceInAVAX: staking.oracle?.ggpPriceInAVAX,
  });
}

/**
 * The protocol's status, from the chain and `isClosed` (the protocol has announced that there will be no new minipools).
 * - `paused`: ggAVAX is paused, or minipools are paused while some are at work.
 * - `winding_down`: no AVAX is out with minipools, and none will be, because no new ones can be created or because the
 *   rewards cycle is overdue.
 *
 * Undefined while a contract that decides does not answer.
 */
export function protocolStatus(
  { minipools, staking }: Protocol,
  isClosed: boolean,
): 'active' | 'winding_down' | 'paused' | undefined {
  const { paused } = staking;
  if (paused.TokenggAVAX) return 'paused';
  if (paused.TokenggAVAX === undefined || paused.MinipoolManager === undefined) return undefined;
  const isOut = minipools?.some((minipool) => ACTIVE_STATUSES.has(statusName(minipool.status)));
  if (isOut) return paused.MinipoolManager ? 'paused' : 'active';
  const isEnding = isClosed || paused.MinipoolManager || isCycleOverdue(staking);
  if (isEnding === false) return 'active';
  return isOut === undefined || isEnding === undefined ? undefined : 'winding_down';
}

/** True if the next rewards cycle could have been started by now. Before the first cycle, none is due. */
function isCycleOverdue({ rewardsPool, settings, block }: Staking): boolean | undefined {
  return ifKnown(
    (start, seconds) => start > 0n && BigInt(block.timestamp) > start + seconds,
    rewardsPool.rewardsCycleStartTime,
    settings.rewardsCycleSeconds,
  );
}
