/** The ways out that the contracts do not allow yet, each with its earliest time and the event that has to happen before. */

import { statusName } from '../contracts/minipool-statuses.ts';
import type { TokenName } from '../contracts/other-holdings.ts';
import { ifKnown } from '../runtime/if-known.ts';
import type { BlockRef } from '../values/block.ts';
import { LAST_TIME } from '../values/iso-time.ts';
import type { Holdings } from './holdings.ts';
import { waitingMinipools } from './operator-figures.ts';
import type { ProtocolAtBlock } from './protocol-at-block.ts';
import type { Action, Subject } from './ways-out.ts';
import type { Withdrawal } from './withdrawals.ts';

/** Events that have to happen before a way out opens. */
export const CONDITIONS = ['minipoolEnded', 'noMinipoolLeft', 'requestFulfilled', 'depositsOpen'] as const;

export interface WayLater extends Subject {
  what: Action;
  token: TokenName;
  /** Wei of the token, as of this block; undefined if the amount depends on later events. */
  amount?: bigint | undefined;
  /** The earliest time, unix seconds; undefined if the contracts require no time. */
  from?: number | undefined;
  after?: (typeof CONDITIONS)[number] | undefined;
}

type Terms = Pick<ProtocolAtBlock, 'block' | 'queued' | 'cancelMoratorium' | 'minipoolCycle'>;

/**
 * The later ways out, in the order to take them: minipools, then the GGP that they bind, then requests and locks. Minipools
 * are sorted by time, and so are requests and locks together. Undefined if the minipools, or the moratorium of a waiting
 * one, are unknown.
 */
export function listWaysLater(holdings: Holdings, terms: Terms): WayLater[] | undefined {
  const minipools = minipoolsLater(holdings, terms);
  if (!minipools) return undefined;
  const requests = holdings.withdrawals.flatMap((request) => requestLater(request, terms));
  const locks = locksLater(holdings, terms);
  const all = [
    ...minipools.toSorted(byTime),
    ...stakeLater(holdings, terms),
    ...[...requests, ...locks].toSorted(byTime),
  ];
  return all.filter(({ from = 0 }) => from <= LAST_TIME);
}

function byTime({ from: a = 0 }: WayLater, { from: b = 0 }: WayLater): number {
  return a - b;
}

/**
 * The minipools' ways out. A waiting minipool can be canceled after the moratorium. A minipool at work is ended by the
 * protocol's multisig, never by its owner.
 */
function minipoolsLater({ minipools }: Holdings, terms: Terms): WayLater[] | undefined {
  const { block, cancelMoratorium, minipoolCycle } = terms;
  if (!minipools) return undefined;
  const waiting = waitingMinipools(minipools);
  if (waiting.length > 0 && cancelMoratorium === undefined) return undefined;
  const token = 'AVAX';
  const canceled = waiting.map(({ nodeID, creationTime, avaxNodeOpAmt: amount }) => {
    const from = ifLater(creationTime + (cancelMoratorium ?? 0), block);
    return { what: 'cancelMinipool', token, amount, from, nodeID } as const;
  });
  const ended = minipools.flatMap(({ nodeID, status, startTime, avaxNodeOpAmt: amount }) => {
    const name = statusName(status);
    if (name !== 'launched' && name !== 'staking') return [];
    const cycleEnd = name === 'staking' ? ifKnown((seconds) => startTime + seconds, minipoolCycle) : undefined;
    const from = ifLater(cycleEnd, block);
    return { what: 'withdrawMinipool', token, amount, from, after: 'minipoolEnded', nodeID } as const;
  });
  return [...canceled.filter(({ from }) => from !== undefined), ...ended];
}

/** The ways out of staked GGP. `Staking.withdrawGGP` requires the end of the lock and collateral for the AVAX assigned. */
function stakeLater({ staking }: Holdings, { block }: Terms): WayLater[] {
  if (!staking) return [];
  const from = ifLater(staking.lockedUntil, block);
  const free = staking.ggpUnneeded ?? 0n;
  const bound = staking.ggpStaked - free;
  const [what, token] = ['withdrawGgp', 'GGP'] as const;
  const later: WayLater[] = [];
  if (from !== undefined && free > 0n) later.push({ what, token, amount: free, from });
  if (bound > 0n) later.push({ what, token, amount: bound, from, after: 'noMinipoolLeft' });
  return later;
}

/**
 * The ways out of a request. A pending request is paid if the queue gets AVAX for it; once it has expired, its shares can be
 * taken back. Reclaiming an expired request with AVAX deposits the AVAX again; it is refused while ggAVAX accepts no
 * deposits.
 */
function requestLater(request: Withdrawal, { block, queued }: Terms): WayLater[] {
  const { requestId, status, claimableTime, expirationTime, expectedAssets, shares, allocatedFunds } = request;
  switch (status) {
    case 'pending': {
      const from = ifLater(claimableTime, block);
      const [amount, after] = [expectedAssets, 'requestFulfilled'] as const;
      return [
        { what: 'claimUnstake', token: 'AVAX', amount, from, after, requestId },
        { what: 'reclaimExpired', token: 'ggAVAX', amount: shares, from: expirationTime, requestId },
      ];
    }
    case 'fulfilled':
      return [];
    case 'expired':
      return allocatedFunds > 0n && !queued.deposits
        ? [{ what: 'reclaimExpired', token: 'ggAVAX', after: 'depositsOpen', requestId }]
        : [];
  }
}

function locksLater({ locks = [] }: Holdings, { block }: Terms): WayLater[] {
  return locks.flatMap(({ token, address: lockId, amount, until }) =>
    until !== undefined && until > block.timestamp
      ? { what: 'withdrawLocked', token, amount, from: until, lockId }
      : [],
  );
}

/** The time, or undefined if it is over at the block. */
function ifLater(time: number | undefined, { timestamp }: BlockRef): number | undefined {
  return time !== undefined && time > timestamp ? time : undefined;
}
