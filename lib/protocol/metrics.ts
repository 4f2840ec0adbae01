import { type Dataset, type RequestContext, readDataset } from '../cache/cache.ts';
import { flagsDataset } from '../flags/flags-dataset.ts';
import type { FlagsContext } from '../flags/flags-store.ts';
import type { HistoryContext } from '../history/history-store.ts';
import { readYields } from '../history/yields.ts';
import { rateOfShares } from '../rewards/gg-avax-shares.ts';
import { ifAvailable, ifKnown } from '../runtime/if-known.ts';
import { countByStatus, protocolDataset, protocolStatus, totalAvaxStaked, totalValueLocked } from './protocol.ts';
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
