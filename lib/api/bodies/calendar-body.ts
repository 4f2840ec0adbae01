/** The claims of addresses that have a date or wait to be made, as JSON and as a calendar. */

import { id as hash } from 'ethers';
import type * as z from 'zod/mini';
import type { RequestContext } from '../../cache/dataset.ts';
import type { ChainContext } from '../../chain/chain.ts';
import { flagsDataset } from '../../flags/flags-dataset.ts';
import type { FlagsContext } from '../../flags/flags-store.ts';
import { type Account, readAccounts } from '../../protocol/accounts.ts';
import { type ClaimKind, claimDetail, claimTitle } from '../../protocol/claim-kinds.ts';
import type { Claim } from '../../protocol/claims.ts';
import { roundedText } from '../../values/amounts.ts';
import type { BlockRef } from '../../values/block.ts';
import { DAY } from '../../values/durations.ts';
import { dayText, LAST_TIME } from '../../values/iso-time.ts';
import { csvFormat, JSON_FORMAT } from '../definition.ts';
import { list, object, partialObject } from '../fields.ts';
import { CALENDAR, type CalendarEvent, toCalendar } from '../http/calendar.ts';
import { address, block, flag, text, unixTime } from '../units.ts';

interface Deadline extends CalendarEvent {
  address?: string;
}

interface Calendar {
  deadlines: readonly Deadline[];
  /** True if deadlines may be missing, because the data that they follow from is not known. */
  isIncomplete: boolean;
  block: BlockRef;
}

const deadline = object<Deadline>('Deadline')({
  id: text('Stable across answers.'),
  address: address.optional('Address concerned. Omitted if all are.'),
  time: unixTime('Start.'),
  endTime: unixTime.optional('End of an entry of whole UTC days. Omitted for a moment.'),
  open: flag('True for a claim that can be made now. It lasts from this week to the end of the next.'),
  title: text('Summary.'),
  detail: text('Description.'),
  url: text.optional('Contract to call, in a block explorer. Omitted on networks without one.'),
});

export const CALENDAR_BODY = partialObject<Calendar>('CalendarField')({
  deadlines: list(deadline)(
    'The earliest first.',
    ({ deadlines }) => deadlines,
    ({ isIncomplete }) => (isIncomplete ? 'SOURCE_UNAVAILABLE' : undefined),
  ),
  block: block(),
});

type Body = z.output<ReturnType<typeof CALENDAR_BODY.schema>>;
interface Input {
  address: string | readonly string[];
}

/** The formats of the calendar; the first is the default. With several addresses, each title names its address. */
export const CALENDAR_FORMATS = {
  ics: {
    contentType: CALENDAR,
    write: ({ deadlines }: Body, { address: asked }: Input) => {
      const addresses = [asked].flat().toSorted();
      const [first = '', ...others] = addresses;
      const name = `GoGoPool / Hypha ${short(first)}${others.length > 0 ? ` and ${others.length} more` : ''}`;
      const events = deadlines.map(({ address, title, id, ...event }) => ({
        ...event,
        // Programs take equal IDs in two calendars for the same entry.
        id: `${hash(`${addresses}`).slice(2, 10)}-${id}`,
        title: others.length === 0 || !address ? title : `${title} (${short(address)})`,
      }));
      return toCalendar(name, events);
    },
  },
  json: JSON_FORMAT,
  csv: csvFormat('deadlines'),
};

function short(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

export const CALENDAR_DESCRIPTION =
  'Claims with a date as a calendar to subscribe to (iCalendar, RFC 5545), with alarms a week and a day before: when withdrawal requests become payable and expire, when minipools may end and locks end, and the announced end of withdrawals. Claims that can be made now stay until they are made. IDs are stable. While a source does not answer, JSON lists `deadlines` in `partial`, and the calendar is the last complete one or a 503, because calendars delete missing entries.';

/** Claims that need no hurry: no calendar has them once they can be made. */
const OPTIONAL = new Set<ClaimKind>(['redeem', 'cancelUnstake', 'withdrawPstAvax', 'redeemXGgp', 'redeemXAvax']);
/** 1 January 1970 was a Thursday. */
const [MONDAY, WEEK] = [4 * DAY, 7 * DAY];
const EXPLORERS: Record<number, string> = { 43114: 'https://snowtrace.io', 43113: 'https://testnet.snowtrace.io' };

export async function readCalendar(
  context: RequestContext<ChainContext & FlagsContext>,
  addresses: readonly string[],
): Promise<Calendar> {
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
  const explorer = EXPLORERS[call?.chainId ?? 0];
  const url = explorer && `${explorer}/address/${call?.contract}#writeContract`;
  const title = `${claimTitle(claim)}${amount === undefined ? '' : `: ${roundedText(amount)} ${token}`}`;
  const common = { address, detail: claimDetail(claim), url, open: false };
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
