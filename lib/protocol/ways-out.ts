/** The funds that an address can take out now. Nothing is inferred: each transaction is simulated. */

import type { ProtocolState } from '../chain/chain.ts';
import type { TokenName } from '../contracts/other-holdings.ts';
import type { PoolRedemption } from '../contracts/redemption.ts';
import { simulate, type Transaction } from '../contracts/simulate.ts';
import { convertToAssets, type VaultTotals } from '../rewards/gg-avax-shares.ts';
import { compareBigints } from '../values/wad.ts';
import { type Rates, valueAVAX } from './account-figures.ts';
import type { Holdings } from './holdings.ts';
import { waitingMinipools, withdrawableMinipools } from './operator-figures.ts';
import type { Withdrawal } from './withdrawals.ts';

export const ACTIONS = [
  'redeem',
  'claimUnstake',
  'reclaimExpired',
  'cancelUnstake',
  'withdrawMinipool',
  'cancelMinipool',
  'claimRewards',
  'withdrawGgp',
  'withdrawPstAvax',
  'redeemXGgp',
  'redeemXAvax',
  'withdrawLocked',
] as const;

export type Action = (typeof ACTIONS)[number];

/** The record that an entry is about. Only for kinds that an address can have several of. */
export interface Subject {
  /** A minipool's node, 20 bytes, hex. */
  nodeID?: string | undefined;
  requestId?: number | undefined;
  /** The locked token's address. */
  lockId?: string | undefined;
}

export interface WayOut extends Subject {
  what: Action;
  token: TokenName;
  /** Wei of the token that all steps together pay. */
  amount: bigint;
  /** Transactions, to be sent in this order by the address itself. */
  steps: readonly [Transaction, ...Transaction[]];
  /** Alternative transaction with the same funds. */
  alternative?: WayOut | undefined;
}

/** The pool's redemption of ggAVAX, and the values of tokens. */
export interface Market extends Rates {
  redemption: PoolRedemption;
}

/** A transaction that may pay something. */
interface Candidate {
  what: Action;
  token: TokenName;
  /** Wei of the token. Undefined: the amount is the one that the transaction returns. */
  amount: bigint | undefined;
  transaction: Transaction;
  subject?: Subject;
  /** Value of a vault's shares in its asset, wei. */
  assets?: bigint | undefined;
  /** The pool after the transaction, if the transaction changes the rate. */
  after?: VaultTotals;
  /** Another way to end the same request. It is worth no more than this one. */
  alternative?: Candidate | undefined;
}

/**
 * The ways out that the chain accepts from this address, the most valuable first. Of two with the same value, the one with
 * fewer transactions is first. Throws if the provider does not simulate one of the transactions.
 */
export async function simulateWaysOut(state: ProtocolState, holdings: Holdings, market: Market): Promise<WayOut[]> {
  const { shares = 0n, assets = 0n } = holdings.ggAvax.redemption ?? {};
  const found = await Promise.all(
    candidates(state, holdings, market.totals).map(async (candidate) => {
      const way = await simulateWayOut(state, holdings.address, candidate, market);
      return { way, assets: candidate.assets };
    }),
  );
  const redeem: WayOut = { what: 'redeem', token: 'AVAX', amount: assets, steps: [redeemAVAX(state, shares)] };
  return [{ way: redeem, assets: undefined }, ...found]
    .filter(({ way }) => way.amount > 0n)
    .map(({ way, assets = way.amount }) => ({ way, value: valueAVAX(way.token, assets, market) ?? 0n }))
    .sort((a, b) => compareBigints(b.value, a.value) || a.way.steps.length - b.way.steps.length)
    .map(({ way }) => way);
}

/** Combines a candidate and its alternative into one way out. If the candidate is refused, the alternative replaces it. */
async function simulateWayOut(
  state: ProtocolState,
  sender: string,
  candidate: Candidate,
  market: Market,
): Promise<WayOut> {
  const { alternative } = candidate;
  const [amount, other = 0n] = await Promise.all([
    simulateAmount(state, sender, candidate),
    alternative && simulateAmount(state, sender, alternative),
  ]);
  if (!alternative || other === 0n) return wayOut(state, candidate, amount, market);
  if (amount === 0n) return wayOut(state, alternative, other, market);
  const { what, token, transaction, subject } = alternative;
  return {
    ...wayOut(state, candidate, amount, market),
    alternative: { what, token, ...subject, amount: other, steps: [transaction] },
  };
}

/** Wei that a candidate's transaction pays; 0 if the chain refuses it. */
async function simulateAmount(
  state: ProtocolState,
  sender: string,
  { amount, transaction }: Candidate,
): Promise<bigint> {
  if (amount === 0n) return 0n;
  const returned = await simulate(state, sender, transaction);
  return returned === undefined ? 0n : (amount ?? returned);
}

/** The way out of a candidate. Returned ggAVAX is redeemed in a second transaction, if the pool can pay for all of it. */
function wayOut(state: ProtocolState, candidate: Candidate, amount: bigint, { totals, redemption }: Market): WayOut {
  const { what, token, transaction, subject, after = totals } = candidate;
  const assets = token === 'ggAVAX' ? convertToAssets(amount, after) : 0n;
  return redemption.open && assets > 0n && assets <= (redemption.liquid ?? 0n)
    ? { what, token: 'AVAX', ...subject, amount: assets, steps: [transaction, redeemAVAX(state, amount)] }
    : { what, token, ...subject, amount, steps: [transaction] };
}

