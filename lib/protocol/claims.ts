/**
 * The claims of an address: what it can take out, when, and by which call, at one block. Calls stay valid for days, in the
 * order of the list, one by one or in one batch: an amount that time or other calls change has a reserve, and what depends
 * on the result of another call has no call.
 */

import type { ProtocolState } from '../chain/chain.ts';
import { statusName } from '../contracts/minipool-statuses.ts';
import { simulate, type Transaction } from '../contracts/simulate.ts';
import { convertToAssets, sharesWithin } from '../rewards/gg-avax-shares.ts';
import { ifKnown } from '../runtime/if-known.ts';
import { contractsAround, writePageOf } from '../runtime/networks.ts';
import { LAST_TIME } from '../values/iso-time.ts';
import { min } from '../values/wad.ts';
import { CLAIM_KINDS, type ClaimFacts, type ClaimKind } from './claim-kinds.ts';
import type { Holdings } from './holdings.ts';
import { waitingMinipools, withdrawableMinipools } from './operator-figures.ts';
import type { ProtocolAtBlock } from './protocol-at-block.ts';
import type { Withdrawal } from './withdrawals.ts';

export interface Claim extends ClaimFacts {
  what: ClaimKind;
  /** The transaction, to be sent by the address itself. Only claims that the chain accepts now have one. */
  call?: Transaction | undefined;
}

/** A claim that may be accepted. Without an amount, it pays what its transaction returns. */
type Candidate = Claim & { call: Transaction };

/** The part of a pool's AVAX that a claim counts on: in some days, the same shares are worth up to 0.5 % more. */
const [RELIABLE, WHOLE] = [995n, 1_000n];

/**
 * The claims that the chain accepts now, in the order to send them: ggAVAX is redeemed last, and the rest of it can be
 * handed to the queue. Cancellations follow. Throws if the provider does not simulate one of the transactions.
 */
export async function readClaimsNow(
  state: ProtocolState,
  holdings: Holdings,
  protocol: ProtocolAtBlock,
): Promise<Claim[]> {
  const { totals, redemption } = protocol;
  const liquid = ((redemption.liquid ?? 0n) * RELIABLE) / WHOLE;
  const most = sharesWithin(liquid, totals);
  const { open, shares = 0n } = holdings.ggAvax.redemption ?? {};
  const redeemed = min(shares, most);
  const found = await Promise.all(
    candidates(state, holdings, protocol, redeemed).map(async (alternatives) => {
      const simulated = await Promise.all(alternatives.map((each) => simulateClaim(state, holdings.address, each)));
      return simulated.find((claim) => claim !== undefined) ?? [];
    }),
  );
  return withinPool(found.flat(), open ? most - redeemed : 0n);
}

/** The candidate with the amount that it pays; undefined if the chain refuses it, or it pays nothing. */
async function simulateClaim(state: ProtocolState, sender: string, candidate: Candidate): Promise<Claim | undefined> {
  if (candidate.amount === 0n || candidate.expectedAssets === 0n) return undefined;
  const paid = await simulate(state, sender, candidate.call);
  if (paid === undefined || candidate.expectedAssets !== undefined) return paid === undefined ? paid : candidate;
  const { amount = paid } = candidate;
  return amount > 0n ? { ...candidate, amount } : undefined;
}

/** The claims, with whether the ggAVAX that they return can be redeemed. Nothing is cancelled for ggAVAX that cannot. */
export function withinPool(claims: readonly Claim[], room: bigint): Claim[] {
  const isRequest = ({ what }: Claim) => what === 'requestUnstake';
  const isCancelled = ({ what }: Claim) => what === 'cancelUnstake';
  let left = room;
  return claims
    .toSorted((a, b) => Number(isCancelled(a)) - Number(isCancelled(b)))
    .flatMap((claim) => {
      if (claim.what === 'approveUnstake') return claims.some(isRequest) ? claim : [];
      if (claim.token !== 'ggAVAX') return claim;
      const isRedeemable = (claim.amount ?? 0n) <= left;
      if (isRedeemable) left -= claim.amount ?? 0n;
      return isRedeemable || !isCancelled(claim) ? { ...claim, isRedeemable } : [];
    });
}

