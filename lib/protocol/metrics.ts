import { type Dataset, type RequestContext, readDataset } from '../cache/cache.ts';
import { flagsDataset } from '../flags/flags-dataset.ts';
import type { FlagsContext } from '../flags/flags-store.ts';
import type { HistoryContext } from '../history/history-store.ts';
import { readYields } from '../history/yields.ts';
import { rateOfShares } from '../rewards/gg-avax-shares.ts';
import { valueLocked } from '../rewards/value-locked.ts';
import { ifAvailable, ifKnown } from '../runtime/if-known.ts';
import { sum } from '../values/wad.ts';
import { inStatus, VALIDATING_STATUSES } from './operator-figures.ts';
import { countByStatus, type Protocol, protocolDataset } from './protocol.ts';
import { totalEffective } from './staker-figures.ts';

/** The protocol's metrics at one block: amounts in wei, prices scaled by 1e18. Unknown values are missing. */
export type Metrics = Awaited<ReturnType<typeof readMetrics>>;

/** Derived from {@link protocolDataset}, and kept, because the yield needs an old state. */
export const metricsDataset: Dataset<Metrics, HistoryContext & FlagsContext> = {
  name: 'metrics',
  freshSeconds: protocolDataset.freshSeconds,
  shared: true,
  read: readMetrics,
};

async function readMetrics(context: RequestContext<HistoryContext & FlagsContext>) {
  const [protocol, flags] = await Promise.all([context.dataset(protocolDataset), readDataset(context, flagsDataset)]);
  const { minipools, prices, totalGGPStake, liquidStakerAmt } = protocol;
  const { stakers, pool, settings, rewardsPool, oracle, ggpSupply, block } = protocol;
  // The past rate needs an old state; all else is read at one block.
  const yields = await ifAvailable(context, 'past exchange rate', () =>
    readYields(context, { block, rate: rateOfShares(pool) }, [28]),
  );
  return {
    ggAvax: pool,
    headline: yields?.headline,
    /** False if the past rate could not be read. */
    hasPast: yields !== undefined && (yields.whole || yields.headline !== undefined),
    valueLocked: totalValueLocked(protocol),
    totalGGPStake,
    effectiveGGPStake: totalEffective(protocol, block.timestamp),
    avaxStaked: totalAvaxStaked(protocol),
    liquidStakerAmt,
    stakers: stakers?.length,
    activeStakers: stakers?.filter(({ ggpStaked }) => ggpStaked > 0n).length,
    nodeOperators: stakers?.filter(({ avaxAssigned, avaxValidating }) => avaxAssigned + avaxValidating > 0n).length,
    minipools: minipools?.length,
    minipoolCounts: ifKnown(countByStatus, minipools),
    ggpInAVAX: prices.ggpInAVAX?.price,
    avaxInUSD: prices.avaxInUSD?.price,
    eurInUSD: prices.eurInUSD?.price,
    ggpOraclePrice: oracle?.ggpPriceInAVAX,
    ggpSupply,
    rewardsPool,
    rewardsCycleSeconds: settings.rewardsCycleSeconds,
    status: protocolStatus(protocol, flags.value.flags.minipoolCreation?.enabled === false),
    block,
  };
}

/** Operators' AVAX (wei) in minipools of every status in which the protocol still holds it. */
function totalAvaxStaked({ stakers }: Protocol): bigint | undefined {
  return stakers && sum(stakers.map(({ avaxStaked }) => avaxStaked));
}

/** {@link valueLocked} of the whole protocol. */
export function totalValueLocked(protocol: Protocol): bigint | undefined {
  const { pool, queue, oracle, minipools, totalGGPStake } = protocol;
  const ended = minipools && inStatus(minipools, 'withdrawable');
  return valueLocked({
    totalAssets: pool.totalAssets,
    avaxStaked: totalAvaxStaked(protocol),
    avaxNodeOpRewards: ended && sum(ended.map(({ avaxNodeOpRewardAmt }) => avaxNodeOpRewardAmt)),
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
  const isOut = minipools && inStatus(minipools, ...VALIDATING_STATUSES).length > 0;
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
