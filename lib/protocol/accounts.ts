import { getAddress } from 'ethers';
import { type RequestContext, readDataset } from '../cache/dataset.ts';
import { ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { type PoolTotals, readBalance, readTotals } from '../contracts/gg-avax.ts';
import { type Minipool, readMinipools, readMinipoolsOf } from '../contracts/minipool-manager.ts';
import { type OperatorStake, readOperatorStake } from '../contracts/operator-stake.ts';
import { readOraclePrice } from '../contracts/oracle.ts';
import { type Lock, readLocks, readPstAvax, readXGgp, type XGgp } from '../contracts/other-holdings.ts';
import { readPaused, readSettings } from '../contracts/protocol-dao.ts';
import { type Redemption, readRedemption } from '../contracts/redemption.ts';
import { readRequestsOf } from '../contracts/withdraw-queue.ts';
import { type HolderTotals, readHolderPast, totalsOf } from '../history/holder-past.ts';
import { FAR } from '../history/series.ts';
import { type BestPrices, readBestPrices } from '../prices/current.ts';
import type { Pool } from '../prices/pool.ts';
import type { CollateralTerms } from '../rewards/collateral.ts';
import { convertToAssets } from '../rewards/gg-avax-shares.ts';
import { sharesOf } from '../rewards/holder-yield.ts';
import { ifAvailable, ifKnown } from '../runtime/if-known.ts';
import type { BlockRef } from '../values/block.ts';
import { isWhole, withdrawableOf } from './account-figures.ts';
import { minipoolsDataset } from './minipools-dataset.ts';
import { type Withdrawal, withdrawalAt } from './withdrawals-dataset.ts';

/** Everything that addresses have with the protocol, at one block. */

/** What one address has. Amounts in wei; what there is no contract for, or what is not known, is missing. */
export interface Account {
  address: string;
  ggAvax: { balance: bigint; avax: bigint; redemption: Redemption | undefined };
  pstAvax: bigint | undefined;
  xGgp: XGgp | undefined;
  locks: Lock[] | undefined;
  /** Missing for those who have never staked GGP. */
  staking: (OperatorStake & { ggpWithdrawable: bigint | undefined }) | undefined;
  /** All that it owns. Missing if there is no MinipoolManager, or if they are not worth what Staking says that they are. */
  minipools: Minipool[] | undefined;
  withdrawals: Withdrawal[];
}

/** What is the same for all addresses. */
export interface Common {
  block: BlockRef;
  totals: PoolTotals;
  /** Whether ggAVAX accepts deposits, which ending a fulfilled request needs. */
  acceptsDeposits: boolean;
  terms: CollateralTerms | undefined;
  prices: BestPrices;
}

/**
 * The accounts of these addresses, in their order. One request to the chain for up to ten of them, if the ledger knows
 * their balances and requests, and it is known who owns which minipools; two queries of the ledger for each. Throws if
 * there is no pool.
 */
export async function readAccounts(
  context: RequestContext,
  state: ProtocolState,
  pools: readonly Pool[],
  addresses: readonly string[],
): Promise<Common & { accounts: Account[] }> {
  const [readOwned, ...holders] = await Promise.all([
    ownedReader(context, state),
    ...addresses.map((address) => readHolder(context, address)),
  ]);
  const common = readCommon(state, pools);
  const accounts = await Promise.all(
    addresses.map((address, index) => readAccount(state, address, { holder: holders[index], readOwned }, common)),
  );
  return { ...(await common), accounts };
}

/** Reads the minipools of an owner (lower case) at the state's block. */
type ReadOwned = (owner: string, stake: Promise<OperatorStake | undefined>) => Promise<Minipool[] | undefined>;

/**
 * Who owns which nodes is known from the list of all minipools, which may be some minutes old: if the records of those
 * nodes do not add up to the owner's stake, all records are read at the state's block.
 */
async function ownedReader(context: RequestContext, state: ProtocolState): Promise<ReadOwned> {
  const list = await ifAvailable(context.telemetry, 'the list of minipools', () =>
    readDataset(context, minipoolsDataset),
  );
  const byOwner = list && Map.groupBy(list.value.minipools, ({ owner }) => owner);
  let all: Promise<Minipool[] | undefined> | undefined;
  const readAll = () => {
    all ??= ifAnswered(readMinipools(state));
    return all;
  };
  return async (owner, stake) => {
    const nodes = byOwner && (byOwner.get(owner) ?? []).map(({ nodeID }) => nodeID);
    const known = nodes && (await allOf(owner, ifAnswered(readMinipoolsOf(state, nodes)), stake));
    return known ?? allOf(owner, readAll(), stake);
  };
}

/** The owner's minipools among these, unless some are missing. */
async function allOf(
  owner: string,
  reading: Promise<Minipool[] | undefined>,
  stake: Promise<OperatorStake | undefined>,
): Promise<Minipool[] | undefined> {
  const [minipools, staked] = await Promise.all([reading, stake]);
  const owned = minipools?.filter((minipool) => minipool.owner === owner);
  return owned && isWhole(owned, staked) ? owned : undefined;
}

async function readHolder(context: RequestContext, address: string): Promise<HolderTotals | undefined> {
  const owner = address.toLowerCase();
  const { withdrawQueue } = context.config.network;
  return ifAvailable(context.telemetry, 'the ledger of an account', async () =>
    totalsOf(owner, await readHolderPast(context, owner, FAR), withdrawQueue),
  );
}

async function readCommon(state: ProtocolState, pools: readonly Pool[]): Promise<Common> {
  const [block, totals, paused, oracle, settings, prices] = await Promise.all([
    state.block(),
    readTotals(state),
    readPaused(state),
    readOraclePrice(state),
    readSettings(state),
    readBestPrices(state, pools),
  ]);
  const terms = ifKnown(
    ({ ggpPriceInAVAX }, minCollateralizationRatio, maxCollateralizationRatio) => {
      return { ggpPriceInAVAX, minCollateralizationRatio, maxCollateralizationRatio };
    },
    oracle,
    settings.minCollateralizationRatio,
    settings.maxCollateralizationRatio,
  );
  return { block, totals, acceptsDeposits: paused.TokenggAVAX === false, terms, prices };
}

async function readAccount(
  state: ProtocolState,
  address: string,
  { holder, readOwned }: { holder: HolderTotals | undefined; readOwned: ReadOwned },
  common: Promise<Common>,
): Promise<Account> {
  const owner = address.toLowerCase();
  const { flows = [], openRequests = [] } = holder ?? {};
  const staked = readOperatorStake(state, owner);
  const [
    { block, totals, acceptsDeposits, terms },
    balance,
    redemption,
    pstAvax,
    xGgp,
    locks,
    stake,
    minipools,
    requests,
  ] = await Promise.all([
    common,
    readBalance(state, owner),
    readRedemption(state, owner, sharesOf(flows)),
    readPstAvax(state, owner),
    readXGgp(state, owner),
    readLocks(state, owner),
    staked,
    readOwned(owner, staked),
    readRequestsOf(state, owner, openRequests),
  ]);
  const pool = { ...totals, held: undefined };
  return {
    address: getAddress(address),
    ggAvax: { balance, avax: convertToAssets(balance, totals), redemption },
    pstAvax,
    xGgp,
    locks,
    staking: stake && { ...stake, ggpWithdrawable: withdrawableOf(stake, terms) },
    minipools,
    withdrawals: requests
      .map((request) => withdrawalAt(request, block, pool, acceptsDeposits ? pool : undefined))
      .sort((a, b) => a.requestId - b.requestId),
  };
}