/** The calls that may pay something. Of several for the same funds, the first that is accepted counts. */
function candidates(
  state: ProtocolState,
  holdings: Holdings,
  { block, totals, queue }: ProtocolAtBlock,
  shares: bigint,
): Candidate[][] {
  const { address, ggAvax, pstAvax, xGgp, xAvax, staking, minipools = [], locks = [] } = holdings;
  // Some are undefined on networks without them.
  const contracts = { ...state.addresses, ...contractsAround(state.network) };
  const on = (what: ClaimKind, facts: ClaimFacts, ...args: Transaction['args']): Candidate[] => {
    const { signature, contract: name } = CLAIM_KINDS[what];
    const contract = contracts[name];
    if (!contract) return [];
    const url = writePageOf(state.network, name, contract);
    return [{ what, ...facts, call: { chainId: state.network.chainId, contract, url, signature, args } }];
  };
  const ofRequest = (request: Withdrawal) => {
    const { requestId, status, allocatedFunds, expirationTime: until, cancelShares, expiryShares } = request;
    const claim = { token: 'AVAX', amount: allocatedFunds, until, requestId } as const;
    const back = (amount = 0n) => ({ token: 'ggAVAX', amount, requestId }) as const;
    if (status === 'expired') return on('reclaimExpired', back(expiryShares), requestId);
    return [...on('claimUnstake', claim, requestId), ...on('cancelUnstake', back(cancelShares), requestId)];
  };
  // All of the rewards: the rest would be staked, and staking is refused while Staking is paused.
  const rewards = staking?.canClaim ? staking.ggpRewards : 0n;
  const unneeded = staking?.ggpUnneeded ?? 0n;
  // A vault that has less than the shares are worth pays fewer shares as they grow.
  const isShort = xAvax && xAvax.maxRedeem < xAvax.shares;
  const xShares = isShort ? (xAvax.maxRedeem * RELIABLE) / WHOLE : (xAvax?.maxRedeem ?? 0n);
  // A request lasts as long as the queue allows: it can be cancelled at any time.
  const { unstakeDelay, maxExpirationDelay: delay } = queue;
  const from = ifKnown((seconds) => block.timestamp + Number(seconds), unstakeDelay);
  const until = ifKnown((time: number, seconds) => time + Number(seconds), from, delay);
  const rest = ggAvax.balance - shares;
  const later = { expectedAssets: convertToAssets(rest, totals), from, until, requires: 'requestFulfilled' } as const;
  return [
    ...holdings.withdrawals.map(ofRequest),
    ...withdrawableMinipools(minipools).map(({ nodeID, avax: amount }) =>
      on('withdrawMinipool', { token: 'AVAX', amount, nodeID }, nodeID),
    ),
    ...waitingMinipools(minipools).map(({ nodeID, avaxNodeOpAmt: amount }) =>
      on('cancelMinipool', { token: 'AVAX', amount, nodeID }, nodeID),
    ),
    on('claimRewards', { token: 'GGP', amount: rewards }, rewards),
    on('withdrawGgp', { token: 'GGP', amount: unneeded }, unneeded),
    pstAvax ? on('withdrawPstAvax', { token: 'ggAVAX' }, pstAvax) : [],
    // Not `redeem(maxRedeem)`, which pays up to 1 wei less.
    xGgp ? on('redeemXGgp', { token: 'GGP', amount: xGgp.maxWithdraw }, xGgp.maxWithdraw, address, address) : [],
    xShares > 0n ? on('redeemXAvax', { token: 'AVAX' }, xShares) : [],
    ...locks.map(({ token, address: lockId, amount }) =>
      on('withdrawLocked', { token, amount, lockId }, lockId, amount),
    ),
    on('redeem', { token: 'AVAX', amount: convertToAssets(shares, totals) }, shares),
    on('approveUnstake', { token: 'ggAVAX', expectedAssets: later.expectedAssets }, state.network.withdrawQueue, rest),
    delay === undefined ? [] : on('requestUnstake', { token: 'AVAX', ...later }, rest, delay),
  ];
}

/**
 * The claims that the contracts do not allow yet, in the order to make them: minipools, then the GGP that they bind, then
 * requests and locks. `now` are those of {@link readClaimsNow}, if known. Undefined if the minipools, or the moratorium of
 * a waiting one, are unknown.
 */
