/** The state of the protocol that all accounts share, at one block. */

import { allRead, ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { type PoolTotals, readBalance, readTotals } from '../contracts/gg-avax.ts';
import { readOraclePrice } from '../contracts/ggp.ts';
import { readLimits, readPaused, readSettings } from '../contracts/protocol-dao.ts';
import { type PoolRedemption, readPoolRedemption } from '../contracts/redemption.ts';
import { type BestPrices, readBestPrices } from '../prices/current.ts';
import type { Pool } from '../prices/pool.ts';
import type { CollateralTerms } from '../rewards/collateral.ts';
import { ifKnown } from '../runtime/if-known.ts';
import type { BlockRef } from '../values/block.ts';
import { collateralTerms } from './overview.ts';

export interface ProtocolAtBlock {
  block: BlockRef;
  totals: PoolTotals;
  /**
   * The pool for withdrawal requests. `pool` has the ggAVAX wei that the queue holds. `deposits` is the pool while it
   * accepts deposits, for requests that have AVAX.
   */
  queued: { pool: PoolTotals & { held: bigint | undefined }; deposits: PoolTotals | undefined };
  terms: CollateralTerms | undefined;
  /** Seconds before a waiting minipool can be canceled. `minipoolCycle`: seconds of a minipool's cycle. */
  cancelMoratorium: number | undefined;
  minipoolCycle: number | undefined;
  prices: BestPrices;
  redemption: PoolRedemption;
}

/** Throws if there is no pool. */
export async function readProtocolAtBlock(state: ProtocolState, pools: readonly Pool[]): Promise<ProtocolAtBlock> {
  const { block, totals, held, paused, oracle, settings, limits, prices, redemption } = await allRead({
    block: state.block(),
    totals: readTotals(state),
    held: ifAnswered(readBalance(state, state.network.withdrawQueue)),
    paused: readPaused(state),
    oracle: readOraclePrice(state),
    settings: readSettings(state),
    limits: readLimits(state),
    prices: readBestPrices(state, pools),
    redemption: readPoolRedemption(state),
  });
  return {
    ...{ block, totals, prices, redemption },
    queued: { pool: { ...totals, held }, deposits: paused.TokenggAVAX === true ? undefined : totals },
    terms: collateralTerms({ oracle, settings }),
    cancelMoratorium: ifKnown(Number, limits.minipoolCancelMoratoriumSeconds),
    minipoolCycle: ifKnown(Number, settings.minipoolCycleDuration),
  };
}
