import { type Dataset, readDataset } from '../cache/dataset.ts';
import { chainOf } from '../chain/chain.ts';
import { flagsDataset } from '../flags/flags-dataset.ts';
import { readHeadlineYield } from '../history/yields.ts';
import { readCachedPools } from '../prices/current.ts';
import { rateOfShares } from '../rewards/gg-avax-shares.ts';
import type { Context } from '../runtime/context.ts';
import { ifAvailable, ifKnown } from '../runtime/if-known.ts';
import { roundNumber, roundYield, toNumber } from '../values/amounts.ts';
import { mulWad } from '../values/wad.ts';
import { countByStatus } from './minipools-dataset.ts';
import { protocolStatus, readProtocol, totalAvaxStaked, totalValueLocked } from './protocol.ts';
import { totalEffective } from './staking-dataset.ts';

/** The protocol's figures, rounded for clients that calculate with them. */

/** These need an old state, and are omitted if it cannot be read. All others are read at one block. */
export const YIELDS = ['ggavax_apy', 'ggavax_apr'] as const;
const UNREAD = { ggavax_apy: 'SOURCE_UNAVAILABLE', ggavax_apr: 'SOURCE_UNAVAILABLE' } as const;

/** All metrics at one block. */
export const metricsDataset: Dataset<Awaited<ReturnType<typeof readMetrics>>> = {
  name: 'metrics',
  version: 4,
  freshSeconds: 60,
  read: readMetrics,
};

async function readMetrics(context: Context) {
  const [state, pools, flags] = await Promise.all([
    chainOf(context).latest('metrics'),
    readCachedPools(context),
    readDataset(context, flagsDataset),
  ]);
  const protocol = await readProtocol(state, pools);
  const { staking, minipools, ggAvax, prices, totalGGPStake, liquidStakerAmt } = protocol;
  const { stakers, settings, rewardsPool, block } = staking;
  const rate = rateOfShares(ggAvax);
  // `past` is undefined if the reading failed; `headline` if there is no rate or no history.
  const past = await ifAvailable(context.telemetry, 'past exchange rate', async () => ({
    headline: rate === undefined ? undefined : await readHeadlineYield(context, { block, rate }),
  }));
  const tvl = totalValueLocked(protocol);
  const inUSD = (avax: bigint, { price }: { price: bigint }) => mulWad(avax, price);
  return {
    ggavax_apy: past?.headline && roundYield(past.headline.apy),
    ggavax_apr: past?.headline && roundNumber(past.headline.apr),
    total_assets: ifKnown(toNumber, ggAvax.totalAssets),
    total_supply: ifKnown(toNumber, ggAvax.totalSupply),
    exchange_rate: ifKnown(toNumber, ggAvax.avaxPerGgAvax),
    staking_total_assets: ifKnown(toNumber, ggAvax.stakingTotalAssets),
    amount_available_for_staking: ifKnown(toNumber, ggAvax.amountAvailableForStaking),
    last_rewards_amt: ifKnown(toNumber, ggAvax.lastRewardsAmt),
    rewards_cycle_end: ifKnown(Number, ggAvax.rewardsCycleEnd),
    tvl_avax: ifKnown(toNumber, tvl),
    tvl_usd: ifKnown(toNumber, ifKnown(inUSD, tvl, prices.avaxInUSD)),
    total_ggp_staked: ifKnown(toNumber, totalGGPStake),
    total_effective_ggp_staked: ifKnown(toNumber, totalEffective(staking, block.timestamp)),
    total_avax_staked: ifKnown(toNumber, totalAvaxStaked(staking)),
    total_avax_liquid_staker_amt: ifKnown(toNumber, liquidStakerAmt),
    staker_count: stakers?.length,
    active_staker_count: stakers?.filter(({ ggpStaked }) => ggpStaked > 0n).length,
    node_operator_count: stakers?.filter(({ avaxAssigned, avaxValidating }) => avaxAssigned + avaxValidating > 0n)
      .length,
    minipool_count: minipools?.length,
    minipools: ifKnown(countByStatus, minipools),
    ggp_price_in_avax: ifKnown(toNumber, prices.ggpInAVAX?.price),
    ggp_oracle_price_in_avax: ifKnown(toNumber, staking.oracle?.ggpPriceInAVAX),
    ggp_price_in_usd: ifKnown(toNumber, ifKnown(inUSD, prices.ggpInAVAX?.price, prices.avaxInUSD)),
    avax_price_in_usd: ifKnown(toNumber, prices.avaxInUSD?.price),
    ggp_total_supply: ifKnown(toNumber, staking.ggpSupply),
    rewards_cycle: {
      number: ifKnown(Number, rewardsPool.rewardsCycleCount),
      start_time: ifKnown(Number, rewardsPool.rewardsCycleStartTime),
      seconds: ifKnown(Number, settings.rewardsCycleSeconds),
      total_amt: ifKnown(toNumber, rewardsPool.rewardsCycleTotalAmt),
    },
    status: protocolStatus(protocol, flags.value.flags.minipoolCreation?.enabled === false),
    ...(!past && { partial: [...YIELDS], reasons: UNREAD }),
    block,
  };
}
