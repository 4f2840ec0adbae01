/** All holdings of addresses in the protocol, at one block. */

import { getAddress } from 'ethers';
import { type RequestContext, readDataset } from '../cache/dataset.ts';
import { ifAnswered } from '../chain/answered.ts';
import { chainOf, type ProtocolState } from '../chain/chain.ts';
import { type PoolTotals, readBalance, readTotals } from '../contracts/gg-avax.ts';
import { type Minipool, readMinipools, readMinipoolsOf } from '../contracts/minipool-manager.ts';
import { type OperatorStake, readOperatorStake } from '../contracts/operator-stake.ts';
import { readOraclePrice } from '../contracts/oracle.ts';
import {
  type Lock,
  type PstAvax,
  readLocks,
  readPstAvax,
  readVaultShares,
  type VaultShares,
} from '../contracts/other-holdings.ts';
import { readLimits, readPaused, readSettings } from '../contracts/protocol-dao.ts';
import { type PoolRedemption, type Redemption, readPoolRedemption, readRedemption } from '../contracts/redemption.ts';
import { readRequestsOf } from '../contracts/withdraw-queue.ts';
import { type BestPrices, readBestPrices, readCachedPools } from '../prices/current.ts';
import type { Pool } from '../prices/pool.ts';
import type { CollateralTerms } from '../rewards/collateral.ts';
import { convertToAssets } from '../rewards/gg-avax-shares.ts';
import { ifAvailable, ifKnown } from '../runtime/if-known.ts';
import type { BlockRef } from '../values/block.ts';
import { isWhole, unneededGgp } from './account-figures.ts';
import { operatorsDataset } from './operators-dataset.ts';
import { collateralTerms } from './overview.ts';
import { listWaysLater, type WayLater } from './ways-later.ts';
import { readWaysOut, type WayOut } from './ways-out.ts';
import { type Withdrawal, withdrawalAt } from './withdrawals.ts';

/** Maximum number of accounts in one answer. */
export const MAX_ADDRESSES = 50;

/** Holdings of one address. Amounts in wei. A part without a contract, or of unknown value, is missing. */
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

export interface Account extends Holdings {
  /** Undefined if the provider does not simulate transactions of other senders. */
  waysOut: WayOut[] | undefined;
  /** Undefined if the minipools, or the moratorium of a waiting one, are unknown. */
  waysLater: WayLater[] | undefined;
}

/** The state that all addresses share, at one block. */
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

/**
 * The accounts of these addresses, in their order. Up to ten addresses take four requests to the chain: holdings, the
 * values that depend on them, and the simulations of redemptions and of all transactions that take something out. Throws
 * if there is no pool.
 */
export async function readAccounts(
  context: RequestContext,
  addresses: readonly string[],
): Promise<ProtocolAtBlock & { accounts: Account[] }> {
  const [state, pools] = await Promise.all([chainOf(context).latest(), readCachedPools(context)]);
  const readOwned = await ownedReader(context, state);
  const common = readCommon(state, pools);
  const holdings = await Promise.all(addresses.map((address) => readHoldings(state, address, readOwned, common)));
  const protocol = await common;
  const { totals, redemption, prices } = protocol;
  const market = { totals, redemption, ggpInAVAX: prices.ggpInAVAX?.price };
  const accounts = holdings.map(async (holding): Promise<Account> => {
    const waysOut = await ifAvailable(context.telemetry, 'the simulation of the transactions of an account', () =>
      readWaysOut(state, holding, market),
    );
    return { ...holding, waysOut, waysLater: listWaysLater(holding, protocol) };
  });
  return { ...protocol, accounts: await Promise.all(accounts) };
}

/** Reads the minipools of an owner (lower case) at the state's block. */
type ReadOwned = (owner: string, stake: Promise<OperatorStake | undefined>) => Promise<Minipool[] | undefined>;

/**
 * Returns a reader of an owner's minipools. It takes the owner's nodes from the list of all minipools. That list may be some
 * minutes old: if the records of these nodes do not add up to the owner's stake, all records are read at the state's block.
 */
async function ownedReader(context: RequestContext, state: ProtocolState): Promise<ReadOwned> {
  const list = await ifAvailable(context.telemetry, 'the list of minipools', () =>
    readDataset(context, operatorsDataset),
  );
  const minipools = list?.value.minipools;
  const byOwner = minipools && Map.groupBy(minipools, ({ owner }) => owner);
  let all: Promise<Minipool[] | undefined> | undefined;
  const readAll = () => {
    all ??= ifAnswered(readMinipools(state));
    return all;
  };
  return async (owner, stake) => {
    const nodes = byOwner && (byOwner.get(owner) ?? []).map(({ nodeID }) => nodeID);
    const known = nodes && (await findOwned(owner, ifAnswered(readMinipoolsOf(state, nodes)), stake));
    return known ?? findOwned(owner, readAll(), stake);
  };
}

/** The owner's minipools among these, unless some are missing. */
async function findOwned(
  owner: string,
  reading: Promise<Minipool[] | undefined>,
  stake: Promise<OperatorStake | undefined>,
): Promise<Minipool[] | undefined> {
  const [minipools, staked] = await Promise.all([reading, stake]);
  const owned = minipools?.filter((minipool) => minipool.owner === owner);
  return owned && isWhole(owned, staked) ? owned : undefined;
}

async function readCommon(state: ProtocolState, pools: readonly Pool[]): Promise<ProtocolAtBlock> {
  const [block, totals, held, paused, oracle, settings, limits, prices, redemption] = await Promise.all([
    state.block(),
    readTotals(state),
    ifAnswered(readBalance(state, state.network.withdrawQueue)),
    readPaused(state),
    readOraclePrice(state),
    readSettings(state),
    readLimits(state),
    readBestPrices(state, pools),
    readPoolRedemption(state),
  ]);
  const terms = collateralTerms({ oracle, settings });
  const queued = { pool: { ...totals, held }, deposits: paused.TokenggAVAX === false ? totals : undefined };
  const cancelMoratorium = ifKnown(Number, limits.minipoolCancelMoratoriumSeconds);
  const minipoolCycle = ifKnown(Number, settings.minipoolCycleDuration);
  return { block, totals, queued, terms, cancelMoratorium, minipoolCycle, prices, redemption };
}

async function readHoldings(
  state: ProtocolState,
  address: string,
  readOwned: ReadOwned,
  common: Promise<ProtocolAtBlock>,
): Promise<Holdings> {
  const owner = address.toLowerCase();
  const staked = readOperatorStake(state, owner);
  const [
    { block, totals, queued, terms },
    balance,
    redemption,
    pstAvax,
    xGgp,
    xAvax,
    locks,
    stake,
    minipools,
    requests,
  ] = await Promise.all([
    common,
    readBalance(state, owner),
    readRedemption(state, owner),
    readPstAvax(state, owner),
    readVaultShares(state, state.network.xGgp, owner),
    readVaultShares(state, state.network.xAvax, owner),
    readLocks(state, owner),
    staked,
    readOwned(owner, staked),
    readRequestsOf(state, owner),
  ]);
  return {
    address: getAddress(address),
    ggAvax: { balance, avax: convertToAssets(balance, totals), redemption },
    pstAvax,
    xGgp,
    xAvax,
    locks,
    staking: stake && { ...stake, ggpUnneeded: unneededGgp(stake, terms) },
    minipools,
    withdrawals: requests
      .map((request) => withdrawalAt(request, block, queued.pool, queued.deposits))
      .sort((a, b) => a.requestId - b.requestId),
  };
}
