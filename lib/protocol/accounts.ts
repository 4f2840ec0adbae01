/** Accounts: the holdings of addresses at one block, and the ways to take them out. */

import { readDataset } from '../cache/dataset.ts';
import type { ChainContext, ProtocolState } from '../chain/chain.ts';
import { readCachedPools } from '../prices/current.ts';
import { ifAvailable } from '../runtime/if-known.ts';
import { type Holdings, readRawHoldings, toHoldings } from './holdings.ts';
import { completeMinipools, readListedMinipools } from './owned-minipools.ts';
import { type ProtocolAtBlock, readProtocolAtBlock } from './protocol-at-block.ts';
import { protocolDataset } from './protocol-dataset.ts';
import { listWaysLater, type WayLater } from './ways-later.ts';
import { simulateWaysOut, type WayOut } from './ways-out.ts';

/** Maximum number of accounts in one answer. */
export const MAX_ADDRESSES = 50;

export interface Account extends Holdings {
  /** Undefined if the provider does not simulate transactions of other senders. */
  waysOut: WayOut[] | undefined;
  /** Undefined if the minipools, or the moratorium of a waiting one, are unknown. */
  waysLater: WayLater[] | undefined;
}

/**
 * The accounts of these addresses, in their order. The calls of one tick share requests, so up to ten addresses take three:
 * the contracts' answers, values that depend on them, and the simulations of all transactions that take something out.
 * Throws if there is no pool.
 */
export async function readAccounts(
  context: ChainContext,
  addresses: readonly string[],
): Promise<ProtocolAtBlock & { accounts: Account[] }> {
  const [state, pools, list] = await Promise.all([
    context.chain.latest(),
    readCachedPools(context),
    ifAvailable(context, 'the list of minipools', () => readDataset(context, protocolDataset)),
  ]);
  const owners = addresses.map((address) => address.toLowerCase());
  const [protocol, listed, ...raw] = await Promise.all([
    readProtocolAtBlock(state, pools),
    readListedMinipools(state, owners, list?.value.minipools),
    ...owners.map((owner) => readRawHoldings(state, owner)),
  ]);
  const minipools = await completeMinipools(state, raw, listed);
  const holdings = raw.map((each) => toHoldings(each, minipools.get(each.owner), protocol));
  const accounts = holdings.map(
    async (each): Promise<Account> => ({
      ...each,
      waysOut: await simulateIfAvailable(context, state, each, protocol),
      waysLater: listWaysLater(each, protocol),
    }),
  );
  return { ...protocol, accounts: await Promise.all(accounts) };
}

/** The ways out; undefined if the provider does not simulate them. */
function simulateIfAvailable(
  context: ChainContext,
  state: ProtocolState,
  holdings: Holdings,
  { totals, redemption, prices }: ProtocolAtBlock,
): Promise<WayOut[] | undefined> {
  const market = { totals, redemption, ggpInAVAX: prices.ggpInAVAX?.price };
  return ifAvailable(context, 'the simulation of the transactions of an account', () =>
    simulateWaysOut(state, holdings, market),
  );
}
