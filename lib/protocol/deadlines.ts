/** The dates that an address with funds in the protocol must not miss, at one block. */

import type { Minipool } from '../contracts/minipool-manager.ts';
import { statusName } from '../contracts/minipool-statuses.ts';
import type { Lock, TokenName } from '../contracts/other-holdings.ts';
import { startOfPeriod } from '../history/periods.ts';
import { collateralizationRatio } from '../rewards/collateral.ts';
import { ifKnown, unlessReverted } from '../runtime/if-known.ts';
import { formatNodeID } from '../values/cb58.ts';
import { LAST_TIME } from '../values/iso-time.ts';
import { WAD } from '../values/wad.ts';
import type { Account } from './accounts.ts';
import { waitingMinipools, withdrawableMinipools } from './operator-figures.ts';
import type { ProtocolAtBlock } from './protocol-at-block.ts';
import type { Withdrawal } from './withdrawals.ts';

/** The facts of each kind of deadline; amounts in wei. */
export interface DeadlineFacts {
  /** A pending request is due, now or later. `isOverdue`: it is due now. */
  requestDue: { requestId: number; assets: bigint; isOverdue: boolean };
  /** A fulfilled request can be claimed, now or from this time on. */
  requestClaimable: { requestId: number; assets: bigint };
  /**
   * The end of a request. `isFunded`: it has AVAX, to be claimed before. `isReturned`: as of this block, it returns ggAVAX
   * afterwards.
   */
  requestExpires: { requestId: number; isFunded: boolean; isReturned: boolean; announcedEnd: number | undefined };
  requestExpired: { requestId: number; isReturned: boolean };
  minipoolEnded: { nodeID: string; nodeIDHex: string; avax: bigint };
  minipoolCancelable: { nodeID: string; nodeIDHex: string; avax: bigint };
  cycleEnds: { nodeID: string };
  lowUptime: { nodeID: string; percent: number; limit: number };
  lockEnds: { token: TokenName; amount: bigint; isOver: boolean };
  stakeLockEnds: { ggp: bigint };
  ggpRewards: { ggp: bigint };
  lowCollateral: { limit: bigint };
  announcedEnd: { what: string };
}

export type DeadlineKind = keyof DeadlineFacts;

export type Deadline<Kind extends DeadlineKind = DeadlineKind> = {
  [Each in Kind]: {
    kind: Each;
    /** Stable in all answers, so that a calendar that is read again updates the entry and does not add a second one. */
    id: string;
    /** Unix seconds. A deadline that can be acted on now is dated on the block's UTC day, until it is done. */
    time: number;
    /** True if `time` stands for its whole UTC day. */
    isDay: boolean;
  } & DeadlineFacts[Each];
}[Kind];

/** The sources of an account's deadlines, besides the account. */
export interface DeadlineSources
  extends Pick<ProtocolAtBlock, 'block' | 'queued' | 'terms' | 'cancelMoratorium' | 'minipoolCycle'> {
  /** Uptime in percent by `NodeID-…`, as observed by the network's index. */
  uptimes: ReadonlyMap<string, number | undefined>;
  /** Start of the day that is announced as the end of withdrawals, unix seconds. */
  announcedEnd: number | undefined;
}

/** Limits below which the protocol's own service sent notices, in percent. */
const LOW_UPTIME_PERCENT = 90;
const LOW_COLLATERAL_PERCENT = [10n, 20n];

/** The deadlines of an account, the earliest first. Times that no calendar can express are left out. */
export function listDeadlines(account: Account, sources: DeadlineSources): Deadline[] {
  const today = startOfPeriod(sources.block.timestamp, '1d');
  const { withdrawals, minipools = [], locks = [] } = account;
  return inOrder([
    ...withdrawals.flatMap((request) => requestDeadlines(request, account, sources, today)),
    ...minipoolDeadlines(minipools, sources, today),
    ...locks.flatMap((lock) => lockDeadline(lock, sources, today)),
    ...stakeDeadlines(account, sources, today),
  ]);
}

/** The announced end of withdrawals. It applies to every address. */
export function announcedDeadline(day: string, time: number): Deadline {
  return { kind: 'announcedEnd', id: `announced-${day}`, time, isDay: true, what: 'withdrawals' };
}

export function inOrder<Own extends Deadline>(deadlines: readonly Own[]): Own[] {
  return deadlines.filter(({ time }) => time <= LAST_TIME).toSorted((a, b) => a.time - b.time);
}

