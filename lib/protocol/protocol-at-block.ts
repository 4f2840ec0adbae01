/** The state of the protocol that all accounts share, at one block. */

import type { ProtocolState } from '../chain/chain.ts';
import { allRead, required } from '../chain/contract.ts';
import { toPoolTotals } from '../contracts/gg-avax.ts';
import { readBestPrices } from '../prices/current.ts';
import type { Pool } from '../prices/pool.ts';
import { readOverview } from './protocol.ts';

export type ProtocolAtBlock = Awaited<ReturnType<typeof readProtocolAtBlock>>;

/** Throws if there is no pool. */
export async function readProtocolAtBlock(state: ProtocolState, pools: readonly Pool[]) {
  const { overview, prices } = await allRead({ overview: readOverview(state), prices: readBestPrices(state, pools) });
  return { ...overview, prices, totals: required(toPoolTotals(overview.pool)) };
}
