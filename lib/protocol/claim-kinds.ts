/** The kinds of claims, and their words: the API serves them, and calendars, pages and archives print them. */

import type { TokenName } from '../contracts/other-holdings.ts';
import { roundedText } from '../values/amounts.ts';
import { formatNodeID } from '../values/cb58.ts';
import { dayText } from '../values/iso-time.ts';

export const CONDITIONS = {
  minipoolEnded: "the protocol's multisig has ended the minipool (its owner cannot)",
  noMinipoolLeft: 'no minipool of the address is `prelaunch`, `launched` or `staking`',
  requestFulfilled: 'the queue has received AVAX for this request; payment is not guaranteed',
  depositsOpen: 'ggAVAX accepts deposits again',
} as const;

/** Amounts in wei, times in unix seconds. */
export interface ClaimFacts {
  token: TokenName;
  /** Undefined if it depends on later events. */
  amount?: bigint | undefined;
  /** AVAX that a request promises for later. */
  expectedAssets?: bigint | undefined;
  /** True if the ggAVAX that it returns can be redeemed at this block. */
  isRedeemable?: boolean;
  /** The earliest time; undefined if the contracts require no time, or it has passed. */
  from?: number | undefined;
  /** From this time on, the claim cannot be made. */
  until?: number | undefined;
  /** The end that a minipool was created for. Its cycles may end earlier. */
  plannedEnd?: number | undefined;
  requires?: keyof typeof CONDITIONS | undefined;
  /** A minipool's node, 20 bytes, hex. */
  nodeID?: string | undefined;
  requestId?: number | undefined;
  /** The locked token's address. */
  lockId?: string | undefined;
}

interface Kind {
  meaning: string;
  contract: string;
  signature: string;
  title: (claim: ClaimFacts) => string;
  detail: (claim: ClaimFacts) => string;
}

const afterwards = ({ isRedeemable }: ClaimFacts) =>
  isRedeemable
    ? 'Then look up the address again to redeem it.'
    : 'It cannot be redeemed at this block: look up the address again for other ways.';
const nodeOf = ({ nodeID }: ClaimFacts) => formatNodeID(String(nodeID));
const fromDay = ({ from }: ClaimFacts, before: string) => (from === undefined ? '' : `${before} ${dayText(from)}.`);
const untilDay = ({ until }: ClaimFacts) => (until === undefined ? '' : `It expires on ${dayText(until)}.`);
const sentences = (...parts: string[]) => parts.filter(Boolean).join(' ');