export function listClaimsLater(
  holdings: Holdings,
  protocol: ProtocolAtBlock,
  now: readonly Claim[] | undefined,
): Claim[] | undefined {
  const { withdrawals, locks = [] } = holdings;
  const ofMinipools = minipoolsLater(holdings, protocol);
  const ofRequests = withdrawals.flatMap((each) => requestLater(each, protocol, now));
  const ofLocks = locks.map(({ address: lockId, until: from, token, amount }): Claim => {
    return { what: 'withdrawLocked', token, amount, from, lockId };
  });
  const others = [...ofRequests, ...ofLocks].toSorted(byTime);
  const all = ofMinipools && [...ofMinipools.toSorted(byTime), ...stakeLater(holdings), ...others];
  const { timestamp } = protocol.block;
  return all
    ?.filter(({ from = 0, requires }) => from <= LAST_TIME && (requires !== undefined || from > timestamp))
    .map(({ from = 0, ...claim }) => ({ ...claim, from: from > timestamp ? from : undefined }));
}

const byTime = ({ from: a = 0 }: Claim, { from: b = 0 }: Claim) => a - b;

/** A waiting minipool can be canceled after the moratorium; one at work is ended by the protocol's multisig only. */
function minipoolsLater({ minipools }: Holdings, { settings }: ProtocolAtBlock): Claim[] | undefined {
  const { minipoolCancelMoratoriumSeconds: moratorium, minipoolCycleDuration: cycle } = settings;
  if (!minipools || (moratorium === undefined && waitingMinipools(minipools).length > 0)) return undefined;
  return minipools.flatMap(({ nodeID, status, creationTime, startTime, initialStartTime, duration, avaxNodeOpAmt }) => {
    const claim = { token: 'AVAX', amount: avaxNodeOpAmt, nodeID } as const;
    const ends = { ...claim, what: 'withdrawMinipool', requires: 'minipoolEnded' } as const;
    switch (statusName(status)) {
      case 'prelaunch':
        return { ...claim, what: 'cancelMinipool', from: creationTime + Number(moratorium ?? 0n) };
      case 'launched':
        return ends;
      case 'staking': {
        const from = ifKnown((seconds) => startTime + Number(seconds), cycle);
        const planned = initialStartTime + duration;
        // The last cycle ends after the planned time.
        return { ...ends, from, plannedEnd: from === undefined || planned > from ? planned : undefined };
      }
      default:
        return [];
    }
  });
}

/** Staked GGP. `Staking.withdrawGGP` requires the end of the lock and collateral for the AVAX assigned. */
function stakeLater({ staking }: Holdings): Claim[] {
  if (!staking) return [];
  const { ggpStaked, ggpUnneeded = 0n, lockedUntil: from } = staking;
  const claim = { what: 'withdrawGgp', token: 'GGP', from } as const;
  const bound = { ...claim, amount: ggpStaked - ggpUnneeded, requires: 'noMinipoolLeft' } as const;
  return [{ ...claim, amount: ggpUnneeded }, bound].filter(({ amount }) => amount > 0n);
}

/**
 * A pending request is paid if the queue gets AVAX for it, and returns its shares once it has expired. A fulfilled one is
 * paid from `claimableTime` on, by queues before 2025-10. An expired one with AVAX deposits it again.
 */
function requestLater(request: Withdrawal, { paused }: ProtocolAtBlock, now: readonly Claim[] | undefined): Claim[] {
  const { requestId, status, claimableTime, expirationTime, expectedAssets, shares, allocatedFunds } = request;
  const claim = { what: 'claimUnstake', token: 'AVAX', from: claimableTime, until: expirationTime, requestId } as const;
  const back = { what: 'reclaimExpired', token: 'ggAVAX', requestId } as const;
  switch (status) {
    case 'pending':
      return [
        { ...claim, amount: expectedAssets, requires: 'requestFulfilled' },
        { ...back, amount: shares, from: expirationTime },
      ];
    case 'fulfilled': {
      const isPayable = now?.some((each) => each.what === 'claimUnstake' && each.requestId === requestId);
      return isPayable ? [] : [{ ...claim, amount: allocatedFunds }];
    }
    case 'expired':
      return allocatedFunds > 0n && paused.TokenggAVAX ? [{ ...back, requires: 'depositsOpen' }] : [];
  }
}
