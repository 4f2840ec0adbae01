/**
 * `lib/protocol`: the protocol at one block, as used by several endpoints. All containers share its datasets through the
 * cache: everything current and small (`currentDataset`), and the whole protocol (`protocolDataset`).
 */

import type { Dataset } from '../cache/cache.ts';
import type { ChainContext } from '../chain/chain.ts';
import { allRead, ifAnswered } from '../chain/contract.ts';
import { readNodeOpCycleTotal, readVaultGGP } from '../contracts/ggp.ts';
import { type Minipool, readMinipools, readTotalAVAXLiquidStakerAmt } from '../contracts/minipool-manager.ts';
import { MINIPOOL_STATUSES, type MinipoolStatus, statusName } from '../contracts/minipool-statuses.ts';
import { readStakers, type Staker } from '../contracts/staking.ts';
import { type BestPrices, readBestPrices, readCachedPools } from '../prices/current.ts';
import { valueLocked } from '../rewards/value-locked.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { sum } from '../values/wad.ts';
import { type Overview, readOverview } from './overview.ts';

/** The whole protocol at one block; amounts in wei. A part is missing if its contract does not answer. */
export interface Protocol extends Overview {
  stakers?: Staker[] | undefined;
  /** All minipool records, by index. */
  minipools?: Minipool[] | undefined;
  prices: BestPrices;
  totalGGPStake?: bigint | undefined;
  /** AVAX of liquid stakers in minipools. */
  liquidStakerAmt?: bigint | undefined;
  /** GGP of the current cycle for all node operators. */
  nodeOpCycleTotal?: bigint | undefined;
}

export function countByStatus(minipools: readonly Minipool[]): Record<MinipoolStatus, number> {
  const counts = MINIPOOL_STATUSES.map((name) => [
    name,
    minipools.filter(({ status }) => statusName(status) === name).length,
  ]);
  return Object.fromEntries(counts);
}

/** The statuses in which AVAX is out with a minipool. */
const ACTIVE_STATUSES = new Set<MinipoolStatus>(['launched', 'staking']);

/** Rewards (AVAX wei) that operators have not withdrawn yet. */
function unclaimedRewards(minipools: readonly Minipool[]): bigint {
  const ended = minipools.filter(({ status }) => statusName(status) === 'withdrawable');
  return sum(ended.map(({ avaxNodeOpRewardAmt }) => avaxNodeOpRewardAmt));
}

/** Operators' AVAX (wei) in minipools of every status in which the protocol still holds it. */
export function totalAvaxStaked({ stakers }: Protocol): bigint | undefined {
  return stakers && sum(stakers.map(({ avaxStaked }) => avaxStaked));
}

/** {@link valueLocked} of the whole protocol. */
export function totalValueLocked(protocol: Protocol): bigint | undefined {
  const { pool, queue, oracle, minipools, totalGGPStake } = protocol;
  return valueLocked({
    totalAssets: pool.totalAssets,
    avaxStaked: totalAvaxStaked(protocol),
    avaxNodeOpRewards: ifKnown(unclaimedRewards, minipools),
    totalAllocatedFunds: queue.totalAllocatedFunds,
    totalGGPStake,
    ggpPriceInAVAX: oracle?.ggpPriceInAVAX,
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
  protocol: Protocol,
  isClosed: boolean,
): 'active' | 'winding_down' | 'paused' | undefined {
  const { minipools, paused } = protocol;
  if (paused.TokenggAVAX) return 'paused';
  if (paused.TokenggAVAX === undefined || paused.MinipoolManager === undefined) return undefined;
  const isOut = minipools?.some((minipool) => ACTIVE_STATUSES.has(statusName(minipool.status)));
  if (isOut) return paused.MinipoolManager ? 'paused' : 'active';
  const isEnding = isClosed || paused.MinipoolManager || isCycleOverdue(protocol);
  if (isEnding === false) return 'active';
  return isOut === undefined || isEnding === undefined ? undefined : 'winding_down';
}

/** True if the next rewards cycle could have been started by now. Before the first cycle, none is due. */
function isCycleOverdue({ rewardsPool, settings, block }: Protocol): boolean | undefined {
  return ifKnown(
    (start, seconds) => start > 0n && BigInt(block.timestamp) > start + seconds,
    rewardsPool.rewardsCycleStartTime,
    settings.rewardsCycleSeconds,
  );
}

/**
 * The whole protocol, for all answers about stakers, minipools and metrics: those of one minute agree with each other. Answers
 * about the pool and the queue alone use the smaller `currentDataset`. Both have the overview, because each answer is of one
 * block.
 */
export const protocolDataset: Dataset<Protocol, ChainContext> = {
  name: 'protocol',
  freshSeconds: 60,
  shared: true,
  async read(context) {
    const [state, pools] = await Promise.all([context.chain.latest(), readCachedPools(context)]);
    const { overview, ...others } = await allRead({
      overview: readOverview(state),
      stakers: ifAnswered(readStakers(state)),
      minipools: ifAnswered(readMinipools(state)),
      prices: readBestPrices(state, pools),
      totalGGPStake: readVaultGGP(state, 'Staking'),
      liquidStakerAmt: readTotalAVAXLiquidStakerAmt(state),
      nodeOpCycleTotal: readNodeOpCycleTotal(state),
    });
    return { ...overview, ...others };
  },
};
