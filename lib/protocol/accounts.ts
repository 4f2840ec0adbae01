/** Accounts: the holdings of addresses at one block, and the claims that follow from them. */

import { readDataset } from '../cache/dataset.ts';
import type { ChainContext } from '../chain/chain.ts';
import { readCachedPools } from '../prices/current.ts';
import { ifAvailable } from '../runtime/if-known.ts';
import { type Claim, listClaimsLater, readClaimsNow } from './claims.ts';
import { type Holdings, readRawHoldings, toHoldings } from './holdings.ts';
import { completeMinipools, readListedMinipools } from './owned-minipools.ts';
import { type ProtocolAtBlock, readProtocolAtBlock } from './protocol-at-block.ts';
import { protocolDataset } from './protocol-dataset.ts';

/** Maximum number of accounts in one answer. */
export const MAX_ADDRESSES = 50;

export interface Account extends Holdings {
  /** The claims that the chain accepts now. Undefined if the provider does not simulate transactions of other senders. */
  now: Claim[] | undefined;
  /** The claims that it does not accept yet. Undefined if the minipools, or the moratorium of a waiting one, are unknown. */
  later: Claim[] | undefined;
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
  const accounts = holdings.map(async (each): Promise<Account> => {
    const now = await ifAvailable(context, 'the simulation of the transactions of an account', () =>
      readClaimsNow(state, each, protocol),
    );
    return { ...each, now, later: listClaimsLater(each, protocol, now) };
  });
  return { ...protocol, accounts: await Promise.all(accounts) };
}