function redeemAVAX({ network, addresses }: ProtocolState, shares: bigint): Transaction {
  const { chainId } = network;
  return { chainId, contract: addresses.TokenggAVAX, signature: 'redeemAVAX(uint256)', args: [shares] };
}

function candidates(state: ProtocolState, holdings: Holdings, totals: VaultTotals): Candidate[] {
  return [
    ...holdings.withdrawals.map((request) => requestCandidate(state, request, totals)),
    ...operatorCandidates(state, holdings),
    ...otherCandidates(state, holdings, totals),
  ];
}

/** Returns a function that creates candidates on the state's chain. The transaction's arguments come last. */
function candidateOn({ network: { chainId } }: ProtocolState) {
  return (
    what: Action,
    token: TokenName,
    amount: bigint | undefined,
    contract: string,
    signature: string,
    ...args: Transaction['args']
  ): Candidate => ({ what, token, amount, transaction: { chainId, contract, signature, args } });
}

function requestCandidate(state: ProtocolState, request: Withdrawal, totals: VaultTotals): Candidate {
  const { requestId, status, shares, allocatedFunds, cancelShares = 0n, expiryShares = 0n } = request;
  const { withdrawQueue: queue } = state.network;
  const candidate = candidateOn(state);
  const subject = { requestId };
  const cancel = {
    ...candidate('cancelUnstake', 'ggAVAX', cancelShares, queue, 'cancelRequest(uint256)', requestId),
    subject,
  };
  switch (status) {
    case 'fulfilled':
      return {
        ...candidate('claimUnstake', 'AVAX', allocatedFunds, queue, 'claimUnstake(uint256)', requestId),
        subject,
        // Possible until `claimableTime`. Queues before 2025-10 pay only from then on.
        alternative: { ...cancel, after: poolAfter(totals, allocatedFunds, cancelShares) },
      };
    case 'expired':
      return {
        ...candidate('reclaimExpired', 'ggAVAX', expiryShares, queue, 'reclaimExpiredRequest(uint256)', requestId),
        subject,
        ...(allocatedFunds > 0n && { after: poolAfter(totals, allocatedFunds, expiryShares) }),
      };
    case 'pending':
      return { ...cancel, ...(cancelShares < shares && { after: poolAfter(totals, 0n, cancelShares - shares) }) };
  }
}

/** The pool after a deposit of AVAX, or after shares were minted or burned. */
function poolAfter({ totalAssets, totalSupply }: VaultTotals, assets: bigint, shares: bigint): VaultTotals {
  return { totalAssets: totalAssets + assets, totalSupply: totalSupply + shares };
}

function operatorCandidates(state: ProtocolState, { staking, minipools = [] }: Holdings): Candidate[] {
  const { MinipoolManager, ClaimNodeOp, Staking } = state.addresses;
  const candidate = candidateOn(state);
  const { canClaim, ggpRewards = 0n, ggpUnneeded } = staking ?? {};
  // All of the rewards: the rest would be staked, and staking is refused while Staking is paused.
  const claim = canClaim ? ggpRewards : 0n;
  const unneeded = ggpUnneeded ?? 0n;
  return [
    ...withdrawableMinipools(minipools).map(({ nodeID, avax }) => ({
      ...candidate('withdrawMinipool', 'AVAX', avax, MinipoolManager, 'withdrawMinipoolFunds(address)', nodeID),
      subject: { nodeID },
    })),
    ...waitingMinipools(minipools).map(({ nodeID, avaxNodeOpAmt }) => ({
      ...candidate('cancelMinipool', 'AVAX', avaxNodeOpAmt, MinipoolManager, 'cancelMinipool(address)', nodeID),
      subject: { nodeID },
    })),
    candidate('claimRewards', 'GGP', claim, ClaimNodeOp, 'claimAndRestake(uint256)', claim),
    candidate('withdrawGgp', 'GGP', unneeded, Staking, 'withdrawGGP(uint256)', unneeded),
  ];
}

function otherCandidates(state: ProtocolState, holdings: Holdings, totals: VaultTotals): Candidate[] {
  const { network } = state;
  const { address, pstAvax, xGgp, xAvax, locks = [] } = holdings;
  const candidate = candidateOn(state);
  const found: Candidate[] = [];
  if (network.pstAvax && pstAvax?.balance)
    found.push({
      ...candidate('withdrawPstAvax', 'ggAVAX', undefined, network.pstAvax, 'withdraw(uint256)', pstAvax.balance),
      after: poolAfter(totals, 0n, -(pstAvax.burnShares ?? 0n)),
    });
  if (network.xGgp && xGgp) {
    const most = xGgp.maxWithdraw;
    // Not `redeem(maxRedeem)`, which pays up to 1 wei less.
    const signature = 'withdraw(uint256,address,address)';
    found.push(candidate('redeemXGgp', 'GGP', most, network.xGgp, signature, most, address, address));
  }
  if (network.xAvax && xAvax)
    found.push(candidate('redeemXAvax', 'AVAX', xAvax.redeemed, network.xAvax, 'redeemAVAX(uint256)', xAvax.maxRedeem));
  for (const { token, address: lockId, amount, assets } of locks) {
    const signature = 'withdrawTokens(address,uint256)';
    const locker = String(network.assetLocker);
    const withdraw = candidate('withdrawLocked', token, amount, locker, signature, lockId, amount);
    found.push({ ...withdraw, subject: { lockId }, assets });
  }
  return found;
}