export const CLAIM_KINDS = {
  claimUnstake: {
    meaning: 'AVAX of a fulfilled withdrawal request',
    contract: 'WithdrawQueue',
    signature: 'claimUnstake(uint256)',
    title: ({ requestId, requires }) =>
      requires ? `Withdrawal request ${requestId} expected to be payable` : `Claim withdrawal request ${requestId}`,
    detail: (claim) =>
      claim.requires
        ? sentences(fromDay(claim, 'Expected on'), 'Payable if the queue gets AVAX for it, which is not guaranteed.')
        : sentences(
            fromDay(claim, 'Payable from'),
            untilDay(claim),
            'After that, it returns only the ggAVAX that its AVAX buys then, and nothing while ggAVAX accepts no deposits.',
          ),
  },
  reclaimExpired: {
    meaning: 'ggAVAX of an expired request',
    contract: 'WithdrawQueue',
    signature: 'reclaimExpiredRequest(uint256)',
    title: ({ requestId, from }) =>
      from === undefined ? `Reclaim expired request ${requestId}` : `Withdrawal request ${requestId} expires`,
    detail: (claim) => {
      if (claim.requires) return 'It has AVAX, which buys ggAVAX once ggAVAX accepts deposits again.';
      if (claim.from === undefined) return `Returns ggAVAX. ${afterwards(claim)}`;
      const [day, { amount = 0n }] = [dayText(claim.from), claim];
      return `It cannot be claimed from ${day} on. If it is not paid before, ${roundedText(amount)} ggAVAX come back then.`;
    },
  },
  cancelUnstake: {
    meaning:
      'ggAVAX of a pending request (as much as the promised AVAX buys now; the yield since the request is burned), or of a fulfilled one that cannot be claimed yet (as much as its AVAX buys)',
    contract: 'WithdrawQueue',
    signature: 'cancelRequest(uint256)',
    title: ({ requestId }) => `Cancel withdrawal request ${requestId}`,
    detail: (claim) =>
      `Returns the ggAVAX that its AVAX buys then: you lose the place in the queue and the yield since the request, and a little more each day. ${afterwards(claim)}`,
  },
  withdrawMinipool: {
    meaning: 'AVAX of an ended or failed minipool',
    contract: 'MinipoolManager',
    signature: 'withdrawMinipoolFunds(address)',
    title: (claim) =>
      claim.requires ? `Minipool ${nodeOf(claim)} may end` : `Withdraw from minipool ${nodeOf(claim)}`,
    detail: (claim) => {
      if (!claim.requires) return 'Pays its AVAX and rewards.';
      const condition = claim.plannedEnd === undefined ? '' : ', if no new cycle starts';
      const earliest = claim.from === undefined ? '' : `At the earliest ${dayText(claim.from)}${condition}.`;
      const planned = claim.plannedEnd === undefined ? '' : `Planned end: ${dayText(claim.plannedEnd)}.`;
      return sentences(earliest, planned, 'Only the protocol can end it.');
    },
  },
  cancelMinipool: {
    meaning: 'AVAX of a minipool that was never launched',
    contract: 'MinipoolManager',
    signature: 'cancelMinipool(address)',
    title: (claim) => `Cancel minipool ${nodeOf(claim)}`,
    detail: (claim) => sentences(fromDay(claim, 'Possible from'), 'It has not been launched. Returns its AVAX.'),
  },
  claimRewards: {
    meaning: 'GGP rewards',
    contract: 'ClaimNodeOp',
    signature: 'claimAndRestake(uint256)',
    title: () => 'Claim GGP rewards',
    detail: () =>
      'Pays all; nothing is restaked. After another distribution, look up the address again: the call would restake what exceeds its amount.',
  },
  withdrawGgp: {
    meaning: 'GGP stake',
    contract: 'Staking',
    signature: 'withdrawGGP(uint256)',
    title: () => 'Withdraw staked GGP',
    detail: (claim) =>
      sentences(
        fromDay(claim, 'Locked until'),
        claim.requires
          ? 'Collateral of minipools: free once all minipools of the address have ended.'
          : 'Collateral of running minipools stays, with a reserve for a lower price of GGP.',
      ),
  },
  withdrawPstAvax: {
    meaning: 'pstAVAX for ggAVAX',
    contract: 'TokenpstAVAX',
    signature: 'withdraw(uint256)',
    title: () => 'Withdraw pstAVAX',
    detail: (claim) => `Returns ggAVAX worth as much AVAX. ${afterwards(claim)}`,
  },
  redeemXGgp: {
    meaning: 'xGGP shares for GGP, as far as the vault has GGP',
    contract: 'xGGP',
    signature: 'withdraw(uint256,address,address)',
    title: () => 'Withdraw GGP from xGGP',
    detail: () => 'Pays what the vault has. Other shares, and growth until then, stay.',
  },
  redeemXAvax: {
    meaning: 'xAVAX shares for AVAX, as far as the vault has AVAX',
    contract: 'xAVAX',
    signature: 'redeemAVAX(uint256)',
    title: () => 'Redeem xAVAX',
    detail: () =>
      'Pays what the vault has, less a reserve so that the transaction succeeds for some days. Other shares stay.',
  },
  withdrawLocked: {
    meaning: 'tokens of an ended lock',
    contract: 'AssetLocker',
    signature: 'withdrawTokens(address,uint256)',
    title: ({ token }) => `Withdraw locked ${token}`,
    detail: (claim) => fromDay(claim, 'Locked until') || 'The lock has ended.',
  },
  redeem: {
    meaning: 'ggAVAX for AVAX',
    contract: 'TokenggAVAX',
    signature: 'redeemAVAX(uint256)',
    title: () => 'Redeem ggAVAX',
    detail: () =>
      'Pays AVAX at once, as far as the pool has it. ggAVAX that other withdrawals return is not included: look up the address again after them.',
  },
  approveUnstake: {
    meaning: 'the approval that `requestUnstake` needs; pays nothing',
    contract: 'TokenggAVAX',
    signature: 'approve(address,uint256)',
    title: () => 'Allow the withdrawal queue to take the ggAVAX',
    detail: () => 'The first of two transactions. It moves nothing.',
  },
  requestUnstake: {
    meaning: 'a request for AVAX (`expectedAssets`) for ggAVAX that cannot be redeemed; pays nothing now',
    contract: 'WithdrawQueue',
    signature: 'requestUnstake(uint256,uint48)',
    title: () => 'Request AVAX from the withdrawal queue',
    detail: (claim) =>
      sentences(
        `Hands the ggAVAX that cannot be redeemed at this block to the queue for ${roundedText(claim.expectedAssets ?? 0n)} AVAX.`,
        fromDay(claim, 'Expected on'),
        'Payable if the queue gets AVAX for it, which is not guaranteed.',
        'It can be cancelled at any time.',
      ),
  },
} as const satisfies Record<string, Kind>;

export type ClaimKind = keyof typeof CLAIM_KINDS;
