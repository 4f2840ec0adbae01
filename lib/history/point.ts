import type { Chain } from '../chain/chain.ts';
import { readGgAvax } from '../contracts/gg-avax.ts';
import { readOraclePrice, readVaultGGP } from '../contracts/ggp.ts';
import { readRecordTotals } from '../contracts/records.ts';
import { readWithdrawQueue } from '../contracts/withdraw-queue.ts';
import { readFeed } from '../prices/chainlink.ts';
import { bestPrices } from '../prices/current.ts';
import { EXCHANGES } from '../prices/exchanges.ts';
import { findPrices, readPoolStates, readPools } from '../prices/market.ts';
import { valueLocked } from '../rewards/value-locked.ts';
import { ifKnown } from '../runtime/if-known.ts';
import type { BlockRef } from '../values/block.ts';
import { type PointValues, PRICE_NAMES } from './point-values.ts';

export interface Point {
  /** The boundary. */
  timestamp: number;
  block: BlockRef;
  values: PointValues;
}

/**
 * The values at a block, from the contracts and pools of that time: read with views that all versions of a contract
 * have, or else from the registry's records. Throws UPSTREAM_UNAVAILABLE if no provider keeps that state.
 */
export async function readValues(chain: Chain, block: BlockRef): Promise<PointValues> {
  const state = await chain.at(block.number);
  const [ggAvax, states, feed, euro, records, oracle, queue, totalGGPStake] = await Promise.all([
    readGgAvax(state),
    readPools(state).then((pools) => readPoolStates(state, pools)),
    readFeed(state, 'avaxUsdFeed'),
    readFeed(state, 'eurUsdFeed'),
    readRecordTotals(state),
    readOraclePrice(state),
    readWithdrawQueue(state),
    readVaultGGP(state, 'Staking'),
  ]);
  const { avaxPerGgAvax, totalAssets, totalSupply, stakingTotalAssets } = ggAvax;
  const best = bestPrices({ block, feed, euro, rate: avaxPerGgAvax, states });
  const values: PointValues = {
    ...{ avaxPerGgAvax, totalAssets, totalSupply, stakingTotalAssets },
    valueLocked: valueLocked({
      ...{ totalAssets, totalGGPStake },
      avaxStaked: records?.avaxStaked,
      avaxNodeOpRewards: records?.avaxNodeOpRewards,
      totalAllocatedFunds: queue.totalAllocatedFunds,
      ggpPriceInAVAX: oracle?.ggpPriceInAVAX,
    }),
    totalGGPStaked: totalGGPStake,
    ggpOraclePriceInAVAX: oracle?.ggpPriceInAVAX,
    minipoolsStaking: ifKnown(BigInt, records?.minipoolsStaking),
    eurInUSD: best.eurInUSD?.price,
  };
  for (const name of PRICE_NAMES) {
    values[name] = best[name]?.price;
    for (const { code } of EXCHANGES) {
      const ofExchange = states.filter(({ pool }) => pool.exchange === code);
      values[`${code}.${name}`] = findPrices(ofExchange)[name];
    }
  }
  return values;
}
