import { getAddress } from 'ethers';
import type { RequestContext } from '../cache/dataset.ts';
import { ifAnswered } from '../chain/answered.ts';
import type { ProtocolState } from '../chain/chain.ts';
import { type PoolTotals, readBalance, readTotals } from '../contracts/gg-avax.ts';
import { type Minipool, readMinipoolsOf } from '../contracts/minipool-manager.ts';
import { type MinipoolStatus, statusName } from '../contracts/minipool-statuses.ts';
import { type OperatorStake, readOperatorStake } from '../contracts/operator-stake.ts';
import { readOraclePrice } from '../contracts/oracle.ts';
import { type Lock, readLocks, readPstAvax, readXGgp, type XGgp } from '../contracts/other-holdings.ts';
import { readPaused, readSettings } from '../contracts/protocol-dao.ts';
import { type Redemption, readRedemption } from '../contracts/redemption.ts';
import { readRequestsOf } from '../contracts/withdraw-queue.ts';
import { type HolderTotals, readHolderPast, totalsOf } from '../history/holder-past.ts';
import { FAR } from '../history/series.ts';
import { type Entry, subjectOf } from '../ledger/ledger-entry.ts';
import { ledgerOf } from '../ledger/ledger-store.ts';
import { type BestPrices, readBestPrices } from '../prices/current.ts';
import type { Pool } from '../prices/pool.ts';
import { type CollateralTerms, ggpStakeForRatio } from '../rewards/collateral.ts';
import { convertToAssets } from '../rewards/gg-avax-shares.ts';
import { sharesOf } from '../rewards/holder-yield.ts';
import { ifAvailable, ifKnown, unlessReverted } from '../runtime/if-known.ts';
import type { BlockRef } from '../values/block.ts';
import { mulWad } from '../values/wad.ts';
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
  /** Missing while the ledger does not know all of them. */
  minipools: Minipool[] | undefined;
  withdrawals: Withdrawal[];
}

/** What the ledger tells about an address: what to ask the chain for. */
interface Known {
  holder: HolderTotals | undefined;
  /** Missing while its past is not covered. */
  staker: readonly Entry[] | undefined;
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
 * their balances and requests, and three queries of the ledger for each. Throws if there is no pool.
 */
export async function readAccounts(
  context: RequestContext,
  state: ProtocolState,
  pools: readonly Pool[],
  addresses: readonly string[],
): Promise<Common & { accounts: Account[] }> {
  const known = await Promise.all(addresses.map((address) => readKnown(context, address)));
  const common = readCommon(state, pools);
  const accounts = await Promise.all(
    addresses.map((address, index) => readAccount(state, address, known[index] as Known, common)),
  );
  return { ...(await common), accounts };
}

async function readKnown(context: RequestContext, address: string): Promise<Known> {
  const owner = address.toLowerCase();
  const { withdrawQueue } = context.config.network;
  const known = <T>(read: () => Promise<T>) => ifAvailable(context.telemetry, 'the ledger of an account', read);
  const [holder, staker] = await Promise.all([
    known(async () => totalsOf(owner, await readHolderPast(context, owner, FAR), withdrawQueue)),
    known(() => ledgerOf(context).all(subjectOf.staker(address))),
  ]);
  return { holder, staker: staker?.coverage.complete ? staker.entries : undefined };
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
  { holder, staker }: Known,
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
    staker && ifAnswered(readMinipoolsOf(state, nodesOf(owner, staker))),
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
    minipools: records?.filter((minipool) => minipool.owner === owner),
    withdrawals: requests
      .map((request) => withdrawalAt(request, block, pool, acceptsDeposits ? pool : undefined))
      .sort((a, b) => a.requestId - b.requestId),
  };
}

/** The nodes (20 bytes, hex) that have had a minipool of this owner. */
function nodesOf(owner: string, entries: readonly Entry[]): string[] {
  const nodes = entries.flatMap((entry) =>
    'owner' in entry && 'nodeID' in entry && entry.owner === owner ? entry.nodeID : [],
  );
  return [...new Set(nodes)];
}

/**
 * GGP wei that `withdrawGGP` would pay: what is not needed for the maximum collateral of the AVAX assigned. Source:
 * `Staking.withdrawGGP`.
 */
function withdrawableOf(
  { ggpStaked, avaxAssigned, isLocked }: OperatorStake,
  terms: CollateralTerms | undefined,
): bigint | undefined {
  if (isLocked) return 0n;
  const needed =
    avaxAssigned === 0n
      ? 0n
      : terms && unlessReverted(() => ggpStakeForRatio(avaxAssigned, terms.maxCollateralizationRatio, terms));
  if (needed === undefined || isLocked === undefined) return undefined;
  return ggpStaked > needed ? ggpStaked - needed : 0n;
}

const AT_WORK = new Set<MinipoolStatus>(['prelaunch', 'launched', 'staking']);
/** `withdrawMinipoolFunds` pays in these. */
const OVER = new Set<MinipoolStatus>(['withdrawable', 'error']);

/** AVAX wei of the operator in minipools that are waiting or at work. */
export function stakedAVAX(minipools: readonly Minipool[]): bigint {
  return sum(
    minipools.filter(({ status }) => AT_WORK.has(statusName(status))).map(({ avaxNodeOpAmt }) => avaxNodeOpAmt),
  );
}

/** Minipools whose AVAX the operator can withdraw, each with how many wei. Source: `MinipoolManager.withdrawMinipoolFunds`. */
export function withdrawableMinipools(minipools: readonly Minipool[]): { nodeID: string; avax: bigint }[] {
  return minipools
    .filter(({ status }) => OVER.has(statusName(status)))
    .map(({ nodeID, avaxNodeOpAmt, avaxNodeOpRewardAmt }) => ({ nodeID, avax: avaxNodeOpAmt + avaxNodeOpRewardAmt }));
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/**
 * AVAX wei that everything is worth: tokens and locks at `ggpInAVAX` (1e18) and at the redemption rate, requests at what
 * they promise. Undefined if a part is not known.
 */
export function totalAVAX(account: Account, totals: PoolTotals, ggpInAVAX: bigint | undefined): bigint | undefined {
  const { ggAvax, pstAvax = 0n, xGgp, locks = [], staking, minipools, withdrawals } = account;
  const lockedGgp = sum(locks.filter(({ token }) => token === 'TokenGGP').map(({ amount }) => amount));
  const lockedShares = sum(locks.filter(({ token }) => token === 'TokenggAVAX').map(({ amount }) => amount));
  const ggp = (xGgp?.ggp ?? 0n) + lockedGgp + (staking?.ggpStaked ?? 0n) + (staking?.ggpRewards ?? 0n);
  const ggpInAll = ggp === 0n ? 0n : ifKnown(mulWad, ggp, ggpInAVAX);
  const inMinipools = ifKnown(
    (owned) => stakedAVAX(owned) + sum(withdrawableMinipools(owned).map(({ avax }) => avax)),
    minipools,
  );
  return ifKnown(
    (inGgp, inPools) =>
      ggAvax.avax +
      pstAvax +
      convertToAssets(lockedShares, totals) +
      sum(withdrawals.map(({ expectedAssets }) => expectedAssets)) +
      inGgp +
      inPools,
    ggpInAll,
    inMinipools,
  );
}
