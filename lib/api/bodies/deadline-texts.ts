/** The titles and texts of deadlines, for calendars and pages. */

import type { Deadline, DeadlineFacts, DeadlineKind } from '../../protocol/deadlines.ts';
import { formatAmount } from '../../values/amounts.ts';
import { isoDay } from '../../values/iso-time.ts';

interface Text {
  title: string;
  detail: string;
}

const TEXTS: { [Kind in DeadlineKind]: (facts: DeadlineFacts[Kind]) => Text } = {
  requestDue: ({ requestId, assets, isOverdue }) => ({
    title: `${isOverdue ? 'Overdue' : 'Expected to be claimable'}: withdrawal request ${requestId}`,
    detail: `${formatAmount(assets)} AVAX, once somebody has brought AVAX to the queue. Payment is not guaranteed.`,
  }),
  requestClaimable: ({ requestId, assets }) => ({
    title: `Claim ${formatAmount(assets)} AVAX: withdrawal request ${requestId}`,
    detail: `The AVAX is set aside: WithdrawQueue.claimUnstake(${requestId}) pays it.`,
  }),
  requestExpires: ({ requestId, isFunded, isReturned, announcedEnd }) => ({
    title: `${isFunded ? 'Last chance to claim' : 'Expires'}: withdrawal request ${requestId}`,
    detail: [
      'It cannot be claimed from then on.',
      afterExpiry(isFunded, isReturned, requestId),
      ...(announcedEnd === undefined ? [] : [`The announced end of withdrawals is earlier: ${isoDay(announcedEnd)}.`]),
    ].join(' '),
  }),
  requestExpired: ({ requestId, isReturned }) => ({
    title: `Expired: withdrawal request ${requestId}`,
    detail: isReturned
      ? `It can no longer be claimed. WithdrawQueue.reclaimExpiredRequest(${requestId}) returns its ggAVAX.`
      : 'It can no longer be claimed, and returns nothing while ggAVAX accepts no deposits.',
  }),
  minipoolEnded: ({ nodeID, nodeIDHex, avax }) => ({
    title: `Withdraw ${formatAmount(avax)} AVAX of a minipool`,
    detail: `The minipool of ${nodeID} has ended: MinipoolManager.withdrawMinipoolFunds(${nodeIDHex}).`,
  }),
  minipoolCancelable: ({ nodeID, nodeIDHex, avax }) => ({
    title: `A waiting minipool can be canceled: ${formatAmount(avax)} AVAX`,
    detail: `The minipool of ${nodeID} was not launched: MinipoolManager.cancelMinipool(${nodeIDHex}) returns its AVAX from then on.`,
  }),
  cycleEnds: ({ nodeID }) => ({ title: 'A cycle of a minipool ends', detail: `The minipool of ${nodeID}.` }),
  lowUptime: ({ nodeID, percent, limit }) => ({
    title: `Uptime under ${limit} %`,
    detail: `The node ${nodeID} has ${percent} %. A cycle without enough uptime earns nothing.`,
  }),
  lockEnds: ({ token, amount, isOver }) => ({
    title: isOver
      ? `Withdraw ${formatAmount(amount)} ${token} of a lock`
      : `The lock of ${formatAmount(amount)} ${token} ends`,
    detail: 'AssetLocker.withdrawTokens pays it from then on.',
  }),
  stakeLockEnds: ({ ggp }) => ({
    title: `The lock of ${formatAmount(ggp)} GGP staked ends`,
    detail: 'Staking.withdrawGGP pays from then on what the AVAX assigned to minipools does not need.',
  }),
  ggpRewards: ({ ggp }) => ({
    title: `Claim ${formatAmount(ggp)} GGP`,
    detail: `ClaimNodeOp.claimAndRestake(${ggp}).`,
  }),
  lowCollateral: ({ limit }) => ({
    title: `Collateral under ${limit} %`,
    detail: 'The value of the GGP staked, as a share of the AVAX assigned. Under 10 %, it earns no GGP.',
  }),
  announcedEnd: ({ what }) => ({
    title: `Announced end of ${what}`,
    detail: 'The contracts do not enforce this date: they keep paying after it, but there may be no website.',
  }),
};

/** The AVAX of a fulfilled request is deposited again when it is taken back. The token must accept deposits then. */
function afterExpiry(isFunded: boolean, isReturned: boolean, requestId: number): string {
  if (!isReturned) return 'Nor can it be taken back then, unless ggAVAX accepts deposits again.';
  const returned = isFunded ? 'the ggAVAX that its AVAX buys then' : 'its ggAVAX';
  return `WithdrawQueue.reclaimExpiredRequest(${requestId}) then returns ${returned}.`;
}

export function textOf<Kind extends DeadlineKind>(deadline: Deadline<Kind>): Text {
  return TEXTS[deadline.kind](deadline);
}
