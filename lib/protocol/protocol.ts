import { ifAnswered } from '../chain/answered.ts';
import type { View } from '../chain/chain.ts';
import { readGgAvax } from '../contracts/gg-avax.ts';
import { readMinipoolStatuses, readTotalAVAXLiquidStakerAmt } from '../contracts/minipool-manager.ts';
import { statusName } from '../contracts/minipool-statuses.ts';
import { readTotalGGPStake } from '../contracts/vault.ts';
import { readWithdrawQueue } from '../contracts/withdraw-queue.ts';
import { readBestPrices } from '../prices/current.ts';
import type { Pool } from '../prices/pool.ts';
import { ifKnown } from '../runtime/known.ts';
import { mulWad } from '../values/wad.ts';
import { countByStatus } from './minipools.ts';
import { readStaking, type Staking } from './staking.ts';

/** The whole protocol at one block: all that its figures are computed from. */
export async function readProtocol(view: View, pools: readonly Pool[]) {
  const [staking, records, ggAvax, prices, queue, totalGGPStake, liquidStakerAmt] = await Promise.all([
    readStaking(view),
    ifAnswered(readMinipoolStatuses(view)),
    readGgAvax(view),
    readBestPrices(view, pools),
    readWithdrawQueue(view),
    readTotalGGPStake(view),
    readTotalAVAXLiquidStakerAmt(view),
  ]);
  const minipools = ifKnown(
    ({ statuses, withdrawable }) => ({
      counts: countByStatus(statuses.map(statusName)),
      total: statuses.length,
      withdrawable,
    }),
    records,
  );
  return { staking, minipools, ggAvax, prices, queue, totalGGPStake, liquidStakerAmt };
}

export type Protocol = Awaited<ReturnType<typeof readProtocol>>;

/** Operators' AVAX (wei) in minipools of every status in which the protocol still holds it. */
export function totalAvaxStaked({ stakers }: Staking): bigint | undefined {
  return stakers?.reduce((sum, { avaxStaked }) => sum + avaxStaked, 0n);
}

/** What the protocol holds, in wei. */
export interface Holdings {
  /** The pool's, including what is out with minipools and delegations. */
  totalAssets: bigint | undefined;
  /** Operators' own AVAX. */
  avaxStaked: bigint | undefined;
  /** Operators' rewards not yet withdrawn. */
  avaxNodeOpRewards: bigint | undefined;
  /** Set aside for withdrawals, no longer in the pool. */
  totalAllocatedFunds: bigint | undefined;
  totalGGPStake: bigint | undefined;
  /** The oracle's. */
  ggpPriceInAVAX: bigint | undefined;
}

/**
 * AVAX wei locked in the protocol, nothing counted twice. Undefined if a part of it is not known, such as what
 * the staked GGP is worth: a sum without it would look like a loss.
 */
export function valueLocked(holdings: Holdings): bigint | undefined {
  const { totalAssets, avaxStaked, avaxNodeOpRewards, totalAllocatedFunds = 0n, totalGGPStake } = holdings;
  const ggp = totalGGPStake === 0n ? 0n : ifKnown(mulWad, totalGGPStake, holdings.ggpPriceInAVAX);
  return ifKnown(
    (pool, staked, rewards, ggpValue) => pool + staked + rewards + totalAllocatedFunds + ggpValue,
    totalAssets,
    avaxStaked,
    avaxNodeOpRewards,
    ggp,
  );
}

/** {@link valueLocked} of the whole protocol. */
export function totalValueLocked({ ggAvax, staking, minipools, queue, totalGGPStake }: Protocol): bigint | undefined {
  return valueLocked({
    totalAssets: ggAvax.totalAssets,
    avaxStaked: totalAvaxStaked(staking),
    avaxNodeOpRewards: minipools?.withdrawable.reduce((sum, { avaxNodeOpRewardAmt }) => sum + avaxNodeOpRewardAmt, 0n),
    totalAllocatedFunds: queue.totalAllocatedFunds,
    totalGGPStake,
    ggpPriceInAVAX: staking.oracle?.ggpPriceInAVAX,
  });
}

/**
 * Derived from the chain, and from whether the protocol has announced that there will be no new minipools: `paused` if
 * ggAVAX is, or minipools are while some are at work; `winding_down` if no AVAX is out with minipools, and none will be,
 * because no new ones can be created or because nobody has started the rewards cycle that is due. Undefined while a
 * contract that decides does not answer.
 */
export function protocolStatus(
  { minipools, staking }: Protocol,
  isClosed: boolean,
): 'active' | 'winding_down' | 'paused' | undefined {
  const { paused } = staking;
  if (paused.TokenggAVAX) return 'paused';
  if (paused.TokenggAVAX === undefined || paused.MinipoolManager === undefined) return undefined;
  const isOut = ifKnown(({ counts }) => counts.launched + counts.staking > 0, minipools);
  if (isOut) return paused.MinipoolManager ? 'paused' : 'active';
  const isEnding = isClosed || paused.MinipoolManager || isCycleOverdue(staking);
  if (isEnding === false) return 'active';
  return isOut === undefined || isEnding === undefined ? undefined : 'winding_down';
}

/** Whether the next rewards cycle could have been started by now; before the first one none is due. */
function isCycleOverdue({ rewardsPool, settings, block }: Staking): boolean | undefined {
  return ifKnown(
    (start, seconds) => start > 0n && BigInt(block.timestamp) > start + seconds,
    rewardsPool.getRewardsCycleStartTime,
    settings.getRewardsCycleSeconds,
  );
}
