import { getAddress } from 'ethers';
import { type RequestContext, readDataset } from '../cache/dataset.ts';
import { ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { type PoolTotals, readBalance, readTotals } from '../contracts/gg-avax.ts';
import { type Minipool, readMinipoolsOf } from '../contracts/minipool-manager.ts';
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
import { lackOf, withdrawableOf } from './account-figures.ts';
import { minipoolOwnersDataset } from './minipool-owners-dataset.ts';
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
  /** Those that the ledger knows of; missing while it is not complete. */
  minipools: Minipool[] | undefined;
  /** Why minipools are missing, if some or all are. */
  minipoolsLack: MinipoolsLack | undefined;
  withdrawals: Withdrawal[];
}

/**
 * The ledger does not answer; does not cover the past; or is behind the chain, which has assigned more AVAX to the
 * operator than to the minipools that the ledger knows of.
 */
export type MinipoolsLack = 'SOURCE_UNAVAILABLE' | 'PAST_NOT_SEARCHED' | 'LEDGER_BEHIND';

/** What the ledger tells about an address: what to ask the chain for. */
interface Known {
  holder: HolderTotals | undefined;
  /** The nodes (20 bytes, hex) that have had a minipool of this owner, or why that is unknown. */
  nodes: readonly string[] | MinipoolsLack;
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
 * their balances and requests; two queries of the ledger for each, and one for all while it is not known who has had
 * minipools. Throws if there is no pool.
 */
export async function readAccounts(
  context: RequestContext,
  state: ProtocolState,
  pools: readonly Pool[],
  addresses: readonly string[],
): Promise<Common & { accounts: Account[] }> {
  const [nodesOf, ...holders] = await Promise.all([
    readNodes(context),
    ...addresses.map((address) => readHolder(context, address)),
  ]);
  const common = readCommon(state, pools);
  const accounts = await Promise.all(
    addresses.map((address, index) =>
      readAccount(state, address, { holder: holders[index], nodes: nodesOf(address.toLowerCase()) }, common),
    ),
  );
  return { ...(await common), accounts };
}

async function readHolder(context: RequestContext, address: string): Promise<HolderTotals | undefined> {
  const owner = address.toLowerCase();
  const { withdrawQueue } = context.config.network;
  return ifAvailable(context.telemetry, 'the ledger of an account', async () =>
    totalsOf(owner, await readHolderPast(context, owner, FAR), withdrawQueue),
  );
}

async function readNodes(context: RequestContext): Promise<(owner: string) => Known['nodes']> {
  const owners = await ifAvailable(context.telemetry, 'the owners of minipools', () =>
    readDataset(context, minipoolOwnersDataset),
  );
  if (!owners) return () => 'SOURCE_UNAVAILABLE';
  const { isComplete, nodes } = owners.value;
  return (owner) => (isComplete ? (nodes[owner] ?? []) : 'PAST_NOT_SEARCHED');
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
    settings.getMinCollateralizationRatio,
    settings.getMaxCollateralizationRatio,
  );
  return { block, totals, acceptsDeposits: paused.TokenggAVAX === false, terms, prices };
}

async function readAccount(
  state: ProtocolState,
  address: string,
  { holder, nodes }: Known,
  common: Promise<Common>,
): Promise<Account> {
  const owner = address.toLowerCase();
  const { flows = [], openRequests = [] } = holder ?? {};
  const [
    { block, totals, acceptsDeposits, terms },
    balance,
    redemption,
    pstAvax,
    xGgp,
    locks,
    stake,
    records,
    requests,
  ] = await Promise.all([
    common,
    readBalance(state, owner),
    readRedemption(state, owner, sharesOf(flows)),
    readPstAvax(state, owner),
    readXGgp(state, owner),
    readLocks(state, owner),
    readOperatorStake(state, owner),
    typeof nodes === 'string' ? undefined : ifAnswered(readMinipoolsOf(state, nodes)),
    readRequestsOf(state, owner, openRequests),
  ]);
  const pool = { ...totals, held: undefined };
  const minipools = records?.filter((minipool) => minipool.owner === owner);
  return {
    address: getAddress(address),
    ggAvax: { balance, avax: convertToAssets(balance, totals), redemption },
    pstAvax,
    xGgp,
    locks,
    staking: stake && { ...stake, ggpWithdrawable: withdrawableOf(stake, terms) },
    minipools,
    minipoolsLack: typeof nodes === 'string' ? nodes : lackOf(minipools, stake),
    withdrawals: requests
      .map((request) => withdrawalAt(request, block, pool, acceptsDeposits ? pool : undefined))
      .sort((a, b) => a.requestId - b.requestId),
  };
}