function requestDeadlines(
  request: Withdrawal,
  { waysOut }: Account,
  { block, queued, announcedEnd }: DeadlineSources,
  today: number,
): Deadline[] {
  const { requestId, status, claimableTime, expirationTime, expectedAssets, allocatedFunds, expiryShares } = request;
  const id = `withdrawal-${requestId}`;
  if (status === 'expired') {
    const isReturned = expiryShares !== undefined;
    return [{ kind: 'requestExpired', id: `${id}-expired`, time: today, isDay: true, requestId, isReturned }];
  }
  const isFunded = status === 'fulfilled';
  const isClaimable = waysOut?.some((way) => way.what === 'claimUnstake' && way.requestId === requestId) ?? false;
  const isDue = isFunded ? isClaimable : claimableTime <= block.timestamp;
  const due = { id: `${id}-claimable`, time: isDue ? today : claimableTime, isDay: isDue, requestId };
  return [
    isFunded
      ? { kind: 'requestClaimable', ...due, assets: allocatedFunds }
      : { kind: 'requestDue', ...due, assets: expectedAssets, isOverdue: isDue },
    {
      kind: 'requestExpires',
      id: `${id}-expires`,
      time: expirationTime,
      isDay: false,
      requestId,
      isFunded,
      isReturned: !isFunded || queued.deposits !== undefined,
      announcedEnd: ifKnown((end) => (end < expirationTime ? end : undefined), announcedEnd),
    },
  ];
}

function minipoolDeadlines(
  minipools: readonly Minipool[],
  { block, cancelMoratorium, minipoolCycle, uptimes }: DeadlineSources,
  today: number,
): Deadline[] {
  const ended = withdrawableMinipools(minipools).map(({ nodeID: hex, avax }): Deadline => {
    const nodeID = formatNodeID(hex);
    return { kind: 'minipoolEnded', id: `${nodeID}-over`, time: today, isDay: true, nodeID, nodeIDHex: hex, avax };
  });
  const waiting = waitingMinipools(minipools).flatMap(
    ({ nodeID: hex, creationTime, avaxNodeOpAmt: avax }) =>
      ifKnown((seconds): Deadline => {
        const nodeID = formatNodeID(hex);
        const from = creationTime + seconds;
        const isDay = from <= block.timestamp;
        const when = { time: isDay ? today : from, isDay };
        return { kind: 'minipoolCancelable', id: `${nodeID}-cancelable`, ...when, nodeID, nodeIDHex: hex, avax };
      }, cancelMoratorium) ?? [],
  );
  const staking = minipools
    .filter(({ status }) => statusName(status) === 'staking')
    .flatMap(({ nodeID: hex, startTime }) => {
      const nodeID = formatNodeID(hex);
      const deadlines: Deadline[] = [];
      if (minipoolCycle !== undefined) {
        const time = startTime + minipoolCycle;
        deadlines.push({ kind: 'cycleEnds', id: `${nodeID}-${startTime}`, time, isDay: false, nodeID });
      }
      const percent = uptimes.get(nodeID);
      if (percent !== undefined && percent < LOW_UPTIME_PERCENT) {
        const id = `${nodeID}-uptime`;
        deadlines.push({ kind: 'lowUptime', id, time: today, isDay: true, nodeID, percent, limit: LOW_UPTIME_PERCENT });
      }
      return deadlines;
    });
  return [...ended, ...waiting, ...staking];
}

function lockDeadline({ token, amount, until }: Lock, { block }: DeadlineSources, today: number): Deadline[] {
  if (until === undefined) return [];
  const isOver = until <= block.timestamp;
  return [
    { kind: 'lockEnds', id: `lock-${token}`, time: isOver ? today : until, isDay: isOver, token, amount, isOver },
  ];
}

function stakeDeadlines({ staking: stake }: Account, { block, terms }: DeadlineSources, today: number): Deadline[] {
  if (!stake) return [];
  const deadlines: Deadline[] = [];
  const { ggpStaked, ggpRewards, lockedUntil } = stake;
  if (ggpRewards > 0n)
    deadlines.push({ kind: 'ggpRewards', id: 'ggp-rewards', time: today, isDay: true, ggp: ggpRewards });
  if (lockedUntil > block.timestamp)
    deadlines.push({ kind: 'stakeLockEnds', id: 'stake-lock', time: lockedUntil, isDay: false, ggp: ggpStaked });
  const ratio = terms && unlessReverted(() => collateralizationRatio(stake, terms));
  const limit = LOW_COLLATERAL_PERCENT.find((percent) => ratio !== undefined && ratio < (WAD * percent) / 100n);
  if (limit !== undefined) deadlines.push({ kind: 'lowCollateral', id: 'collateral', time: today, isDay: true, limit });
  return deadlines;
}
