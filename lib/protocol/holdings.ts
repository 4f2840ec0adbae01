/** All holdings of one address in the protocol, at one block. */

import { getAddress } from 'ethers';
import { allRead } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { readBalance } from '../contracts/gg-avax.ts';
import type { Minipool } from '../contracts/minipool-manager.ts';
import { type OperatorStake, readOperatorStake } from '../contracts/operator-stake.ts';
import {
  type Lock,
  type PstAvax,
  readLocks,
  readPstAvax,
  readVaultShares,
  type VaultShares,
} from '../contracts/other-holdings.ts';
import { type Redemption, readRedemption } from '../contracts/redemption.ts';
import { readRequestsByOwner } from '../contracts/withdraw-queue.ts';
import { convertToAssets } from '../rewards/gg-avax-shares.ts';
import { unneededGgp } from './operator-figures.ts';
import type { ProtocolAtBlock } from './protocol-at-block.ts';
import { type Withdrawal, withdrawalAt } from './withdrawals.ts';

/** Amounts in wei. A part without a contract, or of unknown value, is missing. */
export interface Holdings {
  address: string;
  ggAvax: { balance: bigint; avax: bigint; redemption: Redemption | undefined };
  pstAvax: PstAvax | undefined;
  xGgp: VaultShares | undefined;
  xAvax: VaultShares | undefined;
  locks: Lock[] | undefined;
  /** Missing if the address has never staked GGP. `ggpUnneeded`: GGP wei that its minipools do not need. */
  staking: (OperatorStake & { ggpUnneeded: bigint | undefined }) | undefined;
  /** All minipools that the address owns. Missing without a MinipoolManager, or if their AVAX differs from Staking's sum. */
  minipools: Minipool[] | undefined;
  withdrawals: Withdrawal[];
}

/** The contracts' answers about one address. Its minipools are read for all addresses together. */
export type RawHoldings = Awaited<ReturnType<typeof readRawHoldings>>;

/** Reads the answers about `owner` (lower case). Throws if there is no pool. */
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

/** The holdings, with the figures that depend on the protocol's state at the same block. */
export function toHoldings(
  { owner, balance, redemption, pstAvax, xGgp, xAvax, locks, stake, requests }: RawHoldings,
  minipools: Minipool[] | undefined,
  { block, totals, queued, acceptsDeposits, terms }: ProtocolAtBlock,
): Holdings {
  return {
    address: getAddress(owner),
    ggAvax: { balance, avax: convertToAssets(balance, totals), redemption },
    ...{ pstAvax, xGgp, xAvax, locks },
    staking: stake && { ...stake, ggpUnneeded: unneededGgp(stake, terms) },
    minipools,
    withdrawals: requests
      .map((request) => withdrawalAt(request, block, queued, acceptsDeposits))
      .sort((a, b) => a.requestId - b.requestId),
  };
}
