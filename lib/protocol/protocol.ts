import type { View } from '../chain/chain.ts';
import { readGgAvax } from '../contracts/gg-avax.ts';
import { readMinipoolStatuses, readTotalAVAXLiquidStakerAmt } from '../contracts/minipool-manager.ts';
import { readPaused } from '../contracts/protocol-dao.ts';
import { readTotalGGPStake } from '../contracts/vault.ts';
import { readWithdrawQueue } from '../contracts/withdraw-queue.ts';
import { ifKnown } from '../known.ts';
import { readBestPrices } from '../prices/current.ts';
import type { Pool } from '../prices/pool.ts';
import { mulWad } from '../rewards/wad.ts';
import { countByStatus, statusName } from './minipools.ts';
import { inflationOf, readStaking, type Staking } from './staking.ts';

/** The whole protocol at one block, as its figures are made from it. */
export async function readProtocol(view: View, pools: readonly Pool[]) {
  const [staking, { statuses, withdrawable }, ggAvax, prices, queue, paused, totalGGPStake, liquidStakerAmt] =
    await Promise.all([
      readStaking(view),
      readMinipoolStatuses(view),
      readGgAvax(view),
      readBestPrices(view, pools),
      readWithdrawQueue(view),
      readPaused(view),
      readTotalGGPStake(view),
      readTotalAVAXLiquidStakerAmt(view),
    ]);
  const minipools = { counts: countByStatus(statuses.map(statusName)), total: statuses.length, withdrawable };
  return { staking, minipools, ggAvax, prices, queue, paused, totalGGPStake, liquidStakerAmt };
}

export type Protocol = Awaited<ReturnType<typeof readProtocol>>;

/** Operators' AVAX (wei) in minipools of every status in which the protocol still holds it. */
export function totalAvaxStaked({ stakers }: Staking): bigint {
  return stakers.reduce((sum, { avaxStaked }) => sum + avaxStaked, 0n);
}

/** What the protocol holds, in wei. */
export interface Holdings {
  /** Of the pool, which contains what is out with minipools and delegations. */
  totalAssets: bigint | undefined;
  /** Operators' own AVAX. */
  avaxStaked: bigint;
  /** Operators' rewards not yet withdrawn. */
  avaxNodeOpRewards: bigint;
  /** Set aside for withdrawals: it has left the pool. */
  totalAllocatedFunds: bigint | undefined;
  totalGGPStake: bigint | undefined;
  /** The oracle's. */
  ggpPriceInAVAX: bigint | undefined;
}

/**
 * AVAX wei locked in the protocol, nothing counted twice. Undefined if the pool does not answer, or while nobody knows what the
 * staked GGP is worth: a sum without it would look like a loss.
 */
export function valueLocked(holdings: Holdings): bigint | undefined {
  const { totalAssets, avaxStaked, avaxNodeOpRewards, totalAllocatedFunds = 0n, totalGGPStake } = holdings;
  const ggp = totalGGPStake === 0n ? 0n : ifKnown(mulWad, totalGGPStake, holdings.ggpPriceInAVAX);
  const others = avaxStaked + avaxNodeOpRewards + totalAllocatedFunds;
  return ifKnown((pool, ggpValue) => pool + others + ggpValue, totalAssets, ggp);
}

/** The same of the whole protocol. */
export function totalValueLocked({ ggAvax, staking, minipools, queue, totalGGPStake }: Protocol): bigint | undefined {
  return valueLocked({
    totalAssets: ggAvax.totalAssets,
    avaxStaked: totalAvaxStaked(staking),
    avaxNodeOpRewards: minipools.withdrawable.reduce((sum, { avaxNodeOpRewardAmt }) => sum + avaxNodeOpRewardAmt, 0n),
    totalAllocatedFunds: queue.totalAllocatedFunds,
    totalGGPStake,
    ggpPriceInAVAX: staking.oracle?.ggpPriceInAVAX,
  });
}

/** Derived, not configured: paused contracts, or nothing with minipools while nobody starts the cycle that is due. */
export function protocolStatus({ paused, minipools, staking }: Protocol): 'active' | 'winding_down' | 'paused' {
  if (paused.TokenggAVAX || paused.MinipoolManager) return 'paused';
  const { launched, staking: validating } = minipools.counts;
  const cycle = inflationOf(staking);
  const overdue = cycle && staking.block.timestamp > cycle.rewardsCycleStartTime + cycle.rewardsCycleSeconds;
  return overdue && launched + validating === 0 ? 'winding_down' : 'active';
}
