/** What somebody with funds in the protocol must not miss: the dates of one address, at one block. */

import type { Minipool } from '../contracts/minipool-manager.ts';
import { statusName } from '../contracts/minipool-statuses.ts';
import type { OperatorStake } from '../contracts/operator-stake.ts';
import type { Lock } from '../contracts/other-holdings.ts';
import { startOfPeriod } from '../history/periods.ts';
import { type CollateralTerms, collateralizationRatio } from '../rewards/collateral.ts';
import { unlessReverted } from '../runtime/if-known.ts';
import { formatAmount } from '../values/amounts.ts';
import type { BlockRef } from '../values/block.ts';
import { formatNodeID } from '../values/cb58.ts';
import { LAST_TIME } from '../values/iso-time.ts';
import { WAD } from '../values/wad.ts';
import { withdrawableMinipools } from './account-figures.ts';
import type { Holdings } from './accounts.ts';
import type { Withdrawal } from './withdrawals.ts';

export interface Deadline {
  /** The same in every answer, so that a calendar that is read again updates an entry and does not add it twice. */
  id: string;
  /** Unix seconds. What holds now, for as long as it does, is dated on the block's UTC day. */
  time: number;
  title: string;
  detail: string;
}

/** What the deadlines of an account follow from, besides the account. */
export interface DeadlineSources {
  block: BlockRef;
  terms: CollateralTerms | undefined;
  /** How long a minipool's cycle lasts. */
  cycleSeconds: number | undefined;
  /** In percent by `NodeID-…`, as the network's index sees it. */
  uptimes: ReadonlyMap<string, number | undefined>;
  /** Days as `2026-12-31` that were announced, with what ends then. */
  announced: Readonly<Record<string, string>>;
}

/** Under these, the protocol's own service sent notices. */
const LOW_UPTIME_PERCENT = 90;
const LOW_COLLATERAL_PERCENT = [10n, 20n];

/** The deadlines of an account, the earliest first. What is never has none, and what was announced for no day. */
export function listDeadlines(
  { withdrawals, minipools = [], locks = [], staking }: Holdings,
  sources: DeadlineSources,
) {
  const today = startOfPeriod(sources.block.timestamp, '1d');
  return [
    ...withdrawals.flatMap((request) => withdrawalDeadlines(request, today)),
    ...minipools.flatMap((minipool) => minipoolDeadlines(minipool, sources, today)),
    ...locks.flatMap(lockDeadline),
    ...(staking ? stakeDeadlines(staking, sources, today) : []),
    ...Object.entries(sources.announced).map(([day, what]) => announcedDeadline(day, what)),
  ]
    .filter(({ time }) => time <= LAST_TIME)
    .toSorted((a, b) => a.time - b.time);
}

/** Its time is NaN for what is no day: it was set by hand. */
function announcedDeadline(day: string, what: string): Deadline {
  const detail =
    'No contract enforces it: what they pay before, they pay afterwards, but there may be no website for it.';
  return { id: `announced-${day}`, time: Date.parse(day) / 1_000, title: `Announced end of ${what}`, detail };
}

function withdrawalDeadlines(request: Withdrawal, today: number): Deadline[] {
  const { requestId, status, claimableTime, expirationTime, expectedAssets, allocatedFunds } = request;
  const [id, name] = [`withdrawal-${requestId}`, `withdrawal request ${requestId}`];
  if (status === 'expired') {
    const detail = 'It can no longer be claimed. WithdrawQueue.reclaimExpiredRequest returns its ggAVAX.';
    return [{ id: `${id}-expired`, time: today, title: `Expired: ${name}`, detail }];
  }
  const isFunded = status === 'fulfilled';
  return [
    {
      id: `${id}-claimable`,
      time: claimableTime,
      title: `${isFunded ? 'Claimable' : 'Expected to be claimable'}: ${name}`,
      detail: isFunded
        ? `${formatAmount(allocatedFunds)} AVAX are set aside: WithdrawQueue.claimUnstake(${requestId}) pays them from then on.`
        : `${formatAmount(expectedAssets)} AVAX, if the queue is served by then, which nobody is bound to do.`,
    },
    {
      id: `${id}-expires`,
      time: expirationTime,
      title: `Expires: ${name}`,
      detail: 'It cannot be claimed after that; its ggAVAX can then be taken back.',
    },
  ];
}

function minipoolDeadlines(minipool: Minipool, { cycleSeconds, uptimes }: DeadlineSources, today: number): Deadline[] {
  const nodeID = formatNodeID(minipool.nodeID);
  const [over] = withdrawableMinipools([minipool]);
  if (over) {
    const detail = `The minipool of ${nodeID}: MinipoolManager.withdrawMinipoolFunds(${minipool.nodeID}).`;
    return [
      { id: `${nodeID}-over`, time: today, title: `Withdraw ${formatAmount(over.avax)} AVAX of a minipool`, detail },
    ];
  }
  if (statusName(minipool.status) !== 'staking') return [];
  const deadlines: Deadline[] = [];
  if (cycleSeconds !== undefined) {
    const { startTime } = minipool;
    const time = startTime + cycleSeconds;
    deadlines.push({
      id: `${nodeID}-${startTime}`,
      time,
      title: 'A cycle of a minipool ends',
      detail: `The minipool of ${nodeID}.`,
    });
  }
  const uptime = uptimes.get(nodeID);
  if (uptime !== undefined && uptime < LOW_UPTIME_PERCENT) {
    const detail = `The node ${nodeID} has ${uptime} %. A cycle without enough uptime earns nothing.`;
    deadlines.push({ id: `${nodeID}-uptime`, time: today, title: `Uptime under ${LOW_UPTIME_PERCENT} %`, detail });
  }
  return deadlines;
}

function lockDeadline({ token, amount, until }: Lock): Deadline[] {
  if (until === undefined) return [];
  const title = `The lock of ${formatAmount(amount)} ${token} ends`;
  return [{ id: `lock-${token}`, time: until, title, detail: 'From then on, AssetLocker.withdrawTokens pays it.' }];
}

function stakeDeadlines(stake: OperatorStake, { terms }: DeadlineSources, today: number): Deadline[] {
  const deadlines: Deadline[] = [];
  const { ggpRewards } = stake;
  if (ggpRewards > 0n) {
    const detail = `ClaimNodeOp.claimAndRestake(${ggpRewards}).`;
    deadlines.push({ id: 'ggp-rewards', time: today, title: `Claim ${formatAmount(ggpRewards)} GGP`, detail });
  }
  const ratio = terms && unlessReverted(() => collateralizationRatio(stake, terms));
  const low = LOW_COLLATERAL_PERCENT.find((percent) => ratio !== undefined && ratio < (WAD * percent) / 100n);
  if (low !== undefined) {
    const detail = 'The value of the GGP staked, as a share of the AVAX assigned. Under 10 %, it earns no GGP.';
    deadlines.push({ id: 'collateral', time: today, title: `Collateral under ${low} %`, detail });
  }
  return deadlines;
}
