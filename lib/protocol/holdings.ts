/** All holdings of one address in the protocol, at one block. */

import { getAddress } from 'ethers';
import type { ProtocolState } from '../chain/chain.ts';
import { allRead } from '../chain/contract.ts';
import { readBalance } from '../contracts/gg-avax.ts';
import type { Minipool } from '../contracts/minipool-manager.ts';
import { readOperatorStake } from '../contracts/operator-stake.ts';
import { readLocks, readPstAvax, readVaultShares } from '../contracts/other-holdings.ts';
import { readRedemption } from '../contracts/redemption.ts';
import { readRequestsByOwner } from '../contracts/withdraw-queue.ts';
import { convertToAssets } from '../rewards/gg-avax-shares.ts';
import { unneededGgp } from './operator-figures.ts';
import { collateralTerms } from './protocol.ts';
import type { ProtocolAtBlock } from './protocol-at-block.ts';
import { withdrawalAt } from './withdrawals.ts';

/** Amounts in wei. A part without a contract, or of unknown value, is undefined. */
export type Holdings = ReturnType<typeof toHoldings>;

/** Reads the contracts' answers about `owner` (lower case), except about its minipools. Throws if there is no pool. */
export async function readRawHoldings(state: ProtocolState, owner: string) {
  const { xGgp, xAvax } = state.network;
  const answers = await allRead({
    balance: readBalance(state, owner),
    redemption: readRedemption(state, owner),
    pstAvax: readPstAvax(state, owner),
    xGgp: readVaultShares(state, xGgp, owner),
    xAvax: readVaultShares(state, xAvax, owner),
    locks: readLocks(state, owner),
    stake: readOperatorStake(state, owner),
    requests: readRequestsByOwner(state, owner),
  });
  return { owner, ...answers };
}

/**
 * The holdings, with the figures that depend on the protocol's state at the same block. `minipools` are undefined without a
 * MinipoolManager, or if their AVAX differs from Staking's sum.
 */
export function toHoldings(
  { owner, balance, redemption, stake, requests, ...others }: Awaited<ReturnType<typeof readRawHoldings>>,
  minipools: Minipool[] | undefined,
  protocol: ProtocolAtBlock,
) {
  return {
    address: getAddress(owner),
    ggAvax: { balance, avax: convertToAssets(balance, protocol.totals), redemption },
    ...others,
    /** Undefined if the address has never staked GGP. `ggpUnneeded`: GGP wei that its minipools do not need. */
    staking: stake && { ...stake, ggpUnneeded: unneededGgp(stake, collateralTerms(protocol)) },
    minipools,
    withdrawals: requests.map((request) => withdrawalAt(request, protocol)).sort((a, b) => a.requestId - b.requestId),
  };
}
