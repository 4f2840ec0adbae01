/** The dates of claims, for calendars: of those that have a date, or wait to be made. */

import type { RequestContext } from '../cache/cache.ts';
import type { ChainContext } from '../chain/chain.ts';
import { flagsDataset } from '../flags/flags-dataset.ts';
import type { FlagsContext } from '../flags/flags-store.ts';
import { roundedText } from '../values/amounts.ts';
import type { BlockRef } from '../values/block.ts';
import { DAY } from '../values/durations.ts';
import { dayText, LAST_TIME } from '../values/iso-time.ts';
import { type Account, readAccounts } from './accounts.ts';
import { CLAIM_KINDS, type ClaimKind } from './claim-kinds.ts';
import type { Claim } from './claims.ts';

export interface Deadline {
  /** Equal whenever it is read, so that a calendar that is read again updates the entry. */
  id: string;
  /** Undefined if it concerns all. */
  address?: string;
  /** Unix seconds. */
  time: number;
  /** The end of an entry of whole UTC days. Without it, the entry is a moment. */
  endTime?: number | undefined;
  /** True for a claim that can be made now. */
  open: boolean;
  title: string;
  detail: string;
  url?: string | undefined;
}

export type Deadlines = Awaited<ReturnType<typeof readDeadlines>>;

/** Claims that need no hurry: no calendar has them once they can be made. */
const OPTIONAL = new Set<ClaimKind>([
  ...(['redeem', 'approveUnstake', 'requestUnstake', 'cancelUnstake'] as const),
  ...(['withdrawPstAvax', 'redeemXGgp', 'redeemXAvax'] as const),
]);
/** 1 January 1970 was a Thursday. */
const [MONDAY, WEEK] = [4 * DAY, 7 * DAY];

export async function readDeadlines(
  context: RequestContext<ChainContext & FlagsContext>,
  addresses: readonly string[],
) {
  const [{ accounts, block }, { flags }] = await Promise.all([
    readAccounts(context, addresses),
    context.dataset(flagsDataset),
  ]);
  const { assetLocker } = context.config.network;
  const deadlines = accounts.flatMap(({ address, now = [], later = [] }) =>
    [...now, ...later].flatMap((claim) => deadlinesOf(claim, address, block)),
  );
  const unread = ({ now, later, locks }: Account) => !now || !later || (assetLocker !== undefined && !locks);
  const announced = flags.windDown?.enabled ? announcedEnd(String(flags.windDown.withdrawalsUntil)) : [];
  return {
    deadlines: [...deadlines, ...announced].filter(({ time }) => time <= LAST_TIME).toSorted((a, b) => a.time - b.time),
    /** True if some may be missing, because the data that they follow from is not known. */
    isIncomplete: accounts.some(unread),
    block,
  };
}

/** The deadlines of a claim: from when it can be made, and until when. */
function deadlinesOf(claim: Claim, address: string, { timestamp }: BlockRef): Deadline[] {
  const { what, token, amount, from, until, call, requires } = claim;
  if (call && OPTIONAL.has(what)) return [];
  const subject = [what, claim.requestId ?? claim.nodeID ?? claim.lockId, requires === 'noMinipoolLeft' && 'bound'];
  const id = [address, ...subject].filter((part) => part !== undefined && part !== false).join('-');
  const title = `${CLAIM_KINDS[what].title(claim)}${amount === undefined ? '' : `: ${roundedText(amount)} ${token}`}`;
  const common = { address, detail: CLAIM_KINDS[what].detail(claim), url: call?.url, open: false };
  const monday = timestamp - ((timestamp - MONDAY) % WEEK);
  const first = call ? { time: monday, endTime: monday + 2 * WEEK, open: true } : from !== undefined && { time: from };
  const isLast = until !== undefined && requires === undefined;
  const last = isLast && { id: `${id}-until`, time: until, title: `Last day, ${dayText(until)}: ${title}` };
  return [first && { ...common, ...first, id, title }, last && { ...common, ...last }].filter((each) => !!each);
}

/** The announced end of withdrawals. None for a text that is not a date: the flag is set by hand. */
function announcedEnd(day: string): Deadline[] {
  const time = Date.parse(day) / 1_000;
  const title = 'Announced end of withdrawals';
  const detail = 'The contracts do not enforce this date: they keep paying after it, but there may be no website.';
  return Number.isNaN(time) ? [] : [{ id: `announced-${day}`, time, endTime: time + DAY, open: false, title, detail }];
}
