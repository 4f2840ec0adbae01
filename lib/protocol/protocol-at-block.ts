/** The state of the protocol that all accounts share, at one block. */

import type { ProtocolState } from '../chain/chain.ts';
import { allRead, ifAnswered } from '../chain/contract.ts';
import { readBalance, readTotals } from '../contracts/gg-avax.ts';
import { readOraclePrice } from '../contracts/ggp.ts';
import { readPaused, readSettings } from '../contracts/protocol-dao.ts';
import { readPoolRedemption } from '../contracts/redemption.ts';
import { readWithdrawQueue } from '../contracts/withdraw-queue.ts';
import { readBestPrices } from '../prices/current.ts';
import type { Pool } from '../prices/pool.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { collateralTerms } from './protocol.ts';

export type ProtocolAtBlock = Awaited<ReturnType<typeof readProtocolAtBlock>>;

/** Throws if there is no pool. */
export async function readProtocolAtBlock(state: ProtocolState, pools: readonly Pool[]) {
  const { held, paused, oracle, settings, ...others } = await allRead({
    block: state.block(),
    totals: readTotals(state),
    /** ggAVAX wei that the queue holds. */
    held: ifAnswered(readBalance(state, state.network.withdrawQueue)),
    paused: readPaused(state),
    oracle: readOraclePrice(state),
    settings: readSettings(state),
    prices: readBestPrices(state, pools),
    redemption: readPoolRedemption(state),
    queue: readWithdrawQueue(state),
  });
  const { totals } = others;
  return {
    ...others,
    /** The pool for withdrawal requests. */
    queued: { ...totals, held },
    acceptsDeposits: paused.TokenggAVAX !== true,
    terms: collateralTerms({ oracle, settings }),
    /** Seconds before a waiting minipool can be canceled. `minipoolCycle`: seconds of a minipool's cycle. */
    cancelMoratorium: ifKnown(Number, settings.minipoolCancelMoratoriumSeconds),
    minipoolCycle: ifKnown(Number, settings.minipoolCycleDuration),
  };
}
